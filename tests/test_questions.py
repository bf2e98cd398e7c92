"""Places that ask whether a layout, or what an operation does along a label, is of one kind, and what others are there.

A `match` that names all kinds is held by the type checker, which names it when there is one more. An `isinstance`, and
a `match` with a case for everything else, takes a new kind for none of those it names, and says nothing. So a file that
asks says why that is right in a comment beside its first question, `# only Partial, Sliced: <why>`, for all questions
of the file for these kinds. A new question needs one, and a new kind is looked at in all files that have one.
"""

import ast
from collections.abc import Iterator
from typing import get_args

from source import Mark, marks, trees

from p2smt.tensor.layout import Layout
from p2smt.tensor.signature import LabelKind

KINDS = {
    "p2smt.tensor.layout": (frozenset({"Local", "OnRank", "Partial", "Replicated", "Sliced"}), get_args(Layout)),
    "p2smt.tensor.signature": (frozenset({"Blocked", "ParallelLabel", "Reduced"}), get_args(LabelKind)),
}
"""The kinds that all files with questions were looked at for."""


def asked(module: str, kinds: frozenset[str]) -> Iterator[tuple[str, int, str]]:
    """Every question for one of these kinds: its file, its line and the kind."""
    for file, tree in trees(module).items():
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == module]
        names = {alias.asname or alias.name: alias.name for node in imports for alias in node.names}
        for node in ast.walk(tree):
            if found := [*questions(node)]:
                assert isinstance(node, ast.Call | ast.Match)
                yield from ((file, node.lineno, names[name]) for name in found if names.get(name) in kinds)


def questions(node: ast.AST) -> Iterator[str]:
    """The classes that an `isinstance`, or a `match` with a case for all others, names."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
        yield from (part.id for part in ast.walk(node.args[1]) if isinstance(part, ast.Name))
    if isinstance(node, ast.Match) and any(map(takes_all_others, node.cases)):
        parts = (part for case in node.cases for part in ast.walk(case.pattern))
        yield from (ast.unparse(part.cls) for part in parts if isinstance(part, ast.MatchClass))


def takes_all_others(case: ast.match_case) -> bool:
    """Not where the type checker is told that there are none."""
    return ast.unparse(case.pattern) == "_" and not ast.unparse(case.body[0]).startswith("assert_never(")


def said(kinds: frozenset[str]) -> dict[tuple[str, str], Mark]:
    """The marks about these kinds, by file and kind."""
    return {(mark.file, name): mark for mark in marks() if mark.word == "only" for name in mark.names & kinds}


def test_every_question_for_one_kind_says_why_others_need_none():
    for module, (kinds, _) in KINDS.items():
        there, known = [*asked(module, kinds)], said(kinds)
        silent = [
            f"p2smt/{file}:{line} asks for {kind} alone: use match, or say why others are alike, `# only {kind}: <why>`"
            for file, line, kind in there
            if (file, kind) not in known
        ]
        assert silent == []
        both = {(file, kind) for file, _, kind in there}
        assert [f"{mark} nothing asks for {key[1]}" for key, mark in known.items() if key not in both] == []
    every = frozenset().union(*(kinds for kinds, _ in KINDS.values()))
    assert [f"{mark} names no kinds" for mark in marks() if mark.word == "only" and not mark.names <= every] == []


def test_a_new_kind_is_looked_at_wherever_one_is_asked_for():
    for module, (kinds, there) in KINDS.items():
        new = {kind.__name__ for kind in there} - kinds
        marked = sorted({str(mark) for mark in said(kinds).values()})
        assert not new, f"look at what {', '.join(sorted(new))} is in each of these, then add it to KINDS: {marked}"
        assert {kind.__name__ for kind in there} == kinds, module


def test_the_search_for_questions_finds_them():
    text = """match layout:
    case Sliced(dimension) | Partial():
        pass
    case _:
        pass
isinstance(layout, Local | OnRank)
match layout:
    case Replicated():
        pass
"""
    assert [name for node in ast.walk(ast.parse(text)) for name in questions(node)] == [
        "Sliced",
        "Partial",
        "Local",
        "OnRank",
    ]
    assert len({file for file, _, _ in asked("p2smt.tensor.layout", KINDS["p2smt.tensor.layout"][0])}) >= 30
