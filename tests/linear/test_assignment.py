"""The best assignment against all of them."""

import random
from itertools import permutations

from gmpy2 import mpq

from ntqr_exact.linear.assignment import best_assignment


def test_the_assignment_is_the_first_of_the_best_of_all() -> None:
    generator = random.Random(3)
    for _ in range(300):
        size, most = generator.randint(1, 5), generator.choice([1, 3, 100])
        gains = [
            [mpq(generator.randint(-most, most), generator.randint(1, 3)) for _ in range(size)]
            for _ in range(size)
        ]
        best = min(
            permutations(range(size)),
            key=lambda order: (-sum(gains[i][j] for i, j in enumerate(order)), order),
        )
        assert best_assignment(gains) == best


def test_sixty_rows_are_assigned_at_once() -> None:
    generator = random.Random(4)
    hidden = generator.sample(range(60), 60)
    gains = [[10**30 * (hidden[i] == j) + generator.randint(0, 10**29) for j in range(60)] for i in range(60)]
    assert best_assignment(gains) == tuple(hidden)
