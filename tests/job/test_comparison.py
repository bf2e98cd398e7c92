"""What is said of the placements beside the best one."""

from dataclasses import replace

from p2smt.cost.network.backend import Nccl, cost_of
from p2smt.job.comparison import MEMORY, bottleneck, compared
from p2smt.job.job_pricer import ReductionTime
from p2smt.job.mesh_price import mesh_price
from p2smt.job.optimize import Optimum, optimize
from p2smt.placement.mesh_reading import read_given
from p2smt.problem.build import build_workload
from p2smt.problem.model import Axis, Payload
from p2smt.problem.system.text import find_system
from p2smt.problem.workload import Reduction
from p2smt.smt.answer import Stop

GIB = 2**30


def job():
    axes = [Axis("dp", 8), Axis("tp", 8)]
    reductions = [
        Reduction(name="gradients", axes=(0,), payload=Payload(GIB, "float32")),
        Reduction(name="activations", axes=(1,), payload=Payload(GIB, "float32")),
    ]
    return build_workload(find_system("4x16"), axes, reductions)


def optimum_of(workload):
    result = optimize(workload, cost_of(workload.system, Nccl()))
    assert isinstance(result, Optimum)
    return result


def test_the_bottleneck_is_what_is_busy_longest_be_it_memory():
    workload = job()
    time = optimum_of(workload).best.reductions[0]
    links = workload.system.network.links
    for number, name in enumerate([*(link.name for link in links), MEMORY]):
        busy = tuple(2.0 if at == number else 1.0 for at in range(len(links) + 1))
        slow = ReductionTime(time.reduction, replace(time.candidate, busy=busy), time.seconds)
        assert bottleneck(workload.system, slow) == name
    idle = replace(time.candidate, busy=(0.0,) * (len(links) + 1))
    assert bottleneck(workload.system, ReductionTime(time.reduction, idle, 0.0)) == ""


def test_innermost_is_the_fastest_of_those_with_most_of_an_axis_inside():
    """With 2 GPUs inside, both matrices of three levels have tp = 2 there; the level above decides."""
    axes = [Axis("dp", 4), Axis("tp", 4)]
    workload = build_workload(
        find_system("2x4x2"), axes, [Reduction(name="all", axes=(0,), payload=Payload(GIB, "float32"))]
    )
    optimum = optimum_of(workload)
    for number, axis in enumerate(("dp", "tp")):
        labelled = [one for one in compared(optimum) if f"{axis} innermost" in one.labels]
        (column,) = labelled
        inside_out = [one.matrix.rows[number][::-1] for one in optimum.placements]
        assert column.placement.matrix.rows[number][::-1] == max(inside_out)
        same = [one for one in optimum.placements if one.matrix.rows[number][::-1] == max(inside_out)]
        assert column.placement == same[0]
        assert any(one.matrix.rows[number][-1] == max(inside_out)[0] for one in optimum.placements if one not in same)


def test_a_matrix_that_was_only_not_priced_is_not_said_to_break_conditions():
    workload = job()
    whole = optimum_of(workload)
    stopped = replace(whole, placements=whole.placements[:1], stop=Stop.DEADLINE)
    cost = cost_of(workload.system, Nccl())
    other = next(order for order in ("axes:dp,tp", "axes:tp,dp") if _matrix(order, workload) != whole.best.matrix)
    price = mesh_price(read_given(other, workload), stopped, cost)
    priced = next(one for one in whole.placements if one.matrix == _matrix(other, workload))
    assert (price.seconds, price.notes) == (priced.seconds, ())


def _matrix(order, workload):
    return read_given(order, workload).matrix
