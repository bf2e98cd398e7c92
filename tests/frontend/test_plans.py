"""Every file of tests/plans gets its verdict, and the numbers of a counter-example do what it says."""

from collections import Counter
from functools import cache

import numpy as np
from frontend.plan_files import FILES, FOLDER, FORMATS, asked, read, table, tracing
from tiers import is_full
from verify.interpreter import given_by, reaches, run, wanted

from p2smt.frontend.importers import read_any
from p2smt.verify.check import verify
from p2smt.verify.plan_verdict import PlanMistake, PlanRule, mistake_of, plan_word
from p2smt.verify.verdict import Unknown

BEFORE_IT_RUNS = {
    PlanRule.TWICE,
    PlanRule.NO_DEVICE,
    PlanRule.OUTSIDE,
    PlanRule.UNEVEN,
    PlanRule.LENGTHS,
    PlanRule.ROOT,
    PlanRule.OVERLAP,
    PlanRule.ORDER,
    PlanRule.MISMATCH,
    PlanRule.RACE,
    PlanRule.INPUT,
    PlanRule.UNWAITED,
}

ALWAYS = 40 if is_full() else 8
"""How often a right plan adds up numbers; a wrong one may do it now and then, and has to differ within 40 times."""


@cache
def verified(path):
    return verify(read(path))


def verdict_of(path):
    return dict(table(path)["verdict"])


def place(mistake):
    """The place of an invalid plan as plan files write it."""
    found = mistake.place
    return {
        "step": found.step,
        "group": None if found.group is None else list(found.group),
        "device": found.device,
        "chunk": found.chunk,
        "contributor": found.contributor,
    }


def test_verdict():
    for path in FILES:
        expected, verdict = verdict_of(path), verified(path)
        assert plan_word(verdict) == expected.pop("verdict"), path.name
        if (mistake := mistake_of(verdict)) is not None:
            assert mistake.rule == PlanRule[expected.pop("rule").upper()], path.name
            assert {name: place(mistake)[name] for name in expected} == expected, path.name
            assert f"step {mistake.place.step}" in mistake.message or not mistake.place.step, path.name
        else:
            assert expected == {}, path.name


def test_files_say_what_they_are_about():
    for path in FILES:
        assert table(path)["about"], path.name
        known = {"verdict", "rule", "step", "group", "device", "chunk", "contributor"}
        assert set(verdict_of(path)) <= known, path.name


def test_torch_code_traced_in_a_process_of_its_own_is_the_same_plan():
    path = FOLDER / "torch_hierarchical.py"
    assert read_any(path, asked=asked(path), tracing=tracing(path)) == read(path)


def test_every_rule_is_broken_at_least_twice_and_many_plans_are_right():
    verdicts = Counter(verdict_of(path)["verdict"] for path in FILES)
    rules = Counter(verdict_of(path).get("rule") for path in FILES)
    assert {rule.name.lower(): rules[rule.name.lower()] for rule in PlanRule if rules[rule.name.lower()] < 2} == {}
    assert len(FILES) >= 60
    assert {path.suffix for path in FILES} == set(FORMATS)
    assert verdicts["valid"] >= 20
    assert verdicts["vacuous"] >= 2


def test_right_plans_add_up_and_wrong_ones_do_not():
    for path in FILES:
        plan, expected = read(path), verdict_of(path)
        if (
            isinstance(plan, PlanMistake | Unknown)
            or expected["verdict"] == "vacuous"
            or expected.get("rule", "").upper() in {rule.name for rule in BEFORE_IT_RUNS}
        ):
            continue
        is_valid = expected["verdict"] == "valid"
        right = all(reaches(plan, seed) for seed in range(ALWAYS if is_valid else 40))
        assert right == is_valid, path.name


def test_an_example_can_be_run():
    for path in FILES:
        plan, verdict = read(path), verified(path)
        if (mistake := mistake_of(verdict)) is None:
            continue
        example = mistake.example
        assert (example is None) == (mistake.rule in BEFORE_IT_RUNS | {PlanRule.UNDEFINED}), path.name
        if example is None:
            continue
        given = given_by(plan, example.contributions)
        assert run(plan, given)[example.device, example.at] == example.got, path.name
        assert wanted(plan, given)[example.device][example.at] == example.wanted, path.name
        assert example.got != example.wanted, path.name


def test_the_paper_says_why_its_programs_are_wrong():
    """Figure 4a adds the first and the second half of the result; 4b reduces the data of A0 and C0 twice."""
    halves, again = (verify(read(FOLDER / f"figure_4_{letter}.toml")) for letter in "ab")
    assert halves.counter_example.message == (
        "step 2, group [0, 1, 8, 9]: chunks 0, 1 are added together, and data[0] of device 0 gets the sum"
    )
    assert again.counter_example.message == (
        "step 2, group [0, 1, 8, 9]: data[0] of device 0 counts the contribution of device 0 2 times"
    )
    by_c0 = read(FOLDER / "figure_4_b.toml")
    given = np.zeros((16, 1), dtype=np.int64)
    given[8] = 1
    assert run(by_c0, given)[[0, 1, 8, 9], 0].tolist() == [2, 2, 2, 2]
