"""A lower bound on the time by stages of every program, for given sharding ratios.

Method: Lagrangian relaxation (Fisher, "The Lagrangian relaxation method for solving integer programming problems",
1981). A stage takes as long as its slowest device, hence at least any weighted mean of its devices' computing times:
    max over k of t[k]  >=  sum over k of w[k] t[k]     for w >= 0 that sum to 1.
With the mean in place of the maximum in the cost of every operation, the least sum is a lower bound on the time by
stages of all programs that compute each value once. Equal weights and weights proportional to the speeds come first;
`device_weights.py` looks for better ones. On identical devices with even ratios the bound is tight.
Complexity: one joint problem for each set of weights.

Example: speeds 1 and 3, and work of 4 units that can be split. Weights (1/4, 3/4) give s / 4 + (4 - s) / 4 = 1 for
every part s of the first device, which is the time of proportional ratios.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm

from p2smt.spmd.devices.network import PICO
from p2smt.spmd.engines.problem import Choice, JointProblem
from p2smt.spmd.model.build import NodeChoice, Sharding
from p2smt.spmd.model.divisions import Rules
from p2smt.spmd.model.graph import Node
from p2smt.spmd.model.pricing import Pricing
from p2smt.spmd.search.device_weights import Weights


def relaxations(sharding: Sharding) -> tuple[JointProblem, ...]:
    """Return relaxed problems whose optima are lower bounds on all programs with these ratios."""
    return tuple(relaxed(sharding, weights) for weights in first_weights(sharding.pricing.cluster.speeds))


def first_weights(speeds: Sequence[int]) -> tuple[Weights, ...]:
    """Return equal weights, and those proportional to the speeds if they differ."""
    even = {speed: Fraction(1, len(speeds)) for speed in speeds}
    ours = {speed: Fraction(speed, sum(speeds)) for speed in speeds}
    return (even,) if even == ours else (even, ours)


def relaxed(sharding: Sharding, weights: Weights) -> JointProblem:
    """Return the joint problem with the weighted mean of the devices' times instead of the maximum, rounded down.

    `weights` maps a device's speed to its weight; the weights of all devices sum to 1.
    """
    choices = []
    means: dict[tuple[object, ...], tuple[int, ...]] = {}
    pricing, borders = sharding.pricing, sharding.pricing.graph.borders
    times = MeanTimes(pricing, weights)
    for choice, meaning in zip(sharding.problem.choices, sharding.meanings, strict=True):
        if not isinstance(meaning, NodeChoice) or meaning.node.result in borders:
            choices.append(choice)
            continue
        node = meaning.node
        cuts = [pricing.cut(each) for each in (*node.operands, node.result) if isinstance(each, int)]
        alike = (meaning.form.number, node.kind, *cuts)
        if alike not in means:
            means[alike] = tuple([times.of(node, rules) for rules in meaning.form.rules])
        choices.append(Choice(choice.name, means[alike]))
    return replace(sharding.problem, choices=tuple(choices))


class MeanTimes:
    """Weighted means of the devices' times for operations; each weight is of a device's speed, and all sum to 1."""

    def __init__(self, pricing: Pricing, weights: Weights) -> None:
        self._pricing = pricing
        self._parts = lcm(*[weight.denominator for weight in weights.values()])
        self._weights = {speed: int(weight * self._parts) for speed, weight in weights.items()}
        self._known: dict[tuple[object, ...], int] = {}

    def of(self, node: Node, rules: Rules) -> int:
        """Return the mean time of an operation in picoseconds, rounded down."""
        pricing, weights = self._pricing, self._weights
        if pricing.cluster.models:
            times = pricing.times(node, rules)
            return sum([count * weights[speed] * time for (time, speed), count in times.items()]) // self._parts
        work, begin = pricing.work(node)
        key = (work, begin, pricing.divided(node, rules), pricing.segment(node.result))
        if key not in self._known:
            counts = pricing.computation(node, rules).items()
            mean = sum(count * weights[speed] * (work * part + begin) / speed for (part, speed), count in counts)
            self._known[key] = int(mean * PICO // self._parts)
        return self._known[key]


def lost(before: JointProblem, after: JointProblem) -> int:
    """Return the most by which an assignment can cost less in a relaxation."""
    known: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    total = 0
    for mine, theirs in zip(before.choices, after.choices, strict=True):
        key = (mine.costs, theirs.costs)
        if key not in known:
            known[key] = max(one - other for one, other in zip(*key, strict=True))
        total += known[key]
    return total
