"""Recognise the parallelism strategies of a distributed program, mesh axis by mesh axis, from the program alone.

Nothing is taken from the search. The first dimension of an input is the sample (batch) dimension and the other ones are
positions; parameter dimensions that a contraction keeps in all operands are experts, the other ones features.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from p2smt.spmd.account.uses import Contraction, Place, UsedValue, Uses, uses_of
from p2smt.tensor.expression import SourceKind
from p2smt.tensor.layout import Replicated, Sliced
from p2smt.tensor.program import Program

MOST_NAMES = 3


@dataclass(frozen=True, slots=True)
class RecognisedStrategy:
    """A strategy by its usual name, the mesh axis that it applies to, and the evidence for it."""

    name: str
    axis: str
    detail: str
    part: float = 0.0
    """The fraction of the contractions' work that this strategy covers; 0 for strategies that only concern storage."""


_SHORT = MappingProxyType(
    {
        "data parallelism": "data parallel",
        "tensor parallelism": "tensor parallel",
        "Megatron's tensor parallelism": "tensor parallel",
        "sequence parallelism": "sequence parallel",
        "expert parallelism": "expert parallel",
        "replicated work": "replicated",
    }
)
_LEAST_PART = 0.05
"""The least fraction of the contractions' work for which a parallelism is named."""


def strategy(program: Program) -> str:
    """Return the strategy of a distributed program, axis by axis: `FSDP over 32, tensor parallel over 8`.

    An axis is named by every parallelism that covers at least 5% of the contractions' work. Data parallelism with
    sharded parameters is called FSDP (ZeRO-3); with sharded optimizer states or gradients only, ZeRO-1 or ZeRO-2.
    """
    return strategy_of(program, recognised(program))


def strategy_of(program: Program, found: Sequence[RecognisedStrategy]) -> str:
    """Return the strategy of a distributed program, as `strategy` does, from what `recognised` found in it."""
    axes = [axis for axis in program.mesh if axis.size > 1]
    if not axes:
        return "one device"
    said = []
    for axis in axes:
        mine = [each for each in found if each.axis == axis.name]
        sliced = next((each.name for each in mine if each.name.startswith("ZeRO")), "")
        ways = list(dict.fromkeys(_SHORT[each.name] for each in mine if each.part >= _LEAST_PART))
        if sliced and "data parallel" in ways:
            named = "FSDP" if sliced == "ZeRO-3" else f"data parallel with {sliced}"
            ways[ways.index("data parallel")] = named
        name = f" ({axis.name})" if len(axes) > 1 else ""
        said.append(f"{' and '.join(ways) or 'nothing contracted'} over {axis.size}{name}")
    return ", ".join(said)


def short_names(program: Program) -> tuple[str, ...]:
    r"""Return the parallelisms as single words, most work first, then the kinds of sources that are all sharded.

    On a mesh of several axes each name is followed by its axis.

    >>> from p2smt.tensor.text.parser import parse_program
    >>> text = "program p\nmesh r=2\ninput x : f32[4, 4] sliced(0)\ny = matmul(x, x)\noutput y\n"
    >>> short_names(parse_program(text.replace("(x, x)", "(x, AllGather(x, 0))")))
    ('data',)
    """
    found = recognised(program)
    if len(program.mesh) > 1:
        return tuple(f"{each.name} on {each.axis}" for each in found)
    words = dict.fromkeys(_SHORT[each.name].removesuffix(" parallel") for each in found if each.name in _SHORT)
    return (*words, *_all_sliced(program))


def _all_sliced(program: Program) -> Iterator[str]:
    """Yield "sliced states" or "sliced parameters" if every source of the kind, except scalars, is stored sharded."""
    for kind in (SourceKind.STATE, SourceKind.PARAMETER):
        kept = [each for each in program.sources if each.kind is kind and each.shape]
        # only Sliced: the search chooses among replicated, sliced and partial
        if kept and all(any(isinstance(one.layout, Sliced) for one in each.layouts) for each in kept):
            yield f"sliced {kind}s"


def recognised(program: Program) -> tuple[RecognisedStrategy, ...]:
    """Return the strategies on each axis of a program's mesh: parallelisms, most work first, then sharded storage."""
    return recognised_in(uses_of(program))


def recognised_in(uses: Uses) -> tuple[RecognisedStrategy, ...]:
    """Return the strategies of the program whose tensors have these uses."""
    return tuple(each for number in range(len(uses.program.mesh)) for each in _Axis(uses, number).names())


class _Axis:
    """The strategies along one mesh axis of a program."""

    def __init__(self, uses: Uses, number: int) -> None:
        self._uses = uses
        self._number = number
        self._name = uses.program.mesh[number].name
        self._samples = uses.classes(SourceKind.INPUT, first=True)
        self._positions = uses.classes(SourceKind.INPUT) - self._samples
        self._features = uses.classes(SourceKind.PARAMETER)
        self._experts = experts_of(uses)

    def names(self) -> Iterator[RecognisedStrategy]:
        """Yield the parallelisms by work, then sufficient-factor broadcasting, then ZeRO stages."""
        work: dict[str, int] = {}
        for each in self._uses.contractions:
            kind = self._kind(each)
            if kind:
                work[kind] = work.get(kind, 0) + each.flops
        total = sum(work.values())
        for kind, amount in sorted(work.items(), key=lambda pair: (-pair[1], pair[0])):
            detail = f"{amount / total:.0%} of the contractions' work"
            pairs = self._pairs() if kind == "tensor parallelism" else ""
            if pairs:
                yield self._made("Megatron's tensor parallelism", f"{pairs}; {detail}", amount / total)
            else:
                yield self._made(kind, detail, amount / total)
        yield from self._factors()
        if "data parallelism" in work:
            yield from self._sliced()

    def _made(self, name: str, detail: str, part: float = 0.0) -> RecognisedStrategy:
        return RecognisedStrategy(name, self._name, detail, part)

    def _class(self, contraction: Contraction, label: str) -> Place:
        return next(self._uses.root((value.number, at)) for one, value, at in contraction.places() if one == label)

    def _kind(self, contraction: Contraction) -> str:
        """Return the parallelism of a contraction, or "" if it has partial operands along the axis."""
        label = contraction.cut(self._number)
        if label is None:
            # only Replicated, Sliced: the search chooses among replicated, sliced and partial
            whole = all(isinstance(value.layouts[self._number], Replicated) for value in contraction.operands)
            return "replicated work" if whole else ""
        number = self._class(contraction, label)
        if number in self._samples:
            return "data parallelism"
        if number in self._experts:
            return "expert parallelism"
        is_position = number in self._positions and number not in self._features
        return "sequence parallelism" if is_position else "tensor parallelism"

    def _pairs(self) -> str:
        """Describe pairs of parameters sharded by columns, then by rows, as in Megatron-LM; "" if there are none."""
        columns: dict[Place, dict[str, None]] = {}
        rows: dict[Place, dict[str, None]] = {}
        seen: set[str] = set()
        for each in self._uses.contractions:
            label = each.cut(self._number)
            for value, dimensions in zip(each.operands, each.signature.operands, strict=True):
                source = value.source
                if source is None or source.kind is not SourceKind.PARAMETER or source.name in seen:
                    continue
                seen.add(source.name)
                if label is not None and label in {dimension.label for dimension in dimensions}:
                    by_rows = label not in {dimension.label for dimension in each.signature.result}
                    (rows if by_rows else columns).setdefault(self._class(each, label), {})[source.name] = None
        both = [number for number in columns if number in rows]
        parts = [f"{_some(columns[number])} by columns, {_some(rows[number])} by rows" for number in both]
        more = f", and {len(parts) - 1} more such" if len(parts) > 1 else ""
        return f"{parts[0]}{more}" if parts else ""

    def _factors(self) -> Iterator[RecognisedStrategy]:
        """Yield sufficient-factor broadcasting: ranks gather the factors of all samples and compute whole gradients."""
        found = []
        for each in self._uses.contractions:
            reduced = {label for label, _, _ in each.places()} - {part.label for part in each.signature.result}
            over = {self._class(each, label) for label in reduced}
            gathered = any(
                axis == self._number and self._uses.root((value.number, dimension)) in self._samples
                for value in each.operands
                for axis, dimension in value.gathered
            )
            if over & self._samples and gathered and each.cut(self._number) is None:
                found.append(each.statement)
        if found:
            detail = f"factors of all samples are gathered for {_some(dict.fromkeys(found))}"
            yield self._made("sufficient-factor broadcasting", detail)

    def _sliced(self) -> Iterator[RecognisedStrategy]:
        """Yield the ZeRO stage, if sources are stored sharded along dimensions that no contraction is sharded along."""
        used = {self._class(each, label) for each in self._uses.contractions if (label := each.cut(self._number))}
        stored = {kind: self._apart(kind, used) for kind in (SourceKind.STATE, SourceKind.PARAMETER)}
        gathered = [name for name in stored[SourceKind.PARAMETER] if (name, self._number) in self._uses.gathers]
        if gathered:
            yield self._made("ZeRO-3", f"{_some(dict.fromkeys(gathered))} stored sliced, gathered where they are read")
        elif stored[SourceKind.STATE]:
            states = f"{_some(dict.fromkeys(stored[SourceKind.STATE]))} stored sliced, parameters whole"
            if self._number in self._uses.scatters:
                yield self._made("ZeRO-2", f"{states}, gradients scattered as they are summed")
            else:
                yield self._made("ZeRO-1", states)

    def _apart(self, kind: SourceKind, used: set[Place]) -> list[str]:
        found = []
        for value in self._uses.sources:
            source, layout = value.source, value.layouts[self._number]
            if source is None or source.kind is not kind or not isinstance(layout, Sliced):
                continue
            if self._uses.root((value.number, layout.dimension)) not in used:
                found.append(source.name)
        return found


def experts_of(uses: Uses) -> frozenset[Place]:
    """Return the classes of expert dimensions: those that a contraction with a parameter keeps in all operands."""
    return frozenset(
        uses.root((value.number, dimension))
        for each in uses.contractions
        if len(each.operands) > 1 and any(map(_is_parameter, each.operands))
        for label, value, dimension in each.places()
        if label in each.kept()
    )


def _is_parameter(value: UsedValue) -> bool:
    return value.source is not None and value.source.kind is SourceKind.PARAMETER


def _some(names: dict[str, None]) -> str:
    """Return the first names, and the number of further ones."""
    shown = list(names)[:MOST_NAMES]
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(shown) + more
