"""Lemmas of the level algebra on hierarchies of every size, proved in `semantics/README.md`.

Sizes and digits are symbolic. A lemma is asserted with its claim denied, so the solver must say unsat; what
exists by the lemma is named by a witness ("the member that has the contributor's digits on the levels of the
group"), so no quantifier is needed. Beside them stands, for every collective, a step that is allowed: sat.
"""

from collections.abc import Iterable, Iterator

import z3

from p2smt.reduction.catalogue.lemma_terms import Groups, Lemma
from p2smt.reduction.catalogue.set_lemmas import set_lemmas
from p2smt.reduction.catalogue.step_lemmas import allowed_steps, step_lemmas
from p2smt.smt.smtlib import Script, Status
from p2smt.smt.terms import Term, identity, neg

_STEP_LEVELS = range(1, 4)
_SET_LEVELS = range(1, 5)


def lemmas() -> Iterator[tuple[str, Script]]:
    """File stem and script of every lemma, for each number of levels."""
    for levels in _STEP_LEVELS:
        for lemma in step_lemmas(levels):
            yield _denied(lemma, levels)
        for stem, about, groups in allowed_steps(levels):
            yield _script(f"{stem}_{levels}", about, "3", Status.SAT, groups)
    for levels in _SET_LEVELS:
        for lemma in set_lemmas(levels):
            yield _denied(lemma, levels)


def _denied(lemma: Lemma, levels: int) -> tuple[str, Script]:
    groups = (*lemma.given, ("The claim does not hold.", (neg(lemma.claim),)))
    return _script(f"{lemma.stem}_{levels}", lemma.about, lemma.section, Status.UNSAT, groups)


def _script(stem: str, about: str, section: str, status: Status, groups: Groups) -> tuple[str, Script]:
    source = f"p2smt/reduction/semantics/README.md, section {section}"
    constants = _constants(term for _, terms in groups for term in terms)
    script = Script(name=stem, about=about, source=source, status=status, constants=constants, groups=groups)
    return stem, script


def _constants(terms: Iterable[Term]) -> tuple[Term, ...]:
    """The free constants of some terms, by name."""
    waiting = [term for term in terms if not isinstance(term, bool)]
    seen: dict[int | bool, Term] = {}
    while waiting:
        term = waiting.pop()
        if identity(term) not in seen:
            seen[identity(term)] = term
            waiting += term.children()
    free = [term for term in seen.values() if term.decl().kind() == z3.Z3_OP_UNINTERPRETED]
    return tuple(sorted(free, key=lambda term: (len(term.decl().name()), term.decl().name())))
