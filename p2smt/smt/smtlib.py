"""Solver terms as portable SMT-LIB 2 text of the logic QF_BV: the one printer, with a closed table of operators.

A term is a directed acyclic graph, which written as a tree can be exponentially long. Subterms are visited once each in
post-order, and one that is used more than once, or is long, becomes a `define-fun` without arguments:
    text(t) = "tN"  if uses(t) > 1 or long,   else "(operator text(argument) ...)",
so that files grow with the number of different terms. The text depends on the terms alone, not on the order in which a
process made them. No recursion is used, because terms can be deeper than Python's stack.
Complexity: linear in the number of different terms and their arguments.
Reference: Barrett, Fontaine and Tinelli, "The SMT-LIB standard: version 2.6", 2017.

Example: with s = x + y of 4 bits, the assertion s * s = x is written as
    (define-fun t0 () (_ BitVec 4) (bvadd x y))
    (assert (= (bvmul t0 t0) x))
"""

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import z3
from z3 import z3core

from p2smt.smt.bitvectors import BitVec
from p2smt.smt.terms import Bool, Term, identity

Expression = Bool | BitVec
Group = tuple[str, tuple[Term, ...]]
"""A sentence, and the assertions that follow it in the file."""

_WIDTH = 116
_LONG = 200
_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)
_DEFINED = re.compile(r"t\d+")

_OPERATORS: dict[int, str] = {
    z3.Z3_OP_TRUE: "true",
    z3.Z3_OP_FALSE: "false",
    z3.Z3_OP_NOT: "not",
    z3.Z3_OP_IMPLIES: "=>",
    z3.Z3_OP_EQ: "=",
    z3.Z3_OP_DISTINCT: "distinct",
    z3.Z3_OP_ITE: "ite",
    z3.Z3_OP_BNOT: "bvnot",
    z3.Z3_OP_BNEG: "bvneg",
    z3.Z3_OP_BSUB: "bvsub",
    z3.Z3_OP_BSHL: "bvshl",
    z3.Z3_OP_BLSHR: "bvlshr",
    z3.Z3_OP_ULT: "bvult",
    z3.Z3_OP_ULEQ: "bvule",
    z3.Z3_OP_UGT: "bvugt",
    z3.Z3_OP_UGEQ: "bvuge",
}
_JUNCTIONS: dict[int, tuple[str, str]] = {z3.Z3_OP_AND: ("and", "true"), z3.Z3_OP_OR: ("or", "false")}
_LEFT_FOLDED: dict[int, str] = {
    z3.Z3_OP_XOR: "xor",
    z3.Z3_OP_BAND: "bvand",
    z3.Z3_OP_BOR: "bvor",
    z3.Z3_OP_BXOR: "bvxor",
    z3.Z3_OP_BADD: "bvadd",
    z3.Z3_OP_BMUL: "bvmul",
    z3.Z3_OP_CONCAT: "concat",
}
_INDEXED: dict[int, str] = {z3.Z3_OP_EXTRACT: "extract", z3.Z3_OP_ZERO_EXT: "zero_extend"}


class Status(StrEnum):
    """The expected answer of a solver."""

    SAT = "sat"
    UNSAT = "unsat"


@dataclass(frozen=True, slots=True)
class Origin:
    """The function that builds a script, by its qualified Python name, and the meaning of each answer."""

    builder: str
    sat: str
    unsat: str

    def lines(self) -> tuple[str, ...]:
        """Return the lines for a file's header, without comment signs."""
        return f"Sat: {self.sat}", f"Unsat: {self.unsat}", f"Built by: {self.builder}"


@dataclass(frozen=True, slots=True)
class Script:
    """One query with its expected answer.

    `about` describes it in English, and `source` names its origin. `groups` are assertions, each group preceded by a
    sentence. `models`, if given, is the number of assignments of the constants `counted` that can be extended to
    models.
    """

    name: str
    about: str
    source: str
    status: Status
    constants: tuple[Expression, ...]
    groups: tuple[Group, ...]
    counted: tuple[Expression, ...] = ()
    models: int | None = None
    origin: Origin | None = None

    def heading(self) -> list[str]:
        """Return the comment lines at the top of a file: subject, source, meaning of the answers, builder, status."""
        lines = (f"Source: {self.source}", *(self.origin.lines() if self.origin else ()))
        return [
            *comment(self.about),
            ";",
            *(part for line in lines for part in comment(line)),
            f"; Status: {self.status}",
        ]


def script_text(script: Script) -> str:
    """Return the text of a script: header, declarations, assertions, `(check-sat)`."""
    assert (script.models is None) == (not script.counted), f"{script.name}: models and counted go together"
    printer = _Printer(script.constants, [term for _, terms in script.groups for term in terms])
    lines = list(_header(script))
    lines += [f"(declare-const {constant.decl().name()} {_sort(constant)})" for constant in script.constants]
    for sentence, terms in script.groups:
        lines += ["", *comment(sentence)]
        for term in terms:
            lines += printer.assertion(term)
    return "\n".join((*lines, "", "(check-sat)", ""))


def free_constants(terms: Iterable[Term]) -> tuple[Expression, ...]:
    """Return the free constants of some terms, ordered by length of name, then by name."""
    nodes = _nodes(terms).values()
    free = [node.term for node in nodes if not node.arguments and node.term.decl().kind() == z3.Z3_OP_UNINTERPRETED]
    # By length first, so that e2 stands before e10.
    return tuple(sorted(free, key=lambda term: (len(term.decl().name()), term.decl().name())))


def _header(script: Script) -> Iterator[str]:
    yield from script.heading()
    if script.models is not None:
        yield f"; Models: {script.models}"
        names = " ".join(constant.decl().name() for constant in script.counted)
        yield from textwrap.wrap(names, _WIDTH, initial_indent="; Over: ", subsequent_indent="; Over: ")
    yield "(set-option :produce-models true)"
    yield "(set-logic QF_BV)"
    yield f"(set-info :status {script.status})"


def comment(text: str) -> list[str]:
    """Wrap a text into comment lines of at most 116 columns."""
    return textwrap.wrap(text, _WIDTH, initial_indent="; ", subsequent_indent="; ")


@dataclass(frozen=True, slots=True)
class _Node:
    """A term, and the `identity` numbers of its arguments."""

    term: Expression
    arguments: tuple[int, ...]


def _nodes(terms: Iterable[Term]) -> dict[int, _Node]:
    """Map `identity` to node for all subterms, visiting each once; z3's own `children` takes 20 times as long."""
    context = z3.main_ctx().ref()
    waiting: list[Expression] = [term for term in terms if not isinstance(term, bool)]
    seen = {identity(term) for term in waiting}
    nodes: dict[int, _Node] = {}
    while waiting:
        term = waiting.pop()
        arguments: list[int] = []
        for index in range(z3core.Z3_get_app_num_args(context, term.ast)):
            key = z3core.Z3_get_ast_id(context, z3core.Z3_get_app_arg(context, term.ast, index))
            arguments.append(key)
            if key not in seen:
                seen.add(key)
                waiting.append(term.arg(index))
        nodes[identity(term)] = _Node(term, tuple(arguments))
    return nodes


class _Printer:
    """A printer of terms; shared terms get a name when they are first used."""

    def __init__(self, constants: Sequence[Expression], assertions: Sequence[Term]) -> None:
        self._texts: dict[int, str] = {}
        for constant in constants:
            name = constant.decl().name()
            fine = _NAME.fullmatch(name) and not _DEFINED.fullmatch(name)
            assert fine, f"{name!r} is no name for a constant"
            assert name not in self._texts.values(), f"two constants are called {name}"
            self._texts[identity(constant)] = name
        self._nodes = _nodes(assertions)
        self._uses = Counter(key for node in self._nodes.values() for key in node.arguments)
        self._uses.update(identity(term) for term in assertions if not isinstance(term, bool))
        self._defined = 0

    def assertion(self, term: Term) -> list[str]:
        """Return the missing definitions of the term's parts, followed by its assertion."""
        if isinstance(term, bool):
            return [] if term else ["(assert false)"]
        lines: list[str] = []
        for key in self._below(identity(term)):
            inner, arguments = self._nodes[key].term, self._nodes[key].arguments
            text = _application(inner, [self._texts[argument] for argument in arguments])
            if arguments and (self._uses[key] > 1 or len(text) > _LONG):
                name = f"t{self._defined}"
                self._defined += 1
                lines += _wrapped(f"(define-fun {name} () {_sort(inner)} {text})")
                text = name
            self._texts[key] = text
        return [*lines, *_wrapped(f"(assert {self._texts[identity(term)]})")]

    def _below(self, key: int) -> Iterator[int]:
        """Yield the subterms that have no text yet, arguments first, from left to right."""
        waiting: list[tuple[int, bool]] = [(key, False)]
        while waiting:
            inner, ready = waiting.pop()
            if inner in self._texts:
                continue
            if ready:
                yield inner
            else:
                waiting.append((inner, True))
                waiting += [(argument, False) for argument in reversed(self._nodes[inner].arguments)]


def _application(term: Expression, arguments: list[str]) -> str:
    kind = term.decl().kind()
    if isinstance(term, z3.BitVecNumRef):
        return _number(term.as_long(), term.size())
    if kind in _JUNCTIONS:
        name, neutral = _JUNCTIONS[kind]
        return f"({name} {' '.join(arguments)})" if len(arguments) > 1 else (*arguments, neutral)[0]
    if kind in _LEFT_FOLDED:
        text, *others = arguments
        for argument in others:
            text = f"({_LEFT_FOLDED[kind]} {text} {argument})"
        return text
    if kind in _INDEXED:
        return f"((_ {_INDEXED[kind]} {' '.join(map(str, term.params()))}) {arguments[0]})"
    assert kind in _OPERATORS, f"operator {term.decl().name()} of {str(term)[:80]!r} is not in the printer's table"
    return f"({_OPERATORS[kind]} {' '.join(arguments)})" if arguments else _OPERATORS[kind]


def _number(value: int, width: int) -> str:
    return f"#x{value:0{width // 4}x}" if width % 4 == 0 else f"#b{value:0{width}b}"


def _sort(term: Expression) -> str:
    if isinstance(term, Bool):
        return "Bool"
    assert isinstance(term, BitVec), f"sort {term.sort()} of {str(term)[:80]!r} is not one of QF_BV"
    return f"(_ BitVec {term.size()})"


def _wrapped(command: str) -> list[str]:
    return textwrap.wrap(command, _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
