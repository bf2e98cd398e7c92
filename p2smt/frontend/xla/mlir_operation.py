"""Textual MLIR operations, generic or custom: result names, operands, attributes, regions and types.

Method: recursive descent (Aho, Lam, Sethi and Ullman, "Compilers", 2006, section 4.4). The generic form is MLIR's own,
    results "=" "name" "(" operands ")" [ "<{" properties "}>" ] [ "(" regions ")" ] [ "{" attributes "}" ] ":" type,
as in `%1:2 = "d.op"(%0) <{name = value}> ({ region }) {name = value} : (types) -> types`. Custom forms differ by
operation; for those of StableHLO, func and sdy, operands and attributes are searched among all words up to the colon
before the types.
Complexity: linear in the text.

Example: `%1:2 = "d.op"(%0) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)` declares %1#0 and %1#1.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from p2smt.frontend.xla.sharding import annotation
from p2smt.frontend.xla.ssa import Type
from p2smt.frontend.xla.stablehlo_types import parameters, result_types, skip, type_list
from p2smt.frontend.xla.words import Words

Attributes = dict[str, tuple[str, ...]]
Region = Callable[[tuple[tuple[str, Type], ...]], str]
"""A parser of a region; takes the region's parameters if known, and returns the region's name."""


@dataclass(slots=True)
class MlirOperation:
    """An operation; `types` are its result types."""

    line: int
    name: str
    results: tuple[str, ...]
    operands: tuple[str, ...] = ()
    attributes: Attributes = field(default_factory=dict)
    regions: tuple[str, ...] = ()
    callee: str = ""
    types: tuple[Type, ...] = ()


def operation(words: Words, region: Region) -> MlirOperation:
    """The next operation in the text. Raises VerifyError with the line."""
    results = _results(words)
    name = words.take("an operation")
    one = MlirOperation(words.line, name.strip('"'), results)
    if name.startswith('"'):
        _generic(words, one, region)
    else:
        _pretty(words, one, region)
    skip(words)
    return one


def _results(words: Words) -> tuple[str, ...]:
    """Parse the names before `=`; `%0:2` declares `%0#0` and `%0#1`, and `%0` refers to both."""
    names: list[str] = []
    while words.peek().startswith("%"):
        names.append(words.take())
        if words.accept(":"):
            words.take("a number of results")
        if not words.accept(","):
            words.expect("=")
            break
    return tuple(names)


def _generic(words: Words, one: MlirOperation, region: Region) -> None:
    operands = words.balanced()
    one.operands = tuple(word for word in operands if word.startswith("%"))
    if words.accept("<"):
        one.attributes |= _dictionary(words)
        words.expect(">")
    if words.accept("("):
        regions: list[str] = []
        while not words.accept(")"):
            if regions:
                words.expect(",")
            regions.append(region(()))
        one.regions = tuple(regions)
    if words.peek() == "{":
        one.attributes |= _dictionary(words)
    one.callee = "".join(one.attributes.get("callee", ()))
    words.expect(":")
    type_list(words)
    words.expect("->")
    one.types = result_types(words)


def _dictionary(words: Words) -> Attributes:
    """Parse `{name = value, flag}`; flags have the empty value."""
    words.expect("{")
    found: Attributes = {}
    while not words.accept("}"):
        if found:
            words.expect(",")
        name = words.take("an attribute")
        value: list[str] = []
        if words.accept("="):
            while words.peek() not in ("", ",", "}"):
                value += words.balanced()
        found[name] = tuple(value)
    return found


def _pretty(words: Words, one: MlirOperation, region: Region) -> None:
    before = _before_types(words, one, region)
    depth = 0
    operands: list[str] = []
    for place, word in enumerate(before):
        depth += (word in ("{", "[", "<")) - (word in ("}", "]", ">"))
        if word.startswith("%") and not depth:
            operands.append(word)
        if word.startswith("@") and not one.callee and not depth:
            one.callee = word
        if word == "=" and place and not depth and not before[place - 1].startswith("%"):
            one.attributes.setdefault(before[place - 1], Words(before[place + 1 :]).balanced())
    one.operands = tuple(operands)
    _own_form(words, one, before, region)


def _own_form(words: Words, one: MlirOperation, before: list[str], region: Region) -> None:
    """Interpret the words before the types in custom forms of operations."""
    match one.name:
        case "stablehlo.constant":
            one.attributes["value"] = tuple(before)
        case "stablehlo.dot_general":
            one.attributes["product"] = tuple(before)
        case "stablehlo.get_tuple_element":
            one.attributes["index"] = tuple(before[2:3])
        case "stablehlo.compare":
            one.attributes["comparison_direction"] = tuple(before[:1])
        case "stablehlo.slice":
            one.attributes["ranges"] = tuple(before[1:])
        case "stablehlo.custom_call":
            one.attributes["mhlo.sharding"] = (annotation(before),)
        case "stablehlo.select":
            one.types = one.types[-1:]
        case "stablehlo.reduce" if not one.regions:
            one.callee = before[before.index("applies") + 1] if "applies" in before[:-1] else ""
        case "stablehlo.while":
            _loop(words, one, before, region)
        case _:
            pass


def _loop(words: Words, one: MlirOperation, before: list[str], region: Region) -> None:
    """Parse `(%i = %0, %x = %1) : types cond { ... } do { ... }`: region arguments and their initial values."""
    names = [word for word, equals in pairwise(before) if equals == "="]
    one.operands = tuple(word for equals, word in pairwise(before) if equals == "=")
    if len(names) != len(one.types) or len(set(names)) != len(names):
        words.fail(f"{len(names)} values and {len(one.types)} types of a loop")
    given = tuple(zip(names, one.types, strict=True))
    if words.accept("attributes"):
        words.balanced()
    words.expect("cond")
    condition = region(given)
    words.expect("do")
    one.regions = (condition, region(given))


def _before_types(words: Words, one: MlirOperation, region: Region) -> list[str]:
    """Return the words up to the types, and parse regions on the way."""
    before: list[str] = []
    while not words.accept(":"):
        if words.new_line:
            return before
        if one.name == "sdy.manual_computation" and words.peek() == "(" and before:
            given = parameters(words)
            one.regions = (region(given),)
        else:
            before += words.balanced()
    types = type_list(words)
    one.types = result_types(words) if words.accept("->") else types
    return before
