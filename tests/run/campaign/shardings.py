"""Shardings of a model on clusters that differ: each is a distributed program under a name."""

from typing import NamedTuple

from spmd.joint_problems import cluster
from spmd.mesh.meshes import mesh

from p2smt.spmd.mesh.sharding import shard_on
from p2smt.spmd.sharding import shard
from p2smt.spmd.shares import vertices
from p2smt.tensor.program import Program
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.text.printer import print_program
from p2smt.tensor.way import Way

CLUSTERS = {
    "2 alike": ((10**7,) * 2, 1),
    "3 unlike": ((3 * 10**7, 2 * 10**7, 10**7), 1),
    "4, one useless": ((10**6, 10**6, 10**5, 10), 1000),
    "5 of two kinds": ((2 * 10**7, 2 * 10**7, 10**7, 10**7, 10**7), 10),
}
"""Speeds of devices, and what a byte takes between them, in picoseconds."""

MESH = "2 x 2"
_WAYS = (Way.PADDED, Way.GROUPED, Way.EXCHANGE)


class Sharding(NamedTuple):
    """A distributed program, and how its collectives of shards that are unlike are carried out."""

    name: str
    program: Program
    ways: dict[str, Way]


def shardings(single, where):
    """The choice and all ways of the trade on a cluster, no two alike; the first is the choice."""
    if where == MESH:
        found = shard_on(single, [mesh((2, 2))])
        many = [("choice", found)] + [(name, each) for name, each in found.baselines]
    else:
        speeds, unit = CLUSTERS[where]
        found = shard(single, cluster(speeds, unit=unit), vertices(speeds))
        many = [("choice", found), *(each for each in found.baselines if not each[0].startswith("every"))]
        many += [(f"best, {each.shares.name}", each) for each in found.candidates]
    made: dict[str, Sharding] = {}
    for number, (name, each) in enumerate(many):
        text = print_program(each.program)
        program = parse_program(text)
        ways = {} if where == MESH else {one.name: _WAYS[number % 3] for one in program.statements}
        made.setdefault(text, Sharding(name, program, ways))
    return list(made.values())
