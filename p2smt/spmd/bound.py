"""A lower bound on the time of every program by stages, for given shares.

A stage takes at least the mean of its devices' computing, however the mean is weighted: with the mean in place of the
maximum operation by operation, the least sum is below the time by stages of every program that computes a value once.
Weights are tried: equal ones, and in proportion to the speeds. On devices that are all alike with even shares the
bound is the time.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from p2smt.spmd.build import NodeChoice, Sharding
from p2smt.spmd.network import PICO
from p2smt.spmd.problem import JointProblem


def relaxations(sharding: Sharding) -> tuple[JointProblem, ...]:
    """Problems whose optima no program is faster than, for the shares of this one."""
    speeds = sharding.pricing.cluster.speeds
    weights = {(Fraction(1, len(speeds)),) * len(speeds), tuple(Fraction(speed, sum(speeds)) for speed in speeds)}
    return tuple(relaxed(sharding, each) for each in sorted(weights))


def relaxed(sharding: Sharding, weights: Sequence[Fraction]) -> JointProblem:
    """The joint problem with the weighted mean of the devices' computing in place of the longest, rounded down."""
    choices = []
    for choice, meaning in zip(sharding.problem.choices, sharding.meanings, strict=True):
        if isinstance(meaning, NodeChoice):
            seconds = [sharding.pricing.computation(meaning.node, rule) for rule in meaning.rules]
            means = [sum(weight * each for weight, each in zip(weights, of, strict=True)) for of in seconds]
            choices.append(replace(choice, costs=tuple(int(mean * PICO // 1) for mean in means)))
        else:
            choices.append(choice)
    return replace(sharding.problem, choices=tuple(choices))
