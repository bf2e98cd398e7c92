"""What a group of axes and each other axis are charged for an operation is together at most its time, and near it."""

from fractions import Fraction

from spmd.mesh.meshes import options

from p2smt.cost.network.backend import Nccl
from p2smt.problem.system.text import find_system
from p2smt.spmd.devices.system import cluster_of
from p2smt.spmd.model.restriction import FREEDOM
from p2smt.spmd.search.bound import MeanTimes
from p2smt.spmd.search.mesh.choice import meshes_of
from p2smt.spmd.search.mesh.joint import _GroupCharges, _regrouped
from p2smt.spmd.search.mesh.search import MeshSearch
from p2smt.tensor.text.parser import parse_program

STEP = """program step
input x : f32[64, 256]
parameter w : f32[256, 512]
h = relu(matmul(x, w))
z = sum(h * h)
output z
"""


def test_groups_of_axes_are_charged_no_more_than_the_time_of_an_operation():
    """Kernels of some sizes are as short as a launch, those of others are not; each charge is taken by some rules."""
    system = find_system("dgx-h100:2x4")
    mesh = next(iter(meshes_of("2,2,2", system, cluster_of(system, Nccl()), Nccl())))
    for size in (1, 64):
        known = options(parse_program(STEP.replace("64, 256", f"{64 * size}, 256")), mesh)
        alone, speeds = MeshSearch(known).alone, mesh.cluster.speeds
        times = MeanTimes(known.pricing, {speed: Fraction(speed, sum(speeds)) for speed in speeds})
        for group, others in (((1, 2), (0,)), ((0, 2), (1,)), ((2,), (0, 1))):
            charges = _GroupCharges(known, group, others, times, alone)
            for node in known.pricing.graph.nodes:
                least = charges.of(node)
                left = {mine: [] for mine in least}
                for rules in known.forms.form(node, FREEDOM).rules:
                    charged = sum(alone.charge(axis, node, rules[axis]) for axis in others)
                    mine = tuple(rules[axis] for axis in group)
                    left[mine].append(times.of(node, rules) - charged - least[mine])
                assert all(min(each) == 0 for each in left.values()), (size, group, node.operation)
                assert all(each >= 0 for each in least.values())


def test_the_cheapest_axis_of_a_group_and_the_dearest_outside_swap():
    system = find_system("dgx-h100:2x4")
    mesh = next(iter(meshes_of("2,2,2", system, cluster_of(system, Nccl()), Nccl())))
    alone = MeshSearch(options(parse_program(STEP), mesh)).alone
    costs = [alone.alone(axis).least for axis in range(3)]
    goes = min((1, 2), key=costs.__getitem__)
    assert _regrouped((1, 2), (0,), alone) == (tuple(sorted({0, 1, 2} - {goes})), (goes,))
