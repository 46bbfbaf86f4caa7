"""Witnesses of `sample-size-plan` besides the JavaScript runner."""

from fractions import Fraction

from tests.vectors.bugs.shared.metric_model import metric_of, whole


def sample(counts, classes):
    numbers = [whole(count) for count in counts]
    if len(numbers) != len(classes):
        raise ValueError
    if sum(numbers) == 0:
        raise LookupError
    if sum(numbers) == 1:
        raise ValueError
    return numbers


def overlap(both, control, treatment):
    """The covariance of being in the second class, for one question."""
    if both is None:
        return Fraction(0)
    common, n = whole(both), sum(control)
    if len(control) != 2 or n != sum(treatment):
        raise ValueError
    if common > min(control[1], treatment[1]) or n - control[1] - treatment[1] + common < 0:
        raise ValueError
    return Fraction(common, n) - Fraction(control[1] * treatment[1], n * n)


def moments(numbers, values):
    """The mean of values, and their spread about it."""
    n = sum(numbers)
    mean = Fraction(sum(c * v for c, v in zip(numbers, values, strict=True)), n)
    return mean, Fraction(sum(c * v * v for c, v in zip(numbers, values, strict=True)), n) - mean**2


def questions(document):
    """For each key the difference f and the parts a, b and c of the variance."""
    classes = metric_of(document["metric"])
    control, treatment = (sample(document[name], classes) for name in ("control", "treatment"))
    in_second = overlap(document["both"], control, treatment)
    rates, labels = [rate for rate, _, _ in classes], [said for _, _, said in classes]
    (p_c, spread_c), (p_t, spread_t) = moments(control, labels), moments(treatment, labels)
    (m_c, a_c), (m_t, a_t) = moments(control, rates), moments(treatment, rates)
    of_labels = spread_c + spread_t - 2 * (labels[1] - labels[0]) ** 2 * in_second
    of_rates = a_c + a_t - 2 * (rates[1] - rates[0]) ** 2 * in_second
    chance = m_c - m_c**2 - a_c + m_t - m_t**2 - a_t
    size_c, size_t = sum(control), sum(treatment)
    fixed = sum(
        (Fraction(t, size_t) - Fraction(c, size_c)) ** 2 * v
        for c, t, (_, v, _) in zip(control, treatment, classes, strict=True)
    )
    observed, real = p_t - p_c, m_t - m_c
    return {
        "deterministic/observed": (observed, of_labels, 0, 0),
        "printed/observed": (observed, of_rates + chance, 0, 0),
        "printed/real": (real, of_rates + chance, 0, 0),
        "real-share/real": (real, of_rates, chance, 0),
        "estimator/real": (real, of_rates, 0, 0),
        "given-labels/real": (real, 0, chance, 0),
        "estimated-rates/real": (real, of_rates, 0, fixed),
    }


def shows(question, z, ends, n):
    f, a, b, c = question
    gap = f * f - z * z * (Fraction(a) / (n - 1) + Fraction(b) / n + c)
    return f != 0 and (gap > 0 or (gap == 0 and ends == "open"))


def by_counting(question, z, ends):
    return next(n for n in range(2, 1000) if shows(question, z, ends, n))


def answered(document, method):
    try:
        asked, z = questions(document), Fraction(document["z"])
    except LookupError:
        return {"error": "empty-test"}
    except (ValueError, ZeroDivisionError):
        return {"error": "bad-number"}
    if z <= 0:
        return {"error": "bad-number"}
    if document["ends"] not in ("open", "closed"):
        return {"error": "bad-choice"}
    answer = {}
    for key, question in asked.items():
        size = method(question, z, document["ends"])
        decision = "not-shown" if size is None else "lower" if question[0] < 0 else "higher"
        answer[key] = {"smallest_size": "none" if size is None else str(size), "decision": decision}
    return answer


def brute_force(document):
    """Every size tried, from 2 up."""
    return answered(document, by_counting)


WITNESSES = {"brute-force": brute_force}
