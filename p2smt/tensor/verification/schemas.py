"""The rules that a derivation uses, proved by the solver for all sizes, cuts and numbers of ranks."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from p2smt.smt.answer import Sat, Unknown, Unsat
from p2smt.tensor.judgement import Inferred
from p2smt.tensor.program import Call, Program
from p2smt.tensor.rule import Cut, Rule, RuleName, rules
from p2smt.tensor.rules.schema import obligation
from p2smt.tensor.shapes import signature, whole_of, wholes
from p2smt.tensor.signature import Signature, dims


@dataclass(frozen=True, slots=True)
class Proofs:
    """How often each rule is used, and how many different schemas of theirs were proved."""

    used: tuple[tuple[RuleName, int], ...]
    schemas: int


def prove_rules(program: Program, inferred: Inferred, deadline: float | None = None) -> Proofs | str:
    """Proofs of all the rules that a derivation uses; if one is missing, why.

    What an operation is called does not enter a schema, and no size does, so that many calls share one.
    """
    schemas = {schema: call.operation for call, schema in _schemas(program, inferred)}
    for (signed, rule), operation in schemas.items():
        question = obligation(signed, rule)
        match question.ask(deadline):
            case Unsat():
                pass
            case Sat():
                return f"the rule {question.name} of {operation} does not follow from its declaration"
            case Unknown(reason):
                return f"a rule of {operation}, {reason}"
    used = Counter(rule for step in inferred.steps for rule in step.rules)
    return Proofs(tuple((rule, used[rule]) for rule in RuleName if used[rule]), len(schemas))


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
                yield from ((call, (_without_sizes(signature(call, shapes)), _in_ones(rule))) for rule in named)


def _without_sizes(signed: Signature) -> Signature:
    """Only which labels there are enters a schema."""
    return replace(
        signed,
        labels=tuple(replace(label, size=1) for label in signed.labels),
        operands=tuple(dims(dimension.label for dimension in dimensions) for dimensions in signed.operands),
        result=dims(dimension.label for dimension in signed.result),
    )


def _in_ones(rule: Rule) -> Rule:
    needs = tuple(replace(need, granule=1) if isinstance(need, Cut) else need for need in (*rule.operands, rule.result))
    return replace(rule, operands=needs[:-1], result=needs[-1])
