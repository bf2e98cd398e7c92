"""Options of tensors and operations on a mesh, and which of them go together, as bit masks.

An option of a tensor is a pair (p, A): the layout p that it is produced in, and the set A of layouts that it is made
available in. Its cost is that of the conversions from p to A (`availability.py`). A link between a tensor and an
operation that produces or reads it has one mask for each rule of the operation, with one bit for each option:
    producing[rule] = { (p, A) : p is the layout that the rule makes },
    reading[rule]   = { (p, A) : A has every layout that the rule needs of the tensor }.
The reading masks are intersections of columns having[l] = { (p, A) : l in A }, which are the transposed matrix of all
A.

Method: hash consing (Filliatre and Conchon, "Type-safe modular hash-consing", 2006). Tuples of layouts, kinds of
tensors and sets of rules are numbered, and every result is kept by such numbers, so the equal layers of a model are
worked out once.
Complexity: for each different key, (layouts x options) bits, and the conversions of `availability.py`.

Example: a tensor is produced in slices, S, and can be gathered to W, which costs 3 ms. Its options are (S, {S}) at no
cost and (S, {S, W}) at 3 ms, bits 0 and 1. A rule that needs it whole has the mask 0b10, one that needs slices 0b11.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from p2smt.spmd.engines.bits import transposed
from p2smt.spmd.model.availability import ConversionGraph, Prices, mask_of
from p2smt.spmd.model.forms import Form, Forms
from p2smt.spmd.model.graph import Node
from p2smt.spmd.model.layouts import WHOLE, rank_of
from p2smt.spmd.model.pricing import Pricing
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.layout import Layout, Sliced


@dataclass(frozen=True, slots=True)
class Options:
    """The options of all tensors that are sharded, produced and needed alike; numbered.

    An option is the layout that the tensor is produced in, and the set of layouts that it is made available in, as
    bits.
    """

    number: int
    layouts: tuple[Layouts, ...]
    reach: ConversionGraph
    options: tuple[tuple[int, int], ...]
    costs: tuple[int, ...]


class OptionCache:
    """Cached options, times and links of one program, mesh and sharding ratios, for searches under any restriction."""

    def __init__(self, pricing: Pricing, forms: Forms | None = None) -> None:
        """Share `forms` with another cache of the same graph and axis sizes, if given; they do not depend on ratios."""
        self.pricing = pricing
        self.forms = forms or Forms(pricing.graph, pricing.classes, pricing.mesh.sizes)
        self._graph = pricing.graph
        self._numbers: dict[tuple[Layouts, ...], int] = {}
        self._layouts: list[tuple[Layouts, ...]] = []
        self._layouts_of: dict[tuple[object, ...], tuple[Layouts, ...]] = {}
        self._made: dict[int, int] = {}
        self._needed: dict[tuple[int, int], int] = {}
        self._options: dict[tuple[object, ...], Options] = {}
        self._alikes: dict[tuple[object, ...], Options] = {}
        self._reaches: dict[tuple[object, ...], ConversionGraph] = {}
        self._allowed: dict[tuple[object, ...], tuple[int, ...]] = {}
        self._times: dict[tuple[int, int], tuple[int, ...]] = {}
        self._works: dict[tuple[object, ...], int] = {}
        self._work_of: dict[int, int] = {}
        self._kinds: dict[tuple[object, ...], int] = {}
        self._kind_of: dict[int, int] = {}
        self._reads: dict[int, tuple[tuple[int, tuple[bool, ...]], ...]] = {}

    def layouts(self, tensor: int, *more: Layout) -> tuple[Layouts, ...]:
        """Return all layouts of a tensor: replicated, sliced along any axes, or with layouts of `more` on an axis."""
        key = (self.pricing.cut(tensor), more)
        if key not in self._layouts_of:
            dimensions = range(len(self._graph.tensors[tensor].shape))
            choices = [
                (
                    WHOLE,
                    *[Sliced(d) for d in dimensions if self.forms.can_cut(tensor, d, (axis,))],
                    *(more if size > 1 else ()),
                )
                for axis, size in enumerate(self.pricing.mesh.sizes)
            ]
            every = product(*choices)
            self._layouts_of[key] = tuple([each for each in every if self.forms.is_layout(tensor, each)])
        return self._layouts_of[key]

    def number(self, layouts: tuple[Layouts, ...]) -> int:
        """Return the number of a tuple of layouts; equal tuples have the same number."""
        if layouts not in self._numbers:
            self._numbers[layouts] = len(self._layouts)
            self._layouts.append(layouts)
        return self._numbers[layouts]

    def made(self, form: Form) -> int:
        """Return the number of the layouts that a form's rules make."""
        if form.number not in self._made:
            self._made[form.number] = self.number(form.made)
        return self._made[form.number]

    def needed(self, form: Form, operand: int) -> int:
        """Return the number of the layouts that a form's rules need of the operand at a position."""
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
        separate: bool = False,
        most: int | None = None,
    ) -> Options:
        """Return the options of a tensor, given the numbers of the layouts it is produced and needed in.

        At most `most` conversions may have a cost (None: any number). With `separate`, costs are lower bounds: the
        most expensive layout by itself. If several options are equally cheap, the first is chosen; sources list
        sharded ones first.
        """
        if tensor not in self._kind_of:
            mine, summed = self._graph.tensors[tensor], self.pricing.summed_inside(tensor)
            kind = (mine.bytes, self.pricing.cut(tensor), mine.source is None, summed)
            self._kind_of[tensor] = self._kinds.setdefault(kind, len(self._kinds))
        key = (self._kind_of[tensor], produced, tuple(needed), goals, narrow, separate, most)
        if key not in self._options:
            readers = [self._layouts[number] for number in needed]
            ends = None if goals is None else self._layouts[goals]
            self._options[key] = self._alike(
                tensor, self._layouts[produced], readers, ends, narrow=narrow, separate=separate, most=most
            )
        return self._options[key]

    def _alike(
        self,
        tensor: int,
        produced: tuple[Layouts, ...],
        needed: Sequence[tuple[Layouts, ...]],
        goals: tuple[Layouts, ...] | None,
        *,
        narrow: bool,
        separate: bool,
        most: int | None,
    ) -> Options:
        """Return the options of a tensor, cached independently of the order of the layouts."""
        is_given = self._graph.tensors[tensor].source is not None
        every = tuple(sorted({each for layouts in needed for each in layouts}, key=_rank))
        # The first of equally cheap options is chosen: sources come cut first, results whole first.
        roots = tuple(sorted(set(produced), key=_rank, reverse=is_given))
        readers = tuple(sorted([tuple(sorted(set(layouts), key=_rank)) for layouts in needed], key=_ranks))
        alike = (self._kind_of[tensor], roots, readers, goals, narrow, separate, most)
        if alike not in self._alikes:
            layouts = self._between(tensor, {*roots, *every}, narrow=narrow)
            reach = self._reach(tensor, layouts, most)
            numbers = {each: number for number, each in enumerate(layouts)}
            wanted = mask_of([numbers[each] for each in every])
            masks = [mask_of([numbers[each] for each in some]) for some in readers]
            inside = {root: self.pricing.inside(tensor, root) for root in roots}
            found = []
            for root in roots:
                ways = reach.ways(numbers[root], wanted)
                sets = ways.separate(masks) if separate else ways.options(masks)
                found += [(numbers[root], mask, cost + inside[root]) for mask, cost in sets]
            if goals is not None:
                ends = mask_of([numbers[each] for each in goals])
                found = [each for each in found if each[1] & ends]
            self._alikes[alike] = Options(
                len(self._alikes),
                layouts,
                reach,
                tuple(each[:2] for each in found),
                tuple(cost for _, _, cost in found),
            )
        return self._alikes[alike]

    def _between(self, tensor: int, known: set[Layouts], *, narrow: bool) -> tuple[Layouts, ...]:
        """Return the layouts that conversions may pass through: the product of the layouts on each axis."""
        axes = range(len(self.pricing.mesh.sizes))
        every = known | {(WHOLE,) * len(axes)} | (set() if narrow else set(self.layouts(tensor)))
        found = product(*[{each[axis] for each in every} for axis in axes])
        return tuple(sorted([each for each in found if self.forms.is_layout(tensor, each)], key=_rank))

    def _reach(self, tensor: int, layouts: tuple[Layouts, ...], most: int | None) -> ConversionGraph:
        key = (self._graph.tensors[tensor].bytes, self.pricing.cut(tensor), layouts, most)
        if key not in self._reaches:
            self._reaches[key] = ConversionGraph(self._prices(tensor, layouts), most)
        return self._reaches[key]

    def _prices(self, tensor: int, layouts: tuple[Layouts, ...]) -> Prices:
        """Return the prices of all conversions; each changes a single axis, so most pairs have none."""
        numbers = {each: number for number, each in enumerate(layouts)}
        on_axis = [dict.fromkeys([each[axis] for each in layouts]) for axis in range(len(layouts[0]))]
        found: list[list[int | None]] = [[None] * len(layouts) for _ in layouts]
        for number, before in enumerate(layouts):
            for axis, others in enumerate(on_axis):
                for other in others:
                    after = numbers.get((*before[:axis], other, *before[axis + 1 :]))
                    if after is not None and after != number:
                        price = self.pricing.conversion_along(axis, tensor, before, layouts[after])
                        found[number][after] = None if price is None else price.time
        return tuple([tuple(row) for row in found])

    def times(self, node: Node, form: Form) -> tuple[int, ...]:
        """Return the picoseconds of an operation under each of its rules."""
        if node.result not in self._work_of:
            cut = [self.pricing.cut(each) for each in (*node.operands, node.result) if isinstance(each, int)]
            self._work_of[node.result] = self._works.setdefault((node.kind, *cut), len(self._works))
        key = (self._work_of[node.result], form.number)
        if key not in self._times:
            self._times[key] = tuple(self.pricing.slowest(node, rules) for rules in form.rules)
        return self._times[key]

    def reads(self, node: Node) -> tuple[tuple[int, tuple[bool, ...]], ...]:
        """Return each tensor that an operation reads, with a flag per operand that is True where it is the tensor."""
        if node.result not in self._reads:
            self._reads[node.result] = tuple(
                [(tensor, tuple([each == tensor for each in node.operands])) for tensor in node.reads]
            )
        return self._reads[node.result]

    def producing(self, options: Options, form: Form) -> tuple[int, ...]:
        """Return for each rule the options, as bits, that produce the tensor in the layout that the rule makes."""
        key = (form.number, options.number, None)
        if key not in self._allowed:
            of_root: dict[Layouts, int] = {}
            for bit, (root, _) in enumerate(options.options):
                of_root[options.layouts[root]] = of_root.get(options.layouts[root], 0) | (1 << bit)
            self._allowed[key] = tuple(of_root.get(made, 0) for made in form.made)
        return self._allowed[key]

    def reading(self, options: Options, form: Form, operands: tuple[bool, ...]) -> tuple[int, ...]:
        """Return for each rule of an operation the options, as bits, with all layouts the rule needs of the tensor."""
        key = (form.number, options.number, operands)
        if key not in self._allowed:
            having, every = _having(options), (1 << len(options.options)) - 1
            found = []
            for position in range(len(form.rules)):
                mask = every
                for needed, mine in zip(form.needed, operands, strict=True):
                    if mine:
                        mask &= having[needed[position]]
                found.append(mask)
            self._allowed[key] = tuple(found)
        return self._allowed[key]

    def following(self, state: Options, other: Options, *, made: bool) -> tuple[int, ...]:
        """Return for each option of a state the compatible options of another tensor, as bits.

        These make the state's stored layout available or, with `made`, produce the tensor in it.
        """
        key = (state.number, other.number, made, "follows")
        if key not in self._allowed:
            having = _having(other)
            if made:
                having = {
                    each: sum(1 << bit for bit, (root, _) in enumerate(other.options) if other.layouts[root] == each)
                    for each in other.layouts
                }
            self._allowed[key] = tuple(having[state.layouts[root]] for root, _ in state.options)
        return self._allowed[key]


def _having(options: Options) -> dict[Layouts, int]:
    """Return for each layout the options, as bits, that make it available."""
    columns = transposed([mask for _, mask in options.options], len(options.layouts))
    return dict(zip(options.layouts, columns, strict=True))


def _rank(layouts: Layouts) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key: per axis, Replicated first, then slices by dimension, then Partial."""
    return tuple([rank_of(layout) for layout in layouts])


def _ranks(every: tuple[Layouts, ...]) -> list[tuple[tuple[int, int, str], ...]]:
    return [_rank(layouts) for layouts in every]
