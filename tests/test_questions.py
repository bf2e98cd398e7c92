"""Places that ask whether a layout, or what an operation does along a label, is of one kind, and what others are there.

A `match` that names all kinds is held by the type checker, which names it when there is one more. An `isinstance`, and
a `match` with a case for everything else, takes a new kind for none of those it names, and says nothing. So each of
them is listed here with the reason why that is right; a new question has to be, and a new kind is looked at in all.
"""

import ast
from collections.abc import Iterator
from typing import get_args

from paths import ROOT

from p2smt.tensor.layout import Layout
from p2smt.tensor.signature import LabelKind

LAYOUTS = {
    "what is not named is refused, or no rule and no conversion is found for it": {
        "emit/mesh/stored.py": "Replicated Sliced",
        "emit/torch/program/tensors.py": "Local OnRank Partial",
        "schedule/transforms/through.py": "Partial",
        "spmd/conditions.py": "Partial Replicated Sliced",
        "spmd/emission.py": "Partial Replicated Sliced",
        "spmd/mesh/emission.py": "Partial Replicated Sliced",
        "spmd/mesh/pricing.py": "Partial Replicated Sliced",
        "spmd/mesh/restriction.py": "Replicated",
        "spmd/pricing.py": "Partial Replicated Sliced",
        "tensor/conversion_rules.py": "OnRank Partial Replicated Sliced",
        "tensor/derivation.py": "OnRank Partial Replicated Sliced",
        "tensor/rule.py": "Local OnRank Partial Replicated Sliced",
    },
    "asked of what is known to cut, or to be on one rank": {
        "emit/torch/program/conversions.py": "OnRank",
        "emit/torch/program/cuts.py": "Sliced",
        "schedule/chunks.py": "Sliced",
        "tensor/placing.py": "OnRank Partial Sliced",
    },
    "asked of a layout that the search has chosen among whole, cut and summed": {
        "spmd/baselines.py": "Replicated Sliced",
        "spmd/chosen.py": "Replicated Sliced",
        "spmd/layouts.py": "Partial Sliced",
        "spmd/meaning.py": "Sliced",
        "spmd/mesh/chosen.py": "Partial",
        "spmd/next_best.py": "Replicated",
        "spmd/parts.py": "Partial Replicated Sliced",
        "spmd/ratios.py": "Sliced",
        "spmd/recognition.py": "Replicated Sliced",
        "spmd/sharding.py": "Sliced",
        "spmd/uses.py": "Sliced",
    },
    "others are written as they are": {
        "cli/output/footprint.py": "Replicated Sliced",
        "emit/torch/program/statements.py": "OnRank Sliced",
        "report/figures/graph_drawing.py": "Replicated Sliced",
        "schedule/emission/description.py": "Partial",
        "tensor/refusals.py": "Partial Replicated Sliced",
        "tensor/verification/alone.py": "Partial Replicated Sliced",
        "tensor/verification/schemas.py": "Sliced",
    },
    "what is not a cut counts whole, which is never too little": {
        "job/sharded.py": "Sliced",
        "schedule/emission/optimizer.py": "Sliced",
    },
    "a smaller program with another layout is inferred anew, and left where it does not fit": {
        "tensor/verification/resize.py": "OnRank Sliced",
    },
    "rewritten are values that are whole, cut or summed along the axis; others are proved or refused afterwards": {
        "schedule/moving.py": "Partial Replicated Sliced",
        "schedule/transforms/split.py": "Replicated",
    },
    "only these are summed, or made up; what each kind is given stands in a match beside it": {
        "tensor/comparison.py": "Local Partial",
        "tensor/inference.py": "Partial",
        "tensor/prime_field.py": "Partial",
    },
    "only cuts have intervals for the checker; roles are told apart in a match beside it": {
        "tensor/holdings.py": "Sliced",
    },
    "programs with values on one rank alone keep their calls apart": {
        "tensor/buckets.py": "OnRank",
    },
    "a root that is another one than the conversion's": {
        "tensor/rules/conversions.py": "OnRank",
    },
}  # fmt: skip

LABELS = {
    "what is not parallel is refused": {
        "schedule/chunks.py": "Parallel",
        "schedule/moving.py": "Parallel",
    },
    "a hash of the whole row, which tells more apart than it must": {
        "tensor/prime_field.py": "Parallel",
    },
    "dimensions may be in one class though no rule cuts them": {
        "spmd/classes.py": "Blocked",
        "spmd/uses.py": "Blocked",
    },
    "only blocked labels say why they are; only reduced ones how": {
        "tensor/ranks/lifting.py": "Reduced",
        "tensor/refusals.py": "Blocked",
        "tensor/rules/element.py": "Reduced",
        "tensor/rules/schema.py": "Blocked",
    },
}  # fmt: skip

KINDS = {
    "p2smt.tensor.layout": ("Local OnRank Partial Replicated Sliced", LAYOUTS, get_args(Layout)),
    "p2smt.tensor.signature": ("Blocked Parallel Reduced", LABELS, get_args(LabelKind)),
}


def asked(module: str, kinds: set[str]) -> Iterator[tuple[str, str]]:
    """Every file with questions for these kinds, and for which."""
    for file in sorted((ROOT / "p2smt").rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if module not in text:
            continue
        tree = ast.parse(text)
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == module]
        names = {alias.asname or alias.name: alias.name for node in imports for alias in node.names}
        found = {names.get(name, "") for node in ast.walk(tree) for name in questions(node)} & kinds
        if found:
            yield file.relative_to(ROOT / "p2smt").as_posix(), " ".join(sorted(found))


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


def listed(module: str) -> dict[str, str]:
    return {file: kinds for files in KINDS[module][1].values() for file, kinds in files.items()}


def test_every_question_for_one_kind_is_listed():
    for module, (kinds, _, _) in KINDS.items():
        assert dict(asked(module, set(kinds.split()))) == listed(module), module


def test_a_new_kind_is_looked_at_wherever_one_is_asked_for():
    for module, (kinds, _, there) in KINDS.items():
        new = {kind.__name__ for kind in there} - set(kinds.split())
        assert not new, f"say in each of these what {', '.join(sorted(new))} is, then here: {sorted(listed(module))}"
        assert {kind.__name__ for kind in there} == set(kinds.split())


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
        "Sliced", "Partial", "Local", "OnRank",
    ]  # fmt: skip
    assert len(listed("p2smt.tensor.layout")) >= 30
