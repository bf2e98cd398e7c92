"""Text of a fused all-reduce: one Triton kernel over memory that all ranks reach, and the line that launches it.

    copy the summands of every rank's slice, in the order of the slice's elements, to where the ranks read them
    meet                                   block b of every rank waits for block b of the others
    for each block of the own slice:       part 1 computes on the sum of all ranks' summands
    [ add up; meet all; for each block: part 2 computes with what all blocks of all ranks have added up; ... ]
    meet                                   the last part has stored its results where the ranks read them
    copy every rank's results to where they stand in the whole tensor

Block b of a rank reads what the blocks b of the ranks have written, so two meetings of equal blocks are enough for
reading, writing and the next launch: summands are written over behind the second, results behind the next first one.
Only sums over all elements need a meeting of all blocks.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from p2smt.emit.torch.program.names import PythonNames
from p2smt.schedule.emission.kernel_text import (
    KernelReduction,
    WrittenPart,
    function_text,
    index_lines,
    number_type,
    row,
)

_RESERVED = (
    "peers",
    "cuts",
    "rank",
    "ranks",
    "summands",
    "shares",
    "wide",
    "real",
    "block",
    "tl",
    "triton",
    "program",
    "programs",
    "lanes",
    "position",
    "inside",
    "owner",
    "start",
    "length",
    "count",
    "row",
    "first",
    "there",
    "place",
    "located",
    "counter",
    "slots",
    "meet",
    "meet_all",
    "added",
    "each",
)
_LARGER = {"torch.sum": "{0} + {1}", "largest": "tl.maximum({0}, {1})", "smallest": "tl.minimum({0}, {1})"}
_NEUTRAL = {"torch.sum": "0.0", "largest": 'float("-inf")', "smallest": 'float("inf")'}
_REDUCED = {"torch.sum": "tl.sum", "largest": "tl.max", "smallest": "tl.min"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FusedChain:
    """A ReduceScatter, parts that compute on the slice, and an AllGather, by the names that lines use.

    Parts are separated by reductions over all elements of all ranks: `ends` has the name of each part's reductions
    once they are those of all ranks. `made` are tensors read behind the kernel and `scratch` those read by later
    parts, with their types. `along` is the text of the axis and of the rank's interval of the dimension `cut`.
    """

    name: str
    summands: str
    scattered: str
    whole: str
    whole_type: str
    along: tuple[str, str]
    cut: int
    rank: int
    parts: tuple[WrittenPart, ...]
    ends: tuple[Mapping[str, str], ...]
    made: Mapping[str, str]
    scratch: Mapping[str, str]


class FusedText:
    """Writes a fused all-reduce."""

    def __init__(self, chain: FusedChain) -> None:
        self._chain = chain
        self._names = PythonNames((*_RESERVED, chain.name, *(part.name for part in chain.parts)))
        self._x = self._names.fresh(f"{chain.summands}_at")
        self._whole = self._names.fresh(f"{chain.whole}_at")
        stored = {*chain.made, *chain.scratch}
        given = dict.fromkeys(name for part in chain.parts for name in part.tensors if name not in stored)
        self._given = tuple(given)
        tensors = (*self._given, *chain.made, *chain.scratch)
        self._pointers = {name: self._names.fresh(f"{name}_at") for name in tensors}
        numbers = {text: whole for part in chain.parts for text, whole in part.numbers}
        self._numbers = {
            text: (self._names.fresh(text if text.isidentifier() else "number"), whole)
            for text, whole in numbers.items()
        }
        self._lengths = [self._names.fresh(f"length_{dimension}") for dimension in range(chain.rank)]
        self._indices = [self._names.fresh(f"index_{dimension}") for dimension in range(chain.rank)]
        lengths = ["length" if at == chain.cut else length for at, length in enumerate(self._lengths)]
        self._located = index_lines(self._names, self._indices, lengths)
        self._values = {chain.scattered: self._names.fresh(chain.scattered)}

    def text(self, words: str) -> str:
        """Return the parts, and the kernel that calls them."""
        pointers = [self._x, self._whole, *self._pointers.values()]
        strides = [f"{pointer}_by_{dimension}" for pointer in pointers for dimension in range(self._chain.rank)]
        numbers = [f"{name}: {number_type(whole)}" for name, whole in self._numbers.values()]
        types = [f"{name}: tl.constexpr" for name in ("ranks", "wide", "real", "block")]
        parameters = [*pointers, "peers", "cuts", *strides, "rank", "summands", "shares", *self._lengths]
        lines = [*self._begin(), *self._computed(), *self._gather()]
        kernel = function_text(self._chain.name, [*parameters, *numbers, *types], lines, words)
        return "\n\n".join([*(part.text for part in self._chain.parts), kernel])

    def call(self) -> str:
        """Return the line that launches the kernel."""
        chain, (axis, part) = self._chain, self._chain.along
        given = [chain.name, "at", f"({axis}, {chain.cut}, {part})", chain.summands, row(self._given)]
        given += [row(self._numbers)] if self._numbers else []
        given.append(f"gathered={chain.whole_type}")
        given += [
            f"{name}={row(types.values())}"
            for name, types in (("made", chain.made), ("scratch", chain.scratch))
            if types
        ]
        if sums := sum(map(len, chain.ends)):
            given.append(f"sums={sums}")
        return f"{row_of_targets([chain.whole, *chain.made])} = fused_all_reduce({', '.join(given)})"

    def _begin(self) -> list[str]:
        """Return the lines that lay the summands out for the ranks that add them up."""
        others = [length for at, length in enumerate(self._lengths) if at != self._chain.cut]
        return [
            "program, programs = tl.program_id(0), tl.num_programs(0)",
            "lanes = tl.arange(0, block)",
            f"row = {' * '.join(['tl.full((), 1, tl.int64)', *others])}",
            *(["counter = 8 * programs * ranks", "slots = counter + 8"] if any(self._chain.ends) else []),
            "# The summands of every rank's slice, where that rank reads them.",
            *self._of_every_rank(
                "there = located(peers, rank, summands, {0}) + tl.multiple_of(tl.load(cuts + 2 * ranks + owner), 16)",
                self._x,
                "tl.store(there + position, tl.load({0}, inside, 0), inside)",
            ),
            "meet(peers, program * ranks, rank, ranks)",
        ]

    def _of_every_rank(self, begin: str, pointer: str, copy: str) -> list[str]:
        """Return a loop over ranks and blocks of their slices; `copy` has the place of an element in a whole tensor."""
        moves = [
            f"({index} + start) * {pointer}_by_{at}" if at == self._chain.cut else f"{index} * {pointer}_by_{at}"
            for at, index in enumerate(self._indices)
        ]
        return [
            "for owner in range(ranks):",
            "    start, length = tl.load(cuts + owner), tl.load(cuts + ranks + owner)",
            f"    {begin.format(pointer)}",
            "    count = length * row",
            "    for first in range(program * block, count, programs * block):",
            "        position = first + lanes.to(tl.int64)",
            "        inside = position < count",
            *(f"        {line}" for line in self._located),
            f"        each = {pointer} + {' + '.join(moves)}",
            f"        {copy.format('each')}",
        ]

    def _computed(self) -> Iterator[str]:
        """Yield the loops over blocks of the own slice."""
        chain, slot = self._chain, 0
        yield "place = tl.multiple_of(tl.load(cuts + 2 * ranks + rank), 16)"
        yield "count = tl.load(cuts + ranks + rank) * row"
        for part, ends in zip(chain.parts, chain.ends, strict=True):
            totals = [self._names.fresh(reduced.name) for reduced in part.reduced]
            for total, reduced in zip(totals, part.reduced, strict=True):
                yield f"{total} = tl.full((), {_NEUTRAL[reduced.function]}, wide)"
            yield "for first in range(program * block, count, programs * block):"
            yield "    position = first + lanes.to(tl.int64)"
            yield "    inside = position < count"
            yield from (f"    {line}" for line in self._part(part, totals))
            for total, reduced in zip(totals, part.reduced, strict=True):
                there = (
                    f"tl.load(peers + rank) + slots + ({slot + part.reduced.index(reduced)} * programs + program) * 8"
                )
                yield f"tl.store(({there}).to(tl.pointer_type(wide)), {total})"
            if part.reduced:
                yield "meet_all(peers, counter, rank, programs, ranks)"
            for reduced in part.reduced:
                yield from self._of_all(reduced, slot, ends[reduced.name])
                slot += 1
        yield "meet(peers, (programs + program) * ranks, rank, ranks)"

    def _part(self, part: WrittenPart, totals: Sequence[str]) -> list[str]:
        """Return the lines that call a part for a block, and that combine what it returns with former blocks'."""
        chain, lines = self._chain, []
        if chain.scattered in part.values:
            place = "place + position, inside, ranks, wide"
            lines.append(f"{self._values[chain.scattered]} = added(peers, summands, {self._x}, {place})")
        if chain.whole in part.wanted:
            lines.append(f"there = located(peers, rank, shares, {self._whole})")
        pointers = [*(self._pointers[name] for name in part.tensors), *map(self._stored, part.wanted)]
        strides = [
            text
            for name, pointer in zip((*part.tensors, *part.wanted), pointers, strict=True)
            for text in self._strides(name, pointer)
        ]
        values = [self._values[name] for name in part.values]
        numbers = [self._numbers[text][0] for text, _ in part.numbers]
        given = [*values, *pointers, *strides, "position", "inside", *self._lengths, *numbers, "wide", "real"]
        call = f"{part.name}({', '.join(given)})"
        if not part.reduced:
            return [*lines, call]
        found = [f"{total}_block" for total in totals]
        lines.append(f"{', '.join(found)} = {call}")
        for total, block, reduced in zip(totals, found, part.reduced, strict=True):
            lines.append(f"{total} = {_LARGER[reduced.function].format(total, block)}")
        return lines

    def _stored(self, name: str) -> str:
        return "there" if name == self._chain.whole else self._pointers[name]

    def _strides(self, name: str, pointer: str) -> list[str]:
        """Return the strides of a tensor; results for other ranks lie one after the other."""
        if pointer != "there":
            return [f"{pointer}_by_{at}" for at in range(self._chain.rank)]
        return [" * ".join(self._lengths[at + 1 :]) or "1" for at in range(self._chain.rank)]

    def _of_all(self, reduced: KernelReduction, slot: int, name: str) -> Iterator[str]:
        """Yield the lines that combine what all blocks of all ranks have added up, in their order."""
        local = self._values[name] = self._names.fresh(name)
        function, neutral = _REDUCED[reduced.function], _NEUTRAL[reduced.function]
        yield f"{local} = tl.full((), {neutral}, wide)"
        yield "for owner in range(ranks):"
        yield f"    there = tl.load(peers + owner) + slots + ({slot} * programs + lanes) * 8"
        yield f"    each = tl.load(there.to(tl.pointer_type(wide)), lanes < programs, {neutral})"
        yield f"    {local} = {_LARGER[reduced.function].format(local, f'{function}(each)')}"

    def _gather(self) -> list[str]:
        return [
            "# Every rank's results, to their place in the whole.",
            *self._of_every_rank(
                "there = located(peers, owner, shares, {0})",
                self._whole,
                "tl.store({0}, tl.load(there + position, inside, 0), inside)",
            ),
        ]


def row_of_targets(names: Sequence[str]) -> str:
    """Return names as the target of an assignment of a tuple."""
    return ", ".join(names) if len(names) > 1 else f"({names[0]},)"
