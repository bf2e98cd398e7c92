"""The rules and conversions that a derivation uses, proved by the solver for all sizes, cuts and numbers of ranks."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from p2smt.smt.answer import Sat, Unsat
from p2smt.smt.answer import Unknown as NoAnswer
from p2smt.tensor.conversion import AllToAll, Conversion, Rebalance, ReduceScatter, Slice
from p2smt.tensor.judgement import Inferred
from p2smt.tensor.layout import Layout, Sliced
from p2smt.tensor.program import Call, Convert, Program
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
    """A conversion between two layouts of a tensor of so many dimensions, without sizes."""

    conversion: Conversion
    before: Layout
    after: Layout
    dimensions: int


Schema = RuleSchema | ConversionSchema


@dataclass(frozen=True, slots=True)
class Proofs:
    """Counts of rule applications, and of the different schemas, of rules and conversions, that were proved."""

    used: tuple[tuple[RuleName, int], ...]
    schemas: int


def prove_rules(program: Program, inferred: Inferred, deadline: float | None = None) -> Proofs | Unknown:
    """Proofs of all the rules and conversions that a derivation uses; if one is missing, why."""
    schemas = schemas_of(program, inferred)
    for schema, name in schemas.items():
        question = question_of(schema)
        match question.ask(deadline):
            case Unsat():
                pass
            case Sat():
                return Unknown(f"the rule {question.name} of {name} does not follow from its declaration")
            case NoAnswer(reason):
                return Unknown(f"a rule of {name}, {reason}")
    used = Counter(rule for step in inferred.steps for rule in step.rules)
    return Proofs(tuple((rule, used[rule]) for rule in RuleName if used[rule]), len(schemas))


def schemas_of(program: Program, inferred: Inferred) -> dict[Schema, str]:
    """Schemas that a derivation uses, each with the first operation or conversion that it is of.

    What an operation is called does not enter a schema, and no size does, so that many calls share one.
    """
    found: dict[Schema, str] = {}
    for name, schema in (*_of_rules(inferred), *_of_conversions(program, inferred)):
        found.setdefault(schema, name)
    return found


def question_of(schema: Schema) -> RuleObligation:
    """The obligation for the solver."""
    match schema:
        case RuleSchema(signed, rule):
            return obligation(signed, rule)
        case ConversionSchema(conversion, before, after, dimensions):
            return conversion_obligation(conversion, before, after, dimensions)
        case _:
            assert_never(schema)


def _of_rules(inferred: Inferred) -> Iterator[tuple[str, Schema]]:
    """Every kind of call of the derivation with each of its rules of the names that are used."""
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
