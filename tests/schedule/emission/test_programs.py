"""Collectives by reduction programs in emitted schedules: what plans do in numpy, and files on real ranks."""

from math import prod

import numpy as np
import pytest
from command_line import golden
from emit.emitted import check_style
from paths import TESTS
from schedule.emission.all_programs import all_programs, each_by_a_program, levels_of
from schedule.emission.packaged import TENSOR
from schedule.equality import resized
from schedule.test_cases import CASES, read
from tiers import is_full, sample

from p2smt.collective import Collective
from p2smt.cost.network.backend import Gloo
from p2smt.emit.target import KernelLanguage
from p2smt.errors import ProgramError
from p2smt.problem.system.text import find_system
from p2smt.reduction.plan.execute import execute
from p2smt.run.local.calls import CallRanks
from p2smt.run.rank.message import Seat
from p2smt.schedule.check import check_schedule
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.emission.lowering import lowered
from p2smt.schedule.emission.source import emit_schedule
from p2smt.schedule.scheduled import Implementation
from p2smt.schedule.text.parser import parse_schedule
from p2smt.tensor.text.parser import parse_program
from p2smt.verify.verdict import Proved

RANK = str(TESTS / "schedule" / "emission" / "schedule_rank.py")
LIMIT_S = 120.0
LEVELS = "levels node=2, gpu=2"
SCATTERED = f'"(node, InsideGroup, ReduceScatter); (node, Parallel(root), ReduceScatter)" {LEVELS}'
GATHERED = f'"(node, Parallel(root), AllGather); (node, InsideGroup, AllGather)" {LEVELS}'
HIERARCHICAL = (
    f'"(node, InsideGroup, ReduceScatter); (node, Parallel(root), AllReduce); (node, InsideGroup, AllGather)" {LEVELS}'
)
ROOTED = f'"(node, InsideGroup, Reduce); (node, Master(root), AllReduce); (node, InsideGroup, Broadcast)" {LEVELS}'
ADAM = f"""comps = fuse m1, v1, p1
rs, ag = split avg rs-ag
sc, agP, agM, agV = reorder ag past comps
slice m, v
dead agM, agV
by = split rs {SCATTERED}
whole = split agP {GATHERED}
"""
TWO_SUMS = """program two_sums
input x : f32[N, 3] partial(+)
input z : f32[N, 3] partial(+)
s = AllReduce(x)
y = s * 2
t = y * z
u = AllReduce(t)
w = u + y
output w
"""
LOOP = "b = split s {}\nc = split u {}\noverlap b, y, t, c, w chunks {} dim 0\n"


def case(name):
    _, program, schedule, ranks = read(CASES / "valid" / f"{name}.steps")
    return check_schedule(program, schedule, ranks)


def adam(length, last):
    program = resized((TENSOR / "adam.tp").read_text(encoding="utf-8"), N=str(length))
    return check_schedule(parse_program(program), parse_schedule(ADAM + last), 4)


def two_sums(length, steps):
    return check_schedule(parse_program(TWO_SUMS.replace("N", str(length))), parse_schedule(steps), 4)


def sums(length, program):
    return two_sums(length, f"b = split s {program}\n")


def compute(text):
    """What is computed as scheduled, functions of programs included."""
    return text.partition("def untouched(")[2].partition("class Form(")[0]


def whole(goal, given):
    """What every rank ends with, of what each has, padded to as many blocks as there are ranks."""
    ranks = len(given)
    match goal:
        case Collective.ALL_REDUCE:
            return [sum(given)] * ranks
        case Collective.REDUCE_SCATTER:
            return np.split(np.pad(sum(given), (0, -given[0].size % ranks)), ranks)
        case Collective.ALL_GATHER:
            return [np.concatenate(given)] * ranks


@pytest.mark.parametrize("goal", [Collective.ALL_REDUCE, Collective.REDUCE_SCATTER, Collective.ALL_GATHER])
@pytest.mark.parametrize("sizes", [(2, 3), (1, 2, 1, 2)])
def test_plans_of_all_programs_do_what_the_collective_does(goal, sizes):
    """Levels of one unit among them, whose groups do nothing."""
    ranks, draw = prod(sizes), np.random.default_rng(0)
    given = [draw.integers(-9, 9, 7) for _ in range(ranks)]
    for text in all_programs(goal, sizes, 2 if len(sizes) > 2 else 3):
        found = execute(lowered(Implementation("s", text, levels_of(sizes), goal)), given)
        assert list(map(list, found)) == list(map(list, whole(goal, given))), text


def test_a_program_without_steps_is_the_plain_collective():
    program = '"skip" levels node=1, gpu=1'
    made = check_schedule(parse_program(TWO_SUMS.replace("N", "5")), parse_schedule(f"b = split s {program}\n"), 1)
    assert isinstance(made.verdict, Proved)
    assert "b = all_reduce(x, along_rank)" in emit_schedule(made)


def test_a_program_is_a_function_that_reads_well():
    golden("schedule_program.py.txt", emit_schedule(case("split_by_a_program_of_two_levels")))


@pytest.mark.thorough  # packaged ones are in test_source.py, kernels in test_kernels.py
def test_files_with_programs_keep_the_style(tmp_path):
    made = [
        case("split_a_gather_by_a_program"),
        each_by_a_program(Collective.ALL_REDUCE, (2, 3), all_programs(Collective.ALL_REDUCE, (2, 3), 3), 5),
        adam(61, "f = fuse by, sc, whole\n"),
        adam(63, "overlap by, sc, whole chunks 4 dim 0\n"),
        two_sums(17, LOOP.format(HIERARCHICAL, ROOTED, 4)),
    ]
    texts = [emit_schedule(each) for each in made]
    check_style(tmp_path, [*texts, emit_schedule(made[2], kernels=KernelLanguage.TRITON)])


def test_statements_of_one_program_share_its_function():
    text = emit_schedule(two_sums(5, f"b = split s {ROOTED}\nc = split u {ROOTED}\n"))
    assert "def all_reduce_c(" not in text
    assert text.count("all_reduce_b(") == 3


def test_a_step_that_scatters_is_the_librarys_where_that_has_such_a_call():
    system, made = find_system("dgx-h100:1x4"), sums(5, HIERARCHICAL)
    machines = {"none": None, "gloo": Machine.of(system, backend=Gloo()), "nccl": Machine.of(system)}
    found = {word: compute(emit_schedule(made, machine)) for word, machine in machines.items()}
    own = {word: "reduce_scatter_exchanged(" in text for word, text in found.items()}
    assert own == {"none": True, "gloo": True, "nccl": False}
    assert "buffer = reduce_scatter(buffer, along_gpu, 0," in found["nccl"]


def test_what_sums_level_by_level_is_not_bitwise_and_what_gathers_is():
    with pytest.raises(
        ProgramError,
        match=r"^b sums by a reduction program, in another order than that of the ranks;",
    ):
        emit_schedule(sums(5, HIERARCHICAL), bitwise=True)
    program = "program g\ninput x : f32[5] sliced(0)\ny = AllGather(x, 0)\noutput y\n"
    gathers = check_schedule(parse_program(program), parse_schedule(f"b = split y {GATHERED}\n"), 4, bitwise=True)
    assert isinstance(gathers.verdict, Proved)
    assert "b = all_gather_b(x, along_rank, 0, cut_5)" in emit_schedule(gathers, bitwise=True)


def differing(running, made, real="float64", spoil=lambda text: text, watched=None):
    """Torch watches what ranks call in the full tier, in the standard one where it is said."""
    assert isinstance(made.verdict, Proved)
    path = running.folder / "programs.py"
    path.write_text(spoil(emit_schedule(made)), encoding="utf-8")
    watched = is_full() if watched is None else watched
    return set(running.call(RANK, "check", str(path), real, watched, timeout_s=LIMIT_S))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("goal", "rows"),
    [
        (Collective.ALL_REDUCE, 5),
        (Collective.REDUCE_SCATTER, 6),
        (Collective.REDUCE_SCATTER, 1),
        (Collective.ALL_GATHER, 6),
        (Collective.ALL_GATHER, 1),
    ],
)
def test_every_program_of_two_levels_computes_what_the_collective_does(four, goal, rows):
    """A spread of them in the standard tier; what the plans of all compute in numpy is compared above."""
    texts = sample(all_programs(goal, (2, 2), 3), 2)
    assert differing(four, each_by_a_program(goal, (2, 2), texts, rows)) == {0}


@pytest.mark.thorough  # programs run along one axis in the standard tier
@pytest.mark.slow
def test_programs_run_in_every_line_of_ranks_along_their_axis():
    with CallRanks([Seat()] * 8, timeout_s=LIMIT_S) as eight:
        for number, goal in enumerate((Collective.ALL_REDUCE, Collective.REDUCE_SCATTER, Collective.ALL_GATHER)):
            meshes = ["along=4, other=2", "other=2, along=4"]
            for mesh in meshes if is_full() else meshes[number % 2 :][:1]:
                made = each_by_a_program(goal, (2, 2), sample(all_programs(goal, (2, 2), 2), 3), 5, mesh)
                assert differing(eight, made) == {0}


@pytest.mark.thorough  # every program of two levels runs above
@pytest.mark.slow
@pytest.mark.parametrize("real", ["float64", "float32", "bfloat16"])
def test_groups_and_loops_have_programs_in_them(four, real):
    made = [
        adam(61, "f = fuse by, sc, whole\n"),
        *([adam(1, "f = fuse by, sc, whole\n")] if is_full() else []),  # the last is of length 1, too
        adam(63, "overlap by, sc, whole chunks 4 dim 0\n"),
        two_sums(17, LOOP.format(HIERARCHICAL, ROOTED, 4)),
        two_sums(1, LOOP.format(ROOTED, HIERARCHICAL, 1)),
    ]
    if real != "float64":
        made = sample(made, 1)
    watched = [number == 0 or is_full() for number in range(len(made))]
    found = [differing(four, each, real, watched=one) for each, one in zip(made, watched, strict=True)]
    assert found == [{0}] * len(made)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("along_node = axis.inside[1]", "along_node = axis.inside[0]"),
        ("buffer = all_reduce(buffer, along_node, op)", "buffer = all_reduce(buffer, axis, op)"),
        ("even(buffer.numel(), along_gpu))\n    return", "even(buffer.numel(), along_gpu)).flip(0)\n    return"),
    ],
)
def test_a_program_that_is_spoiled_is_found_out(four, right, wrong):
    made = sums(5, HIERARCHICAL)
    assert emit_schedule(made).count(right) == 1
    assert 0 not in differing(four, made, spoil=lambda text: text.replace(right, wrong))
