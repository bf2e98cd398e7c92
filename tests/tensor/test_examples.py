"""The packaged programs: read and written, inferred, and the distributed ones equal to those of one device."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from looped import looped

import p2smt.tensor
from p2smt.tensor.comparison import compare, names_agree
from p2smt.tensor.expression import Call, Convert, ProgramAxis, Statement
from p2smt.tensor.frame import whole
from p2smt.tensor.inference import infer
from p2smt.tensor.interpreter import run
from p2smt.tensor.judgement import Inferred, Refused
from p2smt.tensor.layout import Replicated
from p2smt.tensor.meaning import Part
from p2smt.tensor.printer import print_program
from p2smt.tensor.program import versions
from p2smt.tensor.reals import Reals
from p2smt.tensor.text.parser import parse_program

FOLDER = Path(p2smt.tensor.__file__).parent / "examples"
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.tp"))}
PROGRAMS = {name: parse_program(text) for name, text in TEXTS.items()}
PAIRS = (
    ("gpt_block_sliced", "gpt_block"),
    ("lamb_sliced", "lamb"),
    ("sgd_sliced", "sgd"),
    ("momentum_sliced", "momentum"),
    ("adamw_sliced", "adamw"),
    ("lars_sliced", "lars"),
    ("mlp_step_megatron", "mlp_step"),
    ("moe_layer_experts", "moe_layer"),
)


@looped("name", TEXTS)
def test_parse_after_print_is_the_identity(name):
    program = PROGRAMS[name]
    assert parse_program(print_program(program)) == program
    assert hash(parse_program(TEXTS[name])) == hash(program)


@looped(("many", "one"), PAIRS)
def test_a_distributed_example_computes_what_one_device_does(many, one):
    names_agree(PROGRAMS[many], PROGRAMS[one])
    assert isinstance(infer(PROGRAMS[many]), Inferred)
    assert compare(PROGRAMS[many], PROGRAMS[one], Reals(5), step=3) is None


def without_each_conversion(program):
    """The program without one of its conversions, for each of them in turn."""
    found = []

    def dropped(expression, rebuilt):
        match expression:
            case Convert(_, operand):
                found.append(rebuilt(operand))
                dropped(operand, lambda new: rebuilt(replace(expression, operand=new)))
            case Call(_, operands):
                for number, operand in enumerate(operands):
                    before, after = operands[:number], operands[number + 1 :]
                    dropped(
                        operand,
                        lambda new, before=before, after=after: rebuilt(
                            replace(expression, operands=(*before, new, *after))
                        ),
                    )

    for number, statement in enumerate(program.statements):
        before, after = program.statements[:number], program.statements[number + 1 :]
        dropped(
            statement.expression,
            lambda new, name=statement.name, before=before, after=after: replace(
                program, statements=(*before, Statement(name, new), *after)
            ),
        )
    return found


@looped(("many", "one"), PAIRS)
def test_without_one_of_its_collectives_it_is_refused_and_wrong(many, one):
    programs = without_each_conversion(PROGRAMS[many])
    assert len(programs) == sum(isinstance(part, Convert) for part in PROGRAMS[many].expressions()) > 0
    for program in programs:
        assert isinstance(infer(program), Refused)
        assert compare(program, PROGRAMS[one], Reals(5)) is not None


@pytest.mark.parametrize("ranks", [1, 2, 3, 5])
def test_programs_without_a_mesh_are_for_any_number_of_ranks(ranks):
    for name in ("adam", "attention_tail"):
        inferred = infer(PROGRAMS[name].on(ProgramAxis("ranks", ranks)))
        assert isinstance(inferred, Inferred)
        assert all(inferred.layouts[output.name] == (Replicated(),) for output in PROGRAMS[name].outputs)


RATES = {"lr": 0.1, "momentum": 0.9, "decay": 0.02, "beta1": 0.9, "beta2": 0.99, "eps": 1e-8, "step": 1, "trust": 0.05}
OPTIMIZERS = {
    "sgd": lambda p: torch.optim.SGD([p], lr=0.1, weight_decay=0.02),
    "momentum": lambda p: torch.optim.SGD([p], lr=0.1, momentum=0.9, weight_decay=0.02),
    "adamw": lambda p: torch.optim.AdamW([p], lr=0.1, betas=(0.9, 0.99), eps=1e-8, weight_decay=0.02),
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_an_optimizer_does_three_steps_as_torch_does(name):
    program, rng = PROGRAMS[name], np.random.default_rng(3)
    held = {source.name: np.zeros(source.shape) for source in program.sources} | {"p": rng.normal(size=4096)}
    held |= {source.name: np.array(RATES[source.name]) for source in program.sources if source.name in RATES}
    parameter = torch.nn.Parameter(torch.from_numpy(held["p"].copy()))
    optimizer = OPTIMIZERS[name](parameter)
    for step in range(3):
        held |= {"g": rng.normal(size=4096), "step": np.array(step + 1.0)}
        given = {each.name: (Part(held[each.name], whole(held[each.name].shape)),) for each in program.sources}
        values = run(program, given, Reals())
        held |= {state: values[last][0].array for state, last in versions(program).items()}
        parameter.grad = torch.from_numpy(held["g"] / 4)
        optimizer.step()
        np.testing.assert_allclose(held["p"], parameter.detach().numpy(), rtol=1e-12, atol=1e-12)


def test_lars_moves_a_parameter_by_its_norm():
    program, rng = PROGRAMS["lars"], np.random.default_rng(4)
    held = {"g": rng.normal(size=4096), "p": rng.normal(size=4096), "v": rng.normal(size=4096)}
    held |= {name: np.array(RATES[name]) for name in ("lr", "trust", "momentum", "decay", "eps")}
    given = {name: (Part(array, whole(array.shape)),) for name, array in held.items()}
    norm_p, norm_g = np.linalg.norm(held["p"]), np.linalg.norm(held["g"])
    rate = 0.1 * 0.05 * norm_p / (norm_g + 0.02 * norm_p + 1e-8)
    expected = held["p"] - (held["v"] * 0.9 + rate * (held["g"] + 0.02 * held["p"]))
    np.testing.assert_allclose(run(program, given, Reals())["p1"][0].array, expected, rtol=1e-12)
