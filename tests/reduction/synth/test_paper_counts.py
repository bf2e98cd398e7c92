"""All 42 program counts that the paper reports (scripts/p2_experiments.csv)."""

import csv

import pytest
from looped import looped
from paths import ROOT
from support import problem

from p2smt.placement.enumeration import all_placements
from p2smt.placement.hierarchy import synthesis_hierarchy
from p2smt.problem.model import Engine, Grammar
from p2smt.reduction.language.hierarchy import language_of
from p2smt.reduction.synth.engines import find_programs

CSV = ROOT / "scripts" / "p2_experiments.csv"
EXPERIMENTS = list(csv.DictReader(CSV.read_text(encoding="utf-8").splitlines()))


@pytest.fixture(scope="module")
def count():
    known = {}

    def count(language):
        if language not in known:
            found = find_programs(Engine.LEVELS, language, (2,) * language.levels, 5)
            assert found.complete
            known[language] = len(found.items)
        return known[language]

    return count


def test_there_are_42_experiments():
    assert len(EXPERIMENTS) == 42


@looped("row", EXPERIMENTS)
def test_total_over_all_placements_is_the_papers(row, count):
    sizes = [int(row["nodes"]), int(row["gpus_per_node"])]
    axes, reduce = map(int, row["axes"].split("x")), map(int, row["reduce"].split("+"))
    asked = problem(sizes, list(axes), list(reduce), grammar=Grammar.PAPER)
    hierarchies = [synthesis_hierarchy(asked, matrix) for matrix in all_placements(asked).items]
    assert sum(count(language_of(h, Grammar.PAPER)) for h in hierarchies) == int(row["total_programs"])
