"""Emitted schedules in real gloo processes: outputs and every state are those of the program as it was."""

import re
from itertools import islice

import pytest
from forked_ranks import on_ranks
from paths import TESTS
from schedule.emission.campaign import EXCHANGED, LENGTHS, TYPES, runs
from schedule.emission.packaged import checked
from schedule.test_cases import CASES, read
from schedule.test_symmetric_memory import GATHERED, OVERLAPPED, SCATTERED, TAIL
from tiers import is_full

from p2smt.schedule.check import check_schedule
from p2smt.schedule.emission.source import emit_schedule
from p2smt.schedule.text.parser import parse_schedule
from p2smt.tensor.placing import world
from p2smt.tensor.text.parser import parse_program

pytestmark = pytest.mark.slow

RANK = str(TESTS / "schedule" / "emission" / "schedule_rank.py")
LIMIT_S = 120.0
OF_THREE = [
    pytest.param("adam_overlapped", "float64", marks=pytest.mark.thorough),  # the file that checks itself, below
    ("adamw_mixed_fused", "float32"),
    pytest.param("lamb_fused", "float64", marks=pytest.mark.thorough),  # beside its kernels in test_kernels.py
    pytest.param("mlp_overlapped", "float32", marks=pytest.mark.thorough),  # the next has the same loop
    ("sequence_parallel_overlapped", "float64"),
    ("vocabulary_loss", "float64"),
    pytest.param("zero2_overlapped", "float64", marks=pytest.mark.thorough),  # zero2 and loops, each for itself
]
CASES_OF_STEPS = [
    "overlap_an_exchange_along_what_it_cuts",
    "overlap_heads_that_are_cut_whole",
    "overlap_an_update_in_place",
    "overlap_reads_of_all_before_the_first_write",
    "reorder_of_a_broadcast",
    "through_a_falling_map",
]
"""Loops over chunks in several places, updates in place; what has no whole, and maxima."""


def differing(running, text, real="float64", watched=None):
    """Torch watches what ranks call in the full tier, in the standard one where it is said."""
    watched = is_full() if watched is None else watched
    path = running.folder / f"schedule{abs(hash(text))}.py"
    path.write_text(text, encoding="utf-8")
    return running.call(RANK, "check", str(path), real, watched, timeout_s=LIMIT_S)


@pytest.mark.parametrize(("name", "real"), OF_THREE)
def test_a_packaged_schedule_computes_what_the_program_does(three, name, real):
    text = emit_schedule(checked(name, 3))
    assert differing(three, text, real, watched=True) == [0] * 3


@pytest.mark.parametrize(
    "name",
    ["pipeline_overlapped", pytest.param("pipeline_sliced", marks=pytest.mark.thorough)],  # the former in chunks
)
def test_slices_are_sent_between_two_groups(four, name):
    assert differing(four, emit_schedule(checked(name, 4)), watched=True) == [0] * 4


@pytest.mark.parametrize("name", CASES_OF_STEPS)
def test_steps_put_parts_where_they_belong(two, three, name):
    _, program, schedule, ranks = read(CASES / "valid" / f"{name}.steps")
    made = check_schedule(program, schedule, ranks)
    count = world(made.start.mesh)
    running = {2: two, 3: three}[count]
    assert differing(running, emit_schedule(made)) == [0] * count


def test_a_schedule_that_keeps_the_order_of_sums_is_the_same_bit_for_bit(three):
    text = emit_schedule(checked("adam_ar_opt", 3, bitwise=True), bitwise=True)
    assert differing(three, text, "float32") == [0] * 3
    other = text.replace('g = given["g"]\n', 'g = given["g"] * (1 + 2**-22)\n', 1)
    assert other != text
    assert min(differing(three, other, "float32")) > 0


ONE_OPERATION = {
    "scatter": (TAIL.format(B=2, K=32, H=16), OVERLAPPED.replace("chunks 8", "chunks 2"), ("scatter", 2)),
    "rows": (SCATTERED.format(S=16, K=8, H=12), "overlap y, z chunks 2 dim 0", ("scatter", 0)),
    "gather": (GATHERED.format(S=16, K=8, H=12), "overlap g, y chunks 2 dim 0", ("gather", 0)),
}
"""A tail of a layer, a product that is scattered, a gather that is multiplied; the operation of each."""


@pytest.mark.parametrize(
    "name",
    [
        "scatter",
        pytest.param("rows", marks=pytest.mark.thorough),  # the same operation as the former, along another dimension
        "gather",
    ],
)
def test_loops_by_one_operation_of_symmetric_memory_compute_the_same(four, name):
    """GPUs carry the operations out; here torch's fallbacks do, which have the same arguments and results."""
    text, steps, called = ONE_OPERATION[name]
    made = check_schedule(parse_program(text.replace("S = 1024", "S = 8")), parse_schedule(steps), 4)
    emitted = emit_schedule(made)
    path = four.folder / f"symmetric_{name}.py"
    path.write_text(emitted, encoding="utf-8")
    assert four.call(RANK, "check_symmetric", str(path), "float32", timeout_s=LIMIT_S) == [(0, [called])] * 4
    spoiled = re.sub(r"(\w+) = (matmul_reduce_scatter|all_gather_matmul)\((.*)\)\n", r"\1 = \2(\3) * 1.01\n", emitted)
    assert spoiled != emitted
    path.write_text(spoiled, encoding="utf-8")
    assert all(differ for differ, _ in four.call(RANK, "check_symmetric", str(path), "float32", timeout_s=LIMIT_S))


SPOILED = [
    ("(chunk + 1) * block)", "(chunk + 1) * block - 1)"),
    *(
        # every output and state is compared, whatever is wrong with it: the other two tell whether it is
        pytest.param(*lines, marks=pytest.mark.thorough)
        for lines in (
            ("sc_v1 = (v_chunk * beta2)", "sc_v1 = (v_chunk * beta1)"),
            ("cut_47_chunk.put(v, 0, v1)", "cut_47_chunk.put(v, 0, m1)"),
        )
    ),
    ("reduced(summands, op)", "summands[0]"),
]


@pytest.mark.parametrize(("right", "wrong"), SPOILED)
def test_a_file_that_is_spoiled_says_so(three, right, wrong):
    text = emit_schedule(checked("adam_overlapped", 3))
    assert text.count(right) == 1
    assert min(differing(three, text.replace(right, wrong))) > 0


@pytest.mark.parametrize(
    "real",
    [*(pytest.param(wide, marks=pytest.mark.thorough) for wide in TYPES[:2]), "bfloat16"],  # the narrowest is hardest
)
def test_what_is_wrong_in_the_last_step_alone_is_found_in_every_type(three, real):
    """The weights of this step grow by a factor of 10^12 and more from step to step; a narrow type ends with inf."""
    text = emit_schedule(checked("zero2", 3))
    right = "value_3 - (lr * scm1)"
    assert text.count(right) == 1
    assert min(differing(three, text.replace(right, f"{right} * (1 + (step == 3))"), real)) > 0
    assert differing(three, text, real) == [0] * 3


def test_checkpoints_convert_between_forms_and_numbers_of_ranks(three, four):
    paths = []
    for running, ranks in ((three, 3), (four, 4)):
        path = running.folder / "checkpoint.py"
        path.write_text(emit_schedule(checked("lamb_fused", ranks, length=47)), encoding="utf-8")
        paths.append(str(path))
    first = three.call(RANK, "stepped", paths[0], {}, 2, timeout_s=LIMIT_S)
    begun, _ = first[0]
    assert [each for each, _ in first] == [begun] * 3
    assert [elements for _, elements in first] == [47 + 2 * 16] * 2 + [47 + 2 * 15]
    assert begun["step"] == 2
    again = four.call(RANK, "reread", paths[1], begun, timeout_s=LIMIT_S)
    assert again == [begun] * 4


def test_a_closed_step_says_so_and_leaves_the_groups_that_it_was_given(two):
    path = two.folder / "closed.py"
    path.write_text(emit_schedule(checked("adam_fused", 2)), encoding="utf-8")
    found = two.call(RANK, "closed", str(path), timeout_s=LIMIT_S)
    assert found == ["the process groups of this step are closed; make another step"] * 2


@pytest.mark.thorough  # some are tried
def test_all_packaged_schedules_can_be_tried_in_all_types_and_lengths():
    """One rank alone in the standard tier in one type and length."""
    found = [*runs(["sgd_fused"], (2,)), *islice(runs(["sgd_fused"], (1,)), None if is_full() else 1)]
    kinds = [f"{form}{real}" for form in ("", EXCHANGED) for real in TYPES]
    assert {(each.lengths, each.kind) for each in found} == {(one, two) for one in LENGTHS for two in kinds}
    assert [each for each in found if not each.is_right] == []


def test_the_file_alone_checks_itself(tmp_path):
    text = emit_schedule(checked("adam_overlapped", 2))
    said = on_ranks(tmp_path, {"adam.py": (text, 2)}, TORCH_DISTRIBUTED_DEBUG="DETAIL")
    printed, codes = said["adam.py"]
    assert codes == [0, 0]
    assert printed.strip().endswith("equals the untouched program")
