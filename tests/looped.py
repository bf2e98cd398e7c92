"""Tests that try many small cases in one item: pytest takes longer for an item than such a case does."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from _pytest.mark.structures import ParameterSet


def looped(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test with one case after the other; takes what `pytest.mark.parametrize` does, without ids and marks.

    A failure has a note that says which case it is. Fixtures are made once, for all cases together.
    """
    known = [each.strip() for each in names.split(",")] if isinstance(names, str) else list(names)
    listed = list(cases)
    assert listed, f"there is no case of {names}"
    assert not any(isinstance(each, ParameterSet) for each in listed), f"{names}: marks need pytest.mark.parametrize"

    def decorated(function: Callable[..., None]) -> Callable[..., None]:
        @wraps(function)
        def run(**fixtures: Any) -> None:
            for number, case in enumerate(listed):
                values = (case,) if len(known) == 1 else case
                try:
                    function(**dict(zip(known, values, strict=True)), **fixtures)
                except BaseException as error:
                    error.add_note(f"case {number}: {', '.join(known)} = {case!r}")
                    raise

        signature = inspect.signature(function)
        others = [each for name, each in signature.parameters.items() if name not in known]
        run.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        del run.__wrapped__  # type: ignore[attr-defined]
        return run

    return decorated
