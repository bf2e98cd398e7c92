"""The rules and conversions that a derivation uses, proved by the solver for all sizes, cuts and numbers of ranks."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from p2smt.smt.answer import Sat, Unknown, Unsat
from p2smt.tensor.judgement import Inferred
from p2smt.tensor.program import Call, Convert, Program
from p2smt.tensor.rule import Rule, RuleName, rules
from p2smt.tensor.rules.conversions import conversion_obligation
from p2smt.tensor.rules.schema import Obligation, general, obligation
from p2smt.tensor.shapes import signature, whole_of, wholes
from p2smt.tensor.signature import Signature


@dataclass(frozen=True, slots=True)
class Proofs:
    """How often each rule is used, and how many different schemas, of theirs and of conversions, were proved."""

    used: tuple[tuple[RuleName, int], ...]
    schemas: int


def prove_rules(program: Program, inferred: Inferred, deadline: float | None = None) -> Proofs | str:
    """Proofs of all the rules and conversions that a derivation uses; if one is missing, why.

    What an operation is called does not enter a schema, and no size does, so that many calls share one.
    """
    schemas = {schema: call.operation for call, schema in _schemas(program, inferred)}
    questions = [(operation, obligation(*schema)) for schema, operation in schemas.items()]
    questions += [("collectives", question) for question in _conversions(program, inferred).values()]
    for operation, question in questions:
        match question.ask(deadline):
            case Unsat():
                pass
            case Sat():
                return f"the rule {question.name} of {operation} does not follow from its declaration"
            case Unknown(reason):
                return f"a rule of {operation}, {reason}"
    used = Counter(rule for step in inferred.steps for rule in step.rules)
    return Proofs(tuple((rule, used[rule]) for rule in RuleName if used[rule]), len(questions))


def _schemas(program: Program, inferred: Inferred) -> Iterator[tuple[Call, tuple[Signature, Rule]]]:
    """Every kind of call of the derivation with each of its rules of the names that are used."""
    known = wholes(program)
    seen = set()
    for step in inferred.steps:
        if isinstance(step.expression, Call):
            call = step.expression
            shapes = tuple(whole_of(operand, known).shape for operand in call.operands)
            kind = call.operation, call.attributes, shapes, frozenset(step.rules)
            if kind not in seen:
                seen.add(kind)
                named = (rule for rule in rules(signature(call, shapes)) if rule.name in step.rules)
                yield from ((call, general(signature(call, shapes), rule)) for rule in named)


def _conversions(program: Program, inferred: Inferred) -> dict[str, Obligation]:
    """Every kind of conversion of the derivation, by its name; the step before it is that of its operand."""
    known = wholes(program)
    found: dict[str, Obligation] = {}
    for before, step in pairwise(inferred.steps):
        if isinstance(step.expression, Convert):
            axis = program.axis(step.expression.axis)
            dimensions = len(whole_of(step.expression, known).shape)
            layouts = before.layouts[axis], step.layouts[axis]
            question = conversion_obligation(step.expression.conversion, *layouts, dimensions)
            found.setdefault(f"{question.name} of {dimensions}", question)
    return found
