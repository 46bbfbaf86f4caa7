"""A second implementation of `possible-group`, and the bugs that the vectors must catch in it."""

from itertools import accumulate, product


def ways(total, boxes):
    """How often 0, 1, …, total questions can be put into boxes: sums of sums, one for each box."""
    row = [1] + [0] * total
    for _ in range(boxes):
        row = list(accumulate(row))
    return row


def sums(columns, total):
    """The product of several lists of ways, by convolution, up to a total."""
    found = [1] + [0] * total
    for column in columns:
        found = [sum(found[k] * column[n - k] for k in range(n + 1)) for n in range(total + 1)]
    return found


def float_number(number):  # for the bug of the same name
    return int(float(number))


def refusal(document):
    labels, key, questions = document["labels"], document["key_counts"], document["questions"]
    if questions < 0:
        return {"error": "bad-number"}
    if document["judges"] < 1 or len(labels) < 2 or len(set(labels)) < len(labels) or "" in labels:
        return {"error": "bad-votes"}
    if min(key) < 0 or sum(key) != questions:
        return {"error": "bad-key-counts"}
    return None


def reference(document):
    refused = refusal(document)
    if refused:
        return refused
    labels, judges, questions = len(document["labels"]), document["judges"], document["questions"]
    patterns = labels**judges
    group = ways(questions, labels * patterns)[-1]
    of_label = ways(questions, patterns)
    at = 1
    for count in document["key_counts"]:
        at *= of_label[count]
    of_one = [number**judges for number in ways(questions, labels)]
    individual = sums([of_one] * labels, questions)[-1]
    return {"possible": str(group), "possible_at": str(at), "individual": str(individual)}


def brute_force(document):
    """Every question gets a true label and an answer of each judge: collect what comes about."""
    refused = refusal(document)
    if refused:
        return refused
    labels, judges = document["labels"], document["judges"]
    cells = list(product(labels, repeat=judges + 1))
    groups = {tuple(sorted(test)) for test in product(cells, repeat=document["questions"])}
    individual = {
        tuple(tuple(sorted((cell[0], cell[1 + judge]) for cell in test)) for judge in range(judges))
        for test in groups
    }

    def has_key(test):
        return [sum(cell[0] == label for cell in test) for label in labels] == document["key_counts"]

    return {
        "possible": str(len(groups)),
        "possible_at": str(sum(map(has_key, groups))),
        "individual": str(len(individual)),
    }


WITNESSES = {"brute-force": brute_force}
