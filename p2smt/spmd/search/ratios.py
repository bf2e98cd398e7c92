"""The best sharding ratios for a given program, by linear programming (HAP, section 5): least time within memory.

Variables: the share s[k] of each device of kind k, the largest share L, the time t[j] of each stage.

    minimise  grow * L + sum over j of t[j]   subject to   the shares of all devices sum to 1,
    s[k] <= L,   fixed[k, j] + cut[k, j] * s[k] <= t[j],   s[k] <= (memory[k] - replicated) / sharded.

A device computes its share of sharded work and all replicated work. Padded collectives grow with the largest share;
their latency is treated as if it did too.
Size: kinds + 1 + stages variables, kinds x (stages + 2) rows; solved by HiGHS.
Reference: Huangfu and Hall, "Parallelizing the dual revised simplex method", 2018 (HiGHS).

Example: two devices, one twice as fast, one stage, no communication: cut = (1, 2), so s = (2/3, 1/3) and t = 2/3.
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
    """Return each device's share; devices of one kind get equal shares. The program has one mesh axis.

    `account` is that of the program. `within` are the statements whose time counts (a segment); None: all. Raises
    EngineError without scipy, or if no ratios keep stored bytes within memory.
    """
    problem = linear_program(program, account, shares, cluster, within)
    return tuple(map(float, shares.parts)) if problem is None else problem.solve()


@dataclass(frozen=True, slots=True, kw_only=True)
class Linear:
    """The linear program min costs x subject to rows x <= most, sums x = 1, x >= 0.

    The variables x are a share for each kind, the largest share, then a time per stage.
    """

    cluster: Cluster
    shares: Shares
    costs: Reals
    rows: Reals
    most: Reals
    sums: Reals

    def solve(self) -> tuple[float, ...]:
        """Return each device's share, by HiGHS. Raises EngineError without scipy, and if the program is infeasible."""
        try:
            from scipy.optimize import linprog
        except ImportError as cause:
            raise EngineError(
                "sharding ratios are optimised with scipy, which is missing; install it with: pip install "
                "'p2smt[calibrate]'"
            ) from cause
        answer = linprog(self.costs, A_ub=self.rows, b_ub=self.most, A_eq=self.sums, b_eq=[1.0], method="highs")
        if answer.status != 0 or answer.x is None:
            raise EngineError(
                f"HiGHS found no sharding ratios for the program of {self.shares.name} ratios: "
                f"{answer.message}; give --shares"
            )
        number = {kind: column for column, kind in enumerate(dict.fromkeys(self.cluster.devices))}
        return tuple(float(answer.x[number[device]]) for device in self.cluster.devices)


def linear_program(
    program: Program, account: Account, shares: Shares, cluster: Cluster, within: Collection[str] | None = None
) -> Linear | None:
    """Return the linear program for the best ratios; None if no time depends on the ratios."""
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
    """Return the picoseconds of a collective that grow with the largest share; 0 if it is not padded."""
    padded = instruction.way in (Way.PADDED, Way.EXCHANGE, Way.PROGRAM) and instruction.text in _PADDED
    return instruction.time if padded else 0


def _work(program: Program, account: Account, within: Collection[str] | None, efforts: Efforts) -> tuple[Reals, Reals]:
    """Return the replicated and the sharded work of every stage."""
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
    """Return for every kind of device the seconds of replicated and of sharded work per stage, by its speed."""
    fixed, cut = _work(program, account, within, cluster.efforts)
    return [(fixed / kind.speed, cut / kind.speed) for kind in dict.fromkeys(cluster.devices)]


def _rooflines(
    program: Program, account: Account, within: Collection[str] | None, cluster: Cluster
) -> list[tuple[Reals, Reals]]:
    """Return for every kind of device the seconds of replicated and of sharded work per stage, by rooflines.

    Sharded work is taken to be proportional to the share, which is an estimate for small shares.
    """
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
    """Return for each kind with known memory the largest share for which the stored sources fit."""
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
