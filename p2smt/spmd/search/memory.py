"""Memory of stored sources as limits of the joint problem, and programs within these limits.

The limits bound stored bytes: parameters, states and inputs in their layouts. The peak of a program is known only once
it is emitted; then the limits are lowered by its excess, and the search is repeated.

With s[d] the stored bytes of device d, M[d] its memory and o[d] > 0 the excess of the program's peak,
    limit[d] = min(s[d], M[d]) - o[d]
for the next of at most `ATTEMPTS` searches (HiGHS; the limits are knapsack constraints). For more than `MANY` choices
the limits are relaxed instead (Lagrangian relaxation; Fisher, "The Lagrangian relaxation method for solving integer
programming problems", 1981): minimise  cost(x) + price * bytes(x), exactly, by elimination. The price is multiplied
by 8 until the program fits, then bisected `_HALVINGS` times. Programs between two prices are not found.

Example: programs of 10 GB in 5 s, 6 GB in 6 s and 4 GB in 9 s, and a limit of 7 GB. A price of 0.3 s per GB takes 8.0,
7.8 and 10.2 s, so the second one is chosen.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from p2smt.errors import ProblemError
from p2smt.spmd.account.instruction import Account
from p2smt.spmd.account.instructions import account
from p2smt.spmd.devices.cluster import Device
from p2smt.spmd.emission.emission import emit
from p2smt.spmd.engines.elimination import TooLargeError, eliminate
from p2smt.spmd.engines.engine import EngineOptions, ShardingEngine
from p2smt.spmd.engines.ilp import solve
from p2smt.spmd.engines.problem import Best, JointProblem, Limit
from p2smt.spmd.model.build import Sharding, TensorChoice
from p2smt.tensor.program import Program

ATTEMPTS = 6

MANY = 10_000
"""The number of choices above which bytes are priced instead, because HiGHS would take minutes."""

_FIRST_PRICE, _LAST_PRICE = 0.5, 1e6
"""The first and the last price to try, in picoseconds per byte; an AllGather takes a few per byte."""

_HALVINGS = 3


@dataclass(frozen=True, slots=True)
class FittingProgram:
    """A program whose peak fits into the memory of every device."""

    assignment: tuple[int, ...]
    program: Program
    account: Account


@dataclass(frozen=True, slots=True)
class DeviceStorage:
    """Stored bytes: `sizes` has, for the choice of each source and each of its options, the bytes on every device."""

    devices: tuple[Device, ...]
    sizes: tuple[tuple[int, tuple[tuple[int, ...], ...]], ...]

    def limits(self, most: Sequence[int | None]) -> tuple[Limit, ...]:
        """Return limits on the bytes that each device stores; of devices with equal sizes, only the tightest limit."""
        found: dict[tuple[tuple[int, tuple[int, ...]], ...], Limit] = {}
        for device, bound in enumerate(most):
            if bound is None:
                continue
            key = tuple((choice, tuple([sizes[device] for sizes in options])) for choice, options in self.sizes)
            if key not in found or bound < found[key].most:
                found[key] = Limit(f"device {device}", bound, key)
        return tuple(found.values())

    def totals(self, assignment: Sequence[int]) -> tuple[int, ...]:
        """Return the bytes that each device stores."""
        taken = [options[assignment[choice]] for choice, options in self.sizes]
        return tuple(sum(sizes) for sizes in zip(*taken, strict=True)) or (0,) * len(self.devices)


def excess(sharding: Sharding, peaks: Sequence[int]) -> tuple[int, ...]:
    """Return the bytes by which each device's peak exceeds its memory; 0 if it fits or its memory is unknown."""
    return beyond(sharding.pricing.cluster.devices, peaks)


def beyond(devices: Sequence[Device], peaks: Sequence[int]) -> tuple[int, ...]:
    """Return the bytes by which each peak exceeds the device's memory; 0 if it fits or the memory is unknown."""
    return tuple(
        max(0, peak - device.memory) if device.memory is not None else 0
        for device, peak in zip(devices, peaks, strict=True)
    )


def stored_limits(sharding: Sharding, most: Sequence[int | None]) -> tuple[Limit, ...]:
    """Return limits on the bytes of sources that each device stores; of devices with equal sizes, only the tightest."""
    return _stored(sharding).limits(most)


def fitted(sharding: Sharding, search: EngineOptions | None = None) -> FittingProgram | None:
    """Return a program that fits into memory, by a search with limits; None if no attempt fits.

    HiGHS searches; if the engine is elimination and there are more than `MANY` choices, elimination with priced bytes
    does. Raises ProblemError if the stored sources alone exceed a device's memory.
    """

    def made(assignment: tuple[int, ...]) -> tuple[Program, Account]:
        program = emit(sharding, assignment)
        return program, account(program, sharding.pricing.cluster, sharding.pricing.mesh.networks)

    return fit(sharding.problem, _stored(sharding), made, search)


def fit(
    problem: JointProblem,
    stored: DeviceStorage,
    made: Callable[[tuple[int, ...]], tuple[Program, Account]],
    search: EngineOptions | None = None,
) -> FittingProgram | None:
    """Return the result of `fitted` for any problem; `made` returns the program of an assignment and its account."""
    devices = stored.devices
    most = [device.memory for device in devices]
    _refuse_too_large(devices, stored.limits(most))
    for _ in range(ATTEMPTS):
        limits = stored.limits(most)
        if any(limit.most < 0 for limit in limits):
            return None
        assignment = _within(replace(problem, limits=limits), search)
        if assignment is None:
            return None
        program, taken = made(assignment)
        over = beyond(devices, taken.memory)
        if not any(over):
            return FittingProgram(assignment, program, taken)
        totals = stored.totals(assignment)
        most = [
            None if device.memory is None else min(now, device.memory) - more if more else bound
            for device, bound, now, more in zip(devices, most, totals, over, strict=True)
        ]
    return None


def _within(problem: JointProblem, search: EngineOptions | None) -> tuple[int, ...] | None:
    """Return a cheap assignment within all limits (the cheapest, if by HiGHS); None if there is none."""
    if search is not None and search.engine is ShardingEngine.ELIMINATION and len(problem.choices) > MANY:
        with suppress(TooLargeError):
            return priced(problem, search.memory)
    answer = solve(problem).answer
    return answer.assignment if isinstance(answer, Best) else None


def priced(problem: JointProblem, memory: int) -> tuple[int, ...] | None:
    """Return a cheap assignment within the limits, by Lagrangian relaxation: a price per byte is raised until all fits.

    It need not be the cheapest, as other programs can lie between two prices. None if no price is high enough.
    """

    def within(price: float) -> tuple[int, ...] | None:
        costs = [list(choice.costs) for choice in problem.choices]
        for limit in problem.limits:
            for choice, weights in limit.weights:
                costs[choice] = [
                    cost + int(price * weight) for cost, weight in zip(costs[choice], weights, strict=True)
                ]
        choices = tuple(each._replace(costs=tuple(new)) for each, new in zip(problem.choices, costs, strict=True))
        answer = eliminate(replace(problem, choices=choices), memory, proof=False).answer
        return answer.assignment if isinstance(answer, Best) and problem.allows(answer.assignment) else None

    low, high = 0.0, _FIRST_PRICE
    found = within(high)
    # Grow the price until something fits, then bisect: the cheapest fit is near the lowest price
    # that fits.
    while found is None and high < _LAST_PRICE:
        low, high = high, high * 8
        found = within(high)
    if found is None:
        return None
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        better = within(middle)
        if better is None:
            low = middle
        else:
            # Cheaper programs can appear at higher prices, so the best one seen is kept.
            high, found = middle, min(found, better, key=problem.cost)
    return found


def _stored(sharding: Sharding) -> DeviceStorage:
    sizes = []
    for choice, meaning in enumerate(sharding.meanings):
        if isinstance(meaning, TensorChoice) and sharding.pricing.graph.tensors[meaning.tensor].source is not None:
            held = [sharding.pricing.stored_bytes(meaning.tensor, layout) for layout in meaning.layouts]
            sizes.append((choice, tuple(held[root] for root, _ in meaning.options)))
    return DeviceStorage(sharding.pricing.cluster.devices, tuple(sizes))


def _refuse_too_large(devices: Sequence[Device], limits: Sequence[Limit]) -> None:
    for limit in limits:
        least = sum(min(weights) for _, weights in limit.weights)
        if least > limit.most:
            number = int(limit.name.removeprefix("device "))
            kind = devices[number].kind
            raise ProblemError(
                f"no sharding fits into memory: {limit.name} ({kind}) has {limit.most} bytes, but must "
                f"store at least {least}, {least - limit.most} more; use more devices, other sharding "
                "ratios or fewer conditions"
            )
