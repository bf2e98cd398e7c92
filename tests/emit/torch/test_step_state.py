"""What an emitted step keeps of a checkpoint, on one device and on the ranks of a mesh, in this process."""

import pytest
import torch
from emit.torch.one_rank import place
from emit.torch.step_programs import ZERO

from p2smt.emit.torch.program.source import emit_program
from p2smt.tensor.text.parser import parse_program

HELD = """program held
mesh data=2, model=3
input x : f32[5, 4] sliced(0, data, sizes=2/3) partial(+, model)
input y : f32[4] on_rank(1, data)
parameter w : f32[7, 4] sliced(0, data, sizes=5/2) sliced(0, model, sizes=2/3/0/1/0/1)
rows = AllReduce(x, axis=model)
there = Broadcast(y, 1, axis=data)
output rows sliced(0, data, sizes=2/3)
output there
"""


KEPT = """program kept
mesh r=2
input x : f32[4] sliced(0)
parameter w : f32[6]
s = AllReduce(sum(x))
w1 = update(w, w - s)
output w1
"""
"""What it gives back lies where it keeps it."""


def loaded(text):
    """The program, and what its emitted file has."""
    program, names = parse_program(text), {"__name__": "emitted"}
    exec(compile(emit_program(program), "emitted", "exec"), names)
    return program, names


def drawn(names, kinds, seed=0):
    """Tensors of the step, by their names, in float64."""
    random = torch.Generator().manual_seed(seed)
    found = {}
    for name, each in names["TENSORS"].items():
        if each.kind in kinds:
            whole = each.dtype is not names["REAL"]
            values = torch.randint(0, 4, each.shape, generator=random)
            found[name] = values if whole else values.to(torch.float64) / 4
    return found


def alone(names, state):
    return names["Step"](state, real=torch.float64, ranks=names["OneDevice"](torch.device("cpu"), torch.float64))


def copies(state):
    """A checkpoint whose tensors are others."""
    if isinstance(state, dict):
        return {name: copies(each) for name, each in state.items()}
    return state.clone() if isinstance(state, torch.Tensor) else state


def alike(found, expected):
    """Whether two checkpoints have the same keys and the same elements."""
    if isinstance(expected, dict):
        return found.keys() == expected.keys() and all(alike(found[key], each) for key, each in expected.items())
    return torch.equal(found, expected) if isinstance(expected, torch.Tensor) else found == expected


@pytest.mark.parametrize("text", [ZERO, KEPT], ids=["zero", "kept"])
def test_steps_count_on_from_a_checkpoint_and_change_nothing_outside(text):
    """Neither what they began with, nor a checkpoint that was taken before, nor outputs of earlier steps."""
    _, names = loaded(text)
    module, batch = drawn(names, ("parameter", "state")), drawn(names, ("input",), 1)
    given = copies(module)
    step = alone(names, module)
    assert step.state_dict()["step"] == 0
    outputs = step(batch)
    shown, checkpoint = copies(outputs), step.state_dict()
    kept = copies(checkpoint)
    assert not alike(kept["module"], given)
    again = alone(names, checkpoint)
    assert alike(again.state_dict(), kept)
    for one in (step, again):
        for _ in range(2):
            one(batch)
    assert checkpoint["step"] == 1
    assert step.state_dict()["step"] == again.state_dict()["step"] == 3
    assert alike(again.state_dict(), step.state_dict())
    assert alike(module, given)
    assert alike(checkpoint, kept)
    assert alike(outputs, shown)
    assert alone(names, step.state_dict()["module"]).number == 0


def test_a_checkpoint_of_another_model_is_refused_whatever_sets_it_apart():
    _, names = loaded(ZERO)
    module = drawn(names, ("parameter", "state"))
    w = module["w"]
    for other in (w.float(), w.to(torch.int64), w[:4], w.reshape(6, 5), w[None]):
        with pytest.raises(ValueError, match=r"^w is torch\.\w+ \[[\d, ]+\] in this checkpoint, and torch\.float64 \["):
            alone(names, module | {"w": other})
    with pytest.raises(KeyError, match="the checkpoint lacks b"):
        alone(names, {name: each for name, each in module.items() if name != "b"})
    with pytest.raises(KeyError, match="the step does not know more"):
        alone(names, module | {"more": w + 1})


def test_a_rank_takes_its_own_part_and_of_summands_only_one_rank_all():
    """By hand: blocks of `w` in the order of data, then model; `x` whole on the first rank of model, 0 elsewhere."""
    program, names = loaded(HELD)
    state, batch = drawn(names, ("parameter",)), drawn(names, ("input",), 1)
    rows, blocks = [(0, 2), (2, 5)], [(0, 2), (2, 5), (5, 5), (5, 6), (6, 6), (6, 7)]
    for rank in range(6):
        data, model = divmod(rank, 3)
        step = names["Step"](state, real=torch.float64, ranks=place(names, program, rank))
        assert torch.equal(step.held["w"], state["w"][slice(*blocks[rank])])
        x = batch["x"][slice(*rows[data])]
        for given in (batch["x"], x):
            own = step._own("x", names["TENSORS"]["x"], given)
            assert torch.equal(own, x if model == 0 else torch.zeros_like(x))
        y = step._own("y", names["TENSORS"]["y"], batch["y"])
        assert y is None if data == 0 else torch.equal(y, batch["y"])
        for wrong in (batch["x"][:1], batch["x"][:, :2], batch["x"].float()):
            with pytest.raises(ValueError, match=r"^x is "):
                step._own("x", names["TENSORS"]["x"], wrong)


BUCKETS = """program buckets
mesh r=2
input x : f32[4] sliced(0)
state w : f32[]
state v : f32[4]
s = AllReduce(sum(x))
t = AllReduce(x + x, axis=r)
w1 = update(w, s)
v1 = update(v, t)
output s
output t
"""


def test_nothing_that_is_kept_or_given_back_lies_in_the_buffers_which_the_next_step_writes_over():
    _, names = loaded(BUCKETS.replace("x : f32[4] sliced(0)", "x : f32[4] partial(+)"))
    ranks = names["OneDevice"](torch.device("cpu"), torch.float64)
    ranks.buffers = names["Buffers"]()
    ranks._axes = tuple(each._replace(buffers=ranks.buffers) for each in ranks._axes)
    step = names["Step"](drawn(names, ("state",)), real=torch.float64, ranks=ranks)
    first = step({"x": torch.arange(4.0, dtype=torch.float64)})
    kept, held = copies(first), copies(step.state_dict())
    memory = [each.data_ptr() for each in ranks.buffers.kept]
    step({"x": torch.ones(4, dtype=torch.float64)})
    assert [each.data_ptr() for each in ranks.buffers.kept] == memory
    assert memory
    assert alike(first, kept)
    assert torch.equal(held["module"]["v"], kept["t"])
    for each in ranks.buffers.kept:
        each.fill_(7.0)
    assert torch.equal(step.state_dict()["module"]["v"], torch.full((4,), 2.0, dtype=torch.float64))
