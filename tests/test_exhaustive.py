"""Every table over a choice has exactly its members, wherever it stands: read from the text of all modules.

A table is a dictionary written out whose keys, or whose values, are members of one enumeration of p2smt. What is taken
apart with `match` is held by the type checker (exhaustive-match); what is computed from the enumeration is whole by
itself.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from paths import ROOT

PARTIAL = {
    ("reduction/catalogue/sequences.py", "Collective", "ALL_GATHER BROADCAST"): "one of each pair of inverses",
    ("reduction/catalogue/sequences.py", "Collective", "REDUCE REDUCE_SCATTER"): "the other of each pair",
    ("reduction/catalogue/step_lemmas.py", "Collective", "ALL_GATHER BROADCAST"): "those that reduce are alike",
    ("reduction/catalogue/refusals.py", "Violation", "DIFFERENT_ROWS EMPTY OVERLAP"): "what a reduction can break",
    ("reduction/catalogue/refusals.py", "Violation", "EMPTY SHARED_ROW UNEVEN"): "what an AllGather can break",
    ("reduction/catalogue/refusals.py", "Violation", "EMPTY LESS_AT_ROOT NO_CHANGE"): "what a Broadcast can break",
    ("frontend/importers.py", "Format", "HAND HLO MSCCL P2SMT STABLEHLO"): "torch functions are traced, not read",
}
"""Tables that lack members on purpose: where, of what, which they have, and why."""


MATCHED = {"Algorithm", "Shape"}
"""Of these nobody asks whether a value is one member, for then every new member would be taken for the others."""


@dataclass(frozen=True)
class Table:
    file: str
    line: int
    enumeration: str
    members: frozenset[str]
    lacks: frozenset[str]

    @property
    def name(self) -> tuple[str, str, str]:
        return self.file, self.enumeration, " ".join(sorted(self.members))


@cache
def modules() -> dict[str, ast.Module]:
    files = sorted((ROOT / "p2smt").rglob("*.py"))
    return {
        ".".join(file.relative_to(ROOT).with_suffix("").parts): ast.parse(file.read_text(encoding="utf-8"))
        for file in files
    }


@cache
def enumerations() -> dict[str, frozenset[str]]:
    """The members of every enumeration, by module and name; a base without members has none."""
    known: dict[str, frozenset[str]] = {name: frozenset() for name in ("enum.Enum", "enum.IntEnum", "enum.StrEnum")}
    size = 0
    while size < len(known):
        size = len(known)
        for module, tree in modules().items():
            meant = names_in(module, tree)
            for node in tree.body:
                if isinstance(node, ast.ClassDef) and any(meant.get(ast.unparse(base)) in known for base in node.bases):
                    known[f"{module}.{node.name}"] = frozenset(members_of(node))
    return {name: members for name, members in known.items() if members}


def names_in(module: str, tree: ast.Module) -> dict[str, str]:
    """What the names of classes that a module defines or imports stand for."""
    own = {node.name: f"{module}.{node.name}" for node in tree.body if isinstance(node, ast.ClassDef)}
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return own | {alias.asname or alias.name: f"{node.module}.{alias.name}" for node in imports for alias in node.names}


def members_of(enumeration: ast.ClassDef) -> Iterator[str]:
    for part in enumeration.body:
        if isinstance(part, ast.Assign):
            yield from (target.id for target in part.targets if isinstance(target, ast.Name))


def tables() -> Iterator[Table]:
    for module, tree in modules().items():
        meant = names_in(module, tree)
        file = module.replace(".", "/").removeprefix("p2smt/") + ".py"
        for node in ast.walk(tree):
            if isinstance(node, ast.Dict):
                for side in (node.keys, node.values):
                    if found := one_enumeration(side, meant):
                        name, members = found
                        kind = name.rpartition(".")[2]
                        yield Table(file, node.lineno, kind, members, enumerations()[name] - members)


def one_enumeration(side: Sequence[ast.expr | None], meant: Mapping[str, str]) -> tuple[str, frozenset[str]] | None:
    """The enumeration of which all these expressions are members, and the members; None for others."""
    found = [
        (meant.get(one.value.id, ""), one.attr)
        for one in side
        if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name)
    ]
    names = {name for name, _ in found}
    if len(found) < len(side) or len(names) != 1 or not names <= enumerations().keys():
        return None
    return names.pop(), frozenset(member for _, member in found)


def test_every_table_has_exactly_the_members_of_its_enumeration():
    lacking = {
        table.name: f"{table.file}:{table.line} lacks {sorted(table.lacks)}" for table in tables() if table.lacks
    }
    assert {name: text for name, text in lacking.items() if name not in PARTIAL} == {}
    assert set(PARTIAL) - set(lacking) == set()


def test_the_search_for_tables_finds_them():
    found = list(tables())
    whole = [table for table in found if not table.lacks]
    assert len(enumerations()) >= 20
    assert len(whole) >= 12
    assert {"Collective", "Algorithm"} <= {table.enumeration for table in whole}
    assert {table.file for table in found} >= {"reduction/semantics/collectives.py", "report/page/sections.py"}


def test_algorithms_and_shapes_are_taken_apart_with_match_alone():
    compared, matched = [], set()
    for module, tree in modules().items():
        meant = {
            name: full.rpartition(".")[2] for name, full in names_in(module, tree).items() if full in enumerations()
        }
        for node in ast.walk(tree):
            inside = ast.walk(node) if isinstance(node, ast.Compare | ast.MatchValue) else ()
            parts = (part.value for part in inside if isinstance(part, ast.Attribute))
            kinds = {meant.get(part.id) for part in parts if isinstance(part, ast.Name)} & MATCHED
            if isinstance(node, ast.Compare) and kinds:
                compared.append(f"{module}:{node.lineno} {ast.unparse(node)}")
            elif isinstance(node, ast.MatchValue):
                matched |= kinds
    assert compared == []
    assert matched == MATCHED
