"""The proof of a step: its obligations by the solver, for all sizes; then the result by inference and its checker."""

from dataclasses import replace
from functools import lru_cache

from p2smt.schedule.layouts_of import typed
from p2smt.schedule.lemmas import LEMMAS
from p2smt.schedule.outcome import Instance, Rewriting
from p2smt.smt.answer import Unsat
from p2smt.tensor.derivation import check
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Refused
from p2smt.tensor.program import Program
from p2smt.tensor.rules.schema import RuleObligation, obligation
from p2smt.tensor.verification.erasure import erased
from p2smt.tensor.verification.sameness import same_expressions
from p2smt.verify.verdict import Unknown


def prove(made: Rewriting) -> tuple[str, ...] | Unknown:
    """The names of the obligations that were proved, or what was not and why."""
    proved = list(made.facts)
    for name in made.lemmas:
        failure = _lemma(name)
        if failure:
            return Unknown(failure)
        proved.append(name)
    for instance in dict.fromkeys(_any_size(instance) for instance in made.instances):
        failure = _rule(instance)
        if failure:
            return Unknown(failure)
        proved.append(f"{instance.operation} {instance.rule.name} {instance.rule.label}".rstrip())
    return tuple(proved)


def _any_size(instance: Instance) -> Instance:
    """The same without sizes, which obligations say nothing of: one proof is for all."""
    labels = tuple(replace(label, size=0) for label in instance.signature.labels)
    return replace(instance, signature=replace(instance.signature, labels=labels))


@lru_cache(maxsize=64)
def _lemma(name: str) -> str:
    return _failure(LEMMAS[name]())


@lru_cache(maxsize=4096)
def _rule(instance: Instance) -> str:
    return _failure(obligation(instance.signature, instance.rule))


def _failure(question: RuleObligation) -> str:
    """Empty where it holds."""
    answer = question.ask()
    return "" if isinstance(answer, Unsat) else f"{question.name} is not proved: {answer}"


def _same_statements(before: Program, after: Program) -> bool:
    """True if only the order of independent statements differs: all that is read stands before still."""
    rest = replace(after, statements=before.statements) == before
    return rest and frozenset(before.statements) == frozenset(after.statements)


def fault(before: Program, made: Rewriting) -> str:
    """A fault of a rewritten program, found by inference, its checker, or the expressions; empty if there is none.

    Without their distribution both programs are the same expressions of the same sources, unless the step rounds.
    Outputs have the layouts that they had; a state has that of its declaration.
    """
    after = made.scheduled.program
    if _same_statements(before, after):
        return ""
    result = infer(after)
    if isinstance(result, Refused):
        return str(result)
    wrong = check(after, result)
    if wrong is not None:
        return str(wrong)
    if not made.rounds and not same_expressions(erased(before), erased(after)):
        return "without its collectives the program is other expressions"
    old = typed(before)
    for output in before.outputs:
        if old.layouts[output.name] != result.layouts[output.name]:
            return f"the output {output.name} has another layout"
    return ""
