"""The search over splits: as the best of all that can be priced, with published splits among the first."""

from dataclasses import replace

import pytest

from p2smt.errors import ProblemError
from p2smt.job.step.advise import advise
from p2smt.job.step.cluster import cluster_of
from p2smt.job.step.explanation import loss, parts, runner_up, what_if
from p2smt.job.step.given import given_split, parallelism_of
from p2smt.job.step.grid import FixedDegrees, grid
from p2smt.job.step.search import StepQuestion, priced, search_steps
from p2smt.problem.system.text import find_system
from p2smt.problem.transformer.memory import fits
from p2smt.problem.transformer.model import Zero
from p2smt.problem.transformer.named import named_model
from p2smt.problem.transformer.split import Framework, Pipeline, Recompute, Split


def question(model, batch, system, sequence=None, **more):
    return StepQuestion(
        transformer=named_model(model, batch, sequence), cluster=cluster_of(find_system(system)), **more
    )


QUESTIONS = {
    "dense": question("llama-8b", 16, "dgx-h100:1x8", framework=Framework.TORCHTITAN),
    "stages": question("llama-70b", 64, "dgx-h100:4x8", fixed=FixedDegrees(micro_batch=1, cp=1)),
    "experts": question("mixtral-8x7b", 64, "dgx-h100:2x8", 4096, fixed=FixedDegrees(micro_batch=2, cp=1)),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_search_finds_the_best_of_all(name):
    """Every point of the grid priced alone, in any order."""
    asked = QUESTIONS[name]
    found = search_steps(asked, keep=5)
    cluster = asked.cluster
    points = list(grid(asked.transformer, cluster.devices, cluster.domain, asked.framework, asked.fixed))
    every = [priced(asked, split) for split in points]
    fitting = sorted(one.seconds for one in every if fits(one.memory, cluster.memory))
    assert [one.seconds for one in found.best] == pytest.approx(fitting[:5])
    assert found.points == len(points) > 20
    assert found.priced < len(points)
    assert found.complete


def test_the_grid_has_every_split_once_and_none_that_breaks_a_rule():
    asked = QUESTIONS["experts"]
    points = list(grid(asked.transformer, 16, 8, Framework.MEGATRON, FixedDegrees(micro_batch=1)))
    assert len(set(points)) == len(points)
    for split in points:
        assert split.devices == 16
        assert (split.tp * split.cp * split.dp) % (split.ep * split.etp) == 0
        assert asked.transformer.batch % (split.dp * split.micro_batch) == 0
    assert {split.ep for split in points} == {1, 2, 4, 8}
    assert any(split.ep > split.dp for split in points)  # experts are folded over tensor parallelism
    assert {split.recompute for split in points} == set(Recompute)
    dense = grid(QUESTIONS["dense"].transformer, 16, 8, Framework.MEGATRON, FixedDegrees(micro_batch=1))
    assert {split.recompute for split in dense} == {Recompute.NONE, Recompute.FULL}
    hybrid = grid(asked.transformer, 16, 8, Framework.TORCHTITAN, FixedDegrees(tp=1, pp=1, cp=1, ep=1))
    assert {split.replicate for split in hybrid if split.zero is Zero.PARAMETERS} == {1, 2}


def test_short_pieces_of_sequences_are_searched_where_nothing_else_fits():
    """8 sequences of 4096 tokens on 128 devices with tp 8: without stages, dp 8 leaves half of the devices to cp."""
    short = question("llama-8b", 8, "dgx-h100:16x8", 4096, fixed=FixedDegrees(tp=8, zero=Zero.OPTIMISER))
    assert {one.split.cp for one in search_steps(short).best} == {1}
    only = replace(short, fixed=replace(short.fixed, pp=1))
    assert search_steps(only, keep=1).best[0].split.cp == 2
    fixed = replace(short, fixed=replace(short.fixed, pp=2, cp=2))
    assert search_steps(fixed, keep=1).best[0].split.dp == 4
    long = replace(short, transformer=named_model("llama-8b", 8, 8192))
    assert search_steps(long, keep=1).best[0].split.cp == 2


def test_layers_that_do_not_divide_are_split_unevenly():
    found = advise("llama-405b", "dgx-h100:64x8", batch=1024, fixed=FixedDegrees(pp=8, cp=1))
    assert found.best
    assert found.best[0].split.tp == 8


def test_stages_do_not_wait_for_a_multiple_of_what_they_compute():
    """The job of which communication alone recommended stages that wait 350 % of the time that they compute."""
    best = advise("llama-70b", "dgx-h100:32x8", batch=512, framework="torchtitan", keep=1).best[0]
    assert best.time.bubble < 0.1 * best.seconds


PUBLISHED = {
    "titan 8B": (
        question("llama-8b", 16, "dgx-h100:1x8", framework=Framework.TORCHTITAN),
        Split(dp=8, zero=Zero.PARAMETERS, micro_batch=2, recompute=Recompute.SELECTIVE),
    ),
    "gpt3 175B": (
        question("gpt3-175b", 1536, "dgx-a100:48x8", fixed=FixedDegrees(recompute=Recompute.FULL, chunks=1)),
        Split(tp=8, pp=12, dp=4, sequence_parallel=True, recompute=Recompute.FULL),
    ),
    "nemo 70B": (
        question("llama-70b", 128, "dgx-h100:8x8"),
        Split(tp=4, pp=4, cp=2, dp=2, chunks=5, sequence_parallel=True),
    ),
}


@pytest.mark.thorough  # the search is compared with the whole grid above
def test_published_splits_are_close_to_the_best():
    """Of today's version of the framework, which needs less memory and recomputes less than those of then.

    GPT-3 on 384 A100 is 26 % behind ZeRO-3 with two-way tensor parallelism, which the model prices too low at scale.
    """
    for name, (asked, split) in PUBLISHED.items():
        found = search_steps(asked, keep=1)
        assert priced(asked, split).seconds < (1.3 if name == "gpt3 175B" else 1.15) * found.best[0].seconds, name


def test_what_limits_and_what_another_machine_changes():
    found = search_steps(QUESTIONS["stages"], keep=10)
    best, other = found.best[0], runner_up(found)
    assert other is not None
    name, seconds = loss(best, other)
    assert seconds > 0
    assert getattr(other.time, name) > getattr(best.time, name)
    assert sum(parts(best.time).values()) == pytest.approx(best.seconds)
    for change in what_if(QUESTIONS["stages"]):
        assert change.best is not None
        assert change.best.seconds <= best.seconds


def test_a_utilisation_replaces_the_model_of_computing():
    asked = replace(QUESTIONS["dense"], utilisation=0.5)
    split = Split(dp=8, zero=Zero.PARAMETERS)
    found = priced(asked, split).time
    half = priced(replace(asked, utilisation=0.25), split).time
    assert half.linear == pytest.approx(2 * found.linear)
    assert (found.attention, found.elementwise, found.experts) == (0.0, 0.0, 0.0)


def test_a_split_that_is_given():
    model = named_model("mixtral-8x7b", 64, 4096)
    split = given_split(model, FixedDegrees(tp=2, ep=8), 16)
    assert (split.dp, split.etp, split.ep) == (8, 2, 8)
    assert parallelism_of(split).ep == 8
    assert parallelism_of(replace(split, etp=1)) is None
    assert parallelism_of(Split(pp=4)) is None
    with pytest.raises(ProblemError, match="ep 16 x etp 2 does not divide"):
        given_split(model, FixedDegrees(tp=2, ep=16), 16)
    with pytest.raises(ProblemError, match="replicas 3 do not divide dp 8"):
        given_split(model, FixedDegrees(tp=2, replicate=3), 16)
    with pytest.raises(ProblemError, match="leave --dp out"):
        given_split(model, FixedDegrees(tp=2, dp=4), 16)
    with pytest.raises(ProblemError, match="needs several stages, but pp is 1"):
        given_split(model, FixedDegrees(tp=2, pipeline=Pipeline.GPIPE), 16)
    with pytest.raises(ProblemError, match="pipeline gpipe has one chunk per stage, not"):
        given_split(model, FixedDegrees(pp=2, chunks=2, pipeline=Pipeline.GPIPE), 16)


def test_a_search_without_a_split_that_fits_says_what_is_least():
    asked = question("llama-405b", 64, "dgx-h100:2x8", fixed=FixedDegrees(tp=8))
    found = search_steps(asked)
    assert found.best == ()
    assert found.least is not None
    assert not fits(found.least.memory, asked.cluster.memory)
    stopped = search_steps(asked, deadline=0.0)
    assert (stopped.complete, stopped.least) == (False, None)
