"""Both spellings of XLA's programs: random programs against numpy and each other, and texts with mistakes."""

import random
from collections import Counter

import numpy as np
from frontend.xla.xla_programs import computed, hlo, mutated, random_program, stablehlo
from frontend.xla.xla_texts import HLO, STABLEHLO
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples, is_full
from verify.interpreter import run

from p2smt.collective import Collective
from p2smt.frontend.asked_goal import AskedGoal

KINDS = {
    "all-reduce",
    "reduce-scatter",
    "all-gather",
    "all-to-all",
    "add",
    "collective-permute",
    "collective-broadcast",
    "subtract",
    "negate",
    "reverse",
    "slice",
    "concatenate",
    "pad",
    "transpose",
    "multiply",
    "select",
    "dynamic-slice",
    "dynamic-update-slice",
}
PROGRAMS = examples(30)
SEEDS = 60 if is_full() else 12
SUM = AskedGoal(collective=Collective.ALL_REDUCE)


def test_random_programs_are_the_same_in_both_and_compute_what_numpy_does():
    kinds = Counter()

    @settings(max_examples=PROGRAMS)
    @given(st.randoms(use_true_random=False), st.integers(0, 2**32 - 1))
    def check(rng, seed):
        devices, dims, ops, last = random_program(rng)
        plan = HLO.parse(hlo(devices, ops, last), "random", SUM)
        other = STABLEHLO.parse(stablehlo(devices, ops, last), "random", SUM)
        assert (plan.buffers, plan.steps, plan.zeros) == (other.buffers, other.steps, other.zeros)
        given_ = np.random.default_rng(seed).integers(-(2**60), 2**60, (devices, plan.goal.source.length))
        length = int(np.prod(dims)) // plan.goal.source.length
        wanted = computed(ops, last, np.repeat(given_, length, axis=1).reshape(devices, *dims))
        assert (np.repeat(run(plan, given_), length, axis=1) == wanted.reshape(devices, -1)).all()
        kinds.update({op.kind for op in ops[1:]})

    check()
    assert {kind for kind in KINDS if kinds[kind] > PROGRAMS / 50} == KINDS


def test_texts_with_mistakes_are_plans_or_refused():
    """Of few mistakes in a text each may be one that makes it no text; of all together some may not."""
    plans = 0
    for spelling, path in ((one, path) for one in (HLO, STABLEHLO) for path in one.files):
        messages = [spelling.refused(mutated(path.read_bytes(), random.Random(seed))) for seed in range(SEEDS)]
        assert "" in messages or not is_full(), path.name
        assert len(set(messages)) > (20 if is_full() else 3), path.name
        assert "\n" not in "".join(messages), path.name
        plans += messages.count("")
    assert plans > SEEDS
