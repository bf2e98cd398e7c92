"""The lemmas of the level algebra, and rules broken on purpose, which they notice."""

import pytest
import z3
from paths import ROOT
from tiers import is_full, sample

from p2smt.collective import Collective
from p2smt.reduction.catalogue import set_lemmas
from p2smt.reduction.catalogue.families import FAMILIES
from p2smt.reduction.catalogue.lemma_terms import Lemma
from p2smt.reduction.catalogue.lemmas import lemmas
from p2smt.reduction.catalogue.set_lemmas import set_lemmas as of_level_sets
from p2smt.reduction.catalogue.step_lemmas import step_lemmas
from p2smt.reduction.rules import level_rules
from p2smt.reduction.rules.level_rules import Effect, HoldingTerms
from p2smt.smt.smtlib import Status, script_text
from p2smt.smt.terms import conj, either, neg


@pytest.mark.thorough  # lemmas of two and three levels hold below
def test_every_lemma_is_there_for_every_number_of_levels():
    """Files are generated ones, and z3 answers the texts as their status says."""
    scripts = {script.name: script for script in lemmas()}
    assert len(scripts) == 85
    assert {stem: (script.name, script.models) for stem, script in scripts.items()} == {
        stem: (stem, None) for stem in scripts
    }
    of_steps, of_sets = len(list(step_lemmas(2))) + len(Collective), len(list(of_level_sets(2)))
    assert (of_steps, of_sets) == (18, 8)
    assert sum(script.status is Status.SAT for script in scripts.values()) == 3 * len(Collective)
    files = {path.stem: path for path in (ROOT / "encodings" / "lemmas").iterdir()}
    assert files.keys() < {stem.replace("_", "-") for stem in scripts}
    (family,) = (family for family in FAMILIES if family.folder == "lemmas")
    kept = dict(family.scripts())
    for name, path in files.items():
        assert script_text(kept[f"lemmas/{name}.smt2"]) == path.read_text(encoding="utf-8")
    for stem in sample(sorted(scripts), 3):
        text, solver = script_text(scripts[stem]), z3.SolverFor("QF_BV")
        solver.from_string(text)
        assert str(solver.check()) == scripts[stem].status, stem


def given(lemma: Lemma):
    return [term for _, terms in lemma.given for term in terms]


def holds(lemma: Lemma) -> bool:
    solver = z3.Solver()
    solver.add(conj(given(lemma)), neg(lemma.claim))
    result = solver.check()
    assert result != z3.unknown
    return result == z3.unsat


def test_the_lemmas_of_steps_hold():
    """With four levels, for which there are no files; in the standard tier with two."""
    assert all(holds(lemma) for lemma in step_lemmas(4 if is_full() else 2))


@pytest.mark.parametrize(
    "levels",
    [1, 2, *(pytest.param(more, marks=pytest.mark.thorough) for more in (3, 4))],  # lemmas are of pairs of levels
)
def test_what_a_lemma_is_given_is_possible(levels):
    for lemma in (*step_lemmas(levels), *of_level_sets(levels)):
        solver = z3.Solver()
        solver.add(conj(given(lemma)))
        assert solver.check() == z3.sat or (lemma.stem, levels) == ("others_keep", 1)


def scattered(view):
    return level_rules._each(view.along, lambda place: view.own.scattered[place])


def merged(view):
    return level_rules._each(view.along, lambda place: view.own.merged[place])


def not_scattered(view):
    return level_rules._each(view.along, lambda place: neg(view.own.scattered[place]))


def not_merged(view):
    return level_rules._each(view.along, lambda place: neg(view.own.merged[place]))


def filled(view):
    return neg(view.root.empty)


def needing(rule, *conditions):
    """The rule with other needs."""
    return lambda view: Effect(conj(condition(view) for condition in conditions), rule(view).after)


def same(view):
    return view.same


def within_root(view):
    pairs = zip(view.own.merged, view.root.merged, strict=True)
    return conj(neg(conj((own, neg(of_root)))) for own, of_root in pairs)


AR, RS, RED, AG, BC = Collective
RULES = dict(level_rules.RULES)
BROKEN = {
    "AllGather of chunks that are not merged": (AG, needing(RULES[AG], same, filled, scattered), "all_gather_result"),
    "AllGather of chunks that are not scattered": (AG, needing(RULES[AG], same, filled, merged), "all_gather_allowed"),
    "AllGather of different chunks": (AG, needing(RULES[AG], filled, scattered, merged), "all_gather_allowed"),
    "AllGather with empty members": (AG, needing(RULES[AG], same, scattered, merged), "all_gather_allowed"),
    "AllGather that leaves chunks scattered": (AG, lambda v: Effect(RULES[AG](v).needs, v.own), "all_gather_result"),
    "AllReduce of merged chunks": (AR, needing(RULES[AR], same, filled, not_scattered), "reduction_allowed"),
    "AllReduce of scattered chunks": (AR, needing(RULES[AR], same, filled, not_merged), "reduction_allowed"),
    "AllReduce of different chunks": (AR, needing(RULES[AR], filled, not_scattered, not_merged), "reduction_allowed"),
    "AllReduce that scatters": (AR, RULES[RS], "all_reduce_result"),
    "ReduceScatter that does not scatter": (RS, RULES[AR], "reduce_scatter_result"),
    "Reduce that leaves the members what they had": (RED, RULES[AR], "reduce_result"),
    "Broadcast of a scattered chunk": (BC, needing(RULES[BC], filled, merged, within_root), "broadcast_allowed"),
    "Broadcast that changes nothing": (BC, lambda v: Effect(RULES[BC](v).needs, v.own), "broadcast_result"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_rule_breaks_a_lemma(what, monkeypatch):
    collective, rule, stem = BROKEN[what]
    monkeypatch.setitem(level_rules.RULES, collective, rule)
    assert is_broken(stem)


def is_broken(stem):
    return any(lemma.stem == stem and not holds(lemma) for lemma in step_lemmas(2))


def scatter_without_merging(view):
    effect = RULES[RS](view)
    return Effect(effect.needs, HoldingTerms(view.own.empty, effect.after.scattered, view.own.merged))


def merge_at_root_alone(view):
    effect = RULES[AR](view)
    merged = tuple(either(view.is_root, *pair) for pair in zip(effect.after.merged, view.own.merged, strict=True))
    return Effect(effect.needs, HoldingTerms(view.own.empty, view.own.scattered, merged))


def empty_without_merging(view):
    return Effect(RULES[RED](view).needs, HoldingTerms(neg(view.is_root), view.own.scattered, view.own.merged))


@pytest.mark.parametrize(
    ("collective", "rule", "stem"),
    [
        (RS, scatter_without_merging, "scattered_is_merged"),
        (AR, merge_at_root_alone, "status_by_inner_digits"),
        (RED, empty_without_merging, "empty_beside_merged"),
    ],
)
def test_a_broken_rule_breaks_an_invariant(collective, rule, stem, monkeypatch):
    monkeypatch.setitem(level_rules.RULES, collective, rule)
    assert is_broken(stem)


def test_levels_of_size_one_break_what_needs_two_digits(monkeypatch):
    def any_size(sizes, *numbers):
        return tuple(z3.ULT(digit, size) for digits in numbers for digit, size in zip(digits, sizes, strict=True))

    monkeypatch.setattr(set_lemmas, "in_bounds", any_size)
    broken = {lemma.stem for lemma in of_level_sets(2) if not holds(lemma)}
    assert broken == {
        "different_sets_differ",
        "same_rows_same_sets",
        "same_rows_not_along",
        "no_overlap_not_along",
        "no_shared_row_along",
        "within_root_within_sets",
    }
