"""Proof of a step by obligations for all sizes, and a check of its result.

Method: translation validation (Pnueli, Siegel and Singerman, "Translation validation", 1998): not the transform but
each of its results is verified. A rewriting is proved if
    every lemma and every instance of a layout rule that it used is valid (the solver says that its negation is unsat),
    the result has layouts, which the checker confirms,
    erase(before) = erase(after), as expressions, unless the step rounds,  and outputs keep their layouts.
Instances are proved without their sizes, so one proof covers all sizes and layers.
Complexity: one query for each different rule, kept for the process; one inference of layouts for each step.

Example: moving relu past an AllGather uses "relu of slices is slices of relu", whose obligation is the instance (relu,
PAR) for any length. Without collectives both programs are relu(x).
"""

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
    """Return the names of the proved obligations, or the first one not proved and why."""
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
    """Return the instance without sizes, which occur in no obligation, so that one proof covers all sizes."""
    labels = tuple(replace(label, size=0) for label in instance.signature.labels)
    return replace(instance, signature=replace(instance.signature, labels=labels))


@lru_cache(maxsize=64)
def _lemma(name: str) -> str:
    return _failure(LEMMAS[name]())


@lru_cache(maxsize=4096)
def _rule(instance: Instance) -> str:
    return _failure(obligation(instance.signature, instance.rule))


def _failure(question: RuleObligation) -> str:
    """Return the reason why an obligation is not proved; empty if it is."""
    answer = question.ask()
    return "" if isinstance(answer, Unsat) else f"{question.name} is not proved: {answer}"


def _same_statements(before: Program, after: Program) -> bool:
    """True if only the order of independent statements differs."""
    rest = replace(after, statements=before.statements) == before
    return rest and frozenset(before.statements) == frozenset(after.statements)


def fault(before: Program, made: Rewriting) -> str:
    """Return a fault of a rewritten program; empty if there is none.

    Faults are found by inference, by its checker, and by comparing expressions: without layouts and
    conversions, both programs must have the same expressions, unless the step rounds. Outputs must keep their
    layouts.
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
