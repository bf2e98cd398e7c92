"""The layout of each parameter of a distributed program, axis by axis, by its usual name.

It is derived from the program alone, as in `recognition.py`. A parameter that is stored sharded and gathered is FSDP.
Otherwise the sharded dimension decides: experts; a vocabulary (whose rows are looked up); a dimension that the first
contraction keeps in its result (column-parallel) or sums over (row-parallel). A parameter that is not contracted, such
as a bias, is column-parallel if it shares its dimension with one that is.

    column-parallel  if the sliced dimension is in the contraction's result,   row-parallel  if it is summed over.

Complexity: one pass over the contractions.
Reference: Shoeybi et al., "Megatron-LM", 2019 (column- and row-parallel layers).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from p2smt.spmd.account.recognition import experts_of
from p2smt.spmd.account.uses import Contraction, Place, UsedValue, Uses, uses_of
from p2smt.tensor.expression import SourceKind
from p2smt.tensor.layout import Sliced
from p2smt.tensor.program import Program


class ParameterLayout(StrEnum):
    """The layout of a parameter along an axis."""

    REPLICATED = "replicated"
    FSDP = "FSDP"
    COLUMNS = "column-parallel"
    ROWS = "row-parallel"
    EXPERTS = "expert-parallel"
    VOCABULARY = "vocabulary-parallel"
    SLICED = "sliced"


@dataclass(frozen=True, slots=True)
class ParameterGroup:
    """Parameters whose names differ only in numbers, with the same layout on every axis.

    `pattern` has * for these numbers; `names` lists all parameters of the group.
    """

    pattern: str
    names: tuple[str, ...]
    layouts: tuple[ParameterLayout, ...]


def parameter_groups(program: Program) -> tuple[ParameterGroup, ...]:
    """Return all parameters of a distributed program in groups, in program order.

    >>> pattern_of("layers.11.mlp.w1")
    'layers.*.mlp.w1'
    """
    return parameter_groups_in(uses_of(program))


def parameter_groups_in(uses: Uses) -> tuple[ParameterGroup, ...]:
    """Return the groups of the program whose tensors have these uses."""
    axes = [_Axis(uses, number) for number in range(len(uses.program.mesh))]
    groups: dict[tuple[str, tuple[ParameterLayout, ...]], list[str]] = {}
    for value in uses.sources:
        source = value.source
        if source is not None and source.kind is SourceKind.PARAMETER:
            layouts = tuple(axis.layout(value) for axis in axes)
            groups.setdefault((pattern_of(source.name), layouts), []).append(source.name)
    return tuple(ParameterGroup(pattern, tuple(names), layouts) for (pattern, layouts), names in groups.items())


def pattern_of(name: str) -> str:
    """Return a name with * in place of components that are numbers."""
    return ".".join("*" if part.isdecimal() else part for part in name.split("."))


class _Axis:
    def __init__(self, uses: Uses, number: int) -> None:
        self._uses = uses
        self._number = number
        self._experts = experts_of(uses)
        self._looked_up = {uses.root(place) for place in uses.looked_up}
        self._first: dict[str, Contraction] = {}
        for each in uses.contractions:
            for value in each.operands:
                if value.source is not None:
                    self._first.setdefault(value.source.name, each)
        self._columns = set(self._classes_by_columns())

    def layout(self, value: UsedValue) -> ParameterLayout:
        """Return the layout of a parameter along this axis."""
        assert value.source is not None
        layout, name = value.layouts[self._number], value.source.name
        # only Sliced: the search chooses among replicated, sliced and partial, and no parameter is stored as a summand
        if not isinstance(layout, Sliced):
            return ParameterLayout.REPLICATED
        if (name, self._number) in self._uses.gathers:
            return ParameterLayout.FSDP
        place = self._uses.root((value.number, layout.dimension))
        if place in self._experts:
            return ParameterLayout.EXPERTS
        if place in self._looked_up:
            return ParameterLayout.VOCABULARY
        if name in self._first:
            return ParameterLayout.COLUMNS if self._stays(name, layout.dimension) else ParameterLayout.ROWS
        return ParameterLayout.COLUMNS if place in self._columns else ParameterLayout.SLICED

    def _stays(self, name: str, dimension: int) -> bool:
        """True if the first contraction with a parameter keeps one of its dimensions in the result."""
        made = self._first[name]
        results = {each.label for each in made.signature.result}
        return any(
            dimensions[dimension].label in results
            for dimensions, value in zip(made.signature.operands, made.operands, strict=True)
            if value.source is not None and value.source.name == name
        )

    def _classes_by_columns(self) -> Iterator[Place]:
        """Yield the classes of dimensions that are column-parallel in contractions with parameters."""
        for value in self._uses.sources:
            source, layout = value.source, value.layouts[self._number]
            if source is None or source.name not in self._first or not isinstance(layout, Sliced):
                continue
            if (source.name, self._number) not in self._uses.gathers and self._stays(source.name, layout.dimension):
                yield self._uses.root((value.number, layout.dimension))
