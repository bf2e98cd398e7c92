"""Queries over tensors of any size as portable SMT-LIB 2 text of the logic QF_UFLIA.

Values and tables have uninterpreted sorts, and functions of indices are uninterpreted (Ackermann, "Solvable cases of
the decision problem", 1954): equal arguments give equal results, and nothing else is known. If functions with different
argument sorts share a name, the letters of the argument sorts are appended to it.
    text(f(a, b)) = "(f_XY text(a) text(b))",   X and Y the first letters of the sorts of a and b.
Complexity: every different subterm is visited once, but written wherever it is used. These terms are small; `smtlib.py`
shares subterms of large ones.

Example: a function x of one Int index i is written as (x_I i), a function x of two as (x_II i j).
"""

import textwrap
from collections.abc import Iterator, Sequence

import z3

from p2smt.smt.smtlib import Script, comment
from p2smt.smt.terms import Term, identity

_WIDTH = 116
_OPERATORS: dict[int, str] = {
    z3.Z3_OP_TRUE: "true",
    z3.Z3_OP_FALSE: "false",
    z3.Z3_OP_NOT: "not",
    z3.Z3_OP_AND: "and",
    z3.Z3_OP_OR: "or",
    z3.Z3_OP_IMPLIES: "=>",
    z3.Z3_OP_EQ: "=",
    z3.Z3_OP_ITE: "ite",
    z3.Z3_OP_GE: ">=",
    z3.Z3_OP_SUB: "-",
}


def functions_text(script: Script) -> str:
    """Return the text of a script without a model count: header, declarations, assertions, `(check-sat)`."""
    assert script.models is None, f"{script.name}: models are counted of vectors of bits"
    printer = _Printer([term for _, terms in script.groups for term in terms if not isinstance(term, bool)])
    lines = [*script.heading(), "(set-logic QF_UFLIA)", f"(set-info :status {script.status})", *printer.declarations()]
    for sentence, terms in script.groups:
        lines += ["", *comment(sentence)]
        for term in terms:
            lines += printer.assertion(term)
    return "\n".join((*lines, "", "(check-sat)", ""))


def _wrapped(command: str) -> list[str]:
    return textwrap.wrap(command, _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


class _Printer:
    def __init__(self, terms: Sequence[z3.ExprRef]) -> None:
        self._texts: dict[int, str] = {}
        self._declared: dict[str, str] = {}
        for term in _below(terms):
            self._texts[identity(term)] = self._text(term)

    def declarations(self) -> Iterator[str]:
        """Yield the declarations of sorts, then of functions and constants by name."""
        used = " ".join(self._declared.values())
        yield from (f"(declare-sort {sort} 0)" for sort in ("Value", "TensorTable") if sort in used)
        yield from (f"(declare-fun {name} {signature})" for name, signature in sorted(self._declared.items()))

    def assertion(self, term: Term) -> list[str]:
        """Return the command that asserts a term; nothing for a term that is true."""
        if isinstance(term, bool):
            return [] if term else ["(assert false)"]
        return _wrapped(f"(assert {self._texts[identity(term)]})")

    def _text(self, term: z3.ExprRef) -> str:
        arguments = [self._texts[identity(child)] for child in term.children()]
        if isinstance(term, z3.IntNumRef):
            number = term.as_long()
            # SMT-LIB has no negative numerals, only the operation.
            return str(number) if number >= 0 else f"(- {-number})"
        kind = term.decl().kind()
        if kind == z3.Z3_OP_UNINTERPRETED:
            head = self._name(term)
        else:
            assert kind in _OPERATORS, (
                f"operator {term.decl().name()} of {str(term)[:80]!r} is not in the printer's table"
            )
            head = _OPERATORS[kind]
        return f"({head} {' '.join(arguments)})" if arguments else head

    def _name(self, term: z3.ExprRef) -> str:
        """Return the name of a function or constant, and declare it on first use."""
        sorts = [child.sort().name() for child in term.children()]
        # Names of tensors have spaces and dots; a symbol may have spaces only between bars.
        plain = term.decl().name().replace(" ", "_").replace(".", "_")
        name = f"{plain}_{''.join(sort[0] for sort in sorts)}" if sorts else plain
        signature = f"({' '.join(sorts)}) {term.sort().name()}"
        assert self._declared.setdefault(name, signature) == signature, f"two things are called {name}"
        return name


def _below(terms: Sequence[z3.ExprRef]) -> Iterator[z3.ExprRef]:
    """Yield all subterms of these terms once each, arguments first."""
    seen: set[int] = set()
    waiting = [(term, False) for term in reversed(terms)]
    while waiting:
        term, ready = waiting.pop()
        if ready:
            yield term
        elif identity(term) not in seen:
            seen.add(identity(term))
            waiting.append((term, True))
            waiting += [(child, False) for child in reversed(term.children())]
