"""What a rank does with files of schedules and steps, each a few lines here: compared, chosen, counted, by turns."""

import socket
from types import SimpleNamespace

import torch

from p2smt.run.rank import scheduled
from p2smt.run.rank.shared_groups import SharedGroups
from p2smt.run.rank.stepping import drawn, timed_by_turns

FILE = """
REAL, SCHEDULED, UNTOUCHED, SENDS = "real", "as scheduled", "as it was", {sends}
MESH = {{"device": {size}}}

def check(device, real):
    assert real == REAL
    return {wrong}

def beginning(real):
    return {{}}

def example(ranks, number, real):
    return {{"ranks": ranks}}, {{"rate": 0.5}}

class Step:
    def __init__(self, begin, form, ranks):
        self.form, self.given = form, ranks
        self.ranks = ranks or object()
"""


def written(folder, name, wrong=0, size=2, sends=0):
    path = folder / f"{name}.py"
    path.write_text(FILE.format(wrong=wrong, size=size, sends=sends), encoding="utf-8")
    return str(path)


def test_tensors_that_differ_are_counted_file_by_file(tmp_path):
    paths = [written(tmp_path, f"file{wrong}", wrong) for wrong in (2, 0, 1)]
    assert scheduled.differing(paths) == [2, 0, 1]


def test_a_file_is_taken_as_scheduled_or_as_it_was_and_alike_meshes_share_their_ranks(tmp_path):
    one, other, sending = written(tmp_path, "a"), written(tmp_path, "b", size=4), written(tmp_path, "c", sends=1)
    runs = [(one, False), (one, True), (other, True), (sending, True), (other, False)]
    steps = scheduled._steps(runs, SharedGroups())
    made = [step for step, _, _ in steps]
    assert [step.form for step in made] == ["as it was", "as scheduled", "as scheduled", "as scheduled", "as it was"]
    assert [step.given for step in made] == [None, made[0].ranks, None, None, made[2].ranks]
    assert all(batch["ranks"] is step.ranks for step, batch, _ in steps)


def test_bytes_on_the_loopback_are_on_no_card():
    before = scheduled._sent_so_far()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for _ in range(400):
            sender.sendto(bytes(50_000), ("127.0.0.1", 9))
    assert scheduled._sent_so_far() - before < 10_000_000


def test_parameters_and_batch_are_the_same_on_every_rank_and_each_time():
    kinds = {"w": "parameter", "m": "state", "x": "input", "rate": "scalar"}
    module = SimpleNamespace(
        TENSORS={name: SimpleNamespace(kind=kind) for name, kind in kinds.items()},
        REAL=torch.float64,
        drawn=lambda each, real: torch.randn(5, dtype=real),
    )
    (given, batch), (again, other) = drawn(module), drawn(module)
    assert (given.keys(), batch.keys()) == ({"w", "m"}, {"x"})
    assert all(torch.equal(each, again[name]) for name, each in given.items())
    assert torch.equal(batch["x"], other["x"])
    assert not torch.equal(given["w"], given["m"])


def test_steps_take_turns_are_warmed_up_and_keep_what_the_first_gave():
    made = []

    def step(name):
        def stepped():
            made.append(name)
            return {"loss": torch.tensor([made.count(name), 0.5])}

        return stepped

    found = timed_by_turns([step("a"), step("b")], rounds=20, counted=2, warmups=3)
    assert made[:6] == ["a"] * 3 + ["b"] * 3
    turns = [made[place : place + 3] for place in range(6, len(made), 3)]
    assert all(len({*turn}) == 1 for turn in turns)
    pairs = [(one[0], other[0]) for one, other in zip(turns[::2], turns[1::2], strict=True)]
    assert {*pairs} == {("a", "b"), ("b", "a")}
    assert len(pairs) == 20
    for each in found:
        assert each.outputs == (("loss", 1.5),)
        assert [len(ends) for ends in each.ends] == [3] * 20
        assert all(ends == sorted(ends) for ends in each.ends)
