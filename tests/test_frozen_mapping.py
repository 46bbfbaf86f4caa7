"""A frozen mapping is a dictionary to read, and a value to hash, copy and send."""

import copy
import pickle

import pytest

from ntqr_exact.frozen_mapping import FrozenMapping

FROZEN = FrozenMapping({"b": 1, "a": 2})


@pytest.mark.parametrize(
    "rebuilt", [pickle.loads(pickle.dumps(FROZEN)), copy.copy(FROZEN), copy.deepcopy(FROZEN)]
)
def test_copies_are_equal_in_the_same_order_and_hash_alike(rebuilt):
    assert rebuilt == FROZEN
    assert list(rebuilt) == ["b", "a"]
    assert hash(rebuilt) == hash(FROZEN)
    assert type(rebuilt) is FrozenMapping


def test_it_equals_dictionaries_of_the_same_items_in_any_order_and_no_others():
    assert FROZEN == {"a": 2, "b": 1}
    assert FROZEN != {"a": 2}
    assert hash(FROZEN) == hash(FrozenMapping({"a": 2, "b": 1}))
    assert hash(FROZEN) != hash(FrozenMapping({"a": 2, "b": 2}))


def test_changes_to_its_arguments_or_results_do_not_change_it():
    given = {"a": 1}
    frozen = FrozenMapping(given)
    given["a"] = 2
    assert frozen == {"a": 1}
    with pytest.raises(TypeError):
        frozen["a"] = 3
