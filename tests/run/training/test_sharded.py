"""Names of a module and of its batch beside those of the text that trains it; the step here keeps what it gets."""

import pytest
import torch
from torch import nn

from p2smt.run.training.sharded import Emitted, ShardedTraining

SOURCE = """
class Step:
    @staticmethod
    def from_torch(module, optimizer):
        twice = module.state_dict()["a-b.weight"] * 2
        return {"module": module.state_dict(), "optimizer": {"a-b.weight": {"m": twice}}, "step": 7}

    def __init__(self, begin, device, timeout, strict):
        self.load_state_dict(begin, strict=strict)
        self.seconds = timeout.total_seconds()

    def __call__(self, batch):
        self.number += 1
        return {"other": None, "loss": sorted(batch.items())}

    def state_dict(self):
        return {"module": self.module, "optimizer": self.optimizer, "step": self.number}

    def load_state_dict(self, state, strict):
        assert not strict
        self.module, self.optimizer, self.number = (state[part] for part in ("module", "optimizer", "step"))
"""
EMITTED = Emitted(
    source=SOURCE, loss="loss", inputs={"x": "x", "y-1": "y_1"}, keys={"p.a_b.weight": "a-b.weight", "bias": "bias"}
)
ONE, TWO = torch.ones(1), torch.full((1,), 2.0)


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.add_module("a-b", nn.Linear(2, 3, bias=False))
        self.bias = nn.Parameter(torch.zeros(3))
        self.register_buffer("seen", torch.zeros(1))


@pytest.fixture
def training(alone):
    module = Small()
    return module, ShardedTraining(EMITTED, module, None, alone, 30.0)


def test_a_step_begins_as_the_module_does_under_names_of_the_text(training):
    module, made = training
    inside = made._step
    assert inside.module.keys() == {"p.a_b.weight", "bias", "seen"}
    assert inside.optimizer.keys() == {"p.a_b.weight"}
    assert torch.equal(inside.optimizer["p.a_b.weight"]["m"], 2 * module.state_dict()["a-b.weight"])
    assert (made.number, inside.seconds, made.source) == (7, 30.0, SOURCE)


def test_a_checkpoint_has_the_names_of_the_module_and_comes_back(training):
    module, made = training
    made.step((ONE, TWO))
    kept = made.state_dict()
    assert (kept["module"].keys(), kept["optimizer"].keys(), kept["step"]) == (
        module.state_dict().keys(),
        {"a-b.weight"},
        8,
    )
    changed = {**kept, "module": {key: each + 1 for key, each in kept["module"].items()}, "step": 3}
    made.load_state_dict(changed)
    again = made.state_dict()
    assert again["step"] == made.number == 3
    assert all(torch.equal(again["module"][key], each + 1) for key, each in kept["module"].items())
    assert again["optimizer"].keys() == {"a-b.weight"}


def test_a_modules_own_state_begins_anew(training):
    module, made = training
    made.load_state_dict({**module.state_dict(), "bias": torch.ones(3)})
    assert (made.number, made.state_dict()["optimizer"]) == (0, {})
    assert torch.equal(made.state_dict()["module"]["bias"], torch.ones(3))


@pytest.mark.parametrize("whole", [True, False])
def test_a_checkpoint_of_another_model_is_refused_and_changes_nothing(training, whole):
    module, made = training
    other = {**module.state_dict(), "z": ONE, "more": ONE}
    before = made.state_dict()
    with pytest.raises(KeyError, match="the module has no more, which this checkpoint has"):
        made.load_state_dict(other if whole else {"module": other, "optimizer": {}, "step": 5})
    assert made.state_dict() == before


def test_a_batch_is_known_by_names_or_by_its_order(training):
    _, made = training
    wanted = [("x", ONE), ("y_1", TWO)]
    assert made.step((ONE, TWO)) == made.step([ONE, TWO]) == made.step({"y-1": TWO, "x": ONE, "more": ONE}) == wanted
    assert made.step({"x": ONE}) == [("x", ONE)], "what is missing is for the step to say"
    for batch, count in (((ONE,), 1), ((ONE, TWO, ONE), 3), (ONE, 1)):
        with pytest.raises(ValueError, match=f"the batch has {count} tensors; they are x, y-1"):
            made.step(batch)
