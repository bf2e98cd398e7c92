"""A few random functions of `scripts/break_functions.py`, judged and run on real ranks: no verdict is false."""

from random import Random

import pytest
from scripts.loading import script_module
from tiers import is_full

generator, statements = script_module("functions_to_break"), script_module("statements_to_break")  # for torch
COUNT, SEED = 90 if is_full() else 5, 5


@pytest.mark.thorough  # programs of every operation are changed in tests/tensor/verification/test_claims.py
def test_no_verdict_is_false_and_every_operation_does_what_its_schema_says():
    found = script_module("break_functions").run(COUNT, SEED)
    assert found["false"] == []
    assert found["operators"]["unlike their schemas"] == []
    verdicts = found["verdicts"]
    assert sum(verdicts.values()) == COUNT
    assert verdicts["right"] >= 1
    assert len(verdicts) >= 2
    assert found["true ones not proved"] < 0.5


def test_every_kind_of_statement_is_tried():
    kinds = {
        kind for number in range(400) for kind in generator.function("f", Random(number), statements.STATEMENTS).kinds
    }
    assert kinds == set(statements.STATEMENTS)


def test_some_functions_race_and_some_hang_and_some_programs_lack_a_write():
    made = [generator.function("f", Random(number), statements.STATEMENTS) for number in range(280)]
    assert any(each.races for each in made)
    assert any(each.hangs for each in made)
    assert len({each.code for each in made}) > 150
