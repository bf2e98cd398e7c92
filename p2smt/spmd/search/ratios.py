"""The best sharding ratios for one program, by a linear program (HAP, section 5): least time by stages, within memory.

Variables: the share s[k] of each device of kind k, the largest share L, the time t[j] of each stage.
    minimise  grow * L + sum over j of t[j]   subject to   the shares of all devices add up to 1,
    s[k] <= L,   fixed[k, j] + cut[k, j] * s[k] <= t[j],   s[k] <= (memory[k] - whole) / stored cut.
A device computes its part of what is cut and all of what is not, and padded collectives grow with the largest share
(their latency too, which is taken for a part of that).

Size: kinds + 1 + stages variables, kinds x (stages + 2) rows; solved by HiGHS.

Example: two devices, one twice as fast, one stage, nothing sent: cut = (1, 2), so s = (2/3, 1/3) and t = 2/3.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from p2smt.errors import EngineError
from p2smt.spmd.account.instruction import Account, AccountedStep
from p2smt.spmd.account.uses import uses_of
from p2smt.spmd.devices.cluster import Cluster, Device
from p2smt.spmd.devices.effort import Efforts
from p2smt.spmd.devices.network import PICO
from p2smt.spmd.devices.shares import Shares
from p2smt.tensor.layout import Sliced
from p2smt.tensor.program import Program
from p2smt.tensor.way import Way

Reals = npt.NDArray[np.float64]

_PADDED = frozenset({"AllGather", "ReduceScatter", "AllToAll", "Rebalance"})


def best_ratios(
    program: Program, account: Account, shares: Shares, cluster: Cluster, within: Collection[str] | None = None
) -> tuple[float, ...]:
    """Each device's part, devices of one kind alike. The program is one of one axis, `account` what it takes.

    `within` are the statements of a segment, of which alone the time counts; None: all.
    EngineError without scipy, and where no shares keep what is stored within memory.
    """
    problem = linear_program(program, account, shares, cluster, within)
    return tuple(map(float, shares.parts)) if problem is None else problem.solve()


@dataclass(frozen=True, slots=True, kw_only=True)
class Linear:
    """min costs x, rows x <= most, sums x = 1, x >= 0: a share of each kind, the largest, then a time per stage."""

    cluster: Cluster
    shares: Shares
    costs: Reals
    rows: Reals
    most: Reals
    sums: Reals

    def solve(self) -> tuple[float, ...]:
        """Each device's part, by HiGHS. EngineError without scipy, and where no shares keep to all rows."""
        try:
            from scipy.optimize import linprog
        except ImportError as cause:
            raise EngineError("shares are found with scipy; install it with: pip install 'p2smt[calibrate]'") from cause
        answer = linprog(self.costs, A_ub=self.rows, b_ub=self.most, A_eq=self.sums, b_eq=[1.0], method="highs")
        if answer.status != 0 or answer.x is None:
            raise EngineError(f"no shares were found for the program of {self.shares.name} shares: {answer.message}")
        number = {kind: column for column, kind in enumerate(dict.fromkeys(self.cluster.devices))}
        return tuple(float(answer.x[number[device]]) for device in self.cluster.devices)


def linear_program(
    program: Program, account: Account, shares: Shares, cluster: Cluster, within: Collection[str] | None = None
) -> Linear | None:
    """The best shares for a program, or a segment, as a linear program; None where no time depends on the shares."""
    kinds = list(dict.fromkeys(cluster.devices))
    stages = len(account.stages)
    times = (
        _rooflines(program, account, within, cluster) if cluster.models else _speeds(program, account, within, cluster)
    )
    mine = [each for each in account.instructions if within is None or each.statement in within]
    growing = sum(map(_grows, mine))
    if not growing and not any(cut.any() for _, cut in times):
        # Nothing depends on the ratios, so any are optimal.
        return None
    columns = len(kinds) + 1 + stages
    costs = np.zeros(columns)
    # Collectives on padded parts grow with the largest ratio.
    costs[len(kinds)] = growing / float(max(shares.parts)) / PICO
    costs[len(kinds) + 1 :] = 1.0
    rows: list[Reals] = []
    most: list[float] = []
    for number, (fixed, cut) in enumerate(times):
        # Row: the ratio of this kind is at most the largest ratio.
        largest = np.zeros(columns)
        largest[number], largest[len(kinds)] = 1.0, -1.0
        rows.append(largest)
        most.append(0.0)
        for stage in range(stages):
            # Row: the kind's time in this stage, fixed plus its ratio's part, is at most the
            # stage's time.
            row = np.zeros(columns)
            row[number], row[len(kinds) + 1 + stage] = cut[stage], -1.0
            rows.append(row)
            most.append(-fixed[stage])
    for number, limit in _within_memory(program, kinds):
        row = np.zeros(columns)
        row[number] = 1.0
        rows.append(row)
        most.append(limit)
    sums = np.zeros((1, columns))
    for device in cluster.devices:
        sums[0, kinds.index(device)] += 1.0
    return Linear(cluster=cluster, shares=shares, costs=costs, rows=np.array(rows), most=np.array(most), sums=sums)


def _grows(instruction: AccountedStep) -> int:
    """Picoseconds of a collective that grow with the largest share."""
    padded = instruction.way in (Way.PADDED, Way.EXCHANGE, Way.PROGRAM) and instruction.text in _PADDED
    return instruction.time if padded else 0


def _work(program: Program, account: Account, within: Collection[str] | None, efforts: Efforts) -> tuple[Reals, Reals]:
    """Work of every stage that each device does all of, and what is cut."""
    fixed, cut = np.zeros(len(account.stages)), np.zeros(len(account.stages))
    calls = [each for each in account.instructions if each.way is None]
    uses = uses_of(program)
    for each, whole, signed in zip(calls, uses.work, uses.signatures, strict=True):
        if within is None or each.statement in within:
            work, begin = efforts.work(each.text, whole, signed), efforts.begin(each.text)
            is_cut = sum(each.work) < work + len(each.work) * (begin + 1)
            (cut if is_cut else fixed)[each.stage] += float(work)
            fixed[each.stage] += begin
    return fixed, cut


def _speeds(
    program: Program, account: Account, within: Collection[str] | None, cluster: Cluster
) -> list[tuple[Reals, Reals]]:
    """For every kind of devices the seconds of each stage that it does all of, and of what is cut, by its speed."""
    fixed, cut = _work(program, account, within, cluster.efforts)
    return [(fixed / kind.speed, cut / kind.speed) for kind in dict.fromkeys(cluster.devices)]


def _rooflines(
    program: Program, account: Account, within: Collection[str] | None, cluster: Cluster
) -> list[tuple[Reals, Reals]]:
    """The same by rooflines: what is cut takes in proportion to its part, which is an estimate for small parts."""
    calls = [each for each in account.instructions if each.way is None]
    found = []
    for kind in dict.fromkeys(cluster.devices):
        fixed, cut = np.zeros(len(account.stages)), np.zeros(len(account.stages))
        for each, whole in zip(calls, uses_of(program).work, strict=True):
            if within is not None and each.statement not in within:
                continue
            mine = [number for number, device in enumerate(cluster.devices) if device == kind]
            busiest = max(mine, key=each.flops.__getitem__)
            # What is done completely by each device does not depend on the ratios.
            is_cut = 0 < each.flops[busiest] < whole
            seconds = each.work[busiest] / PICO
            (cut if is_cut else fixed)[each.stage] += seconds * whole / each.flops[busiest] if is_cut else seconds
        found.append((fixed, cut))
    return found


def _within_memory(program: Program, kinds: Sequence[Device]) -> list[tuple[int, float]]:
    """The largest share of every kind whose memory is known, so that sources fit that are stored cut."""
    whole = cut = 0
    for source in program.sources:
        size = source.dtype.bytes * int(np.prod(source.shape, dtype=np.int64))
        # only Sliced: the search chooses among replicated, sliced and partial
        if any(isinstance(placed.layout, Sliced) for placed in source.layouts):
            cut += size
        else:
            whole += size
    return [
        (number, max(0.0, (kind.memory - whole) / cut))
        for number, kind in enumerate(kinds)
        if kind.memory is not None and cut
    ]
