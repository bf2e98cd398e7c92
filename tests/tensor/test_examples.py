"""The packaged programs: read and written, inferred, and the distributed ones equal to those of one device."""

from pathlib import Path

import pytest

import p2smt.tensor
from p2smt.tensor.comparison import compare, names_agree
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred, Refused
from p2smt.tensor.layout import Replicated
from p2smt.tensor.program import Axis
from p2smt.tensor.reals import Reals
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.text.printer import print_program

FOLDER = Path(p2smt.tensor.__file__).parent / "examples"
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.tp"))}
PROGRAMS = {name: parse_program(text) for name, text in TEXTS.items()}
PAIRS = (
    ("gpt_block_sliced", "gpt_block"),
    ("lamb_sliced", "lamb"),
    ("mlp_step_megatron", "mlp_step"),
    ("moe_layer_experts", "moe_layer"),
)


@pytest.mark.parametrize("name", TEXTS)
def test_parse_after_print_is_the_identity(name):
    program = PROGRAMS[name]
    assert parse_program(print_program(program)) == program
    assert hash(parse_program(TEXTS[name])) == hash(program)


@pytest.mark.parametrize(("many", "one"), PAIRS)
def test_a_distributed_example_computes_what_one_device_does(many, one):
    names_agree(PROGRAMS[many], PROGRAMS[one])
    assert isinstance(infer(PROGRAMS[many]), Inferred)
    assert compare(PROGRAMS[many], PROGRAMS[one], Reals(5), step=3) is None


@pytest.mark.parametrize(("many", "one"), PAIRS)
def test_without_one_of_its_collectives_it_is_refused_and_wrong(many, one):
    text = TEXTS[many]
    dropped = 0
    for number in range(text.count("AllReduce(")):
        pieces = text.split("AllReduce(")
        broken = "AllReduce(".join(pieces[: number + 1]) + "(" + "AllReduce(".join(pieces[number + 1 :])
        program = parse_program(broken.replace(", axis=model)", ")", 1) if "axis=" not in broken else _bare(broken))
        assert isinstance(infer(program), Refused)
        assert compare(program, PROGRAMS[one], Reals(5)) is not None
        dropped += 1
    assert dropped or many == "moe_layer_experts"


def _bare(text):
    """Brackets that lost their collective lose its axis as well."""
    lines = []
    for line in text.splitlines():
        kept = line
        if "axis=" in line and "AllReduce(" not in line:
            kept = line.replace(", axis=model", "").replace(", axis=data", "")
        lines.append(kept)
    return "\n".join(lines)


@pytest.mark.parametrize("ranks", [1, 2, 3, 5])
def test_programs_without_a_mesh_are_for_any_number_of_ranks(ranks):
    for name in ("adam", "attention_tail"):
        inferred = infer(PROGRAMS[name].on(Axis("ranks", ranks)))
        assert isinstance(inferred, Inferred)
        assert all(inferred.layouts[output.name] == (Replicated(),) for output in PROGRAMS[name].outputs)
