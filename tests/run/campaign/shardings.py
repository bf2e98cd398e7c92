"""Shardings of a model on clusters that differ: each is a distributed program under a name."""

from collections import Counter
from typing import NamedTuple

from spmd.joint_problems import cluster
from spmd.mesh.meshes import mesh

from p2smt.collective import Collective
from p2smt.cost.network.backend import Gloo
from p2smt.problem.system.text import find_system
from p2smt.reduction.plan.model import Plan
from p2smt.spmd.devices.level_programs import LevelPrograms
from p2smt.spmd.devices.shares import vertices
from p2smt.spmd.emission.whole_outputs import with_whole_outputs
from p2smt.spmd.search.mesh.sharding import shard_on
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.conversion import COMMUNICATION
from p2smt.tensor.expression import Convert
from p2smt.tensor.printer import print_program
from p2smt.tensor.program import Program
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.way import Way

CLUSTERS = {
    "2 alike": ((10**7,) * 2, 1),
    "3 unlike": ((3 * 10**7, 2 * 10**7, 10**7), 1),
    "4, one useless": ((10**6, 10**6, 10**5, 10), 1000),
    "5 of two kinds": ((2 * 10**7, 2 * 10**7, 10**7, 10**7, 10**7), 10),
}
"""Speeds of devices, and what a byte takes between them, in picoseconds."""

BY_PROGRAMS = {
    "4 in 2 x 2": ((10**7,) * 4, 1, "2x2"),
    "6 in 2 x 3, unlike": ((2 * 10**7, 2 * 10**7, 2 * 10**7, 10**7, 10**7, 5 * 10**6), 1, "2x3"),
    "8 in 2 x 2 x 2": ((10**7,) * 8, 10, "2x2x2"),
}
"""The same, and the levels of reduction programs: all of those of a few steps take turns as collectives."""

MESH = "2 x 2"
_WAYS = (Way.PADDED, Way.GROUPED, Way.EXCHANGE)


class Sharding(NamedTuple):
    """A distributed program, and how its collectives of shards that are unlike are carried out."""

    name: str
    program: Program
    ways: dict[str, Way]
    programs: dict[str, Plan]


def shardings(single, where, shares=()):
    """The choice and all ways of the trade on a cluster, no two alike; the first is the choice.

    Every other one has whole outputs, as answers have. `shares` names those that are tried, all where none is named.
    """
    if where == MESH:
        found = shard_on(single, [mesh((2, 2))])
        many = [("choice", found)] + [(name, each) for name, each in found.baselines]
    else:
        speeds, unit = CLUSTERS[where] if where in CLUSTERS else BY_PROGRAMS[where][:2]
        tried = [each for each in vertices(speeds) if not shares or each.name in shares]
        found = shard(single, cluster(speeds, unit=unit), tried)
        many = [("choice", found), *(each for each in found.baselines if not each[0].startswith("every"))]
        many += [(f"best, {each.shares.name}", each) for each in found.candidates]
    made: dict[str, Sharding] = {}
    for number, (name, each) in enumerate(many):
        text = print_program(each.program if number % 2 else with_whole_outputs(each.program))
        program = parse_program(text)
        ways = {} if where == MESH else {one.name: _WAYS[number % 3] for one in program.statements}
        programs = by_programs(program, BY_PROGRAMS[where][2], number) if where in BY_PROGRAMS else {}
        made.setdefault(text, Sharding(name, program, ways, programs))
    return list(made.values())


def by_programs(program, levels, first):
    """A plan for every statement that is a collective which a reduction program does; each the next of all."""
    known, turns, found = LevelPrograms(find_system(levels), Gloo()), Counter(), {}
    for each in program.statements:
        goal = COMMUNICATION[type(each.expression.conversion)] if isinstance(each.expression, Convert) else None
        if goal in (Collective.ALL_REDUCE, Collective.REDUCE_SCATTER, Collective.ALL_GATHER):
            plans = known.plans(goal)
            found[each.name] = plans[(7 * first + turns[goal]) % len(plans)]
            turns[goal] += 1
    return found
