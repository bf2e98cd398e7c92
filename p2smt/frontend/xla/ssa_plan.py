"""Plans with goals from programs in static single assignment form.

The payload consists of the used parameters. For goals without scatter or gather, parameters are consecutive, and
the results replace them at the end; otherwise block `i` of all parameters is member `i`'s shard.
"""

from collections.abc import Sequence
from dataclasses import replace

from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AskedGoal
from p2smt.frontend.builder import DATA, PlanBuilder
from p2smt.frontend.xla.layout import Ranges
from p2smt.frontend.xla.processes import device_count
from p2smt.frontend.xla.ssa import HloShape, Module
from p2smt.frontend.xla.ssa_goal import Purpose, blocks, exchanged, purpose
from p2smt.frontend.xla.ssa_run import ModuleRun
from p2smt.frontend.xla.ssa_store import RESULT, PlanBuffers
from p2smt.frontend.xla.ssa_values import HloTensor, Runs, leaves, merged, one_part
from p2smt.verify.operation import blocks_of, has_blocks
from p2smt.verify.plan import BufferRange, Goal, VerificationPlan
from p2smt.wording import listed


def plan_of(module: Module, path: str, asked: AskedGoal) -> VerificationPlan:
    """Return the plan of a module; unless a goal is requested, it is inferred.

    Raises VerifyError with the line of unsupported text; `path` names the text.
    """
    try:
        return _Lowering(module, path).plan(asked)
    except VerifyError as cause:
        raise (cause if str(cause).startswith(path) else VerifyError(f"{path}: {cause}")) from cause


class _Lowering:
    def __init__(self, module: Module, path: str) -> None:
        self._module, self._path = module, path
        self._devices = device_count(module)
        self._carry_out({})

    def _carry_out(self, places: dict[int, Runs]) -> None:
        """Emit the steps, with parameters at these places of the payload, by default consecutively."""
        self._builder = PlanBuilder(self._devices)
        self._store = PlanBuffers(self._devices, self._builder, places)
        self._run = ModuleRun(self._module, self._path, self._store)
        self._results = [tensor for value in self._run.results() for tensor in leaves(value)]
        for tensor in self._results:
            self._store.pieces(tensor)
        if self._module.sharded and not self._run.collectives.count:
            raise VerifyError(
                "nothing communicates, and parameters are sharded: the program is not partitioned yet; "
                "give the text of the compiled program"
            )

    def plan(self, asked: AskedGoal) -> VerificationPlan:
        for_ = self._purpose(asked)
        target = self._put_apart(for_) if has_blocks(for_.collective) else self._put_back()
        goal = Goal(
            collective=for_.collective,
            groups=for_.groups,
            source=BufferRange(DATA, 0, self._store.payload),
            target=target,
            root=for_.root,
            average=asked.average,
        )
        plan = self._builder.plan(goal, self._run.sums.divides_integers, tuple(self._run.labels))
        return replace(plan, notes=_notes(for_, self._devices)) if for_.why else plan

    def _purpose(self, asked: AskedGoal) -> Purpose:
        adds = self._run.sums.adds
        results = [tensor.shape for tensor in self._results]
        return purpose(asked, self._devices, self._shapes(), results, self._run.collectives.used, adds)

    def _shapes(self) -> list[HloShape]:
        """Shapes of the used parameters, in order."""
        return [self._store.given[place][0] for place in sorted(self._store.given)]

    def _put_back(self) -> BufferRange:
        """Copy the results to the places of the parameters, and return the payload."""
        targets = [self._store.given[place][1].part for place in sorted(self._store.given)]
        found = [tensor.shape.size for tensor in self._results]
        wanted = [shape.size for shape in self._shapes()]
        if not targets or found != wanted:
            raise VerifyError(
                f"the results have {found[:8]} elements, the used parameters {wanted[:8]}; without --goal "
                "and --groups, the results must be the sums of the parameters in the same order"
            )
        aside = [self._aside(tensor, target) for tensor, target in zip(self._results, targets, strict=True)]
        for tensor, target in zip(aside, targets, strict=True):
            if target is not None:
                self._store.copy(self._store.pieces(tensor), target, self._last)
        return BufferRange(DATA, 0, self._store.payload)

    def _aside(self, tensor: HloTensor, target: BufferRange | None) -> HloTensor:
        """Return a result; if it aliases parameters, a copy that no other result overwrites."""
        pieces = self._store.pieces(tensor)
        if pieces.part == target or all(part.buffer != DATA for runs in pieces.runs for part in runs):
            return tensor
        out = self._store.copied(tensor, "aside", self._last)
        return HloTensor(tensor.shape, one_part(out))

    def _put_apart(self, for_: Purpose) -> BufferRange:
        """Emit a goal with scatter or gather: blocks of parameters and of results are made contiguous."""
        sizes = {len(group) for group in for_.groups}
        given, results = self._shapes(), [tensor.shape for tensor in self._results]
        if len(given) != len(results) or len(sizes) != 1 or not given:
            raise VerifyError(
                f"{len(given)} used parameters and {len(results)} results in groups of {listed(sorted(sizes))}; to "
                "check shards, give as many results as parameters, and groups of one size"
            )
        size = sizes.pop()
        cuts = [self._cuts(for_, *pair, size) for pair in zip(given, results, strict=True)]
        if blocks_of(for_.collective)[0]:
            self._carry_out(self._places([sent for sent, _ in cuts]))
            order = list(range(len(given)))
        else:
            starts = {place: runs.runs[0][0].start for place, (_, runs) in self._store.given.items()}
            order = sorted(range(len(given)), key=lambda index: starts[sorted(starts)[index]])
        return self._collected([(self._results[index], cuts[index][1]) for index in order])

    def _cuts(
        self, for_: Purpose, given: HloShape, result: HloShape, size: int
    ) -> tuple[tuple[Ranges, ...], tuple[Ranges, ...]]:
        """Return the blocks of a parameter and of a result; a single one if the goal does not scatter or gather it."""
        match blocks_of(for_.collective):
            case (True, True):
                return exchanged(given, result, size, self._run.collectives.exchanged)
            case (True, False):
                return blocks(given, result, size), (((0, result.size),),)
            case _:
                return (((0, given.size),),), blocks(result, given, size)

    def _places(self, cuts: Sequence[tuple[Ranges, ...]]) -> dict[int, Runs]:
        """Return the places in the payload of every parameter's elements; the payload is ordered by blocks."""
        found: list[list[tuple[int, BufferRange]]] = [[] for _ in cuts]
        at = 0
        for block in range(len(cuts[0])):
            for parts, cut in zip(found, cuts, strict=True):
                for first, length in cut[block]:
                    parts.append((first, BufferRange(DATA, at, length)))
                    at += length
        return {
            place: merged(part for _, part in sorted(parts, key=lambda one: one[0]))
            for place, parts in zip(sorted(self._store.given), found, strict=True)
        }

    def _collected(self, results: Sequence[tuple[HloTensor, tuple[Ranges, ...]]]) -> BufferRange:
        """Copy all results, ordered by blocks, to a separate buffer."""
        target = BufferRange(RESULT, 0, sum(tensor.shape.size for tensor, _ in results))
        self._builder.buffer(RESULT, target.length)
        at = 0
        for block in range(len(results[0][1])):
            for tensor, cut in results:
                length = sum(count for _, count in cut[block])
                pieces = self._store.of_each(self._store.pieces(tensor), cut[block])
                self._store.copy(pieces, BufferRange(RESULT, at, length), self._last)
                at += length
        return target

    @property
    def _last(self) -> int:
        return max(len(self._run.labels), 1)


def _notes(for_: Purpose, devices: int) -> tuple[str, ...]:
    whole = for_.groups == (tuple(range(devices)),)
    among = f"all {devices} devices" if whole else f"the {len(for_.groups)} groups of {len(for_.groups[0])}"
    return (f"goal: {for_.collective} among {among}, inferred from {for_.why}; --goal names another",)
