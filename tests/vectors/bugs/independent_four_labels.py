"""The bugs of `independent-four-labels`; the second implementation is that of three labels, which takes any number."""

REFERENCE_OF = "independent-three-labels"

BUGS = {
    "commutation is not tested": (
        "if times(left, right) != times(right, left)",
        "if times(left, right) is None",
    ),
    "roots are always real": ("if real < len(whole) - 1", "if real < 0"),
    "an irrational root passes": ("found if len(found) == real else", "found if len(found) <= real else"),
    "a float for the scale": ("Fraction(high, scale)", "Fraction(high / scale)"),
    "too few eigenvectors pass": ("if any(map(any, without(mixed, roots)))", "if not roots"),
    "only the first pair is tried": ('elif found != "singular":', "else:"),
    "the wrong judge of the pair": ("found[v[p]][v[q]] += count", "found[v[q]][v[p]] += count"),
    "the components as they come": ("sorted(found, reverse=True)", "found"),
    "the components in increasing order": ("sorted(found, reverse=True)", "sorted(found)"),
    "rates are not looked at": ("if any(not 0 <= number <= 1", "if any(not -9 <= number <= 9"),
    "a rate of 1 is out of range": ("not 0 <= number <= 1", "not 0 <= number < 1"),
    "counts need not be whole": ("number.denominator != 1 for part", "number.denominator < 1 for part"),
}
