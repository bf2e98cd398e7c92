"""The typed walk against expressions read one by one, numpy, and the order in which inference judges."""

import random
from dataclasses import replace

import numpy as np
import pytest
from tensor.random_programs import distributed_program, single_program

from p2smt.errors import ProgramError
from p2smt.tensor.expression import Call, Ranks, Read, Statement, operands, parts
from p2smt.tensor.frame import whole
from p2smt.tensor.inference import JudgementTable, infer, judge
from p2smt.tensor.interpreter import run
from p2smt.tensor.judgement import Inferred, Refused
from p2smt.tensor.meaning import Part
from p2smt.tensor.reals import Reals
from p2smt.tensor.shapes import whole_of, wholes
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.typed_walk import shapes_of, typed_walk


def programs():
    for seed in range(20):
        rng = random.Random(seed)
        single = single_program(rng)
        yield single
        yield distributed_program(single, rng)


def test_every_expression_stands_behind_its_operands_with_its_shape_and_type():
    for program in programs():
        walk, known = typed_walk(program), wholes(program)
        read = [(each.name, part) for each in program.statements for part in parts(each.expression)]
        assert [(each.statement, each.expression) for each in walk] == read
        for number, each in enumerate(walk):
            assert tuple(walk[of].expression for of in each.operands) == operands(each.expression)
            assert all(of < number for of in each.operands)
            assert each.whole == whole_of(each.expression, known)
            assert shapes_of(walk, each) == tuple(whole_of(part, known).shape for part in operands(each.expression))


def test_values_are_as_long_as_the_walk_says():
    rng = random.Random(0)
    for _ in range(10):
        program = single_program(rng)
        given = {each.name: (Part(np.ones(each.shape), whole(each.shape)),) for each in program.sources}
        values = run(program, given, Reals(0))
        last = {each.statement: each.whole.shape for each in typed_walk(program)}
        assert {name: values[name][0].array.shape for name in last} == last


def test_judgements_are_the_walk_with_layouts():
    for program in programs():
        inferred = infer(program)
        if isinstance(inferred, Inferred):
            assert tuple(step[:4] for step in inferred.steps) == tuple(map(tuple, typed_walk(program)))
            assert {step.statement: step.layouts for step in inferred.steps}.items() <= inferred.layouts.items()
            for step in inferred.steps:
                assert tuple(each.expression for each in inferred.operands(step)) == operands(step.expression)


def test_steps_have_one_kind_exactly_if_layouts_shape_and_type_are_equal():
    compared = 0
    for program in programs():
        inferred = infer(program)
        if isinstance(inferred, Inferred):
            kinds = [step.kind for step in inferred.steps]
            alike = [(step.layouts, step.whole) for step in inferred.steps]
            pairs = set(zip(kinds, alike, strict=True))
            assert len(pairs) == len(set(kinds)) == len(set(alike))
            compared += len(kinds) - len(pairs)
    assert compared > 20


def test_programs_that_share_judgements_have_the_layouts_that_they_have_alone():
    tables: dict[tuple[int, ...], JudgementTable] = {}
    shared = 0
    for program in programs():
        sizes = tuple(axis.size for axis in program.mesh)
        table = tables.setdefault(sizes, JudgementTable(sizes))
        before, alone, judged = len(table.judgements), infer(program), judge(program, table)
        if isinstance(alone, Refused):
            assert judged == alone
            continue
        assert not isinstance(judged, Refused)
        assert judged.layouts == alone.layouts
        assert [set(names) for names in judged.reads] == [
            {part.name for part in parts(each.expression) if isinstance(part, Read)} for each in program.statements
        ]
        shared += len(program.statements) > len(table.judgements) - before
    assert shared > 5


def test_a_statement_of_a_known_form_is_refused_for_its_own_axis():
    program = parse_program("program p\nmesh r=2\ninput x : f32[4]\ny = x / ranks(r)\noutput y\n")
    further = Statement("z", Call("div", (Read("x"), Ranks("t"))))
    with pytest.raises(ProgramError, match="there is no axis 't'"):
        infer(replace(program, statements=(*program.statements, further)))


def test_a_statement_whose_shapes_do_not_fit_is_reported_before_one_without_layouts():
    text = "program p\nmesh r=2\ninput x : f32[4, 4] sliced(0)\ninput w : f32[3, 3]\ny = AllReduce(x)\noutput y\n"
    program = parse_program(text)
    assert isinstance(infer(program), Refused)
    further = Statement("z", Call("matmul", (Read("x"), Read("w"))))
    with pytest.raises(ProgramError, match=r"^z: matmul"):
        infer(replace(program, statements=(*program.statements, further)))
