"""Plans on numbers, once more and independently: whole groups as matrices.

Numbers are int64, added modulo 2^64; where real ones are divided, they are fractions; integers are divided downwards.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from p2smt.collective import Collective, Exchange
from p2smt.verify.operation import LocalOperation
from p2smt.verify.plan import VerificationPlan, VerificationStep


def run(plan: VerificationPlan, given: np.ndarray, seed: int = 0) -> np.ndarray:
    """`result[device, chunk]` of the goal's target, from `given[device, chunk]`; what is undefined is random."""
    random = np.random.default_rng(seed)

    def garbage(shape: tuple[int, int]) -> np.ndarray:
        return _numbers(plan, _garbage(random, shape))

    found = _carried_out(plan, _numbers(plan, given), garbage)
    if any(step.operation is LocalOperation.NEGATE for step in plan.steps):  # undefined is what it was taken from, too
        undefined = np.isnan(_carried_out(plan, np.zeros(given.shape), lambda shape: np.full(shape, np.nan)))
        found = np.where(undefined, garbage(found.shape), found)
    return found


def _carried_out(
    plan: VerificationPlan, given: np.ndarray, garbage: Callable[[tuple[int, int]], np.ndarray]
) -> np.ndarray:
    held = {name: garbage((plan.devices, length)) for name, length in plan.buffers}
    for name in plan.zeros:
        held[name][:] = given.flat[0] * 0  # of the same kind
    _part(held, plan.goal.source)[:] = given
    for step in plan.steps:
        for group in step.groups:
            members = list(group)
            read, kept = _part(held, step.source)[members], _part(held, step.target)[members]
            match step.operation:
                case LocalOperation.ADD:
                    written = read + kept
                case LocalOperation.NEGATE:
                    written = -read
                case LocalOperation():
                    written = read
                case _:
                    written = _after(step, read, kept, garbage(kept.shape))
            written = _over(written, step.divisor)
            if step.operation is Exchange.SEND:  # the root's target is not written
                written[step.root] = kept[step.root]
            _part(held, step.target)[members] = written
    return _part(held, plan.goal.target).copy()


def wanted(plan: VerificationPlan, given: np.ndarray) -> dict[int, np.ndarray]:
    """What devices must end with where the goal wants something, fractions dropped as integers drop them."""
    goal, found, given = plan.goal, {}, _numbers(plan, given)
    for group in goal.groups:
        brought = given[list(group)]
        total = _over(brought.sum(axis=0), len(group) if goal.average else 1)
        match goal.collective:
            case Collective.ALL_REDUCE:
                found |= dict.fromkeys(group, total)
            case Collective.REDUCE_SCATTER:
                found |= dict(zip(group, total.reshape(len(group), -1), strict=True))
            case Collective.ALL_GATHER:
                found |= dict.fromkeys(group, brought.reshape(-1))
            case Collective.REDUCE:
                found[group[goal.root]] = total
            case Collective.BROADCAST:
                found |= dict.fromkeys(group, brought[goal.root])
            case Exchange.ALL_TO_ALL:
                blocks = np.split(brought, len(group), axis=1)
                found |= {device: block.reshape(-1) for device, block in zip(group, blocks, strict=True)}
    return found


def reaches(plan: VerificationPlan, seed: int) -> bool:
    """Whether random contributions, and random numbers in what is undefined, end where the goal wants them."""
    given = contributions(plan, seed)
    found = run(plan, given, seed)
    return all((found[device] == numbers).all() for device, numbers in wanted(plan, given).items())


def contributions(plan: VerificationPlan, seed: int) -> np.ndarray:
    """Random contributions; those that are integers to be divided are not negative, and half of them small."""
    random, shape = np.random.default_rng(seed), (plan.devices, plan.goal.source.length)
    if not plan.integers:
        return random.integers(-(2**62), 2**62, shape)
    return random.integers(0, 2 ** (3 if seed % 2 else 20), shape)


def given_by(plan: VerificationPlan, contributions: dict[tuple[int, int], int]) -> np.ndarray:
    """Contributions by device and chunk, all others being 0."""
    given = np.zeros((plan.devices, plan.goal.source.length), dtype=object)
    for place, number in contributions.items():
        given[place] = number
    return given


def _divides(plan: VerificationPlan) -> bool:
    return plan.goal.average or any(step.divisor != 1 for step in plan.steps)


def _numbers(plan: VerificationPlan, numbers: np.ndarray) -> np.ndarray:
    if plan.integers or not _divides(plan):
        return (numbers % 2**64).astype(np.uint64).astype(np.int64) if numbers.dtype == object else numbers
    return np.vectorize(lambda number: Fraction(int(number)), otypes=[object])(numbers)


def _over(numbers: np.ndarray, divisor: int) -> np.ndarray:
    if divisor == 1:
        return numbers
    return numbers / divisor if numbers.dtype == object else numbers // divisor


def _part(held: dict[str, np.ndarray], part) -> np.ndarray:
    return held[part.buffer][:, part.start : part.end]


def _garbage(random: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return random.integers(-(2**63), 2**63, shape, dtype=np.int64)


def _after(step: VerificationStep, read: np.ndarray, kept: np.ndarray, spoiled: np.ndarray) -> np.ndarray:
    """The targets of all members; row `i` is that of member `i`."""
    size, total = len(read), read.sum(axis=0)
    match step.operation:
        case Collective.ALL_REDUCE:
            found = np.tile(total, (size, 1))
        case Collective.REDUCE:
            found = spoiled
            found[step.root] = total
        case Collective.BROADCAST | Exchange.SEND:
            found = np.tile(read[step.root], (size, 1))
        case Exchange.ALL_TO_ALL:
            found = read.reshape(size, size, -1).swapaxes(0, 1).reshape(size, -1)
        case Collective.REDUCE_SCATTER if step.in_place:
            own = np.repeat(np.eye(size, dtype=bool), read.shape[1] // size, axis=1)
            found = np.where(own, total, spoiled)
        case Collective.REDUCE_SCATTER:
            found = total.reshape(size, -1)
        case Collective.ALL_GATHER if step.in_place:
            places = np.arange(size)
            found = np.tile(read.reshape(size, size, -1)[places, places].reshape(-1), (size, 1))
        case Collective.ALL_GATHER:
            found = np.tile(read.reshape(-1), (size, 1))
        case _:
            raise AssertionError(step)
    return found
