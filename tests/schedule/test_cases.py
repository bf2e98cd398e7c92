"""Schedule files with their verdict inside: every transform and every reason, each condition held and broken."""

import re
from collections import Counter
from pathlib import Path

from paths import ROOT, TESTS
from schedule.equality import differs, resized
from tiers import sample

from p2smt.schedule.check import check_schedule, on_ranks
from p2smt.schedule.step import Step
from p2smt.schedule.text.parser import parse_schedule
from p2smt.schedule.why import Why
from p2smt.tensor.reason import Reason
from p2smt.tensor.text.parser import parse_program
from p2smt.verify.verdict import Proved, Refuted

CASES = TESTS / "schedule" / "cases"
PACKAGED = ROOT / "p2smt" / "schedule" / "examples"
VALID = sorted(CASES.glob("valid/*.steps"))
INVALID = sorted(CASES.glob("invalid/*.steps"))
NEEDS_AN_OPTION = {Why.ORDER_OF_SUMMING, Why.ROUNDS}
"""Refused with `--bitwise` alone (`test_bitwise.py`)."""
NOT_BY_A_FILE = {Why.DEADLOCK, Why.LAYOUTS}
"""Loops issue alike on all ranks, and transforms keep layouts: guards for what comes (`test_events.py`)."""


def read(path: Path):
    """The text, the program that it names, its steps, and ranks; packaged programs have other sizes."""
    text = path.read_text(encoding="utf-8")
    file = f"{re.search(r'# program: (.*)', text)[1]}.tp"
    sizes = re.search(r"# sizes: (.*)", text)
    program = ((PACKAGED if sizes else CASES / "programs") / file).read_text(encoding="utf-8")
    if sizes:
        program = resized(program, **dict(each.split(" = ") for each in sizes[1].split(", ")))
    ranks = re.search(r"# ranks: (\d+)", text)
    return text, parse_program(program), parse_schedule(text), ranks and int(ranks[1])


def test_every_valid_schedule_is_proved_and_computes_the_same():
    for path in sample(VALID, len(VALID) // 2):
        text, program, schedule, ranks = read(path)
        assert text.startswith("# valid\n"), path.stem
        result = check_schedule(program, schedule, ranks)
        assert isinstance(result.verdict, Proved), (path.stem, result.verdicts[-1])
        assert differs(on_ranks(program, ranks), result.scheduled.program) is None, path.stem


def test_every_invalid_schedule_is_refused_for_its_reason():
    for path in INVALID:
        text, program, schedule, ranks = read(path)
        result = check_schedule(program, schedule, ranks)
        last = result.verdicts[-1]
        assert isinstance(last, Refuted), (path.stem, last)
        refused = last.counter_example
        assert text.startswith(f"# refused: {refused.reason.name}\n"), (path.stem, last)
        if isinstance(refused.reason, Reason) or refused.reason is Why.MISALIGNED:
            assert refused.counter_example is not None, path.stem


def test_there_are_enough_of_every_transform_and_reason():
    accepted, refused, reasons = Counter(), Counter(), Counter()
    for path in (*VALID, *INVALID):
        text, _, schedule, _ = read(path)
        accepted.update(type(line.step) for line in schedule if path in VALID)
        if path in INVALID:
            refused[type(schedule[-1].step)] += 1
            reasons[text.split()[2]] += 1
    assert len(VALID) >= 30
    assert len(INVALID) >= 40
    kinds = set(Step.__args__)
    assert min(accepted[kind] for kind in kinds) >= 2
    assert min(refused[kind] for kind in kinds) >= 2
    wanted = {why.name for why in set(Why) - NEEDS_AN_OPTION - NOT_BY_A_FILE}
    assert {name: reasons[name] for name in wanted if reasons[name] < 2} == {}
