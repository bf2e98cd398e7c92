"""What is captured can be distributed: batches cut, summands reduced where they arise, equal to one device."""

from dataclasses import replace

import pytest
from frontend.torch_graph.eager import captured

from p2smt.frontend.torch_graph.examples.models import training_step
from p2smt.frontend.torch_graph.settings import Example, OptimizerName, Size, settings_of
from p2smt.tensor.comparison import compare, names_agree
from p2smt.tensor.conversion import AllReduce, Slice
from p2smt.tensor.expression import AxisLayout, Call, Convert, ProgramAxis, SourceKind, parts
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred
from p2smt.tensor.layout import Partial, Sliced
from p2smt.tensor.printer import print_program
from p2smt.tensor.reals import Reals
from p2smt.tensor.reason import Reason
from p2smt.tensor.text.parser import parse_program

AT_ONCE = 8
"""Statements that are inferred together; one by one where one of them has to be changed."""


def data_parallel(program, ranks):
    """Inputs cut along their first dimension; every statement that gives summands is reduced; repeated ones are cut."""
    cut = {source.name for source in program.sources if source.kind is SourceKind.INPUT}
    sources = tuple(
        replace(source, layouts=(AxisLayout(Sliced(0)),)) if source.name in cut else source
        for source in program.sources
    )
    made = replace(program, mesh=(ProgramAxis("data", ranks),), sources=sources, statements=(), outputs=())
    reduced = 0
    for first in range(0, len(program.statements), AT_ONCE):
        several = program.statements[first : first + AT_ONCE]
        found = infer(replace(made, statements=(*made.statements, *several)))
        if isinstance(found, Inferred) and all(found.layouts[each.name] != (Partial(),) for each in several):
            made = replace(made, statements=(*made.statements, *several))
            continue
        for each in several:
            made, is_partial = _with_statement(made, each)
            reduced += is_partial
    return replace(made, outputs=program.outputs), reduced


def _with_statement(made, each):
    statement = each
    found = infer(replace(made, statements=(*made.statements, statement)))
    if not isinstance(found, Inferred) and found.refusal.reason is Reason.WHOLE_BESIDE_CUT:
        statement = replace(each, expression=_with_slices(each.expression, made))
        found = infer(replace(made, statements=(*made.statements, statement)))
    assert isinstance(found, Inferred), (statement, str(found))
    is_partial = found.layouts[statement.name] == (Partial(),)
    if is_partial:
        statement = replace(statement, expression=Convert(AllReduce(), statement.expression))
    return replace(made, statements=(*made.statements, statement)), is_partial


def _with_slices(expression, program):
    """Operands that repeat something along the batch, cut."""
    repeated = {
        each.name
        for each in program.statements
        if isinstance(each.expression, Call) and each.expression.operation == "expand"
    }
    operands = tuple(
        Convert(Slice(0, None), each) if getattr(each, "name", "") in repeated else each for each in expression.operands
    )
    return replace(expression, operands=operands)


@pytest.mark.parametrize(
    ("example", "optimizing", "max_norm"),
    [
        (Example.MLP, OptimizerName.MOMENTUM, None),
        pytest.param(Example.GPT, OptimizerName.ADAMW, 1.0, marks=pytest.mark.thorough),  # captured in test_models.py
        pytest.param(Example.MOE, OptimizerName.SGD, None, marks=pytest.mark.thorough),  # captured in test_models.py
    ],
)
def test_a_captured_step_is_right_when_its_batch_is_cut(example, optimizing, max_norm):
    settings = settings_of(example, Size.SMALL, layers=1 if example is Example.GPT else 2)
    one = captured(lambda: training_step(example, settings, optimizing, max_norm))
    one = parse_program(print_program(one))
    many, reduced = data_parallel(one, 2)
    many = parse_program(print_program(many))
    names_agree(many, one)
    assert isinstance(infer(many), Inferred)
    assert reduced >= len([source for source in one.sources if source.kind is SourceKind.PARAMETER])
    assert compare(many, one, Reals(3), step=2) is None
    without = [each for each in many.statements if isinstance(each.expression, Convert)][-1]
    assert any(isinstance(part, Convert) for part in parts(without.expression))
    broken = tuple(
        replace(each, expression=each.expression.operand) if each is without else each for each in many.statements
    )
    assert not isinstance(infer(replace(many, statements=broken)), Inferred)
