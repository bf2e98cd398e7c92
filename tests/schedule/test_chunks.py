"""Chunks of loops: what is accepted needs no other chunk, along scattered dimensions as well."""

import random
from collections import Counter

import pytest
from paths import TESTS
from schedule.chunk_replay import chunked_differently
from schedule.test_cases import VALID, read
from tiers import is_full

from p2smt.schedule.apply import apply
from p2smt.schedule.check import check_schedule
from p2smt.schedule.chunks import Chunker
from p2smt.schedule.layouts_of import typed
from p2smt.schedule.loop_chunks import LoopChunks, loop_chunks
from p2smt.schedule.outcome import StepRefusedError
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.step import Line, Overlap
from p2smt.schedule.text.parser import parse_schedule
from p2smt.tensor.conversion import AllGather, AllToAll, Rebalance, Slice
from p2smt.tensor.expression import Convert, ProgramAxis
from p2smt.tensor.frame import Interval
from p2smt.tensor.printer import print_program
from p2smt.tensor.text.parser import parse_program
from p2smt.verify.verdict import Proved

LOOPS = [path for path in VALID if "\noverlap " in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("path", LOOPS, ids=[path.stem for path in LOOPS])
def test_a_chunk_needs_no_other_chunk(path):
    _, program, schedule, ranks = read(path)
    result = check_schedule(program, schedule, ranks)
    assert any(isinstance(line.step, Overlap) for line in schedule)
    assert result.scheduled.loops
    assert chunked_differently(result.scheduled) == ""


def test_the_replay_finds_a_stage_that_needs_all_chunks():
    text = (TESTS / "schedule" / "cases" / "programs" / "chain.tp").read_text(encoding="utf-8")
    schedule = parse_schedule("overlap layer, sum, out chunks 3 dim 1")
    looped = check_schedule(parse_program(text), schedule, 3).scheduled
    other = text.replace("relu(sum + b)", "cumsum(sum + b, 1)")
    assert other != text
    wrong = chunked_differently(looped, running=parse_program(other).on(ProgramAxis("rank", 3)))
    assert wrong == "loop.layer: chunk 1 of out on rank 0"


def test_chunks_of_ragged_slices_lie_inside_them():
    chunked = LoopChunks({"x": 0}, (3, 2, 0))
    held = [chunked.ranges(10, Interval(0, 10), chunk, 2) for chunk in range(2)]
    assert held == [(Interval(0, 4), Interval(6, 8)), (Interval(4, 6), Interval(8, 10))]
    assert chunked.ranges(10, Interval(6, 10), 1, 2) == (Interval(2, 4),)


@pytest.mark.parametrize(
    ("slicings", "slices"),
    [
        ([("a", (6,)), ("b", (3, 3)), ("c", (3, 2, 1, 0))], (3, 2, 1, 0)),
        ([("a", (12,)), ("b", (2, 1))], (2, 1)),
        ([("a", (5,))], (5,)),
    ],
)
def test_chunks_lie_in_the_smallest_slices(slicings, slices):
    assert loop_chunks({}, slicings).slices == slices


@pytest.mark.parametrize(
    ("slicings", "message"),
    [
        ([("a", (3, 3)), ("b", (2, 4))], "slices of b are not made up of those of a"),
        ([("a", (5,)), ("b", (3,))], "a: a length of 5 beside one of 3"),
        ([("a", (5, 7)), ("b", (6,))], "a is sliced inside of an element of another stage"),
    ],
)
def test_slices_that_do_not_fit_are_refused(slicings, message):
    with pytest.raises(StepRefusedError, match=message):
        loop_chunks({}, slicings)


def test_the_dimension_of_what_is_read_from_outside_is_kept():
    program = parse_program("program p\ninput x : f32[4, 6]\ny = transpose(x, 1, 0)\nz = y + 1\noutput z\n")
    chunking = Chunker(typed(program.on(ProgramAxis("rank", 2))), ["y", "z"], 0)
    chunking.run()
    assert chunking.outside == {"x": {1}}


def chain_text(rng):
    """A chain along one axis, of conversions of what is cut and of what is whole, with maps between."""
    ranks, shape = rng.randint(2, 3), (rng.randint(3, 7), rng.randint(3, 7))
    cut = rng.choice((0, 1))
    lines = [f"program chain\nmesh rank={ranks}\ninput x : f32[{shape[0]}, {shape[1]}] sliced({cut})"]
    last = "x"
    for number in range(4):
        text = rng.choice(("relu(V)", "V * 2")).replace("V", last)
        if rng.random() < 0.6:
            length = shape[rng.choice((0, 1)) if cut is None else cut]
            ends = sorted(rng.randint(0, length) for _ in range(ranks - 1))
            sizes = "/".join(str(stop - start) for start, stop in zip([0, *ends], [*ends, length], strict=True))
            if cut is None:
                cut = rng.choice((0, 1))
                text = f"Slice({last}, {cut})"
            else:
                texts = {
                    f"AllGather({last}, {cut})": None,
                    f"Rebalance({last}, {cut})": cut,
                    f"Rebalance({last}, {cut}, sizes={sizes})": cut,
                    f"AllToAll({last}, {cut}, {1 - cut})": 1 - cut,
                }
                text = rng.choice(list(texts))
                cut = texts[text]
        lines.append(f"s{number} = {text}")
        last = f"s{number}"
    return "\n".join([*lines, f"out = {f'AllGather({last}, {cut})' if cut is not None else last}", "output out\n"])


def test_chunks_of_every_conversion_need_no_other_chunk():
    """A loop is refused, or no chunk of any of its values changes with other chunks of what it reads."""
    rng = random.Random(5)
    accepted, refused, least = Counter(), Counter(), 10 if is_full() else 2
    for _ in range(250 if is_full() else 80):
        program = parse_program(chain_text(rng))
        first = rng.randrange(4)
        stages = tuple(each.name for each in program.statements[first : first + rng.choice((2, 2, 3))])
        outcome = apply(ScheduledProgram(program), Line(Overlap(stages, rng.choice((1, 2, 2, 3)), rng.choice((0, 1)))))
        kinds = {
            type(each.expression.conversion)
            for each in program.statements
            if each.name in stages and isinstance(each.expression, Convert)
        }
        if isinstance(outcome, Proved):
            accepted.update(kinds)
            wrong = chunked_differently(outcome.evidence.scheduled)
            assert wrong == "", (wrong, stages, outcome.evidence.line, print_program(program))
        else:
            refused.update(kinds)
    assert min(accepted[kind] for kind in (AllGather, AllToAll, Slice, Rebalance)) > least, accepted
    assert min(refused[kind] for kind in (AllGather, AllToAll, Slice, Rebalance)) > least, refused
