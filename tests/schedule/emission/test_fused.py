"""Fused all-reduces as one kernel: triton's interpreter runs it on ranks that are processes which share memory.

The interpreter runs the blocks of a kernel one behind the other, so that kernels with sums over all elements have one
block here; several blocks, and real concurrency of a rank's blocks, run on GPUs alone.
"""

import importlib.util
from itertools import product

import pytest
from emit.emitted import check_style
from schedule.emission.packaged import checked
from schedule.emission.test_kernels import LIMIT_S, RANK, compiled, read_too_early, written
from tiers import is_full

from p2smt.emit.target import KernelLanguage
from p2smt.errors import ProgramError
from p2smt.problem.system.text import find_system
from p2smt.schedule.check import check_schedule
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.emission.optimizer import emit_optimizer
from p2smt.schedule.emission.source import emit_schedule
from p2smt.schedule.text.parser import parse_schedule
from p2smt.tensor.text.parser import parse_program

needs_triton = pytest.mark.skipif(
    importlib.util.find_spec("triton") is None, reason="triton is not installed: pip install 'p2smt[triton]', on Linux"
)
TAIL = """program tail
size B = {B}, S = {S}, K = {K}, H = {H}
parameter w : {T}[K, H] sliced(0)
parameter b : {T}[H]
input in : {T}[B, S, K] sliced(2)
input r : {T}[B, S, H]
layer = matmul(in, w)
sum = AllReduce(layer)
d = dropout(sum + b, 0.1, seed=3)
out = d + r
output out
"""
TAIL_STEPS = "rs, ag = split sum rs-ag dim {D}\nsd, so, ao = reorder ag past d, out\nf = fuse rs, sd, so, ao\n"
SPREAD = """program spread
input g : f32[{N}] partial(+)
sum = AllReduce(g)
top = max(abs(sum))
low = min(sum)
y = (sum - low) / top
output y
"""
SPREAD_STEPS = """rs, ag = split sum rs-ag
st, sl, sy, whole = reorder ag past top, low, y
f = fuse rs, st.part0, st, st.part1, sl, sy, whole
"""
BARE = "program bare\ninput g : f32[{N}] partial(+)\nsum = AllReduce(g)\noutput sum\n"
BARE_STEPS = "rs, ag = split sum rs-ag\nf = fuse rs, ag\n"
SEVERAL = 3 * 2 * 64 + 5
"""Elements of a slice that three blocks of the interpreter's 64 elements need several turns for."""


def emitted(made, machine=None):
    return emit_schedule(made, machine, kernels=KernelLanguage.TRITON_FUSED)


def scheduled(program, steps, ranks):
    return check_schedule(parse_program(program), parse_schedule(steps), ranks)


def tail(ranks, dimension, dtype="f32", lengths=(2, 5, 7)):
    B, S, H = lengths  # noqa: N806
    return scheduled(TAIL.format(B=B, S=S, K=2 * ranks, H=H, T=dtype), TAIL_STEPS.format(D=dimension), ranks)


def spread(ranks, length):
    return scheduled(SPREAD.format(N=length), SPREAD_STEPS, ranks)


def bare(ranks, length):
    return scheduled(BARE.format(N=length), BARE_STEPS, ranks)


def differing(running, made, real):
    path = written(running, "fused", emitted(made))
    return running.call(RANK, "check", path, real, is_full(), timeout_s=LIMIT_S)


GRID = [
    *product(["adam_fused", "lamb_fused"], [1, 2, SEVERAL]),
    *product(["adamw_mixed_fused", "sgd_fused"], [47]),
]
"""Packaged schedules, and the most elements of a slice; the last one has one less, or none."""
RUNS = [(1, "float32"), (2, "float64"), (3, "bfloat16"), (4, "float16"), (8, "float32")]


def grid(ranks):
    """Schedules whose slices are even, uneven, empty, of several blocks and turns, and cut along each dimension."""
    made = [checked(name, ranks, length=max(1, length * ranks - 1)) for name, length in GRID]
    made += [tail(ranks, dimension, dtype) for dimension in range(3) for dtype in ("f32", "f16")]
    made += [tail(ranks, 1, lengths=(3, 40, 11))]
    made += [spread(ranks, length) for length in (1, 50 * ranks + 1)]
    return [*made, bare(ranks, 2), bare(ranks, SEVERAL * ranks)]


@pytest.mark.thorough  # one schedule on two ranks runs in test_kernels; these are other lengths, types and dimensions
@needs_triton
@pytest.mark.slow
@pytest.mark.parametrize(("ranks", "real"), RUNS)
def test_any_slices_in_any_type_are_computed_on_any_number_of_ranks(ranks, real):
    from p2smt.run.local.calls import CallRanks
    from p2smt.run.rank.message import Seat

    with CallRanks([Seat()] * ranks, timeout_s=LIMIT_S) as running:
        for made in grid(ranks):
            assert differing(running, made, real) == [0] * ranks


SPOILED = [
    ("for peer in tl.static_range(1, ranks):\n        total", "for peer in tl.static_range(2, ranks):\n        total"),
    ("there = located(peers, owner, shares", "there = located(peers, rank, shares"),
    ("lanes < programs, 0.0)", "lanes < 0, 0.0)"),
    ("tl.load(peers + owner) + slots", "tl.load(peers + rank) + slots"),
    ("tl.load(cuts + 2 * ranks + rank)", "tl.load(cuts + 2 * ranks)"),
]


@pytest.mark.thorough  # spoiled schedules are found in test_processes
@needs_triton
@pytest.mark.slow
@pytest.mark.parametrize(("right", "wrong"), SPOILED)
def test_a_fused_kernel_that_is_spoiled_is_found(three, right, wrong):
    text = emitted(checked("lamb_fused", 3, length=200))
    assert right in text
    path = written(three, "spoiled", text.replace(right, wrong, 1))
    assert max(three.call(RANK, "check", path, "float64", is_full(), timeout_s=LIMIT_S)) > 0


@pytest.mark.thorough  # other files of the same templates are checked in test_kernels
def test_files_with_fused_kernels_keep_the_style(tmp_path):
    texts = [emitted(checked(name, 3)) for name in ("adam_fused", "lamb_fused")]
    texts += [emitted(tail(3, 1)), emitted(bare(3, 5))]
    check_style(tmp_path, texts)
    for text in texts:
        assert read_too_early(text.partition("State = ")[0]) == []


@pytest.mark.thorough  # kernels without collectives are compiled in test_kernels
@needs_triton
@pytest.mark.slow
def test_fused_kernels_are_compiled_for_a_gpu(tmp_path):
    texts = [emitted(made) for made in (checked("adam_fused", 2), checked("lamb_fused", 2), tail(2, 1), spread(2, 9))]
    kernels, unlike, ways = compiled(tmp_path, texts, None)
    assert (int(kernels), int(unlike), int(ways)) == (4, 4, 3)


def test_what_is_not_one_kernel_says_why():
    looped = (
        "no fused all-reduce of the schedule is one kernel (f: the loop loop.layer carries it out chunk by chunk); "
    )
    for name, said in (("attention_overlapped", looped), ("adam_ar_opt", "no fused all-reduce of the schedule is one")):
        with pytest.raises(ProgramError) as caught:
            emitted(checked(name, 2))
        assert str(caught.value).startswith(said)
        assert str(caught.value).endswith("or use --kernels triton")


POWER = """program power
input g : f32[9] partial(+)
input x : f32[9]
sum = AllReduce(g)
y = pow(sum, x)
output y
input h : f32[9] partial(+)
other = AllReduce(h)
z = other * 2
output z
"""
POWER_STEPS = """rs, ag = split sum rs-ag
sy, ay = reorder ag past y
rsh, agh = split other rs-ag
sz, az = reorder agh past z
f = fuse rs, sy, ay
k = fuse rsh, sz, az
"""


def test_a_group_that_cannot_be_one_kernel_is_written_as_before():
    text = emitted(scheduled(POWER, POWER_STEPS, 2))
    body = text[text.index("\ndef f(") : text.index("def compute(")]
    first, second = body.split("\ndef k(")
    assert "    # Not one kernel: torch computes sy, torch.pow\n" in first
    assert "reduce_scatter_exchanged(g" in first
    assert "fused_all_reduce(" not in first
    assert "fused_all_reduce(" in second


def test_ranks_on_several_machines_are_refused():
    made = checked("adam_fused", 4)
    assert "fused_all_reduce(" in emitted(made, Machine.of(find_system("dgx-h100:1x4")))
    said = (
        r"^f reduces along axis rank=4, which spans several machines of \S+; one kernel needs memory that all its "
        r"ranks share, so put the axis inside a machine, or use --kernels triton$"
    )
    with pytest.raises(ProgramError, match=said):
        emitted(made, Machine.of(find_system("dgx-h100:2x2")))


def test_optimizers_call_their_collectives():
    with pytest.raises(ProgramError, match=r"^an emitted optimizer calls collectives [^\n]*; use --kernels triton, "):
        emit_optimizer(checked("adam_fused", 2), kernels=KernelLanguage.TRITON_FUSED)
