"""A lower bound on the time by stages of every program on a mesh, where all choices are searched at once."""

from dataclasses import replace

from p2smt.spmd.mesh.build import MeshSharding, NodePairs
from p2smt.spmd.network import PICO
from p2smt.spmd.problem import Choice, JointProblem


def relaxed(sharding: MeshSharding) -> JointProblem:
    """The joint problem with the mean of the devices' computing in place of the longest, rounded down."""
    count = len(sharding.pricing.mesh.cluster.devices)
    choices, known = [], {}
    for choice, meaning in zip(sharding.problem.choices, sharding.meanings, strict=True):
        if not isinstance(meaning, NodePairs):
            choices.append(choice)
            continue
        node, costs = meaning.node, []
        for rules in meaning.form.rules:
            work, begin = sharding.pricing.along[0].work(node)
            key = (work, begin, sharding.pricing.divided(node, rules))
            if key not in known:
                parts = sharding.pricing.computation(node, rules).items()
                mean = sum(number * (work * part + begin) / speed for (part, speed), number in parts) / count
                known[key] = int(mean * PICO // 1)
            costs.append(known[key])
        choices.append(Choice(choice.name, tuple(costs)))
    return replace(sharding.problem, choices=tuple(choices))
