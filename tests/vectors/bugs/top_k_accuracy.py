"""A witness of `top-k-accuracy` besides the JavaScript runner."""

from fractions import Fraction


def scikit_learn(document):
    """scikit-learn takes the last of equal scores, and the first of them in rows that are turned round."""
    from sklearn.metrics import top_k_accuracy_score

    names, k = document["names"], document["k"]
    places = [names.index(label) for label in document["labels"]]
    ranks = [
        [sorted(map(Fraction, row)).index(Fraction(score)) for score in row] for row in document["scores"]
    ]
    labels = range(len(names))

    def share(rows, truth):
        hits = top_k_accuracy_score(truth, rows, k=k, labels=labels, normalize=False)
        return str(Fraction(round(hits), len(places)))

    turned = [row[::-1] for row in ranks]
    found = {
        "first": share(turned, [len(names) - 1 - place for place in places]),
        "last": share(ranks, places),
    }
    room = [k - sum(score > row[place] for score in row) for place, row in zip(places, ranks, strict=True)]
    equal = [row.count(row[place]) for place, row in zip(places, ranks, strict=True)]
    chances = [Fraction(min(max(r, 0), e), e) for r, e in zip(room, equal, strict=True)]
    return found | {"shared": str(sum(chances) / len(places))}


WITNESSES = {"scikit-learn": scikit_learn}
