"""Every table over a choice has exactly its members, wherever it stands: read from the text of all modules.

A table is a dictionary written out whose keys, or whose values, are members of enumerations of p2smt. What is taken
apart with `match` is held by the type checker (exhaustive-match); what is computed from the enumeration is whole by
itself. Left are tables that lack members on purpose, questions whether a value is one member, and members picked out.
Each of them says why in a comment (`source.Mark`): a table names what it lacks, so that a new member is noticed; a
question about one of the choices that are added to begins its reason with `# only:`.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache

from paths import ROOT
from source import Mark, bases, homes, marks, marks_in, marks_of, texts, with_statements
from source import tree as tree_of

from p2smt.collective import Collective
from p2smt.tensor.conversion import COMMUNICATION, Conversion
from p2smt.tensor.text.conversions import CONVERSIONS

CLOSED = {
    "collective.Collective",
    "collective.Exchange",
    "collective.NeighbourSend",
    "cost.network.traffic.HopShape",
    "emit.target.KernelLanguage",
    "emit.target.MeshTarget",
    "emit.target.Target",
    "frontend.format.Format",
    "problem.system.algorithm.Algorithm",
    "problem.system.algorithm.Auto",
    "schedule.step.SplitForm",
    "sweep.export.ExportFormat",
    "tensor.layout.ReductionOp",
    "tensor.operation.Kind",
    "verify.operation.LocalOperation",
}
"""The choices of which that is listed: what is asked in silence takes every new member for all the others."""

SECTIONS = {
    "collective.Collective": "A collective",
    "emit.target.MeshTarget": "A target for placements",
    "emit.target.Target": "An emission target",
    "frontend.format.Format": "An importer",
    "problem.system.algorithm.Algorithm": "An algorithm of NCCL",
    "verify.operation.LocalOperation": "An operation of verification plans",
}
"""What the contributors' page calls an addition to a choice."""


@dataclass(frozen=True)
class Place:
    """An expression that is about members of choices, and the line on which its statement begins."""

    file: str
    node: ast.expr
    statement: int

    @property
    def marks(self) -> list[Mark]:
        """Those that are about it."""
        return marks_of(marks_by_file().get(self.file, ()), self.node, self.statement)

    def __str__(self) -> str:
        return f"p2smt/{self.file}:{self.node.lineno}"


@dataclass(frozen=True)
class Table:
    place: Place
    enumeration: str
    members: frozenset[str]
    lacks: frozenset[str]

    @property
    def file(self) -> str:
        return self.place.file


@cache
def marks_by_file() -> dict[str, tuple[Mark, ...]]:
    return {file: tuple(mark for mark in marks() if mark.file == file) for file in {mark.file for mark in marks()}}


def with_any(said: Mapping[str, frozenset[str]], names: Set[str]) -> dict[str, ast.Module]:
    """The modules of which one of these names is said; to parse all takes seconds."""
    files = [file for file, own in said.items() if not own.isdisjoint(names)]
    return {"p2smt." + file.removesuffix(".py").replace("/", "."): tree_of(file) for file in files}


@cache
def enumerations() -> dict[str, frozenset[str]]:
    """The members of every enumeration, by module and name; a base without members has none."""
    known: dict[str, frozenset[str]] = {name: frozenset() for name in ("enum.Enum", "enum.IntEnum", "enum.StrEnum")}
    size = 0
    while size < len(known):
        size = len(known)
        for module, tree in with_any(bases(), {name.rpartition(".")[2] for name in known}).items():
            meant = names_in(module, tree)
            for node in tree.body:
                if isinstance(node, ast.ClassDef) and any(meant.get(ast.unparse(base)) in known for base in node.bases):
                    known[f"{module}.{node.name}"] = frozenset(members_of(node))
    return {name: members for name, members in known.items() if members}


@cache
def names_in(module: str, tree: ast.Module) -> dict[str, str]:
    """What the names of classes that a module defines or imports stand for."""
    own = {node.name: f"{module}.{node.name}" for node in tree.body if isinstance(node, ast.ClassDef)}
    has_inner = re.search(r"^ +from ", texts().get(path(module), " from "), re.MULTILINE)
    imports = [node for node in (ast.walk(tree) if has_inner else tree.body) if isinstance(node, ast.ImportFrom)]
    return own | {alias.asname or alias.name: f"{node.module}.{alias.name}" for node in imports for alias in node.names}


def members_of(enumeration: ast.ClassDef) -> Iterator[str]:
    for part in enumeration.body:
        if isinstance(part, ast.Assign):
            yield from (target.id for target in part.targets if isinstance(target, ast.Name))


def knowing() -> dict[str, ast.Module]:
    """The modules that define enumerations, and those that import something from there."""
    own = {name.rpartition(".")[0] for name in enumerations()}
    return with_any(homes(), own) | {home: tree_of(path(home)) for home in own}


def with_members(trees: Mapping[str, ast.Module]) -> Iterator[tuple[str, ast.Module, dict[str, str]]]:
    """The modules that know an enumeration, and what their names mean; no other can have a table or a question."""
    for module, tree in trees.items():
        meant = names_in(module, tree)
        if not enumerations().keys().isdisjoint(meant.values()):
            yield module, tree, meant


LOOKED_AT = (ast.Compare, ast.Dict, ast.List, ast.Match, ast.MatchValue, ast.Set, ast.Tuple)


@cache
def nodes_of(tree: ast.Module) -> tuple[tuple[ast.AST, int], ...]:
    """Whatever may be a table or a question, with the line of its statement: every module is walked once."""
    return tuple((node, line) for node, line in with_statements(tree) if isinstance(node, LOOKED_AT))


@cache
def tables() -> tuple[Table, ...]:
    return tuple(found_tables())


def found_tables() -> Iterator[Table]:
    for module, tree, meant in with_members(knowing()):
        for node, statement in nodes_of(tree):
            if isinstance(node, ast.Dict):
                place = Place(path(module), node, statement)
                for side in (node.keys, node.values):
                    for name, members in members_in(side, meant).items():
                        kind = name.rpartition(".")[2]
                        yield Table(place, kind, members, enumerations()[name] - members)


def path(module: str) -> str:
    return module.replace(".", "/").removeprefix("p2smt/") + ".py"


def members_in(side: Sequence[ast.expr | None], meant: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """By enumeration the members that these expressions are, if each of them is a member of some."""
    found = [one for one in map(member_of, side) if one is not None and meant.get(one[0]) in enumerations()]
    if len(found) < len(side):
        return {}
    names = {name for name, _ in found}
    return {meant[name]: frozenset(member for other, member in found if other == name) for name in names}


def cases_of(patterns: Iterator[ast.AST], meant: Mapping[str, str]) -> dict[str, frozenset[str]]:
    found = [one for each in patterns if isinstance(each, ast.MatchValue) and (one := member_of(each.value))]
    names = {meant[name] for name, _ in found if meant.get(name) in enumerations()}
    return {known: frozenset(member for name, member in found if meant.get(name) == known) for known in names}


def member_of(one: ast.expr | None) -> tuple[str, str] | None:
    plain = isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name)
    return (one.value.id, one.attr) if plain else None


def picked(trees: Mapping[str, ast.Module]) -> Iterator[tuple[Place, str]]:
    """Comparisons with members of the closed choices, and tuples, lists and sets of several of them."""
    for module, tree, meant in with_members(trees):
        for node, statement in nodes_of(tree):
            if isinstance(node, ast.Compare):
                sides = [one for side in (node.left, *node.comparators) for one in getattr(side, "elts", [side])]
                found = [members_in([one], meant) for one in sides]
            elif isinstance(node, ast.Tuple | ast.List | ast.Set) and len(node.elts) > 1:
                found = [members_in(node.elts, meant)]
            else:
                continue
            members = [(name, one) for some in found for name, ones in some.items() for one in ones]
            if CLOSED & {name.removeprefix("p2smt.") for name, _ in members}:
                names = sorted(f"{name.rpartition('.')[2]}.{member}" for name, member in members)
                yield Place(path(module), node, statement), ", ".join(names)


def test_every_table_has_exactly_the_members_of_its_enumeration():
    """Or it says what it lacks: `# lacks SEND, BROADCAST: <why>`."""
    silent, said = [], set()
    for table in tables():
        if table.lacks:
            own = {mark for mark in table.place.marks if mark.word == "lacks" and mark.names == table.lacks}
            said |= own
            if not own:
                lacks = ", ".join(sorted(table.lacks))
                silent.append(f"{table.place} add what is missing of {table.enumeration}, or `# lacks {lacks}: <why>`")
    assert silent == []
    assert [f"{mark} lacks nothing of this" for mark in marks() if mark.word == "lacks" and mark not in said] == []


def test_the_search_for_tables_finds_them():
    found = list(tables())
    whole = [table for table in found if not table.lacks]
    assert len(enumerations()) >= 20
    assert len(whole) >= 12
    assert {"Collective", "Algorithm"} <= {table.enumeration for table in whole}
    assert {table.file for table in found} >= {"reduction/semantics/collectives.py", "report/page/sections.py"}


def test_nobody_asks_in_silence_whether_a_value_is_one_member():
    silent, said, found = [], set(), [*picked(knowing())]
    assert len(found) > 40
    for place, names in found:
        own = {mark for mark in place.marks if mark.word == "only" and not mark.names}
        said |= own
        if not own:
            silent.append(f"{place} asks for {names}: use match, or say why all others are alike, `# only: <why>`")
    assert silent == []
    unused = [mark for mark in marks() if mark.word == "only" and not mark.names and mark not in said]
    assert [f"{mark} nothing is asked here" for mark in unused] == []


def test_the_search_for_questions_finds_them_and_their_marks():
    text = """from p2smt.collective import Collective
def f(goal):
    if goal is Collective.REDUCE:  # only: of this line
        return 1
    # only: of the next two lines,
    return goal in (
        Collective.REDUCE, Collective.BROADCAST)
pair = [Collective.REDUCE, goal]
_PAIR = Collective.ALL_REDUCE, Collective.REDUCE
# lacks ALL_REDUCE, REDUCE: too late
"""
    known = tuple(marks_in("a.py", text))
    assert [(mark.line, mark.word, sorted(mark.names)) for mark in known] == [
        (3, "only", []),
        (5, "only", []),
        (10, "lacks", ["ALL_REDUCE", "REDUCE"]),
    ]
    found = [
        (place.node.lineno, names, [mark.line for mark in marks_of(known, place.node, place.statement)])
        for place, names in picked({"p2smt.a": ast.parse(text)})
    ]
    assert sorted(found) == [
        (3, "Collective.REDUCE", [3]),
        (6, "Collective.BROADCAST, Collective.REDUCE", [5]),
        (6, "Collective.BROADCAST, Collective.REDUCE", [5]),
        (9, "Collective.ALL_REDUCE, Collective.REDUCE", []),
    ]


def test_emitted_code_has_a_function_for_every_collective():
    for template, begins in (("torch", "    def _"), ("jax", "def ")):
        text = (ROOT / "p2smt" / "emit" / template / "templates" / "reduction.py.in").read_text(encoding="utf-8")
        lacks = [str(one) for one in Collective if f"\n{begins}{one.underscored}(" not in text]
        assert lacks == [], template
    for kind in ("call", "compare"):
        folder = ROOT / "p2smt" / "emit" / "torch" / "templates" / kind
        assert {file.name for file in folder.iterdir()} == {f"{one.underscored}.py.in" for one in Collective}


def test_closed_choices_are_taken_apart_with_match():
    matched = set()
    for _, tree, meant in with_members(knowing()):
        for node, _ in nodes_of(tree):
            if isinstance(node, ast.MatchValue) and (member := member_of(node.value)):
                matched.add(meant.get(member[0], "").removeprefix("p2smt."))
    assert matched >= CLOSED


def taken_apart() -> Iterator[tuple[str, str]]:
    """Choices and modules with a `match` over all members of them, or with a table."""
    for module, tree, meant in with_members(knowing()):
        for node, _ in nodes_of(tree):
            if isinstance(node, ast.Match):
                cases = (value for case in node.cases for value in ast.walk(case.pattern))
                for name, members in cases_of(cases, meant).items():
                    if members == enumerations()[name]:
                        yield name.removeprefix("p2smt."), path(module)
    for table in tables():
        yield from ((name, table.file) for name in CLOSED if name.endswith(f".{table.enumeration}"))


def test_the_page_for_contributors_names_every_file_that_takes_a_choice_apart():
    text = (ROOT / "p2smt" / "README.md").read_text(encoding="utf-8")
    found = set(taken_apart())
    for choice, title in SECTIONS.items():
        section = re.split(r"^(?:\*\*|## )", text.split(f"**{title}**")[1], flags=re.MULTILINE)[0]
        named = set(re.findall(r"`([^`]+)`", section))
        for folder, inside in re.findall(r"`([^`]+/)` \(([^)]+)\)", section):
            named |= {folder + name for name in re.findall(r"`([^`]+)`", inside)}
        files = {file for name, file in found if name == choice and not file.startswith("reduction/catalogue/")}
        assert files, choice
        assert files - named == set(), title


def test_every_conversion_of_tensor_programs_has_a_word_and_what_sends_it():
    kinds = {kind.__name__: kind for kind in Conversion.__args__}
    assert set(COMMUNICATION) == set(kinds.values())
    assert set(CONVERSIONS) == set(kinds)
