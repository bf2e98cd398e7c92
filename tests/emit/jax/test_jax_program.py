"""Emitted JAX steps: every operation, and whole steps, equal the meaning of the program.

All run in one process of their own, as 64-bit numbers are a setting of the whole process in JAX.
"""

import json
import re
from importlib.resources import files

import numpy as np
import pytest
from emit.jax.jax_process import python
from tensor.one_operation import single
from tensor.operation_cases import CASES
from tiers import sample

from p2smt.emit.jax.program.calls import JAX_CALLS
from p2smt.emit.jax.program.source import emit_jax_program
from p2smt.errors import ProgramError
from p2smt.tensor.comparison import split
from p2smt.tensor.expression import ProgramAxis
from p2smt.tensor.interpreter import run
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import versions
from p2smt.tensor.reals import Reals
from p2smt.tensor.text.parser import parse_program

STEP = 2
EXAMPLES = sample(("gpt_block", "adamw", "lamb", "mlp_step"), 1)
ATTENTION = """program whole_attention
input g : f64[2,4,3,3]
input q : f64[2,4,3,4]
input k : f64[2,2,5,4]
input v : f64[2,2,5,3]
input bias : f64[1,4,3,5]
attention = attention(q, k, v, bias, causal=1)
of_q = attention_query_backward(g, q, k, v, attention, bias, causal=1)
of_k = attention_key_backward(g, q, k, v, attention, bias, causal=1)
of_v = attention_value_backward(g, q, k, v, attention, bias, causal=1)
of_bias = attention_bias_backward(g, q, k, v, attention, bias, causal=1)
plain = attention(q, k, v)
of_plain = attention_key_backward(g, q, k, v, plain)
output attention
output of_q
output of_k
output of_v
output of_bias
output of_plain
"""
OTHER = ATTENTION.replace("of_q", "plain = attention(q, k, v)\nof_q", 1).replace(
    "\nplain = attention(q, k, v)\nof_plain", "\nof_plain"
)
MIXED = """program types
input mask : bool[3,4]
input n : i64[3,4]
input x : f64[3,4]
low = 1 - mask
seen = where(low * mask, x, -1 / 0)
share = n / 3
total = sum(mask, 1)
both = mask + n
ones = cumsum(expand(1, 4), 0) - 1
output seen
output share
output total
output both
output ones
"""
PROCESS = """import json, sys
from pathlib import Path
import numpy as np
worst = {}
for folder in sorted(Path(sys.argv[1]).glob("case*")):
    loaded = {}
    exec(compile((folder / "step.py").read_text(), str(folder / "step.py"), "exec"), loaded)
    jax, jnp = loaded["jax"], loaded["jnp"]
    types = [dtype for _, dtype in loaded["TENSORS"].values()]
    close = 1e-5 if jnp.float32 in types else 1e-10
    arrays, expected = (dict(np.load(folder / name)) for name in ("given.npz", "expected.npz"))
    given = {name: jnp.asarray(arrays[name], dtype) for name, (_, dtype) in loaded["TENSORS"].items()}
    outputs, new = jax.jit(loaded["compute"])(given, 2)
    made = {**outputs, **new}
    assert made.keys() == expected.keys(), (folder, made.keys(), expected.keys())
    for name, value in expected.items():
        found = np.asarray(made[name], np.float64)
        assert found.shape == value.shape, (folder, name, found.shape, value.shape)
        same = (found == value) | (np.abs(found - value) <= close * np.maximum(1, np.abs(value)))
        if not same.all():
            worst[f"{folder.name} {name}"] = float(np.nanmax(np.abs(found - value)))
print(json.dumps(worst))
"""


def in_64_bits(program):
    text = program.replace("f32[", "f64[").replace(": f32", ": f64")
    return parse_program(text)


def case(program, folder, seed=3):
    """Write the emitted step of a program, what it is given, and what it has to compute."""
    meaning = Reals(seed)
    arrays = {}
    for source in program.sources:
        array = meaning.random(source.shape, source.dtype)
        if source.name == "bias" and "attention" in program.name:
            array[:, :, 1] = -np.inf
            array[:, 1, 2, 2:] = -np.inf
        arrays[source.name] = array % 6 if source.dtype == "i64" else array
        if source.kind == "constant":
            arrays[source.name] = np.full(source.shape, source.value)
        if source.name == "step":
            arrays[source.name] = np.asarray(float(STEP))
    given = {source.name: split(source, arrays[source.name], program, meaning) for source in program.sources}
    found = run(program, given, meaning, STEP)
    observed = {each.name: each.name for each in program.outputs} | versions(program)
    folder.mkdir()
    np.savez(folder / "given.npz", **arrays)
    np.savez(folder / "expected.npz", **{name: found[value][0].array for name, value in observed.items()})
    (folder / "step.py").write_text(emit_jax_program(program), encoding="utf-8")


def test_every_operation_has_a_call():
    assert JAX_CALLS.keys() == OPERATIONS.keys()


def every_operation():
    """A program with a statement for each case, so that JAX compiles once."""
    lines = ["program operations"]
    cases = sample(CASES, 30)
    for number, (call, types) in enumerate(cases):
        lines += [
            f"{'state' if 'update' in call and at == 0 else 'input'} c{number}x{at} : {each}"
            for at, each in enumerate(types)
        ]
        lines.append(f"y{number} = " + re.sub("x([0-9])", f"c{number}x" + r"\1", call))
    lines += [f"output y{number}" for number in range(len(cases))]
    return in_64_bits("\n".join(lines))


def test_emitted_steps_compute_what_programs_mean(tmp_path):
    pytest.importorskip("jax")
    texts = [files("p2smt.tensor").joinpath(f"examples/{name}.tp").read_text(encoding="utf-8") for name in EXAMPLES]
    experts = files("p2smt.tensor").joinpath("examples/moe_layer.tp").read_text(encoding="utf-8")
    attentions = ATTENTION, ATTENTION.replace("f64", "f32")
    programs = [every_operation(), *map(in_64_bits, texts), *map(parse_program, (*attentions, MIXED, experts))]
    for number, program in enumerate(programs):
        case(program, tmp_path / f"case{number:03}_{program.name}")
    (tmp_path / "process.py").write_text(PROCESS, encoding="utf-8")
    worst = json.loads(python(["process.py", str(tmp_path)], 0, tmp_path).stdout)
    assert not worst


def test_composites_are_calls_of_jax():
    found = emit_jax_program(parse_program(ATTENTION))
    assert "jax.nn.dot_product_attention" in found
    assert "attention_formula" not in found, "the result that the gradients read is that of the attention"
    for another in ("v, g, bias", "v, plain, bias"):
        other = emit_jax_program(parse_program(OTHER.replace("v, attention, bias", another)))
        assert "attention_formula" in other, "JAX would derive the gradient of another result"


def test_a_distributed_program_is_refused():
    program = single("relu(x0)", ("f32[4]",)).on(ProgramAxis("r", 2))
    with pytest.raises(ProgramError, match=r"a JAX step is of one device; emit the program that was sharded"):
        emit_jax_program(program)
