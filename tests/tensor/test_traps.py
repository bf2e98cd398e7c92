"""Mistakes that published systems make or warn of (HAP's code, others' rules, CoCoNet's conditions), each refused."""

import re

from looped import looped

from p2smt.tensor.comparison import compare
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred, Refused
from p2smt.tensor.reals import Reals
from p2smt.tensor.reason import Reason
from p2smt.tensor.text.parser import parse_program

TRAPS = {
    "partial plus scalar": ("input x : f32[6] partial(+)", "y = x + 1", Reason.PARTIAL_AND_WHOLE),
    "bias added on every rank": (
        "input x : f32[4, 6] sliced(1)\nparameter w : f32[6, 5] sliced(0)\nparameter b : f32[5]",
        "y = AllReduce(matmul(x, w) + b)",
        Reason.PARTIAL_AND_WHOLE,
    ),
    "norm of a slice": ("parameter p : f32[6] sliced(0)", "y = sqrt(sum(p * p))", Reason.NOT_DISTRIBUTIVE),
    "norm of a partial": ("input x : f32[6] partial(+)", "y = norm(x)", Reason.PARTIAL_TIMES_PARTIAL),
    "max of a partial": ("input x : f32[6] partial(+)", "y = max(x, 0)", Reason.NOT_DISTRIBUTIVE),
    "relu of a partial": ("input x : f32[6] partial(+)", "y = relu(x)", Reason.NOT_DISTRIBUTIVE),
    "partial times partial": (
        "input x : f32[6] partial(+)\ninput z : f32[6] partial(+)",
        "y = x * z",
        Reason.PARTIAL_TIMES_PARTIAL,
    ),
    "contraction over a label cut differently": (
        "input x : f32[4, 6] sliced(1, sizes=2/4)\nparameter w : f32[6, 5] sliced(0, sizes=3/3)",
        "y = matmul(x, w)",
        Reason.CUT_DIFFERENTLY,
    ),
    "a weight used twice with different cuts": (
        "input x : f32[4, 6] sliced(1)\nparameter w : f32[6, 6] sliced(1)",
        "y = matmul(x, w)",
        Reason.UNLIKE_CUTS,
    ),
    "merging a cut dimension that does not lead": (
        "input x : f32[4, 6] sliced(1)",
        "y = reshape(x, 24)",
        Reason.NOT_LEADING,
    ),
    "splitting inside a head": (
        "input x : f32[4, 6] sliced(1, sizes=4/2)",
        "y = reshape(x, 4, 2, 3)",
        Reason.INSIDE_BLOCK,
    ),
    "softmax along the cut": ("input x : f32[4, 6] sliced(1)", "y = softmax(x, 1)", Reason.LOOKS_ACROSS),
    "layer norm along the cut": ("input x : f32[4, 6] sliced(1)", "y = layernorm(x, 1)", Reason.LOOKS_ACROSS),
    "top-k along the cut": ("input x : f32[4, 6] sliced(1)", "y = topk_values(x, 2)", Reason.LOOKS_ACROSS),
    "sum up to an index along the cut": ("input x : f32[4, 6] sliced(0)", "y = cumsum(x, 0)", Reason.LOOKS_ACROSS),
    "convolution cut in space": (
        "input x : f32[2, 3, 8, 8] sliced(2)\nparameter w : f32[4, 3, 3, 3]",
        "y = conv2d(x, w, padding=1)",
        Reason.LOOKS_ACROSS,
    ),
    "a length of 1 that is cut": (
        "parameter p : f32[1, 6] sliced(0)\ninput x : f32[4, 6] sliced(0)",
        "y = x + p",
        Reason.LENGTH_ONE,
    ),
    "becd,bsec->bsd on the wrong dimension": (
        "input x : f32[2, 3, 4, 5]\ninput z : f32[2, 3, 3, 4] sliced(2)",
        'y = einsum("b e c d, b s e c -> b s d", x, z)',
        Reason.WHOLE_BESIDE_CUT,
    ),
    "in-place all-reduce of what is still read as partial": (
        "input x : f32[6] partial(+)",
        "s = AllReduce(x)\ny = s + x",
        Reason.PARTIAL_AND_WHOLE,
    ),
    "a function moved before the all-reduce": (
        "input x : f32[6] partial(+)",
        "y = AllReduce(tanh(x))",
        Reason.NOT_DISTRIBUTIVE,
    ),
    "all-reduce of a replicated norm": ("parameter p : f32[6]", "y = AllReduce(sum(p * p))", Reason.NOT_PARTIAL),
    "reduce-scatter of what is no summand": ("parameter p : f32[6]", "y = ReduceScatter(p, 0)", Reason.NOT_PARTIAL),
    "all-gather of a summand": ("input x : f32[6] partial(+)", "y = AllGather(x, 0)", Reason.NOT_SLICED),
    "gather along another dimension": ("input x : f32[4, 6] sliced(0)", "y = AllGather(x, 1)", Reason.OTHER_DIMENSION),
    "sum where the maximum is due": (
        "input x : f32[4, 6] sliced(1)",
        "y = AllReduce(max(x, 1))",
        Reason.OTHER_REDUCTION,
    ),
    "a gradient that is not reduced": (
        "input g : f32[6] partial(+)\nstate p : f32[6]",
        "y = update(p, p - g)",
        Reason.PARTIAL_AND_WHOLE,
    ),
    "a replicated state from a slice": (
        "input g : f32[6] sliced(0)\nstate p : f32[6]",
        "y = update(p, g)",
        Reason.UPDATE_LAYOUT,
    ),
    "blocks that do not add up": (
        "input g : f32[7] partial(+)",
        "y = ReduceScatter(g, 0, sizes=3/3)",
        Reason.WRONG_SIZES,
    ),
    "a bias cut by flat offset": (
        "input x : f32[4, 6] sliced(0)\nparameter b : f32[6] sliced(0)",
        "y = x + b",
        Reason.UNLIKE_CUTS,
    ),
    "a whole operand beside a slice": (
        "input x : f32[6] sliced(0)\nparameter b : f32[6]",
        "y = x + b",
        Reason.WHOLE_BESIDE_CUT,
    ),
    "a slice of a slice": ("input x : f32[6] sliced(0)", "y = Slice(x, 0)", Reason.NOT_REPLICATED),
    "a sum on a rank that is not there": ("input x : f32[6] partial(+)", "y = Reduce(x, 2)", Reason.NOT_ON_RANK),
    "kept on a rank that is not there": ("input x : f32[6]", "y = Keep(x, 2)", Reason.NOT_ON_RANK),
    "sending from the last rank": ("input x : f32[6] on_rank(1)", "y = Send(x, next)", Reason.NO_NEXT),
    "broadcasting from a rank that has nothing": (
        "input x : f32[6] on_rank(1)",
        "y = Broadcast(x, 0)",
        Reason.NOT_ON_RANK,
    ),
    "adding what two ranks have": (
        "input x : f32[6] on_rank(0)\ninput z : f32[6] on_rank(1)",
        "y = Broadcast(x + z, 0)",
        Reason.ON_RANK,
    ),
    "a summand that is observed": ("input x : f32[6] partial(+)", "y = x * 2", Reason.OUTPUT_LAYOUT),
    "a value of each rank's own that is summed": (
        "input x : f32[6] local\ninput z : f32[6] partial(+)",
        "y = x + z",
        Reason.LOCAL,
    ),
}


@looped("name", TRAPS)
def test_a_trap_is_refused_for_its_reason_and_really_wrong(name):
    sources, statements, reason = TRAPS[name]
    program = parse_program(f"program many\nmesh r=2\n{sources}\n{statements}\noutput y")
    result = infer(program)
    assert isinstance(result, Refused)
    assert result.refusal.reason is reason, str(result)
    plain = "\n".join(line.partition("]")[0] + "]" for line in sources.splitlines())
    single = parse_program(f"program one\n{plain}\n{without_collectives(statements)}\noutput y")
    assert compare(program, single, Reals(1)) is not None


def without_collectives(statements):
    """The statements for one device: every collective gives what it is given."""
    for name in ("AllReduce", "ReduceScatter", "AllGather", "Send", "Broadcast", "Slice", "Reduce", "Keep"):
        head, found, rest = statements.partition(name + "(")
        if found:
            inner, last = rest.rsplit(")", 1)
            operand = re.sub(r", (\d+|next)(, sizes=[\d/]+)?$", "", inner)
            statements = f"{head}({operand}){last}"
    return statements


RIGHT = {
    "clipping by the global norm of slices": (
        "input g : f32[7] sliced(0, sizes=4/3)",
        "y = g * minimum(1, 0.1 / sqrt(AllReduce(sum(g * g))))",
        "y = g * minimum(1, 0.1 / norm(g))",
    ),
    "dropout by global index": (
        "input x : f32[7, 3] sliced(0, sizes=2/5)",
        "y = AllGather(dropout(x, 0.5, seed=1), 0)",
        "y = dropout(x, 0.5, seed=1)",
    ),
    "a mean over a cut dimension": (
        "input x : f32[7, 3] sliced(0, sizes=2/5)",
        "y = AllReduce(mean(x, 0))",
        "y = mean(x, 0)",
    ),
    "a length that does not divide": ("input g : f32[7] partial(+)", "y = AllGather(ReduceScatter(g, 0), 0)", "y = g"),
    "softmax in parts": (
        "input x : f32[4, 6] sliced(1, sizes=6/0)",
        "e = exp(x - AllReduce(max_kept(x, 1), max))\ny = e / AllReduce(sum_kept(e, 1))",
        "y = softmax(x, 1)",
    ),
    "looking up in a table cut by rows": (
        "parameter t : f32[7, 3] sliced(0, sizes=4/3)\ninput i : i64[5]",
        "y = AllReduce(embedding(t, i))",
        "y = embedding(t, i)",
    ),
    "sufficient factors": (
        "input x : f32[8, 3] sliced(0)\ninput d : f32[8, 2] sliced(0)",
        "y = matmul(transpose(AllGather(x, 0), 1, 0), AllGather(d, 0))",
        "y = matmul(transpose(x, 1, 0), d)",
    ),
}


@looped("name", RIGHT)
def test_what_should_be_written_is_allowed_and_right(name):
    sources, statements, plainly = RIGHT[name]
    program = parse_program(f"program many\nmesh r=2\n{sources}\n{statements}\noutput y")
    assert isinstance(infer(program), Inferred)
    plain = "\n".join(line.partition("]")[0] + "]" for line in sources.splitlines())
    assert compare(program, parse_program(f"program one\n{plain}\n{plainly}\noutput y"), Reals(1)) is None
