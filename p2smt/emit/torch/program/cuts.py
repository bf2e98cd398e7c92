"""Shardings of dimensions, as constants of an emitted file and as a rank's own interval in its functions."""

from dataclasses import dataclass

from p2smt.tensor.judgement import Layouts
from p2smt.tensor.layout import Sliced
from p2smt.tensor.placing import cutting
from p2smt.tensor.signature import Shape


@dataclass(frozen=True, slots=True)
class DimensionCut:
    """A sharding: the sizes of all blocks of a dimension, and the mesh axes that shard it, outermost first."""

    sizes: tuple[int, ...]
    axes: tuple[int, ...]

    @property
    def length(self) -> int:
        """The length of the sharded dimension."""
        return sum(self.sizes)


@dataclass(frozen=True, slots=True)
class Span:
    """Start and length of a rank's interval of a dimension, as text."""

    start: str
    length: str


def cut_of(layouts: Layouts, dimension: int) -> DimensionCut | None:
    """Return the sharding of a dimension by layouts; None if every rank has the whole dimension."""
    axes = cutting(layouts, dimension)
    if not axes:
        return None
    innermost = layouts[axes[-1]]
    assert isinstance(innermost, Sliced)  # only Sliced: the layout is known to slice
    assert innermost.sizes is not None
    return DimensionCut(innermost.sizes, axes)


class Cuts:
    """The names of all shardings in an emitted file: `CUT_12`, and `cut_12` for a rank's interval.

    In loops over chunks, `cut_12_chunk` is the rank's interval of a chunk, or `chunk_12` for an unsharded length.
    `even_chunks` is True if the chunks of all shards have equal lengths.
    """

    def __init__(self) -> None:
        self._names: dict[DimensionCut, str] = {}
        self._taken: set[str] = set()
        self._chunks: dict[DimensionCut, str] = {}
        self.even_chunks = False

    def constant(self, cut: DimensionCut) -> str:
        """Return the name of the constant."""
        if cut not in self._names:
            self._names[cut] = self._fresh(f"CUT_{cut.length}")
        return self._names[cut]

    def chunk(self, cut: DimensionCut) -> str:
        """Return the name of a rank's chunk; an unsharded dimension counts as a single block without axes."""
        if cut not in self._chunks:
            self._chunks[cut] = self._fresh(f"{self.part(cut)}_chunk" if cut.axes else f"chunk_{cut.length}")
        return self._chunks[cut]

    def _fresh(self, stem: str) -> str:
        name, number = stem, 1
        while name in self._taken:
            number += 1
            name = f"{stem}_{number}"
        self._taken.add(name)
        return name

    def part(self, cut: DimensionCut) -> str:
        """Return the name of a rank's interval."""
        return self.constant(cut).lower()

    def span(self, shape: Shape, layouts: Layouts, dimension: int, chunked: int | None = None) -> Span:
        """Return a rank's interval of a dimension of a tensor, or of a chunk along dimension `chunked`."""
        cut = cut_of(layouts, dimension)
        if dimension == chunked:
            part = self.chunk(cut or DimensionCut((shape[dimension],), ()))
        elif cut is None:
            return Span("0", str(shape[dimension]))
        else:
            part = self.part(cut)
        return Span(f"{part}.start", f"{part}.length")

    def spans(self, shape: Shape, layouts: Layouts, chunked: int | None = None) -> tuple[Span, ...]:
        """Return a rank's intervals of all dimensions of a tensor, or of a chunk of it."""
        return tuple(self.span(shape, layouts, dimension, chunked) for dimension in range(len(shape)))

    def known(self) -> tuple[tuple[str, DimensionCut], ...]:
        """Return the constants by name, in ascending order of the sharded length."""
        return tuple(sorted(((name, cut) for cut, name in self._names.items()), key=lambda pair: pair[1].length))

    def known_chunks(self) -> tuple[tuple[str, DimensionCut], ...]:
        """Return the shardings of chunks by name."""
        return tuple((name, cut) for cut, name in self._chunks.items())


def cut_literal(cut: DimensionCut) -> str:
    """Return a sharding as an emitted constant; the axis may be omitted if it is the first one."""
    sizes = f"({', '.join(map(str, cut.sizes))}{',' if len(cut.sizes) == 1 else ''})"
    return f"Cut({sizes})" if cut.axes == (0,) else f"Cut({sizes}, {cut.axes})"
