"""Better weights for the lower bound on heterogeneous devices: cutting planes in the weights of speeds.

For weights w, at least 0 and of sum 1 over the devices, the relaxation of `bound.py` has the optimum

    g(w) = min over programs P of line[P](w),   line[P](w) = fixed[P] + sum over speeds s of w[s] * computing[P][s],

where computing[P][s] is the computing time of P on all devices of speed s. Every g(w) is a lower bound; g is concave,
so the lines of the programs found so far lie above it: weights for which a line is low cannot raise the bound, and are
not tried (Kelley, "The cutting-plane method for solving convex programs", 1960). Tried are the weights that raised the
bound most, moved by a quarter, by half, and wholly to the devices of one speed. With even ratios the slowest devices
take the maximum of every stage, up to blocks of unequal size, and all weight on them makes the bound nearly tight.

Example: computing only, replicated, on two devices of 100 ns and two of 274 ns. Equal weights bound the step by 187 ns,
weights on the slower devices alone by 274 ns.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from p2smt.spmd.devices.network import PICO
from p2smt.spmd.model.build import NodeChoice, Sharding

Weights = Mapping[int, Fraction]
"""The weight of a device by its speed; the weights of all devices sum to 1."""

_STEPS = (Fraction(1), Fraction(1, 2), Fraction(1, 4))


@dataclass(frozen=True, slots=True)
class WeightedTime:
    """The cost of one program as a linear function of the weights, in picoseconds."""

    fixed: int
    computing: Mapping[int, Fraction]

    def at(self, weights: Weights) -> Fraction:
        """Return the cost with these weights."""
        return self.fixed + sum([weights[speed] * time for speed, time in self.computing.items()], Fraction(0))


def weighted_time(sharding: Sharding, assignment: Sequence[int]) -> WeightedTime:
    """Return the cost of an assignment in the relaxation, before rounding."""
    pricing, fixed = sharding.pricing, 0
    computing = dict.fromkeys(pricing.cluster.speeds, Fraction(0))
    for choice, meaning, option in zip(sharding.problem.choices, sharding.meanings, assignment, strict=True):
        if not isinstance(meaning, NodeChoice) or meaning.node.result in pricing.graph.borders:
            fixed += choice.costs[option]
            continue
        node, rules = meaning.node, meaning.form.rules[option]
        if pricing.cluster.models:
            for (time, speed), count in pricing.times(node, rules).items():
                computing[speed] += count * time
            continue
        work, begin = pricing.work(node)
        for (part, speed), count in pricing.computation(node, rules).items():
            computing[speed] += count * (work * part + begin) * PICO / speed
    return WeightedTime(fixed, computing)


def better_weights(speeds: Sequence[int], best: Weights, programs: Sequence[WeightedTime]) -> tuple[Fraction, Weights]:
    """Return the weights near `best` whose bound may be largest, with an upper estimate of that bound."""
    return max(
        ((min(program.at(weights) for program in programs), weights) for weights in _moved(speeds, best)),
        key=lambda pair: pair[0],
    )


def _moved(speeds: Sequence[int], best: Weights) -> Iterator[Weights]:
    """Yield weights moved from `best` towards the devices of each speed, the slowest first."""
    for chosen in sorted(set(speeds)):
        alone = {speed: Fraction(speed == chosen, speeds.count(speed)) for speed in set(speeds)}
        for step in _STEPS:
            yield {speed: (1 - step) * best[speed] + step * alone[speed] for speed in alone}
