"""A training on one rank, beside the loop of plain PyTorch that it stands for: nothing is silently different."""

import copy
import io
import pickle
import types
import warnings
from functools import partial

import pytest
import torch
from looped import looped
from torch import nn
from torch.nn import functional

import p2smt
from p2smt.emit.torch.program.source import emit_program
from p2smt.errors import RunError
from p2smt.frontend.torch_graph.training import Training
from p2smt.run.training.batches import Batches
from p2smt.run.training.emitted_step import StepSource
from p2smt.run.training.folders import check_folder
from p2smt.run.training.inputs import StepInputs
from p2smt.run.training.surroundings import numbers_around
from p2smt.run.training.unchanged import ChangeGuard
from p2smt.run.training.variants import Variants
from p2smt.tensor.expression import ProgramAxis

CLOSE = 2e-6


class Small(nn.Module):
    """Names that texts cannot have, a buffer, a parameter that is frozen, dropout that evaluation leaves out."""

    def __init__(self):
        super().__init__()
        self.add_module("a-b", nn.Linear(4, 6))
        self.drop = nn.Dropout(0.0)
        self.head = nn.Linear(6, 3)
        self.head.bias.requires_grad_(False)
        self.register_buffer("scale", torch.full((6,), 0.5))
        self.register_buffer("shift", torch.ones(6), persistent=False)

    def forward(self, x):
        return self.head(self.drop(torch.tanh(self.get_submodule("a-b")(x))) * self.scale + self.shift)


def loss(module, x, y):
    return functional.cross_entropy(module(x), y)


def made(kind=torch.optim.AdamW, **how):
    torch.manual_seed(0)
    module = Small()
    first, second = module.get_submodule("a-b"), module.head
    groups = [{"params": list(first.parameters()), "lr": 0.1}, {"params": [second.weight]}]
    return module, kind(groups, lr=0.01, **how), batches()


def batches(samples=6):
    torch.manual_seed(1)
    return [(torch.randn(samples, 4), torch.randint(0, 3, (samples,))) for _ in range(8)]


def plain(module, optimizer, given, scheduler=None, max_norm=None, accumulate=1):
    """The loop of one process: losses, norms."""
    losses, norms = [], []
    for number, batch in enumerate(given, 1):
        one = loss(module, *batch)
        (one / accumulate).backward()
        losses.append(one.item())
        if number % accumulate:
            continue
        if max_norm is not None:
            norms.append(nn.utils.clip_grad_norm_(module.parameters(), max_norm).item())
        optimizer.step()
        optimizer.zero_grad()
        if scheduler is not None:
            scheduler.step()
    return losses, norms


def apart(left, right):
    assert left.keys() == right.keys()
    return max(float((left[name] - right[name]).abs().max()) for name in left)


@pytest.fixture(scope="module")
def shared_training():
    """A training that tests may not change for each other."""
    torch.distributed.init_process_group("gloo", store=torch.distributed.HashStore(), rank=0, world_size=1)
    module, optimizer, given = made()
    training = p2smt.shard(module, loss, given[0], "gpu:1", optimizer=optimizer)
    yield module, optimizer, training
    training.close()
    torch.distributed.destroy_process_group()


def test_schedules_groups_micro_batches_clipping_averages_and_checkpoints_are_those_of_plain_pytorch(alone):
    module, optimizer, given = made()
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR
    training = p2smt.shard(module, loss, given[0], "gpu:1", optimizer=optimizer, max_norm=0.2, accumulate=2, ema=0.9)
    scheduler, losses, norms = schedule(optimizer, 6), [], []
    for number, batch in enumerate(given, 1):
        losses.append(training.step(batch).item())
        if number % 2:
            with pytest.raises(ValueError, match="1 of 2 micro-batches are accumulated"):
                training.state_dict()
            continue
        norms.append(training.gradient_norm.item())
        scheduler.step()
    other, its, _ = made()
    wanted, wanted_norms = plain(other, its, given, schedule(its, 6), 0.2, 2)
    assert losses == pytest.approx(wanted, abs=CLOSE)
    assert norms == pytest.approx(wanted_norms, abs=CLOSE)
    kept = training.state_dict()
    assert apart(kept["module"], other.state_dict()) < CLOSE
    assert training.number == kept["step"] == 4
    again, new, _ = made()
    again.load_state_dict(kept["module"])
    new.load_state_dict(kept["optimizer"])
    assert new.param_groups[0]["lr"] == its.param_groups[0]["lr"]
    for mine, theirs in zip(again.parameters(), other.parameters(), strict=True):
        assert new.state[mine].keys() == its.state[theirs].keys()
        for key in its.state[theirs]:
            assert float((new.state[mine][key] - its.state[theirs][key]).abs().max()) < CLOSE
    assert kept["ema"].keys() == {"a-b.weight", "a-b.bias", "head.weight"}
    assert 0 < apart(kept["ema"], {key: kept["module"][key] for key in kept["ema"]}) < 1


def test_a_checkpoint_of_plain_pytorch_goes_on_with_its_moments(shared_training):
    _, _, training = shared_training
    other, its, given = made()
    plain(other, its, given[:3])
    state = {"module": copy.deepcopy(other.state_dict()), "optimizer": copy.deepcopy(its.state_dict())}
    training.load_state_dict(state)
    assert training.number == 3
    losses = [training.step(batch).item() for batch in given[3:5]]
    assert losses == pytest.approx(plain(other, its, given[3:5])[0], abs=CLOSE)
    assert apart(training.state_dict()["module"], other.state_dict()) < CLOSE


def test_an_emitted_step_begins_with_buffers_that_are_not_persistent(shared_training):
    _, _, training = shared_training
    step = types.ModuleType("step")
    exec(training.source, step.__dict__)
    module, optimizer, _ = made()
    begun = step.Step.from_torch(module, optimizer)
    assert begun["module"].keys() == {*module.state_dict(), "shift"}
    begun["module"]["head.weight"] = torch.zeros(3, 6)
    step.Step.into_torch(begun, module, optimizer)
    assert not module.head.weight.any()


def test_parts_of_a_rank_are_written_and_read(shared_training, tmp_path):
    _, _, training = shared_training
    training.step(batches()[0])
    kept = training.state_dict()
    training.save(str(tmp_path / "checkpoint"))
    training.load_state_dict(made()[0].state_dict())
    training.load(str(tmp_path / "checkpoint"))
    read = training.state_dict()
    assert (read["step"], apart(read["module"], kept["module"])) == (kept["step"], 0)
    assert apart(read["optimizer"]["state"][0], kept["optimizer"]["state"][0]) == 0
    wanted = training._checkpoints._saved()
    weight, state = "module.head.weight", "optimizer.head.weight.exp_avg"
    for folder, names, said in (
        ("nothing", wanted, "has no checkpoint of torch.distributed.checkpoint: .* is missing"),
        (
            "checkpoint",
            _without(wanted, weight),
            f"has {weight}, which this training lacks: it belongs to another model",
        ),
        ("checkpoint", _without(wanted, state), f"has {state}, which this training lacks: .* another optimizer"),
        ("checkpoint", {**wanted, "optimizer.x.ema": (1,)}, "lacks optimizer.x.ema: .* the same ema"),
        ("checkpoint", {**wanted, weight: (3, 7)}, r"has shape \[3, 6\] in .*, but \[3, 7\] in this training"),
    ):
        with pytest.raises((KeyError, ValueError), match=said):
            check_folder(str(tmp_path / folder), names)


def test_a_modules_own_state_begins_anew(shared_training):
    _, _, training = shared_training
    other, _, _ = made()
    training.load_state_dict(other.state_dict())
    kept = training.state_dict()
    assert (kept["step"], kept["optimizer"]["state"]) == (0, {})
    assert apart(kept["module"], other.state_dict()) == 0


def _without(state, key):
    return {name: each for name, each in state.items() if name != key}


def test_unknown_and_missing_keys_of_a_checkpoint_raise_and_nothing_changes(shared_training):
    _, _, training = shared_training
    training.step(batches()[0])
    kept = training.state_dict()
    first = next(iter(kept["optimizer"]["state"]))
    state = kept["optimizer"]["state"]

    def optimizer(**changed):
        return {**kept, "optimizer": {**kept["optimizer"], **changed}}

    cases = (
        ({**kept, "module": {**kept["module"], "more": torch.ones(1)}}, "the module has no more"),
        ({**kept, "module": _without(kept["module"], "scale")}, "the checkpoint lacks scale"),
        ({**kept, "ema": {}}, "the checkpoint has moving averages, and this training keeps none"),
        (
            {"module": {f"module.{key}": each for key, each in kept["module"].items()}},
            "belongs to a wrapper such as Distr",
        ),
        ({**kept, "epoch": 3}, "a checkpoint has no 'epoch'; it has module, optimizer, step, ema"),
        (optimizer(state={**state, 77: state[first]}), "lacks parameter 77"),
        (optimizer(state=_without(state, first)), "the checkpoint lacks exp_avg of a-b.weight"),
        (optimizer(state={**state, first: {**state[first], "m": torch.ones(1)}}), "keeps no m of a-b.weight"),
        (optimizer(param_groups=kept["optimizer"]["param_groups"][:1]), "belongs to another optimizer"),
        (optimizer(state={**state, first: {**state[first], "step": torch.tensor(9.0)}}), "have taken 1 and 9 steps"),
    )
    for changed, said in cases:
        with pytest.raises((KeyError, ValueError), match=said):
            training.load_state_dict(changed)
        assert apart(training.state_dict()["module"], kept["module"]) == 0


def test_whatever_changes_behind_the_capture_and_would_be_ignored_raises(shared_training):
    module, optimizer, training = shared_training
    batch = batches()[0]
    group, head = optimizer.param_groups[0], module.head
    losses = []
    keep, whole = group["weight_decay"], made()[0].state_dict()

    def said(match):
        with pytest.raises(ValueError, match=match):
            losses.extend(training.step(batch) for _ in range(10))

    group["weight_decay"] = 0.5
    said("weight_decay of parameter group 0 of AdamW was 0.01, and is 0.5: .*like=training")
    group["weight_decay"] = keep
    group["betas"] = (0.8, 0.999)
    said("betas of parameter group 0 .*cycle_momentum=False")
    group["betas"] = (0.9, 0.999)
    head.bias.requires_grad_(True)
    said("requires_grad of head.bias was False when the step was captured, and is True")
    head.bias.requires_grad_(False)
    module.eval()
    said("the module is not in the mode of the capture.* call .train")
    module.train()
    with torch.no_grad():
        head.weight.add_(1)
    said("head.weight of the module was changed after p2smt.shard.*training.load_state_dict")
    module.load_state_dict(training.state_dict()["module"])
    training.step(batch)  # the trained weights are no change
    module.drop.p = 0.5
    said(
        "drop.p was 0.0 when the step was captured, and is 0.5, which the step ignores: give what changes in the batch"
    )
    module.drop.p = 0.0
    optimizer.state[head.weight]["step"] = torch.ones(1)
    said("the states of the optimizer were changed since p2smt.shard")
    optimizer.state.clear()
    training.eval()
    said(r"training.eval\(\) was called")
    training.train()
    module.load_state_dict(whole)
    training.load_state_dict(whole)
    training.step(batch)


def test_evaluation_is_that_of_the_module_in_eval_mode_with_other_shapes_and_outputs(shared_training):
    module, _, training = shared_training
    other, _, _ = made()
    other.load_state_dict(training.state_dict()["module"])
    other.eval()
    x, y = batches(samples=3)[0]
    with torch.no_grad():
        found, wanted = training.evaluate((x, y)), loss(other, x, y)
        assert float((found.loss - wanted).abs()) < CLOSE
        assert torch.allclose(found.outputs, other(x), atol=CLOSE)
        assert torch.allclose(training.forward(x), other(x), atol=CLOSE)
    assert module.training


def test_a_module_with_its_weights_from_before_is_warned_of_once_for_each_use_and_its_copies_are_not(shared_training):
    module, _, training = shared_training
    x, y = batches()[0]
    training.load_state_dict(made()[0].state_dict())
    training.step((x, y))
    copies = copy.deepcopy(module), pickle.loads(pickle.dumps(module))
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for each in (*copies, module, module):
            each(x)
            # As torch.save and clip_grad_norm_ do, and AveragedModel.
            torch.save(each.state_dict(), io.BytesIO())
            assert [*each.parameters()] == [one for _, one in each.named_parameters()]
        training.evaluate((x, y))
    assert [str(each.message)[:50] for each in seen] == ["the module has its weights from before the trainin"] * 3
    assert {each.filename for each in seen} == {__file__}, "it is the user's line that is named"


class _Holder:
    scale = 1.0

    def __init__(self):
        self.share, self.count = 0.5, 0

    def loss(self, module, x):
        return module(x) * self.share * self.scale


class Namesake(nn.Module):
    """A module with a parameter and a buffer that have the names of inputs."""

    def __init__(self):
        super().__init__()
        self.x = nn.Parameter(torch.linspace(-1.0, 1.0, 6, dtype=torch.float64).reshape(3, 2))
        self.register_buffer("y", torch.tensor(0.5, dtype=torch.float64))

    def forward(self, x):
        return self.y * x @ self.x


def test_an_input_may_have_the_name_of_a_parameter(alone):
    def loss(module, x, y):
        return nn.functional.mse_loss(module(x), y)

    torch.manual_seed(0)
    module, other = Namesake(), Namesake()
    batch = {"x": torch.randn(4, 3, dtype=torch.float64), "y": torch.randn(4, 2, dtype=torch.float64)}
    training = p2smt.shard(module, loss, batch, "gpu:1", optimizer=torch.optim.SGD(module.parameters(), 0.1))
    optimizer = torch.optim.SGD(other.parameters(), 0.1)
    for _ in range(2):
        wanted = loss(other, **batch)
        assert training.step(batch).item() == pytest.approx(wanted.item(), abs=CLOSE)
        optimizer.zero_grad()
        wanted.backward()
        optimizer.step()
    state = training.state_dict()["module"]
    training.close()
    assert state.keys() == {"x", "y"}
    # A file that is emitted from the program alone finds the module's own names too.
    names, program = {}, p2smt.capture(Namesake(), loss, batch)
    exec(emit_program(program.on(ProgramAxis("rank", 1))), names)
    step = names["Step"](other.state_dict(), alone, ranks=names["OneDevice"](alone, torch.float64))
    assert step(batch)["loss"].item() == pytest.approx(loss(other, **batch).item(), abs=CLOSE)
    assert apart(state, other.state_dict()) < CLOSE


def test_numbers_and_tensors_around_a_loss_are_those_that_it_names():
    options, weight, criterion = {"share": 0.1, "other": 3}, torch.ones(3), nn.CrossEntropyLoss(label_smoothing=0.1)
    holder = _Holder()

    def around(module, x, y, scale=2.0):
        return criterion(module(x) * options["share"], y) * weight.sum() * scale

    found = numbers_around(around)
    weight.add_(1)
    assert {key: each for key, each in found.items() if key != "weight"} == {
        "options.share": 0.1,
        "criterion.label_smoothing": 0.1,
        "scale": 2.0,
    }
    assert numbers_around(around)["weight"] != found["weight"]
    assert numbers_around(holder.loss) == {"self.share": 0.5, "self.scale": 1.0}
    assert numbers_around(partial(around, scale=3.0))["scale"] == 3.0
    guard = ChangeGuard(
        Training(nn.Linear(1, 1), {}, around, torch.optim.SGD([torch.ones(1)], lr=0.1)), lambda *_: False
    )
    options["share"] = 0.2
    with pytest.raises(ValueError, match=r"options.share was 0.1 when the step was captured, and is 0.2"):
        guard.check(thorough=True)
    options["share"] = 0.1
    weight.mul_(2)
    with pytest.raises(ValueError, match="weight is a tensor that was written or replaced since the step was captured"):
        guard.check(thorough=True)


def test_shorter_batches_have_steps_of_their_own_on_the_same_weights(shared_training, capsys):
    _, _, training = shared_training
    training.load_state_dict(made()[0].state_dict())
    other, its, given = made()
    given = [tuple(each[:length] for each in batch) for batch, length in zip(given, (6, 5, 6, 5, 9), strict=False)]
    losses = [training.step(batch).item() for batch in given[:4]]
    assert losses == pytest.approx(plain(other, its, given[:4])[0], abs=CLOSE)
    assert apart(training.state_dict()["module"], other.state_dict()) < CLOSE
    assert capsys.readouterr().err.count("a step for batches of 5 samples was made") == 1


def test_steps_of_other_lengths_are_few_and_keep_the_parts_or_are_refused():
    first = StepInputs(
        StepSource(source="", loss="", inputs={"x": "x"}, keys={}, first_input="x", samples=6),
        None,
        Batches.WHOLE,
        frozenset("x"),
        torch.device("cpu"),
    )

    def make(batch):
        assert batch["x"].is_meta
        raise RunError("the model cannot be sharded: step cuts w in uneven shares")

    variants = Variants(first, make, 1.0)
    assert variants.of({"x": torch.ones(6, 2)}) is first
    with pytest.raises(ValueError, match=r"has 5 samples, and this step is for 6; .*in uneven shares; drop_last=True"):
        variants.of({"x": torch.ones(5, 2)})
    variants._known |= dict.fromkeys(range(1, 5), first)
    with pytest.raises(ValueError, match="steps for 1, 2, 3, 4, 6 were made already, and more are not"):
        variants.of({"x": torch.ones(5, 2)})


def test_a_batch_is_known_by_names_or_by_its_order_and_others_are_refused(shared_training):
    _, _, training = shared_training
    state, (x, y) = made()[0].state_dict(), batches()[0]
    found = []
    for batch in ((x, y), [x, y], {"y": y, "x": x, "more": x}):
        training.load_state_dict(state)
        found.append(training.step(batch).item())
    assert len(set(found)) == 1
    for batch, said in (
        ((x,), "the batch has 1 tensors, but the step takes 2: x, y"),
        ((x, y + 9), "y holds the index 11 into a table of 3 rows; the largest index is 2"),
        ((x[:4], y[:3]), "the batch has 4 of x, 3 of y; all tensors need the same number of samples"),
        (({"x": x}), "the batch lacks 'y'"),
    ):
        with pytest.raises((KeyError, ValueError), match=said):
            training.step(batch)


@looped(
    ("how", "said"),
    [
        ({"batches": "part"}, "batches='part' is unknown; batches are 'own'"),
        ({"accumulate": 0}, "accumulate=0"),
        ({"ema": 1.5}, "ema=1.5"),
        ({"max_norm": -1.0}, "max_norm=-1.0: the norm to which gradients are clipped is above 0"),
    ],
)
def test_choices_that_do_not_exist_are_refused(shared_training, how, said):
    module, optimizer, _ = shared_training
    with pytest.raises(ValueError, match=said):
        p2smt.shard(module, loss, batches()[0], "gpu:1", optimizer=optimizer, **how)


def test_a_rate_that_is_written_down_may_not_change(alone):
    torch.manual_seed(0)
    module = nn.Linear(4, 3)
    optimizer = torch.optim.RMSprop(module.parameters(), lr=0.01)
    training = p2smt.shard(module, loss, batches()[0], "gpu:1", optimizer=optimizer)
    training.step(batches()[0])
    optimizer.param_groups[0]["lr"] = 0.1
    with pytest.raises(
        ValueError, match=r"lr of parameter group 0 of RMSprop was 0\.01, and is 0\.1: the step of RMSprop"
    ):
        training.step(batches()[0])
    training.close()


def test_two_optimizers_that_step_in_turn_are_refused(shared_training):
    module, _, _ = shared_training
    second = torch.optim.SGD(module.head.parameters(), lr=0.1)
    fresh = torch.optim.AdamW(shared_training[1].param_groups[0]["params"] + [module.head.weight])
    p2smt.shard(module, loss, batches()[0], "gpu:1", optimizer=fresh).close()
    with pytest.raises(ValueError, match=r"(head|a-b)\.weight is a parameter of another p2smt.shard.*of GANs"):
        p2smt.shard(module, loss, batches()[0], "gpu:1", optimizer=second)


def test_a_model_on_meta_gets_its_values_part_by_part_and_a_mapping_is_passed_whole(alone):
    def build():
        return nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.BatchNorm1d(6), nn.Linear(6, 3))

    def of_mapping(module, batch):
        return functional.cross_entropy(module(batch["x"]), batch["y"])

    given = [{"x": x, "y": y} for x, y in batches()[:3]]
    torch.manual_seed(5)
    with torch.device("meta"):
        empty = build()
    training = p2smt.shard(empty, of_mapping, given[0], "gpu:1", optimizer=torch.optim.SGD(empty.parameters(), lr=0.1))
    losses = [training.step(batch).item() for batch in given]
    torch.manual_seed(5)
    module = build()
    optimizer, wanted = torch.optim.SGD(module.parameters(), lr=0.1), []
    for batch in given:
        optimizer.zero_grad()
        one = of_mapping(module, batch)
        one.backward()
        optimizer.step()
        wanted.append(one.item())
    assert losses == pytest.approx(wanted, abs=CLOSE)
    assert apart(training.state_dict()["module"], module.state_dict()) < CLOSE


@pytest.mark.parametrize(
    ("kind", "how"),
    [
        (torch.optim.Adagrad, {"initial_accumulator_value": 0.1}),
        pytest.param(torch.optim.NAdam, {}, marks=pytest.mark.thorough),  # its state begins with a number, as Adagrad's
        pytest.param(torch.optim.Rprop, {}, marks=pytest.mark.thorough),  # its state begins with a number, as Adagrad's
        pytest.param(torch.optim.ASGD, {}, marks=pytest.mark.thorough),  # its state begins with a number, as Adagrad's
        # captured in test_optimizers.py
        pytest.param(torch.optim.RMSprop, {"momentum": 0.9}, marks=pytest.mark.thorough),
    ],
)
def test_states_that_begin_with_other_numbers_train_and_are_exchanged_as_in_plain_pytorch(alone, kind, how):
    def begun():
        torch.manual_seed(0)
        module = nn.Linear(4, 3)
        return module, kind(module.parameters(), lr=0.01, **how)

    given = batches()
    (module, optimizer), (other, its), (again, new) = begun(), begun(), begun()
    training = p2smt.shard(module, loss, given[0], "gpu:1", optimizer=optimizer)
    losses = [training.step(batch).item() for batch in given[:3]]
    wanted, _ = plain(other, its, given[:3])
    kept = training.state_dict()
    again.load_state_dict(kept["module"])
    new.load_state_dict(kept["optimizer"])
    saved = copy.deepcopy({"module": other.state_dict(), "optimizer": its.state_dict()})
    for mine, theirs in zip(again.parameters(), other.parameters(), strict=True):
        assert new.state[mine].keys() == its.state[theirs].keys()
    later, _ = plain(other, its, given[3:])
    training.load_state_dict(saved)
    losses += [training.step(batch).item() for batch in given[3:]]
    assert losses == pytest.approx(wanted + later, abs=CLOSE)
    assert plain(again, new, given[3:])[0] == pytest.approx(later, abs=CLOSE)
    assert apart(training.state_dict()["module"], other.state_dict()) < CLOSE
    training.close()
