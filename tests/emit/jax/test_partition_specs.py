"""Emitted PartitionSpecs: what they say, what they refuse, and a step on host devices with them."""

from importlib.util import find_spec
from types import SimpleNamespace

import pytest
from emit.emitted import check_style
from emit.jax.jax_process import python
from emit.placed_steps import STEPS, TWO_AXES, UNEVEN
from support import refused

from p2smt.emit.export import Export, exported
from p2smt.emit.jax.partition_specs import emit_partition_specs
from p2smt.emit.mesh.stored import _cuts as cuts_of
from p2smt.errors import ProgramError
from p2smt.tensor.expression import ProgramAxis
from p2smt.tensor.layout import Partial, Replicated, Sliced
from p2smt.tensor.text.parser import parse_program

NEEDS_JAX = pytest.mark.skipif(find_spec("jax") is None, reason="jax is not installed")

# A step of the perceptron by plain numpy and by jax, whose arguments and results are kept as a file says.
CHECK = """
import runpy, sys
import jax, jax.numpy as jnp, numpy as np
jax.config.update("jax_enable_x64", True)
rng = np.random.default_rng(1)
names = ["m.0.weight", "m.0.bias", "m.2.weight", "m.2.bias"]
kept = {name: rng.normal(size=shape) for name, shape in zip(names, [(16, 8), (16,), (4, 16), (4,)])}
x = rng.normal(size=(8, 8))

def loss(kept, x):
    hidden = jax.nn.relu(x @ kept["m.0.weight"].T + kept["m.0.bias"])
    return jnp.sum((hidden @ kept["m.2.weight"].T + kept["m.2.bias"]) ** 2)

def step(kept, x):
    value, gradients = jax.value_and_grad(loss)(kept, x)
    return value, {name: kept[name] - 0.01 * gradients[name] for name in kept}

expected = jax.jit(step)(kept, x)
for path in sys.argv[1:]:
    emitted = runpy.run_path(path)
    mesh = emitted["device_mesh"]()
    placed = emitted["shardings"](mesh)
    ours = {name: placed[name] for name in kept}
    whole = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec())
    value, new = jax.jit(step, in_shardings=(ours, placed["x"]), out_shardings=(whole, ours))(kept, x)
    np.testing.assert_allclose(value, expected[0], rtol=1e-12)
    for name in kept:
        np.testing.assert_allclose(new[name], expected[1][name], rtol=1e-12)
        assert new[name].sharding.is_equivalent_to(placed[name], new[name].ndim)
    print({name: new[name].addressable_shards[0].data.shape for name in kept})
"""


@pytest.mark.thorough  # the specs themselves are compared below
@NEEDS_JAX
@pytest.mark.slow
def test_a_step_on_two_devices_is_that_of_one(tmp_path):
    (tmp_path / "check.py").write_text(CHECK, encoding="utf-8")
    names = []
    for number, program in enumerate(STEPS.values()):
        names.append(f"specs{number}.py")
        (tmp_path / names[-1]).write_text(emit_partition_specs(program), encoding="utf-8")
    held = python(["check.py", *names], 2, tmp_path).stdout.splitlines()
    assert held[0] == "{'m.0.weight': (8, 8), 'm.0.bias': (8,), 'm.2.weight': (4, 8), 'm.2.bias': (4,)}"
    assert held[1] == "{'m.0.weight': (16, 8), 'm.0.bias': (16,), 'm.2.weight': (4, 16), 'm.2.bias': (4,)}"
    assert len(held) == 3


def test_what_a_file_says():
    text = exported(STEPS["by features"], Export.JAX)
    assert '"m.0.weight": PartitionSpec("device"),' in text
    assert '"m.2.weight": PartitionSpec(None, "device"),' in text
    assert '"m.2.bias": PartitionSpec(),' in text
    assert '"w": PartitionSpec("b", "a"),' in emit_partition_specs(TWO_AXES)
    assert '"x": PartitionSpec(("a", "b")),' in emit_partition_specs(TWO_AXES)


def test_files_keep_the_style(tmp_path):
    check_style(tmp_path, [emit_partition_specs(program) for program in (*STEPS.values(), TWO_AXES)])


def test_what_jax_cannot_keep_is_refused():
    assert "w is cut into 3/3/2/2, but JAX cuts it into" in refused(lambda: emit_partition_specs(UNEVEN), ProgramError)
    odd = parse_program("program p\nmesh a=4\ninput x : f32[6] sliced(0)\ny = relu(x)\noutput y\n")
    assert refused(lambda: emit_partition_specs(odd), ProgramError) == (
        "dimension 0 of x has length 6, cut over 4 devices; JAX needs a multiple of the number of "
        "devices, so pad the dimension or cut it over fewer"
    )


@pytest.mark.parametrize("sizes", [(2, 4), (4, 2), (2, 2), (2, 3), (3, 2)], ids=str)
def test_a_length_that_two_axes_cut_is_a_multiple_of_their_product(sizes):
    """JAX compares it with all devices together, and not with those of either axis."""
    one, other = sizes
    for length in range(one * other, 3 * one * other + 1):
        for cut, ranks in (("sliced(0, a) sliced(0, b)", one * other), ("sliced(0, a)", one), ("sliced(0, b)", other)):
            text = f"program p\nmesh a={one}, b={other}\ninput x : f32[{length}] {cut}\ny = relu(x)\noutput y {cut}\n"
            program = parse_program(text)
            if length % ranks:
                said = refused(lambda program=program: emit_partition_specs(program), ProgramError)
                assert "JAX needs a multiple of the number of devices" in said or "JAX cuts into" in said
            else:
                assert "PartitionSpec(" in emit_partition_specs(program)


@pytest.mark.parametrize(
    ("layouts", "said"),
    [
        ((Sliced(0, (4, 4)), Sliced(0, (2,) * 4, (0,))), (0, 0)),
        ((Sliced(0, (4, 4)), Sliced(1, (3, 3))), (0, 1)),
        ((Replicated(), Sliced(1, (3, 3))), (None, 1)),
        ((Sliced(0, (2,) * 4, (1,)), Sliced(0, (4, 4))), "w is cut by a later axis before a;"),
        ((Sliced(0, (4, 4)), Sliced(0, (4, 4))), "w is cut by a later axis before b"),
        ((Sliced(0, (5, 3)), Replicated()), "w is cut into 5/3, but jax cuts it into"),
        ((Sliced(0, (4, 4)), Sliced(0, (3, 1, 2, 2), (0,))), "w is cut into 3/1/2/2, but jax cuts it into"),
        (
            (Partial(), Replicated()),
            "jax stores tensors sliced or replicated; choose one of these by a --condition of p2smt shard",
        ),
    ],
)
def test_what_is_stored_is_cut_by_the_axes_in_their_order(layouts, said):
    source, mesh = SimpleNamespace(name="w", shape=(8, 6)), (ProgramAxis("a", 2), ProgramAxis("b", 2))
    if isinstance(said, tuple):
        assert cuts_of(source, layouts, mesh, "jax") == said
    else:
        assert said in refused(lambda: cuts_of(source, layouts, mesh, "jax"), ProgramError)
