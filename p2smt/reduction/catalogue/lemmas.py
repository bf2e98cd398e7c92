"""Lemmas of the level algebra on hierarchies of every size, proved in `semantics/README.md`.

Sizes and digits are symbolic. Each script asserts the negation of a lemma's claim, so the solver must answer unsat.
Existential claims name a witness ("the member that has the contributor's digits on the levels of the group"), so no
quantifier is needed. For every collective there is also a satisfiable script with an allowed step, which shows that
the lemmas are not vacuous.
"""

from collections.abc import Iterator

from p2smt.reduction.catalogue.lemma_terms import Lemma
from p2smt.reduction.catalogue.set_lemmas import set_lemmas
from p2smt.reduction.catalogue.step_lemmas import allowed_steps, step_lemmas
from p2smt.smt.smtlib import Group, Script, Status, free_constants
from p2smt.smt.terms import neg

_STEP_LEVELS = range(1, 4)
_SET_LEVELS = range(1, 5)


def lemmas() -> Iterator[Script]:
    """Yield the scripts of all lemmas, for each number of levels."""
    for levels in _STEP_LEVELS:
        for lemma in step_lemmas(levels):
            yield _denied(lemma, levels)
        for stem, about, groups in allowed_steps(levels):
            yield _script(f"{stem}_{levels}", about, "3", Status.SAT, groups)
    for levels in _SET_LEVELS:
        for lemma in set_lemmas(levels):
            yield _denied(lemma, levels)


def _denied(lemma: Lemma, levels: int) -> Script:
    groups = (*lemma.given, ("The claim does not hold.", (neg(lemma.claim),)))
    return _script(f"{lemma.stem}_{levels}", lemma.about, lemma.section, Status.UNSAT, groups)


def _script(stem: str, about: str, section: str, status: Status, groups: tuple[Group, ...]) -> Script:
    source = f"p2smt/reduction/semantics/README.md, section {section}"
    constants = free_constants(term for _, terms in groups for term in terms)
    return Script(name=stem, about=about, source=source, status=status, constants=constants, groups=groups)
