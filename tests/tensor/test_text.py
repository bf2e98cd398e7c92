"""The text form: what is said of errors, and that nothing in a file does harm."""

import random
import re

import pytest
from looped import looped
from tensor.operation_cases import CASES
from tensor.test_examples import PROGRAMS, TEXTS  # loads torch
from tiers import is_full

from p2smt.errors import ProgramError
from p2smt.tensor.expression import ProgramAxis
from p2smt.tensor.inference import infer
from p2smt.tensor.printer import print_program
from p2smt.tensor.text.parser import parse_program

HEAD = "program p\ninput x : f32[4, 6]\nparameter w : f32[6, 5]\n"
MUTATIONS = 600 if is_full() else 250

ERRORS = (
    ("", "line 1, column 1: a program begins with its name; write: program NAME"),
    ("input x : f32[4]", "line 1, column 1: a program begins with its name; write: program NAME"),
    (HEAD + "y = matmull(x, w)\noutput y", "line 4, column 5: 'matmull' is not an operation; did you mean matmul?"),
    (
        HEAD + "y = AllReduced(x)\noutput y",
        "line 4, column 5: 'AllReduced' is not an operation; did you mean AllReduce?",
    ),
    (HEAD + "y = matmul(x, W1)\noutput y", "line 4, column 15: 'W1' is not defined before this line; define it above"),
    (HEAD + "y = matmul(x)\noutput y", "line 4, column 5: matmul takes 2 operands, 1 are given"),
    (HEAD + "y = matmul(w, x)\noutput y", "line 4, column 1: matmul: lengths of k2: 5 and 4 must be equal"),
    (
        HEAD + "y = softmax(x, 2)\noutput y",
        "line 4, column 1: softmax: dimension 2 does not exist; the tensor has 2 dimensions, numbered from 0",
    ),
    (HEAD + "y = softmax(x)\noutput y", "line 4, column 5: softmax needs dim, whole number"),
    (
        HEAD + "y = AllReduce(x, -)\noutput y",
        "line 4, column 18: expected one of +, max, min to reduce with, found '-'",
    ),
    (HEAD + "y = AllGather(x)\noutput y", "line 4, column 5: AllGather is written AllGather(x, dimension)"),
    (
        HEAD + "x = relu(x)\noutput x",
        "line 4, column 1: 'x' is already defined or reserved; choose another name, for an updated value too",
    ),
    (HEAD + "y = relu(x)", "program p has no output; add a line: output NAME"),
    (HEAD + "y = relu(x) w\noutput y", "line 4, column 13: expected the end of the line, found 'w'"),
    (HEAD + "y = (x\noutput y", "line 4, column 7: expected ')', found the end of the line"),
    (
        HEAD + "y = x $ w\noutput y",
        "line 4, column 7: unexpected character '$'; statements have names, numbers, texts in double quotes, "
        "+ - * / = : , ( ) [ ], and comments behind #",
    ),
    ("program p\ninput x : f32[B]\noutput x", "line 2, column 15: 'B' is not a size; write it as: size B = 8"),
    (
        "program p\ninput x : f12[4]\noutput x",
        "line 2, column 11: 'f12' is none of f16, bf16, f32, f64, i32, i64, bool",
    ),
    (
        "program p\ninput x : f32[4] slice(0)\noutput x",
        "line 2, column 18: 'slice' is not a layout (replicated, sliced, partial, local, on_rank); did you mean "
        "sliced?",
    ),
    (
        "program p\ninptu x : f32[4]\noutput x",
        "line 2, column 1: expected '=' after a name, or one of program, mesh, "
        "size, input, parameter, state, scalar, constant, output; did you mean input?",
    ),
    (
        "program p\ninput x : f32[4]\ninput i : f32[4]\ny = embedding(x, i)\noutput y",
        "line 4, column 1: embedding: a table has 1 dimensions, not 2",
    ),
    (
        "program p\ninput x : f32[4]\ninput z : f64[4]\ny = x + z\noutput y",
        "line 4, column 1: add: operands of types f32 and f64; cast one of them",
    ),
)


@looped(("text", "message"), ERRORS)
def test_an_error_says_where_and_what(text, message):
    with pytest.raises(ProgramError) as error:
        parse_program(text)
    assert str(error.value) == message


@looped(
    "text",
    [
        HEAD + "y = " + "(" * 10_000 + "x" + ")" * 10_000 + "\noutput y",
        HEAD + "y = " + "-" * 10_000 + "x\noutput y",
        HEAD + "y = " + " + ".join(["x"] * 10_000) + "\noutput y",
        HEAD + "y = " + "relu(" * 5_000 + "x" + ")" * 5_000 + "\noutput y",
        "program p\ninput x : f32[" + ", ".join(["1099511627776"] * 5) + "]\noutput x",
        "program p\ninput x : f32[" + "9" * 100_000 + "]\noutput x",
        "program " + "p" * 100_000,
        HEAD + "y = expand(x, " + ", ".join(["1000000000"] * 20) + ", 4, 6)\noutput y",
        HEAD + "y = x * 1e999\noutput y",
        "program p\nmesh a=99999999999\ninput x : f32[4]\noutput x",
        "#" * (5 * 2**20),
    ],
)
def test_what_is_too_large_is_refused_in_one_message(text):
    with pytest.raises(ProgramError) as error:
        parse_program(text)
    assert len(str(error.value)) < 300


@looped(
    "expression",
    [
        "x - (x - x)",
        "(x - x) - x",
        "x - x * x / (x / x)",
        "-x * 2",
        "-(x * 2)",
        "neg(1) + x",
        "x * -1",
        "x - -1.5e-07",
        "(x + x) * (x - 1)",
        "mean(x, 1)",
        "norm(x)",
        "x / ranks",
        "AllReduce(x, max)",
        "ReduceScatter(x, 1, min, sizes=4/2)",
        "AllToAll(x, 0, 1, sizes=1/5)",
        "Send(x, next)",
        "Keep(x, 1)",
        "Slice(x, 0)",
        "Rebalance(x, 0, sizes=3/1)",
        "Reduce(x, 1)",
        "Broadcast(x, 0)",
        "sum(x)",
        "sum(x, 0, 1)",
        "dropout(x, 0.1)",
        "cast(x, bf16)",
    ],
)
def test_parse_after_print_is_the_identity_on_expressions(expression):
    program = parse_program(f"{HEAD}y = {expression}\noutput y")
    text = print_program(program)
    assert parse_program(text) == program
    assert print_program(parse_program(text)) == text


def test_parse_after_print_is_the_identity_on_operations():
    for call, types in CASES:
        sources = "\n".join(f"state x{number} : {each}" for number, each in enumerate(types))
        program = parse_program(f"program p\n{sources}\ny = {call}\noutput y")
        assert parse_program(print_program(program)) == program, (call, types)


def test_layouts_are_read_and_written():
    text = (
        "program p\nmesh data=2, model=3\n"
        "input x : f32[batch=4, 6] sliced(0, data) sliced(1, model, sizes=3/2/1)\n"
        "input y : f32[4, 6] sliced(0, model) sliced(0, data) \n"
        "input z : f32[4] partial(max, model) local(data)\n"
        "state s : f32[4] on_rank(1, model)\n"
        "constant c : f32[4] = -1.5\n"
        "scalar n : i64\n"
        "output x sliced(0, data)\noutput z partial(max, model) local(data)\n"
    )
    program = parse_program(text)
    assert parse_program(print_program(program)) == program
    assert "sliced(1, model, sizes=3/2/1)" in print_program(program)


WORDS = re.compile(r"[A-Za-z_][A-Za-z_.0-9]*|[0-9.]+|\s+|.")
MADE_UP = ("0", "99", "x", "(", ")", " sliced(0)", "sizes=1/2", "1e9", "output ", "\n", '"', "/", "AllReduce", "-")


def mutated(text, rng):
    """A text with words dropped, doubled, swapped, made up, or put in the place of others of their kind."""
    words = WORDS.findall(text)
    for _ in range(rng.choice((1, 1, 1, 1, 2, 4))):
        position, other = rng.randrange(len(words)), rng.randrange(len(words))
        match rng.randrange(10):
            case 0:
                words[position] = ""
            case 1:
                words[position] += words[other]
            case 2:
                words[position], words[other] = words[other], words[position]
            case 3:
                words[position] = rng.choice(MADE_UP)
            case _:
                alike = [
                    word
                    for word in words
                    if word[:1].isalpha() == words[position][:1].isalpha()
                    and word[:1].isdigit() == words[position][:1].isdigit()
                ]
                words[position] = rng.choice(alike)
    return "".join(words)


def outcomes(count):
    """How often mutated texts were read, refused by the reader, refused by inference, inferred."""
    found = {"refused": 0, "inferred": 0}
    messages = []
    rng = random.Random(0)
    names = [name for name in TEXTS if PROGRAMS[name].is_distributed]
    for _ in range(count):
        text = mutated(TEXTS[rng.choice(names)], rng)
        try:
            program = parse_program(text)
            assert parse_program(print_program(program)) == program
            result = infer(program if program.mesh else program.on(ProgramAxis("ranks", 2)))
        except ProgramError as error:
            messages.append(str(error))
        else:
            found["inferred" if hasattr(result, "steps") else "refused"] += 1
    assert [message for message in messages if "\n" in message or len(message) > 400] == []
    return {**found, "malformed": len(messages)}


def test_a_mutated_text_gets_a_verdict_or_one_message():
    found = outcomes(MUTATIONS)
    assert min(found.values()) >= 3, found


def test_the_examples_are_many():
    assert len(PROGRAMS) >= 10
