"""Solver proofs of the rules and conversions used by a derivation, for all sizes, slicings and numbers of ranks."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from p2smt.smt.answer import NoAnswer, Sat, Unsat
from p2smt.tensor.conversion import AllToAll, Conversion, Rebalance, ReduceScatter, Slice
from p2smt.tensor.expression import Call, Convert
from p2smt.tensor.judgement import Inferred
from p2smt.tensor.layout import Layout, Sliced
from p2smt.tensor.program import Program
from p2smt.tensor.rule import Rule, RuleName, rules
from p2smt.tensor.rules.conversions import conversion_obligation
from p2smt.tensor.rules.schema import RuleObligation, general, obligation
from p2smt.tensor.shapes import signature
from p2smt.tensor.signature import Signature
from p2smt.verify.verdict import Unknown


@dataclass(frozen=True, slots=True)
class RuleSchema:
    """A rule of an operation, without sizes and names."""

    signed: Signature
    rule: Rule


@dataclass(frozen=True, slots=True)
class ConversionSchema:
    """A conversion between two layouts of a tensor with `dimensions` dimensions, without sizes."""

    conversion: Conversion
    before: Layout
    after: Layout
    dimensions: int


Schema = RuleSchema | ConversionSchema


@dataclass(frozen=True, slots=True)
class Proofs:
    """The number of applications of each rule, and of distinct rule and conversion schemas proved."""

    used: tuple[tuple[RuleName, int], ...]
    schemas: int


def prove_rules(program: Program, inferred: Inferred, deadline: float | None = None) -> Proofs | Unknown:
    """Prove all rules and conversions that a derivation uses; return the reason if one is not proved."""
    schemas = schemas_of(program, inferred)
    for schema, name in schemas.items():
        question = question_of(schema)
        match question.ask(deadline):
            case Unsat():
                pass
            case Sat():
                return Unknown(f"the rule {question.name} of {name} does not follow from the operation's declaration")
            case NoAnswer(reason):
                return Unknown(f"a rule of {name} was not proved: {reason}")
    used = Counter(rule for step in inferred.steps for rule in step.rules)
    return Proofs(tuple((rule, used[rule]) for rule in RuleName if used[rule]), len(schemas))


def schemas_of(program: Program, inferred: Inferred) -> dict[Schema, str]:
    """Return the schemas that a derivation uses, each with the first operation or conversion that has it.

    Schemas contain no sizes and no operation names, so many calls share one.
    """
    found: dict[Schema, str] = {}
    for name, schema in (*_of_rules(inferred), *_of_conversions(program, inferred)):
        found.setdefault(schema, name)
    return found


def question_of(schema: Schema) -> RuleObligation:
    """Return the proof obligation of a schema."""
    match schema:
        case RuleSchema(signed, rule):
            return obligation(signed, rule)
        case ConversionSchema(conversion, before, after, dimensions):
            return conversion_obligation(conversion, before, after, dimensions)
        case _:
            assert_never(schema)


def _of_rules(inferred: Inferred) -> Iterator[tuple[str, Schema]]:
    """Yield, for every distinct call of the derivation, the schemas of the rules used on it."""
    seen = set()
    for step in inferred.steps:
        if isinstance(step.expression, Call):
            call = step.expression
            shapes = tuple([operand.whole.shape for operand in inferred.operands(step)])
            kind = call.operation, call.attributes, shapes, frozenset(step.rules)
            if kind not in seen:
                seen.add(kind)
                signed = signature(call, shapes)
                named = (rule for rule in rules(signed) if rule.name in step.rules)
                yield from ((call.operation, RuleSchema(*general(signed, rule))) for rule in named)


def _of_conversions(program: Program, inferred: Inferred) -> Iterator[tuple[str, Schema]]:
    for step in inferred.steps:
        if isinstance(step.expression, Convert):
            axis = program.axis(step.expression.axis)
            (before,) = inferred.operands(step)
            conversion = _without_sizes(step.expression.conversion)
            layouts = _uncut(before.layouts[axis]), _uncut(step.layouts[axis])
            dimensions = len(step.whole.shape)
            yield type(conversion).__name__, ConversionSchema(conversion, *layouts, dimensions)


def _uncut(layout: Layout) -> Layout:
    # only Sliced: others are printed as they are
    return Sliced(layout.dimension) if isinstance(layout, Sliced) else layout


def _without_sizes(conversion: Conversion) -> Conversion:
    if isinstance(conversion, ReduceScatter | AllToAll | Rebalance | Slice):
        return replace(conversion, sizes=None)
    return conversion
