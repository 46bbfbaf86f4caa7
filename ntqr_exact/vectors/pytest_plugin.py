"""A plugin of pytest: `pytest --ntqr-vectors FAMILY --function module:name` makes each vector a test of a function.

The function takes the input as a dictionary and returns the output; exact numbers may be `Fraction` or whole. It
refuses by returning {"error": kind} or by raising `ValueError`.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ntqr_exact.vectors.document import Test


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the two options."""
    group = parser.getgroup("ntqr-vectors", "reference test vectors")
    group.addoption(
        "--ntqr-vectors",
        action="append",
        default=[],
        metavar="FAMILY",
        help="Test a function by this family.",
    )
    group.addoption("--function", metavar="MODULE:NAME", help="The function that the vectors test.")


def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add an item for each vector that was asked for."""
    items.extend(_items(session, config))


def _items(session: pytest.Session, config: pytest.Config) -> Iterator[pytest.Item]:
    names = config.getoption("--ntqr-vectors")
    if not names:
        return
    from ntqr_exact.errors import NtqrExactError
    from ntqr_exact.vectors.files import all_tests, read_family, shipped

    function = _function(config.getoption("--function"))
    for name in names:
        try:
            tests = list(all_tests(read_family(shipped(), name)))
        except NtqrExactError as error:
            raise pytest.UsageError(str(error)) from None
        for test in tests:
            yield VectorItem.from_parent(session, name=test.id, test=test, function=function)


def _function(place: str | None) -> Callable[[Any], Any]:
    module, _, name = (place or "").partition(":")
    if not (module and name):
        raise pytest.UsageError("--ntqr-vectors needs --function MODULE:NAME")
    try:
        function: Callable[[Any], Any] = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise pytest.UsageError(f"--function {place}: {error}") from None
    return function


class WrongOutput(AssertionError):
    """An output that is not what is expected."""


class VectorItem(pytest.Item):
    """One vector as a test."""

    def __init__(self, *, test: Test, function: Callable[[Any], Any], **more: Any) -> None:
        """Keep the vector and the function."""
        super().__init__(**more)
        self._vector = test
        self._tested = function
        for flag in test.body["flags"]:
            self.add_marker(pytest.mark.ntqr_flag(flag))

    def runtest(self) -> None:
        """Compare what the function returns with what is expected."""
        from gmpy2 import mpq

        from ntqr_exact.vectors.compare import Agreement, read_output
        from ntqr_exact.vectors.judge import judge_output

        try:
            output = self._tested(json.loads(json.dumps(self._vector.input)))
        except ValueError as error:
            output = {"error": str(error)}
        agreement, words = judge_output(self._vector, read_output(json.dumps(output, default=str)), mpq(0))
        if agreement is Agreement.WRONG:
            raise WrongOutput("\n".join(words))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Tell what the vector is about and what is wrong; an error of the function keeps its traceback."""
        if not excinfo.errisinstance(WrongOutput):
            return super().repr_failure(excinfo, style)
        flags = ", ".join(self._vector.body["flags"])
        return f"{self._vector.body['comment']}{f' ({flags})' if flags else ''}\n{excinfo.value}"

    def reportinfo(self) -> tuple[str, None, str]:
        """Return the id in place of a file and a line."""
        return "vectors", None, self.name


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker of flags known."""
    config.addinivalue_line("markers", "ntqr_flag(name): a flag of a reference vector")
