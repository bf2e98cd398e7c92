"""Every table over a choice has exactly its members, wherever it stands: read from the text of all modules.

A table is a dictionary written out whose keys, or whose values, are members of enumerations of p2smt. What is taken
apart with `match` is held by the type checker (exhaustive-match); what is computed from the enumeration is whole by
itself. Left are questions whether a value is one member, and members picked out: of the choices that are added to,
these are listed here, so that a new one is seen.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from paths import ROOT

from p2smt.collective import Collective
from p2smt.tensor.conversion import COMMUNICATION, Conversion
from p2smt.tensor.text.conversions import CONVERSIONS

PARTIAL = {
    ("reduction/catalogue/sequences.py", "Collective", "ALL_REDUCE REDUCE REDUCE_SCATTER"): "the first of inverses",
    ("reduction/catalogue/sequences.py", "Collective", "ALL_GATHER ALL_REDUCE BROADCAST"): "the second of inverses",
    ("reduction/catalogue/step_lemmas.py", "Collective", "ALL_REDUCE REDUCE REDUCE_SCATTER"): "these are alike",
    ("reduction/catalogue/refusals.py", "Violation", "LESS_AT_ROOT NO_CHANGE SHARED_ROW UNEVEN"): "of a reduction",
    ("reduction/catalogue/refusals.py", "Violation", "DIFFERENT_ROWS LESS_AT_ROOT NO_CHANGE OVERLAP"): "of AllGather",
    ("reduction/catalogue/refusals.py", "Violation", "DIFFERENT_ROWS OVERLAP SHARED_ROW UNEVEN"): "of Broadcast",
    ("frontend/msccl/file_goal.py", "Exchange", "SEND"): "a message is no goal",
    ("frontend/mscclpp/json_file.py", "Exchange", "SEND"): "a message is no goal",
    ("schedule/emission/elementwise.py", "Sort", "LITERAL NUMBER"): "tensors have elements, and are no numbers",
    ("schedule/transforms/lossy_cast.py", "DType", "BF16 BOOL F16 I32 I64"): "nothing is sent narrower, and it is said",
}
"""Tables that lack members on purpose: where, of what, which they lack, and why. A new member is lacked anew."""


PICKED = {
    ("cost/network/traffic.py", "Shape.CYCLE Shape.FROM_ROOT Shape.TO_ROOT"): "the type of rings; others are matched",
    ("emit/torch/program/overlap.py", "Kind.CONTRACT"): "behind the last contraction gradients are all there",
    ("spmd/effort.py", "Kind.UPDATE"): "the kind that computes nothing",
    ("spmd/effort.py", "Kind.CONTRACT"): "rooflines are those of contractions; others have operations or elements",
    ("cost/calibration/probes.py", "Kind.VIEW"): "the kind that moves nothing",
    ("cli/output/certificate.py", "Collective.ALL_REDUCE"): "the goal that goes without saying",
    ("cli/output/synth.py", "Collective.ALL_REDUCE"): "the goal that goes without saying",
    ("emit/torch/ddp_source.py", "Collective.ALL_REDUCE"): "all others are refused",
    ("cli/against.py", "Format.TENSOR"): "programs, which are no plans",
    ("cli/commands/emit.py", "Format.TENSOR"): "programs, which are no plans",
    ("cli/commands/emit.py", "Target.TORCH"): "all others are refused for programs",
    ("cli/commands/emit.py", "KernelLanguage.TORCH"): "what goes without saying",
    ("schedule/emission/source.py", "KernelLanguage.TORCH"): "all others round where they store",
    ("cli/commands/study.py", "Format.PARQUET"): "the one that is no text",
    ("frontend/builder.py", "Exchange.SEND"): "the sender keeps what it has",
    (
        "frontend/importers.py",
        "Format.MSCCL Format.MSCCLPP",
    ): "a type: the two with threadblocks, taken apart with match",
    ("frontend/verification.py", "Format.TORCH"): "plans of lengths that are traced",
    ("sweep/export.py", "Format.CSV Format.JSONL"): "a type: those that are text, taken apart with match",
    ("emit/torch/program/calls.py", "Kind.MAP"): "torch mixes types in maps itself; operands of others are cast",
    ("schedule/emission/optimizer.py", "Kind.MAP Kind.UPDATE"): "all others are refused",
    ("spmd/experts.py", "Kind.CONTRACT"): "experts are what contractions keep",
    ("spmd/meaning.py", "Kind.CONTRACT"): "parallelisms are named by contractions",
    ("spmd/recomputation.py", "Kind.CONTRACT"): "contractions are what is dear to compute again",
    ("spmd/uses.py", "Kind.CONTRACT"): "parallelisms are named by contractions",
    ("tensor/operations/index.py", "Kind.TAKE"): "the one of two that says how long a table is by itself",
    ("tensor/prime_field.py", "Kind.RANDOM"): "others are hashed by what their signature says",
    ("tensor/shapes.py", "Kind.PUT"): "indices, of two operands; those of others have one type",
    ("tensor/shapes.py", "Kind.TAKE"): "indices; operands of others have one type",
    ("tensor/operations/map.py", "Reduction.MAX Reduction.MIN"): "what a maximum or minimum of two passes on",
    ("tensor/operations/reduce.py", "Reduction.SUM"): "the sum of nothing is 0; others are refused",
    ("tensor/prime_field.py", "Reduction.SUM"): "what the field speaks of; others are not covered",
    ("tensor/refusals.py", "Reduction.SUM"): "words of a refusal",
    ("tensor/signature.py", "Reduction.MAX Reduction.MIN"): "what rising and falling maps pass on",
    ("tensor/text/conversions.py", "Reduction.SUM"): "the reduction that goes without saying",
    ("tensor/text/printer.py", "Reduction.SUM"): "the reduction that goes without saying",
    ("tensor/verification/sameness.py", "Reduction.SUM"): "factors come out of sums; out of no other",
    ("tensor/verification/whole_numbers.py", "Reduction.SUM"): "others as over the reals",
    ("frontend/plan_text.py", "Collective.ALL_REDUCE"): "the goal that goes without saying",
    ("frontend/torch_function/events.py", "Exchange.SEND Routed.RECEIVE"): "the two ends of a message",
    ("frontend/xla/processes.py", "Collective.ALL_GATHER Collective.ALL_REDUCE Collective.REDUCE_SCATTER"): "by XLA",
    ("frontend/xla_ranks/module.py", "Format.HLO"): "one of the two texts of XLA",
    ("frontend/xla_ranks/module.py", "Format.HLO Format.STABLEHLO"): "the texts of XLA, and no other",
    ("problem/transformer/traffic.py", "Collective.ALL_GATHER Collective.REDUCE_SCATTER"): "what a source says is done",
    ("reduction/catalogue/programs.py", "Collective.ALL_GATHER Collective.REDUCE_SCATTER"): "an example",
    ("reduction/catalogue/programs.py", "Collective.BROADCAST Collective.REDUCE"): "an example",
    (
        "reduction/language/language.py",
        "Collective.ALL_GATHER Collective.ALL_REDUCE Collective.BROADCAST Collective.REDUCE Collective.REDUCE_SCATTER",
    ): "those of the paper, and no other",
    ("schedule/cost/collectives.py", "Collective.REDUCE_SCATTER"): "gloo has all others itself",
}
"""Where a value is asked whether it is one of some members, or several of them are picked out, and why."""

CLOSED = {
    "collective.Collective", "collective.Exchange", "collective.NeighbourSend", "cost.network.traffic.Shape",
    "emit.target.KernelLanguage", "emit.target.MeshTarget", "emit.target.Target", "frontend.format.Format",
    "problem.system.algorithm.Algorithm", "problem.system.algorithm.Auto", "schedule.step.SplitForm",
    "sweep.export.Format", "tensor.layout.Reduction", "tensor.operation.Kind", "verify.operation.Local",
}  # fmt: skip
"""The choices of which that is listed: what is asked in silence takes every new member for all the others."""

SECTIONS = {
    "collective.Collective": "A collective",
    "emit.target.MeshTarget": "A target for placements",
    "emit.target.Target": "An emission target",
    "frontend.format.Format": "An importer",
    "problem.system.algorithm.Algorithm": "An algorithm of NCCL",
    "verify.operation.Local": "An operation of verification plans",
}
"""What the contributors' page calls an addition to a choice."""


@dataclass(frozen=True)
class Table:
    file: str
    line: int
    enumeration: str
    members: frozenset[str]
    lacks: frozenset[str]

    @property
    def name(self) -> tuple[str, str, str]:
        return self.file, self.enumeration, " ".join(sorted(self.lacks))


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


@cache
def names_in(module: str, tree: ast.Module) -> dict[str, str]:
    """What the names of classes that a module defines or imports stand for."""
    own = {node.name: f"{module}.{node.name}" for node in tree.body if isinstance(node, ast.ClassDef)}
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return own | {alias.asname or alias.name: f"{node.module}.{alias.name}" for node in imports for alias in node.names}


def members_of(enumeration: ast.ClassDef) -> Iterator[str]:
    for part in enumeration.body:
        if isinstance(part, ast.Assign):
            yield from (target.id for target in part.targets if isinstance(target, ast.Name))


@cache
def tables() -> tuple[Table, ...]:
    return tuple(found_tables())


def found_tables() -> Iterator[Table]:
    for module, tree in modules().items():
        meant = names_in(module, tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Dict):
                for side in (node.keys, node.values):
                    for name, members in members_in(side, meant).items():
                        kind = name.rpartition(".")[2]
                        yield Table(path(module), node.lineno, kind, members, enumerations()[name] - members)


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


def picked() -> Iterator[tuple[str, str]]:
    """Comparisons with members of the closed choices, and tuples, lists and sets of several of them."""
    for module, tree in modules().items():
        meant = names_in(module, tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Compare):
                sides = [one for side in (node.left, *node.comparators) for one in getattr(side, "elts", [side])]
                found = [members_in([one], meant) for one in sides]
            elif isinstance(node, ast.Tuple | ast.List | ast.Set) and len(node.elts) > 1:
                found = [members_in(node.elts, meant)]
            else:
                continue
            members = [(name, one) for some in found for name, ones in some.items() for one in ones]
            if CLOSED & {name.removeprefix("p2smt.") for name, _ in members}:
                yield path(module), " ".join(sorted(f"{name.rpartition('.')[2]}.{member}" for name, member in members))


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


def test_nobody_asks_in_silence_whether_a_value_is_one_member():
    found = set(picked())
    assert found - set(PICKED) == set()
    assert set(PICKED) - found == set()


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
    for module, tree in modules().items():
        meant = names_in(module, tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.MatchValue) and (member := member_of(node.value)):
                matched.add(meant.get(member[0], "").removeprefix("p2smt."))
    assert matched >= CLOSED


def taken_apart() -> Iterator[tuple[str, str]]:
    """Choices and modules with a `match` over all members of them, or with a table."""
    for module, tree in modules().items():
        meant = names_in(module, tree)
        for node in ast.walk(tree):
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
