"""Witnesses of `confusion-metrics` besides the JavaScript runner."""

from fractions import Fraction


def scikit_learn(document):
    """Four samples, weighted by the cells; a float stands for the one fraction near it with a denominator up to 2n."""
    from sklearn.metrics import accuracy_score, f1_score, precision_score, recall_score, zero_one_loss

    weights = [document[name] for name in ("tp", "fp", "fn", "tn")]
    actual, predicted = [1, 0, 1, 0], [1, 1, 0, 0]

    def exact(measure, truth=actual, guess=predicted, **options):
        value = measure(truth, guess, sample_weight=weights, **options)
        return Fraction(float(value)).limit_denominator(2 * sum(weights))

    found = {}
    for mark, positive in (("", 1), ("!", 0)):
        everywhere, nowhere = [positive] * 4, [1 - positive] * 4
        found |= {
            mark + "recall": exact(recall_score, pos_label=positive),
            mark + "precision": exact(precision_score, pos_label=positive),
            mark + "f1": exact(f1_score, pos_label=positive),
            mark + "fpr": 1 - exact(recall_score, pos_label=1 - positive),
            mark + "accuracy": exact(accuracy_score),
            mark + "error_rate": exact(zero_one_loss),
            mark + "match_rate": exact(accuracy_score, everywhere),
            mark + "filter_rate": exact(accuracy_score, nowhere),
        }
    return {name: str(value) for name, value in found.items()}


WITNESSES = {"scikit-learn": scikit_learn}
