"""Scripts of reductions: the files of encodings/ are generated ones, in one logic, with true statuses and counts.

Statuses are decided again from the text. Counts are compared with the specification's numbers and with ways that
know nothing of the scripts: the table of collectives, the explicit walk, the placements of placement/.
"""

import re
from dataclasses import replace
from importlib import import_module
from itertools import product

import pytest
import z3
from looped import looped
from paths import ROOT
from support import problem, programs
from tiers import is_full, sample

from p2smt.collective import Collective
from p2smt.placement.enumeration import all_placements
from p2smt.problem.model import Engine, Grammar
from p2smt.reduction.catalogue.answers import answered
from p2smt.reduction.catalogue.families import FAMILIES
from p2smt.reduction.catalogue.naming import slug
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.semantics.collectives import RULES, Violation
from p2smt.reduction.semantics.execution import machine
from p2smt.smt.smtlib import Script, Status, script_text

FOLDER = ROOT / "encodings"
COMMANDS = ["set-option", "set-logic", "set-info", "declare-const", "define-fun", "assert", "check-sat"]
CORE = ["and", "or", "not", "xor", "=>", "=", "distinct", "ite"]
VECTORS = ["bvnot", "bvneg", "bvand", "bvor", "bvxor", "bvadd", "bvsub", "bvmul", "bvshl", "bvlshr", "concat", "_"]
COMPARISONS = ["bvult", "bvule", "bvugt", "bvuge"]


@pytest.fixture(scope="module")
def scripts():
    """Scripts by path. The standard tier takes numbers of models from the headers of files, where there is a file.

    Solvers count them in tests/scripts/test_smtlib_files.py. Lemmas, a third of the time, are generated in the full
    tier and in test_lemmas.py.
    """
    texts = {path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.smt2")}

    def stated(path: str, script: Script) -> Script:
        models = re.search(r"^; Models: (\d+)$", texts.get(path, "").partition("(set-")[0], re.MULTILINE)
        if models is None:
            return replace(script, counted=())
        return replace(script, models=int(models.group(1)))

    chosen = [family for family in FAMILIES if is_full() or family.folder != "lemmas"]
    listed = [pair for family in chosen for pair in family.scripts()]
    assert len(dict(listed)) == len(listed), "two scripts have one path"
    if is_full():
        return {path: answered(script) for path, script in listed}
    return {path: stated(path, script) for path, script in listed}


def counted(folder, name):
    """Whether the models of a script are known: those of a file, and of all scripts in the full tier."""
    return is_full() or (FOLDER / folder / f"{name}.smt2").is_file()


@pytest.fixture(scope="module")
def texts(scripts):
    """Generated texts of some scripts of every folder, of all in the full tier: one encoding makes many files."""
    folders = {
        family.folder: sorted(path for path in scripts if path.startswith(f"{family.folder}/")) for family in FAMILIES
    }
    return {path: script_text(scripts[path]) for paths in folders.values() for path in sample(paths, 3)}


@pytest.fixture(scope="module")
def stored():
    there = {path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.smt2")}
    return {path: text for path, text in there.items() if not path.startswith(("tensor/", "schedules/"))}


def solver_of(text):
    solver = z3.SolverFor("QF_BV")
    solver.from_string(text)
    return solver


AGREEMENT = "programs/levels-2-agree-with-matrices-2x2-limit-5.smt2"


def test_the_files_are_what_is_generated(scripts, stored, texts):
    assert {path for path in stored if is_full() or not path.startswith("lemmas/")} <= scripts.keys()
    generated = texts | {AGREEMENT: script_text(scripts[AGREEMENT])}
    assert [path for path, text in generated.items() if path in stored and stored[path] != text] == []


def test_the_folder_holds_nothing_else_and_stays_small(stored):
    others = [path for path in FOLDER.rglob("*") if path.is_file() and path.suffix != ".smt2"]
    assert [path.relative_to(FOLDER).as_posix() for path in others] == ["README.md"]
    assert {path.split("/")[0] for path in stored} == {family.folder for family in FAMILIES}
    assert sum(text.count("\n") for text in stored.values()) < 11_000


def test_the_readme_names_every_folder():
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert [family.folder for family in FAMILIES if f"`{family.folder}/`" not in readme] == []


def test_builders_are_functions_that_exist(scripts, texts):
    families = [family for family in FAMILIES if is_full() or family.folder != "lemmas"]
    for family in families:
        (builder,) = {script.origin.builder for path, script in scripts.items() if path.startswith(f"{family.folder}/")}
        module, _, name = builder.rpartition(".")
        assert getattr(import_module(module), name) is family.build
    assert all(f"; Built by: {scripts[path].origin.builder}\n" in text for path, text in texts.items())


def test_every_status_holds_in_the_text(texts):
    some = dict(sample(texts.items(), len(texts) // 6))
    stated = {path: re.search(r"^; Status: (\w+)$", text, re.MULTILINE).group(1) for path, text in some.items()}
    assert stated == {path: str(solver_of(text).check()) for path, text in some.items()}


def test_only_commands_sorts_and_operators_of_the_logic_are_used(stored):
    for path, text in stored.items():
        body = re.sub(r"^;.*$", "", text, flags=re.MULTILINE)
        assert body.count("(set-logic QF_BV)") == body.count("(check-sat)") == body.count("(set-info") == 1, path
        assert set(re.findall(r"^\(([\w-]+)", body, re.MULTILINE)) <= set(COMMANDS), path
        assert set(re.findall(r"\(([^\s()]+)", body)) <= {*COMMANDS, *CORE, *VECTORS, *COMPARISONS}, path
        assert set(re.findall(r"\(_ (\w+)", body)) <= {"BitVec", "extract", "zero_extend"}, path
        assert set(re.findall(r"^\(declare-const \w+ (.*)\)$", body, re.MULTILINE)) <= {
            "Bool",
            *(f"(_ BitVec {width})" for width in range(1, 65)),
        }, path


@pytest.mark.parametrize("folder", ["triples", "sums", "sequences"])
def test_no_obligation_holds_because_its_assumption_is_false(scripts, folder):
    obligations = [s for path, s in scripts.items() if path.startswith(folder) and s.status is Status.UNSAT]
    assert obligations
    for script in obligations:
        solver = z3.SolverFor("QF_FD")
        solver.add([term for _, terms in script.groups[:-1] for term in terms])
        assert solver.check() == z3.sat, script.name


def test_a_claim_that_z3_denies_is_noticed():
    p, q = z3.Bools("p q")
    script = Script("a", "About.", "nowhere", Status.SAT, (p, q), (("Some.", (z3.Or(p, q),)),), (p, q))
    assert answered(script).models == 3
    with pytest.raises(AssertionError, match="a is said to be unsat, z3 says sat"):
        answered(replace(script, status=Status.UNSAT))


@pytest.mark.parametrize(
    ("sizes", "axes", "count"),
    [
        ((4, 16), (8, 2, 4), 5),
        ((6, 10), (4, 15), None),
        ((36, 8), (6, 6, 8), None),
        ((16, 8, 8), (8, 2, 32, 2), 75),
        ((8, 16, 8), (8, 4, 2, 4, 4), 350),
    ],
)
def test_placements_are_as_many_as_the_specification_says(scripts, sizes, axes, count):
    name = f"{'x'.join(map(str, sizes))}-axes-{'-'.join(map(str, axes))}"
    found = len(all_placements(problem(list(sizes), list(axes))).items)
    for form in ("exponents", "products"):
        if counted("placements", f"{name}-{form}"):
            assert scripts[f"placements/{name}-{form}.smt2"].models == found
    assert count in (None, found)


@pytest.mark.parametrize(("sizes", "axes"), [((8, 16, 8), (8, 4, 2, 4, 4)), ((8, 8, 8), (4, 4, 4, 8))])
def test_placements_of_whole_axes(scripts, sizes, axes):
    name = f"{'x'.join(map(str, sizes))}-axes-{'-'.join(map(str, axes))}-products-no-axis-split"
    whole = [
        matrix
        for matrix in all_placements(problem(list(sizes), list(axes))).items
        if all(max(row) == axis for row, axis in zip(matrix.rows, axes, strict=True))
    ]
    script = scripts[f"placements/{name}.smt2"]
    assert (script.models or 0) == len(whole) or not counted("placements", name)
    assert script.status is (Status.SAT if whole else Status.UNSAT)


@pytest.mark.parametrize("kind", Collective)
def test_rules_apply_to_as_many_states_as_the_table_of_collectives_says(scripts, kind):
    blocks = [frozenset({0}), frozenset({1})]
    flat = product(range(4), repeat=4)
    allowed = sum(not isinstance(RULES[kind]((rows[:2], rows[2:]), blocks), Violation) for rows in flat)
    name = f"{slug(kind)}-applies-2-members-2-chunks"
    assert allowed > 0
    assert scripts[f"triples/{name}.smt2"].models == allowed or not counted("triples", name)


def walked(levels, limit, grammar=Grammar.FULL):
    return programs(Engine.EXPLICIT, (2,) * levels, limit, grammar)


@looped(
    ("name", "levels", "limit", "grammar", "count"),
    [
        ("levels-1-limit-5-full", 1, 5, Grammar.FULL, 3),
        ("levels-2-limit-5-full", 2, 5, Grammar.FULL, 93),
        ("levels-2-limit-5-paper", 2, 5, Grammar.PAPER, 47),
        ("levels-3-limit-3-full", 3, 3, Grammar.FULL, 1 + 6 + 59),
        ("levels-3-limit-3-paper", 3, 3, Grammar.PAPER, 1 + 6 + 50),
        ("levels-3-limit-4-paper", 3, 4, Grammar.PAPER, 262),
        ("levels-4-limit-2-full", 4, 2, Grammar.FULL, None),
        ("matrices-2x2-limit-3-full", 2, 3, Grammar.FULL, 1 + 4 + 24),
        ("matrices-2x2-limit-3-paper", 2, 3, Grammar.PAPER, 1 + 4 + 20),
        ("matrices-2x2-limit-5-paper", 2, 5, Grammar.PAPER, 47),
        ("matrices-2x3-limit-3-full", 2, 3, Grammar.FULL, 1 + 4 + 24),
        ("matrices-2x2x2-limit-2-full", 3, 2, Grammar.FULL, 1 + 6),
    ],
)
def test_programs_are_as_many_as_the_specification_says(scripts, name, levels, limit, grammar, count):
    found = len(walked(levels, limit, grammar))
    assert scripts[f"programs/{name}.smt2"].models == found or not counted("programs", name)
    assert count in (None, found)


@pytest.mark.parametrize(
    ("name", "levels", "length", "grammar"),
    [
        ("levels-2-exactly-5-paper", 2, 5, Grammar.PAPER),
        ("levels-2-exactly-6-full", 2, 6, Grammar.FULL),
        ("matrices-2x2-exactly-5-paper", 2, 5, Grammar.PAPER),
        ("levels-3-exactly-5-full", 3, 5, Grammar.FULL),
        ("matrices-2x2-exactly-5-full", 2, 5, Grammar.FULL),
    ],
)
def test_there_are_programs_of_a_length_or_none(scripts, name, levels, length, grammar):
    some = any(len(steps) == length for steps in walked(levels, length, grammar))
    assert scripts[f"programs/{name}.smt2"].status is (Status.SAT if some else Status.UNSAT)


def test_programs_over_one_level_at_a_time(scripts):
    for limit in (2, 3):
        narrow = [p for p in walked(3, limit) if all(len(grouping.levels) == 1 for grouping, _ in p)]
        name = f"levels-3-limit-{limit}-one-level-at-a-time"
        assert (scripts[f"programs/{name}.smt2"].models or 0) == len(narrow) or not counted("programs", name)


@pytest.mark.parametrize(("levels", "limit"), [(2, 3), (3, 4)])
@pytest.mark.parametrize(
    ("first", "last"),
    [(Collective.REDUCE_SCATTER, Collective.ALL_GATHER), (Collective.REDUCE, Collective.BROADCAST)],
)
def test_what_stands_between_two_instructions(scripts, levels, limit, first, last):
    inner = Grouping(levels - 1, levels)
    ends = [(inner, first), (inner, last)]
    found = [p for p in walked(levels, limit) if len(p) == limit and [p[0], p[-1]] == ends]
    name = f"levels-{levels}-limit-{limit}-between-{slug(first)}-and-{slug(last)}"
    assert found
    assert scripts[f"programs/{name}.smt2"].models == len(found) or not counted("programs", name)


def test_no_valid_program_ends_with_a_reduce_scatter(scripts):
    assert sum("ends-with-reduce-scatter" in path for path in scripts) == 3
    assert not any(p[-1][1] is Collective.REDUCE_SCATTER for p in walked(3, 4))


INNER, OUTER, ALL, MASTERS = Grouping(1, 2), Grouping(0, 1), Grouping(0, 2), Grouping(0, 1, masters=True)
AR, RS, RED, AG, BC = (
    Collective.ALL_REDUCE,
    Collective.REDUCE_SCATTER,
    Collective.REDUCE,
    Collective.ALL_GATHER,
    Collective.BROADCAST,
)


@looped(
    ("name", "sizes", "steps"),
    [
        ("figure-3-a", (2, 2), [(ALL, AR)]),
        ("figure-3-b", (2, 2), [(INNER, AR), (OUTER, AR)]),
        ("figure-3-c", (2, 2), [(INNER, RED), (MASTERS, AR), (INNER, BC)]),
        ("figure-4-a-first-instruction", (2, 2), [(INNER, RS)]),
        ("figure-4-b-first-instruction", (2, 2), [(OUTER, AR)]),
        ("figure-10-i", (2, 4), [(INNER, RED), (MASTERS, AR), (INNER, BC)]),
        ("figure-10-ii", (2, 4), [(INNER, RS), (OUTER, AR), (INNER, AG)]),
    ],
)
def test_the_one_run_of_an_example_is_the_concrete_one(scripts, name, sizes, steps):
    solver = solver_of(script_text(scripts[f"examples/{name}.smt2"]))
    assert solver.check() == z3.sat
    values = {constant.name(): solver.model()[constant].as_long() for constant in solver.model()}
    concrete = machine(sizes)
    states = [concrete.goal.start]
    for step in steps:
        states.append(concrete.apply(states[-1], step))
    assert scripts[f"examples/{name}.smt2"].models == 1 or not counted("examples", name)
    assert values == {
        f"s{number}_d{device}_c{chunk}": row
        for number, state in enumerate(states)
        for device, rows in enumerate(state)
        for chunk, row in enumerate(rows)
    }


@pytest.mark.parametrize(
    ("name", "sizes", "steps", "violation"),
    [
        ("figure-4-a", (2, 2), [(INNER, RS), (ALL, AR)], Violation.DIFFERENT_ROWS),
        ("figure-4-b", (2, 2), [(OUTER, AR), (ALL, AR)], Violation.OVERLAP),
        ("figure-10-i-parallel", (2, 4), [(INNER, RED), (OUTER, AR)], Violation.EMPTY),
        ("figure-10-i-without-broadcast", (2, 4), [(INNER, RED), (MASTERS, AR)], None),
        ("figure-10-ii-without-gather", (2, 4), [(INNER, RS), (OUTER, AR)], None),
    ],
)
def test_an_invalid_example_is_invalid_for_the_reason_it_gives(scripts, name, sizes, steps, violation):
    """The rule of the last step is broken or, with no violation, the goal is not reached."""
    concrete = machine(sizes)
    before = concrete.goal.start
    for step in steps[:-1]:
        before = concrete.apply(before, step)
    after = concrete.apply(before, steps[-1])
    assert isinstance(after, Violation) is (violation is not None)
    assert after == violation if violation else after != concrete.goal.end
    assert scripts[f"examples/{name}.smt2"].status is Status.UNSAT
    assert scripts[f"examples/{name}.smt2"].groups[-1][0].startswith("After:") is (violation is None)
