"""What is refused of votes and of a point that is given by a key."""


def refusal(document):
    """What votes and key of two labels are refused as, or None."""
    lists = [document["counts"], *document.get("key", ())]
    if any(len(counts) != 2 ** document["judges"] for counts in lists):
        return {"error": "bad-votes"}
    if min(map(min, lists)) < 0:
        return {"error": "bad-number"}
    if sum(lists[0]) == 0 or ("key" in document and sum(map(sum, lists[1:])) == 0):
        return {"error": "empty-test"}
    return None
