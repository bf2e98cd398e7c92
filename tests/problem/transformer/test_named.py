"""Models by name: as many parameters as were published."""

import pytest

from p2smt.errors import ProblemError
from p2smt.job.step.search import model_flops
from p2smt.problem.transformer.check import check_transformer
from p2smt.problem.transformer.model import Parallelism
from p2smt.problem.transformer.named import _spelling, named_model, named_models
from p2smt.problem.transformer.parameters import parameters


def test_a_model_has_as_many_parameters_as_published():
    for name in named_models():
        published, counted = named_models()[name].parameters, parameters(named_model(name, 8))
        if isinstance(published, int):
            assert counted == published, name
        else:
            assert f"{counted / 1e9:.0f}B" == published, name


def test_most_models_are_held_to_every_digit():
    exact = [model for model in named_models().values() if isinstance(model.parameters, int)]
    assert len(exact) >= 14
    assert len(named_models()) - len(exact) <= 1


def test_a_model_keeps_the_rules_and_says_its_source():
    for name in named_models():
        check_transformer(named_model(name, 8), Parallelism(dp=2))
        assert len(named_models()[name].source) > 20, name


def test_what_is_trained_is_chosen():
    model = named_model("llama-8b", 64, sequence=4096, micro_batch=2)
    assert (model.batch, model.sequence, model.micro_batch, model.head_size) == (64, 4096, 2, 128)
    assert named_model("mixtral-8x7b", 64).experts.ffn == 14336
    assert named_model("llama-8b", 64).sequence == 8192


def test_a_model_that_is_none():
    with pytest.raises(
        ProblemError, match=r"model 'lama-70b' is unknown; choose one of llama-8b.*did you mean llama-70b"
    ):
        named_model("lama-70b", 8)
    with pytest.raises(ProblemError, match="did you mean qwen3-235b-a22b"):
        named_model("Qwen/Qwen3-235-A22B", 8)


def test_a_name_may_be_spelled_as_on_the_hub_or_as_its_title():
    wanted = named_model("llama-8b", 1024)
    for name in ("Llama-3.1-8B", "meta-llama/Llama-3.1-8B", "llama 3.1 8b", "LLAMA-8B", "llama_8b"):
        assert named_model(name, 1024) == wanted
    spelled = [_spelling(text) for entry in named_models().values() for text in {entry.name, entry.title}]
    assert len({*spelled}) >= len(named_models())
    assert all(named_model(entry.title, 64) == named_model(entry.name, 64) for entry in named_models().values())


def test_models_of_images_take_as_many_operations_as_published():
    """Forward, in multiplications and additions: torchvision's tables, and that of the paper of DiT."""
    for name, giga in {"vit-b-16": 17.564, "vit-l-16": 61.555, "dit-xl-2": 118.64}.items():
        model = named_model(name, 1)
        assert model_flops(model) / 6 / 1e9 == pytest.approx(giga, rel=0.01), name


def test_an_image_has_its_own_number_of_tokens():
    assert named_model("vit-b-16", 64, sequence=197).outputs == 1
    assert named_model("dit-xl-2", 64).outputs == 256
    with pytest.raises(ProblemError, match="has 197 tokens per image; leave the sequence out"):
        named_model("vit-b-16", 64, sequence=512)
