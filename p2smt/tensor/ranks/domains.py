"""The integers that a source can hold, derived from lookups in the single-device program.

A source that indexes n classes holds 0, ..., n - 1; other values would fail. It may also hold numbers it is
compared with, such as the class that a loss ignores. Some of these only the single-device program compares with.
The ranks are then judged without them, and nothing is claimed about inputs that contain them.

    domain(source) = {0, ..., n - 1}, n the rows of the shortest table indexed, + the numbers it is compared with.

Complexity: one pass over the program.
Reference: Cousot and Cousot, "Abstract interpretation", 1977 (sets of integers as values).

Example: cross_entropy ignores the target -100. Ranks that hold part of the classes each, and compare targets only
with the bounds of their part, take -100 for a class on another rank.
"""

from collections.abc import Mapping

from p2smt.tensor.checks import whole_number
from p2smt.tensor.expression import Call, Number, Read
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import Program
from p2smt.tensor.ranks.programs import (
    ArrayPermutation,
    Delivery,
    GroupExchange,
    LocalCall,
    NamedExchange,
    OneRankCall,
    RankPrograms,
)
from p2smt.tensor.shapes import whole_of, wholes

MOST_CLASSES = 128


def index_domains(single: Program) -> Mapping[str, tuple[int, ...]]:
    """Return the domains of integer sources used directly as indices, if they have at most MOST_CLASSES classes."""
    shapes = wholes(single)
    whole_sources = {source.name for source in single.sources if source.dtype.is_whole}
    classes: dict[str, int] = {}
    compared: dict[str, set[int]] = {}
    for expression in single.expressions():
        match expression:
            case Call(operation, operands, attributes) if OPERATIONS[operation].kind.looks_up:
                index = operands[-1]
                if not isinstance(index, Read) or index.name not in whole_sources:
                    continue
                if attributes:
                    count = whole_number(attributes[0])
                else:
                    count = whole_of(operands[0], shapes).shape[0 if operation == "embedding" else -1]
                # Several lookups at one index: the smallest table bounds it.
                classes[index.name] = min(count, classes.get(index.name, count))
            case Call("eq", (Read(name), Number(value))) if name in whole_sources and value == int(value):
                compared.setdefault(name, set()).add(int(value))
            case _:
                pass
    return {
        name: (*sorted(each for each in compared.get(name, ()) if not 0 <= each < count), *range(count))
        for name, count in classes.items()
        if 1 < count <= MOST_CLASSES
    }


def unasked(ranks: RankPrograms, single: Program) -> Mapping[str, frozenset[int]]:
    """Return, for each source, the numbers outside its classes that only the single-device program compares with."""
    asked = _numbers(ranks)
    left = {name: frozenset(each for each in numbers if each not in asked) for name, numbers in beside(single).items()}
    return {name: numbers for name, numbers in left.items() if numbers}


def beside(single: Program) -> Mapping[str, frozenset[int]]:
    """Return, for each source, the numbers of its domain that are not class indices."""
    # Classes are counted from 0, and stand behind the others.
    pairs = ((name, domain[: domain.index(0)] if 0 in domain else ()) for name, domain in index_domains(single).items())
    return {name: frozenset(numbers) for name, numbers in pairs if numbers}


def _numbers(ranks: RankPrograms) -> frozenset[float]:
    """Return the literals in the ranks' statements."""
    calls: list[Call] = []
    for statement in ranks.statements:
        match statement:
            case LocalCall(_, made):
                calls += made
            case OneRankCall(_, _, call):
                calls.append(call)
            case GroupExchange() | NamedExchange() | Delivery() | ArrayPermutation():
                pass
    return frozenset(float(each.value) for call in calls for each in call.operands if isinstance(each, Number))
