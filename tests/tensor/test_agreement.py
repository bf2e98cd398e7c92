"""Random distributed programs, right and wrong: inference, the checker of derivations, numpy and the field agree."""

import random
from collections import Counter
from dataclasses import replace

from tensor.random_programs import damaged, distributed_program, single_program
from tiers import is_full

from p2smt.smt.answer import Unsat
from p2smt.tensor.comparison import compare, split, whole_value
from p2smt.tensor.derivation import check
from p2smt.tensor.expression import Call
from p2smt.tensor.inference import infer
from p2smt.tensor.interpreter import run
from p2smt.tensor.judgement import Inferred
from p2smt.tensor.layout import Local, OnRank, Partial, ReductionOp, Replicated, Sliced
from p2smt.tensor.placing import coordinates, part_of
from p2smt.tensor.prime_field import PrimeField, covers
from p2smt.tensor.printer import print_program
from p2smt.tensor.reals import Reals
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.verification.schemas import question_of, schemas_of

PROGRAMS = 120 if is_full() else 30


def field_says(program, single, seed):
    """Whether nothing differs in the field. What a maximum does not choose it does not show: then other values count.

    Seed 9725 of programs of up to 8 statements: a maximum over one column of three was that of all, on the only element
    that dropout left.
    """
    choosing = any(isinstance(part, Call) and part.operation == "max" for part in program.expressions())
    seeds = range(seed, seed + (6 if choosing else 1))
    return all(compare(program, single, PrimeField(each)) is None for each in seeds)


def verdicts(seeds, longest=None):
    """How often what was said of a program: by inference, numpy, the field (None where it has nothing to say).

    Every rule and conversion that an allowed program uses is proved by the solver, once. Programs for one device have
    5 statements, or up to `longest`; conversions come to these.
    """
    found, schemas = Counter(), {}
    for seed in seeds:
        rng = random.Random(seed)
        single = single_program(rng) if longest is None else single_program(rng, rng.randint(3, longest))
        program = distributed_program(single, rng)
        broken = rng.random() < 0.6
        if broken:
            program = damaged(program, rng)
        assert parse_program(print_program(program)) == program
        result = infer(program)
        allowed = isinstance(result, Inferred)
        assert allowed or broken, (seed, str(result))
        in_numpy = compare(program, single, Reals(seed)) is None
        in_field = field_says(program, single, seed) if covers(program) else None
        if allowed:
            assert check(program, result) is None, seed
            assert in_numpy, seed
            assert in_field is not False, seed
            found.update(rule for step in result.steps for rule in step.rules)
            schemas |= schemas_of(program, result)
        assert in_field is not True or in_numpy, seed
        found["allowed" if allowed else "refused for nothing" if in_numpy else "wrong"] += 1
        found["field: right"] += in_field is True
        found["field: wrong"] += in_field is False
        found["two axes"] += len(program.mesh) == 2
        found["statements", len(program.statements)] += 1
    assert all(isinstance(question_of(schema).ask(), Unsat) for schema in schemas)
    found["proved"] = len(schemas)
    return found


def guarded(found, count):
    """At least a quarter is wrong; what is refused for nothing has become 0 or 1 in some other way, and is rare."""
    assert found["wrong"] > count / 4
    assert found["allowed"] > count / 3
    assert found["field: wrong"] > count / 5
    assert found["two axes"] > count / 4
    assert found["refused for nothing"] <= count / 20
    assert found["proved"] > min(40, count / 2)
    assert min(found[rule] for rule in ("REP", "PAR", "RED", "LIN", "ON_RANK")) > count / 50


def test_four_opinions_on_random_programs():
    guarded(verdicts(range(PROGRAMS)), PROGRAMS)


CLAIMS = (
    Replicated(),
    Partial(),
    Partial(ReductionOp.MAX),
    Local(),
    OnRank(0),
    Sliced(0, (4, 0)),
    Sliced(0, (2, 2)),
    Sliced(1, (3, 3)),
)


def test_a_derivation_with_another_claim_does_not_hold():
    changed = 0
    for seed in range(40):
        rng = random.Random(seed)
        program = distributed_program(single_program(rng), rng)
        result = infer(program)
        number = rng.randrange(len(result.steps))
        step = result.steps[number]
        axis = rng.randrange(len(program.mesh))
        claim = rng.choice([each for each in CLAIMS if each != step.layouts[axis]])
        layouts = (*step.layouts[:axis], claim, *step.layouts[axis + 1 :])
        steps = (*result.steps[:number], step._replace(layouts=layouts), *result.steps[number + 1 :])
        assert check(program, replace(result, steps=steps)) is not None, (seed, step, claim)
        changed += 1
    assert changed == 40


def test_a_derivation_without_a_step_does_not_hold():
    rng = random.Random(1)
    program = distributed_program(single_program(rng), rng)
    result = infer(program)
    for number in range(len(result.steps)):
        steps = (*result.steps[:number], *result.steps[number + 1 :])
        assert check(program, replace(result, steps=steps)) is not None


def test_the_parts_of_all_ranks_cover_a_tensor_once_for_every_coordinate_that_does_not_cut():
    text = """program p
mesh a=2, b=3
input x : f32[7, 4] sliced(0, b, sizes=5/0/2) sliced(0, a, sizes=4/1/0/0/1/1)
output x
"""
    program = parse_program(text)
    layouts = infer(program).layouts["x"]
    parts = {rank: part_of(layouts, program.mesh, (7, 4), rank)[0] for rank in range(6)}
    spans = {coordinates(program.mesh, rank): (part.start, part.stop) for rank, part in parts.items()}
    assert spans == {(0, 0): (0, 4), (1, 0): (4, 5), (0, 1): (5, 5), (1, 1): (5, 5), (0, 2): (5, 6), (1, 2): (6, 7)}


def test_blocks_of_blocks_are_those_of_a_ranks_own_part():
    """Where an outer axis cuts before, sizes are written for each of its blocks, which are often of one length."""
    rng = random.Random(4)
    unlike = 0
    for _ in range(60):
        outer, inner, length = rng.randint(2, 3), rng.randint(2, 3), rng.randint(1, 4)
        sizes = []
        for _ in range(outer):
            ends = sorted(rng.randint(0, length) for _ in range(inner - 1))
            sizes.append([stop - start for start, stop in zip([0, *ends], [*ends, length], strict=True)])
        unlike += sizes[0] != sizes[1]
        written = "/".join(str(size) for block in sizes for size in block)
        text = rng.choice(("Slice(x, 0, axis=a, sizes=S)", "ReduceScatter(x + x, 0, axis=a, sizes=S) / 2"))
        summand = " partial(+, a)" if "Reduce" in text else ""
        text = text.replace("S)", f"{written})")
        many = parse_program(f"""program many
mesh b={outer}, a={inner}
input x : f32[{outer * length}] sliced(0, b){summand}
y = {text}
output y
""")
        one = parse_program(f"program one\ninput x : f32[{outer * length}]\ny = x * 1\noutput y\n")
        inferred, meaning = infer(many), Reals(1)
        assert isinstance(inferred, Inferred), text
        assert compare(many, one, meaning) is None, text
        given = {each.name: split(each, whole_value(each, meaning), many, meaning) for each in many.sources}
        for rank, part in enumerate(run(many, given, meaning)["y"]):
            assert part.intervals == part_of(inferred.layouts["y"], many.mesh, (outer * length,), rank), text
    assert unlike > 20
