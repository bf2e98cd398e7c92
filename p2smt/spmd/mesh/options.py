"""What can be chosen for tensors and operations on a mesh, and what goes together: the same for all that are alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from p2smt.spmd.graph import Node
from p2smt.spmd.layouts import WHOLE, rank_of
from p2smt.spmd.mesh.forms import MeshForm, MeshForms
from p2smt.spmd.mesh.mesh import Pair
from p2smt.spmd.mesh.pricing import MeshPricing
from p2smt.spmd.mesh.ways import Prices, Reach, mask_of
from p2smt.tensor.layout import Layout, Sliced


@dataclass(frozen=True, slots=True)
class Options:
    """What tensors that are cut, produced and needed alike can be chosen; numbered."""

    number: int
    layouts: tuple[Pair, ...]
    reach: Reach
    options: tuple[tuple[int, int], ...]
    costs: tuple[int, ...]


class PairOptions:
    """Of one program on one mesh, each worked out once."""

    def __init__(self, pricing: MeshPricing) -> None:
        self.pricing = pricing
        self.forms = MeshForms(pricing)
        self._graph = pricing.graph
        self._numbers: dict[tuple[Pair, ...], int] = {}
        self._pairs: list[tuple[Pair, ...]] = []
        self._pairs_of: dict[tuple[object, ...], tuple[Pair, ...]] = {}
        self._made: dict[int, int] = {}
        self._needed: dict[tuple[int, int], int] = {}
        self._options: dict[tuple[object, ...], Options] = {}
        self._alikes: dict[tuple[object, ...], Options] = {}
        self._reaches: dict[tuple[object, ...], Reach] = {}
        self._allowed: dict[tuple[object, ...], tuple[int, ...]] = {}
        self._times: dict[tuple[int, int], tuple[int, ...]] = {}
        self._works: dict[tuple[object, ...], int] = {}
        self._work_of: dict[int, int] = {}
        self._kinds: dict[tuple[object, ...], int] = {}
        self._kind_of: dict[int, int] = {}
        self._reads: dict[int, tuple[tuple[int, tuple[bool, ...]], ...]] = {}

    def pairs(self, tensor: int, *more: Layout) -> tuple[Pair, ...]:
        """Whole, cut by either axis or by both, and with other layouts of an axis."""
        key = (self.pricing.cut(tensor), more)
        if key not in self._pairs_of:
            shape, pricing = self._graph.tensors[tensor].shape, self.pricing
            first, second = (
                (WHOLE, *[Sliced(d) for d in range(len(shape)) if pricing.can_cut(tensor, d, axis)],
                 *(more if size > 1 else ()))
                for axis, size in enumerate(pricing.mesh.sizes)
            )  # fmt: skip
            self._pairs_of[key] = tuple(pair for pair in product(first, second) if pricing.is_layout(tensor, pair))
        return self._pairs_of[key]

    def number(self, pairs: tuple[Pair, ...]) -> int:
        """Pairs that are the same in the same order have one number."""
        if pairs not in self._numbers:
            self._numbers[pairs] = len(self._pairs)
            self._pairs.append(pairs)
        return self._numbers[pairs]

    def made(self, form: MeshForm) -> int:
        """The number of the pairs that a form makes."""
        if form.number not in self._made:
            self._made[form.number] = self.number(form.made)
        return self._made[form.number]

    def needed(self, form: MeshForm, operand: int) -> int:
        """The number of the pairs that a form needs of an operand, by its position."""
        key = (form.number, operand)
        if key not in self._needed:
            self._needed[key] = self.number(form.needed[operand])
        return self._needed[key]

    def options(
        self,
        tensor: int,
        produced: int,
        needed: Sequence[int],
        goals: int | None,
        *,
        narrow: bool,
    ) -> Options:
        """What can be chosen for a tensor; pairs by their numbers.

        Sources that can be cut as well as whole are cut: the first of equally cheap options is chosen.
        """
        if tensor not in self._kind_of:
            mine = self._graph.tensors[tensor]
            kind = (mine.bytes, self.pricing.cut(tensor), mine.source is None)
            self._kind_of[tensor] = self._kinds.setdefault(kind, len(self._kinds))
        key = (self._kind_of[tensor], produced, tuple(needed), goals, narrow)
        if key not in self._options:
            readers = [self._pairs[number] for number in needed]
            ends = None if goals is None else self._pairs[goals]
            self._options[key] = self._alike(tensor, self._pairs[produced], readers, ends, narrow=narrow)
        return self._options[key]

    def _alike(
        self,
        tensor: int,
        produced: tuple[Pair, ...],
        needed: Sequence[tuple[Pair, ...]],
        goals: tuple[Pair, ...] | None,
        *,
        narrow: bool,
    ) -> Options:
        """The same of pairs in any order."""
        is_given = self._graph.tensors[tensor].source is not None
        every = tuple(sorted({pair for pairs in needed for pair in pairs}, key=_rank))
        roots = tuple(sorted(set(produced), key=_rank, reverse=is_given))
        readers = tuple(sorted([tuple(sorted(set(pairs), key=_rank)) for pairs in needed], key=_ranks))
        alike = (self._graph.tensors[tensor].bytes, self.pricing.cut(tensor), roots, readers, goals, is_given, narrow)
        if alike not in self._alikes:
            layouts = self._between(tensor, {*roots, *every}, narrow=narrow)
            reach = self._reach(tensor, layouts)
            numbers = {pair: number for number, pair in enumerate(layouts)}
            wanted = mask_of([numbers[pair] for pair in every])
            masks = [mask_of([numbers[pair] for pair in pairs]) for pairs in readers]
            found = [(numbers[root], mask, cost) for root in roots
                     for mask, cost in reach.ways(numbers[root], wanted).options(masks)]  # fmt: skip
            if goals is not None:
                ends = mask_of([numbers[pair] for pair in goals])
                found = [each for each in found if each[1] & ends]
            self._alikes[alike] = Options(len(self._alikes), layouts, reach, tuple(each[:2] for each in found),
                                           tuple(cost for _, _, cost in found))  # fmt: skip
        return self._alikes[alike]

    def _between(self, tensor: int, known: set[Pair], *, narrow: bool) -> tuple[Pair, ...]:
        """All pairs that conversions may lead through, in order: of each axis' layouts any with any of the other's."""
        every = known | {(WHOLE, WHOLE)} | (set() if narrow else set(self.pairs(tensor)))
        first, second = ({pair[axis] for pair in every} for axis in range(2))
        found = [pair for pair in product(first, second) if self.pricing.is_layout(tensor, pair)]
        return tuple(sorted(found, key=_rank))

    def _reach(self, tensor: int, layouts: tuple[Pair, ...]) -> Reach:
        key = (self._graph.tensors[tensor].bytes, self.pricing.cut(tensor), layouts)
        if key not in self._reaches:
            prices: Prices = tuple(tuple(self._price(tensor, before, after) for after in layouts) for before in layouts)
            self._reaches[key] = Reach(prices)
        return self._reaches[key]

    def _price(self, tensor: int, before: Pair, after: Pair) -> int | None:
        price = self.pricing.conversion(tensor, before, after)
        return None if price is None else price.time

    def times(self, node: Node, form: MeshForm) -> tuple[int, ...]:
        """Picoseconds of an operation by each pair of rules."""
        if node.result not in self._work_of:
            cut = [self.pricing.cut(each) for each in (*node.operands, node.result) if isinstance(each, int)]
            self._work_of[node.result] = self._works.setdefault((node.kind, *cut), len(self._works))
        key = (self._work_of[node.result], form.number)
        if key not in self._times:
            self._times[key] = tuple(self.pricing.slowest(node, rules) for rules in form.rules)
        return self._times[key]

    def reads(self, node: Node) -> tuple[tuple[int, tuple[bool, ...]], ...]:
        """The tensors that an operation reads, and which of its operands each is."""
        if node.result not in self._reads:
            self._reads[node.result] = tuple(
                [(tensor, tuple([each == tensor for each in node.operands])) for tensor in node.reads]
            )
        return self._reads[node.result]

    def producing(self, options: Options, form: MeshForm) -> tuple[int, ...]:
        """For each pair of rules the options in which the tensor is produced as they make it."""
        key = (form.number, options.number, None)
        if key not in self._allowed:
            of_root: dict[Pair, int] = {}
            for bit, (root, _) in enumerate(options.options):
                of_root[options.layouts[root]] = of_root.get(options.layouts[root], 0) | (1 << bit)
            self._allowed[key] = tuple(of_root.get(made, 0) for made in form.made)
        return self._allowed[key]

    def reading(self, options: Options, form: MeshForm, operands: tuple[bool, ...]) -> tuple[int, ...]:
        """For each pair of rules the options that have all pairs that they need of the tensor."""
        key = (form.number, options.number, operands)
        if key not in self._allowed:
            having = _having(options)
            found = []
            for position in range(len(form.rules)):
                mask = -1
                for needed, mine in zip(form.needed, operands, strict=True):
                    if mine:
                        mask &= having[needed[position]]
                found.append(mask)
            self._allowed[key] = tuple(found)
        return self._allowed[key]

    def following(self, state: Options, other: Options, *, made: bool) -> tuple[int, ...]:
        """For each option of a state those in which another is there (if `made`: produced) as the state is stored."""
        key = (state.number, other.number, made, "follows")
        if key not in self._allowed:
            having = _having(other)
            if made:
                having = {
                    pair: sum(1 << bit for bit, (root, _) in enumerate(other.options) if other.layouts[root] == pair)
                    for pair in other.layouts
                }
            self._allowed[key] = tuple(having[state.layouts[root]] for root, _ in state.options)
        return self._allowed[key]


def _having(options: Options) -> dict[Pair, int]:
    """For every pair the options whose set has it, as bits."""
    return {
        pair: sum(1 << bit for bit, (_, mask) in enumerate(options.options) if (mask >> number) & 1)
        for number, pair in enumerate(options.layouts)
    }


def _rank(pair: Pair) -> tuple[tuple[int, int, str], ...]:
    """Replicated first, then cuts by dimension, then summands; the first axis first."""
    return tuple(rank_of(layout) for layout in pair)


def _ranks(pairs: tuple[Pair, ...]) -> list[tuple[tuple[int, int, str], ...]]:
    return [_rank(pair) for pair in pairs]
