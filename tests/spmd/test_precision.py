"""Mixed precision: what is computed, sent and summed in which type, and that nothing but rounding differs."""

from dataclasses import replace

import pytest
from looped import looped

from p2smt.errors import ProblemError, ProgramError
from p2smt.problem.system.text import find_system
from p2smt.spmd.engines.engine import EngineOptions, ShardingEngine
from p2smt.spmd.model.gradient_sums import marked
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.precision import PrecisionPolicy, in_mixed_precision, parse_precision
from p2smt.spmd.request import ShardingRequest, shard_program
from p2smt.tensor.conversion import AllReduce, ReduceScatter
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Convert
from p2smt.tensor.shapes import whole_of, wholes
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.verification.check import verify_program
from p2smt.tensor.verification.rounding import verify_up_to_rounding
from p2smt.verify.verdict import Proved, Unknown

TEXT = """program step
constant ones : f32[64, 8] = 1
input x : f32[64, 16]
input t : f32[64, 8]
constant later : f32[64, 8] = 0
parameter w : f32[16, 32]
parameter v : f32[32, 8]
state m : f32[16, 32]
scalar lr
h = relu(matmul(x, w))
mask = where(gt(ones, 0), 0.0, -4)
y = matmul(h, v) + later + mask
e = y - t
loss = sum(e * e) / 512
dy = e * (2 / 512)
half = einsum("b i, b o -> o i", h, dy)
gradient.v = transpose(half, 1, 0)
dh = relu_backward(matmul(dy, transpose(v, 1, 0)), h)
gradient.w = einsum("b i, b o -> i o", x, dh)
m.new = update(m, m * 0.9 + gradient.w)
w.new = update(w, w - lr * m.new)
v.new = update(v, v - lr * gradient.v)
output loss
"""
STEP = parse_program(TEXT)
PAIR, FOUR = find_system("node:1,gpu:2"), find_system("node:2,gpu:2")
BF16, F32 = DType.BF16, DType.F32
DATA = ("x sliced(0)", "t sliced(0)", "h sliced(0)", "dh sliced(0)")
LOW = ShardingRequest(precision=PrecisionPolicy(BF16), baselines=False)


def sent(program):
    """The kind of every collective, with the type of what it converts and the statement that it is of."""
    known = wholes(program)
    for statement in program.statements:
        if isinstance(statement.expression, Convert):
            operand = statement.expression.operand
            yield type(statement.expression.conversion), whole_of(operand, known).dtype, operand.name


def test_types_are_those_of_the_policy_and_nothing_else_changes():
    mixed = in_mixed_precision(STEP, parse_precision("compute=bf16,keep=e"))
    known = wholes(mixed.program)
    low = {name for name, whole in known.items() if whole.dtype is BF16}
    assert low >= {"h", "y", "half", "dh", "gradient.v.bf16", "gradient.w.bf16", "w.bf16", "x.bf16", "loss.bf16"}
    stored = {"w", "v", "m", "m.new", "w.new", "v.new", "gradient.v", "gradient.w", "loss", "e"}
    assert {known[name].dtype for name in stored} == {F32}
    assert mixed.sums.unsent == {"gradient.v.bf16", "gradient.w.bf16"}
    assert mixed.sums.settled == frozenset()
    graph = marked(graph_of(mixed.program), mixed.sums)
    assert {graph.named[name] for name in ("half", "gradient.v.bf16", "gradient.w.bf16")} == graph.unsent
    low_sums = in_mixed_precision(STEP, parse_precision("compute=bf16,reduce=bf16")).sums
    assert (low_sums.unsent, low_sums.settled) == (frozenset(), {"gradient.v", "gradient.w"})
    assert in_mixed_precision(STEP, PrecisionPolicy(F32)).program == STEP


@pytest.mark.parametrize("mesh", [None, pytest.param("2,2", marks=pytest.mark.thorough)])  # one problem for any axes
def test_gradients_are_summed_in_the_type_of_sums_and_parameters_gathered_in_that_of_computing(mesh):
    for reduce in (F32, BF16):
        kept = (*DATA, "w sliced(0)" if mesh is None else "w sliced on rows")
        asked = replace(LOW, precision=PrecisionPolicy(BF16, reduce), mesh=mesh, conditions=kept)
        program = shard_program(STEP, FOUR, asked).program
        sums = {(dtype, name) for kind, dtype, name in sent(program) if kind in (AllReduce, ReduceScatter)}
        of_gradients = {dtype for dtype, name in sums if name.startswith(("gradient", "half"))}
        assert of_gradients == {reduce}
        gathered = {dtype for kind, dtype, name in sent(program) if name.startswith("w")}
        assert gathered == {BF16}
        assert {each.name: each.dtype for each in program.sources}["w"] is F32
        if reduce is BF16 and mesh is None:
            continue
        verdict = verify_up_to_rounding(program, STEP)
        assert isinstance(verdict, Proved)
        assert (
            "casts to bf16, f32 do no more than round: no value is beyond the range of its type"
            in verdict.evidence.assumed
        )


def test_bytes_are_priced_by_type():
    full = shard_program(STEP, PAIR, replace(LOW, precision=None, conditions=("w sliced(0)", *DATA)))
    low = shard_program(STEP, PAIR, replace(LOW, conditions=("w sliced(0)", *DATA)))
    bytes_of = [
        {
            each.statement.split(".")[0].split("_")[0]: each.bytes
            for each in one.account.instructions
            if each.text == "AllGather" and each.statement.startswith("w")
        }
        for one in (full, low)
    ]
    assert bytes_of == [{"w": 16 * 32 * 4}, {"w": 16 * 32 * 2}]
    assert max(low.account.memory) != max(full.account.memory)
    assert low.notes[0] == "computed in bf16, gradients summed in f32, parameters stored in f32"


def test_all_engines_find_the_same_under_marks():
    small = parse_program(
        TEXT.replace("[64, ", "[4, ").replace("16]", "2]").replace("[16, 32]", "[2, 2]").replace("[32,", "[2,")
    )
    bounds = []
    for engine in (ShardingEngine.ELIMINATION, ShardingEngine.ILP):
        asked = replace(
            LOW, search=EngineOptions(engine, certify=engine is ShardingEngine.ELIMINATION), conditions=DATA
        )
        bounds.append(shard_program(small, PAIR, asked).lower_bound)
    assert bounds[1] <= bounds[0] <= bounds[1] + 1, "HiGHS proves its own in floating-point numbers"


@pytest.mark.thorough  # the answer keeps to it in this file
def test_baselines_keep_to_the_policy_as_well():
    found = shard_program(STEP, PAIR, replace(LOW, baselines=True))
    data = dict(found.baselines)["data parallel, even"]
    assert {dtype for kind, dtype, name in sent(data.program) if name.startswith("gradient")} == {F32}


def test_casts_are_rounding_only_where_that_is_asked_for_and_what_else_differs_is_found():
    program = shard_program(STEP, PAIR, LOW).program
    assert isinstance(verify_program(program, STEP), Unknown)
    other = parse_program(TEXT.replace("* 0.9", "* 0.8"))
    assert not isinstance(verify_up_to_rounding(program, other), Proved)
    low_outputs = shard_program(STEP, PAIR, replace(LOW, precision=PrecisionPolicy(BF16, output=BF16))).program
    assert not isinstance(verify_up_to_rounding(low_outputs, STEP), Proved), "the loss has another type"


REFUSED = {
    "int8": "is not a type",
    "reduce=f32": "does not name the type of computation; write",
    "compute=bf16,compute=f16": "does not parse",
    "compute": "is not a type",
    "compute=bf16,keep=none*": "matches no statement of step; correct the pattern",
}


@looped(("text", "said"), REFUSED.items())
def test_policies_that_cannot_be_kept_are_refused(text, said):
    with pytest.raises(ProblemError, match=said):
        in_mixed_precision(STEP, parse_precision(text))


def test_programs_and_options_that_do_not_go_with_a_policy_are_refused():
    distributed = parse_program("program p\nmesh r=2\ninput x : f32[8] partial(+)\ny = AllReduce(x)\noutput y\n")
    with pytest.raises(ProgramError, match="program p already has layouts or collectives; give the single-device"):
        in_mixed_precision(distributed, PrecisionPolicy(DType.BF16))
    with pytest.raises(ProblemError, match=r"w is updated, but not from a statement gradient\.w"):
        in_mixed_precision(parse_program(TEXT.replace("gradient.w", "dw")), PrecisionPolicy(BF16))
    with pytest.raises(ProblemError, match="x is of type bf16: --precision is for programs whose numbers are f32"):
        in_mixed_precision(parse_program("program p\ninput x : bf16[4]\ny = x * 2\noutput y\n"), PrecisionPolicy(BF16))
    for option, asked in {
        "--segments": {"segments": "layers"},
        "--virtual": {"virtual": "node"},
        "--twice": {"twice": 1},
        "--engine astar": {"search": EngineOptions(ShardingEngine.ASTAR)},
    }.items():
        with pytest.raises(ProblemError, match=f"which {option} ignores; leave one of them out"):
            shard_program(STEP, FOUR, replace(LOW, **asked))
