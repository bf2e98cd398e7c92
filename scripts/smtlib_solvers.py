"""Three solvers on the text of an SMT-LIB file: each parses it on its own, answers, and counts models."""

import importlib.util
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

SECONDS_PER_CALL = 120
"""How long a solver may compute for one call; it goes by the clock, so it gets longer where others share the cores."""
_DECLARED = re.compile(r"^\(declare-const (\S+) (?:Bool|\(_ BitVec (\d+)\))\)$", re.MULTILINE)


@dataclass(frozen=True)
class Question:
    """A file as its header describes it: `models` assignments of the constants `over` extend to models."""

    text: str
    logic: str
    status: str
    models: int | None
    over: tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """What a solver says. `models` is counted where the header states it, and no further than one above that."""

    status: str
    models: int | None
    seconds: float


def read_question(path: Path) -> Question:
    """The question of a file. ValueError, with the path, for one that has not the header of those in encodings/."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as cause:
        raise ValueError(f"{path}: byte {cause.start} is not UTF-8; give files that --write made") from cause
    header: dict[str, list[str]] = {"Status": [], "Models": [], "Over": []}
    for name, value in re.findall(r"^; (Status|Models(?=: \d+$)|Over): (.*)$", text, re.MULTILINE):
        header[name].append(value)
    if len(header["Status"]) != 1 or len(header["Models"]) > 1 or bool(header["Models"]) != bool(header["Over"]):
        raise ValueError(f"{path}: the header needs one Status line, and Over lines beside a Models line")
    models = int(header["Models"][0]) if header["Models"] else None
    logics = re.findall(r"^\(set-logic (\w+)\)$", text, re.MULTILINE)
    if len(logics) != 1:
        raise ValueError(f"{path}: {len(logics)} lines say set-logic; one has to")
    return Question(text, logics[0], header["Status"][0], models, tuple(" ".join(header["Over"]).split()))


def missing() -> list[str]:
    """The solvers that are not installed."""
    return [name for name in SOLVERS if importlib.util.find_spec(name) is None]


def solvers_of(question: Question) -> list[str]:
    """Bitwuzla knows bit-vectors, and no whole numbers."""
    return [name for name in SOLVERS if name != "bitwuzla" or question.logic == "QF_BV"]


def answer(solver: str, question: Question) -> Answer:
    """The answer of a solver, which is asked again with more time if its time was up before it computed for as long."""
    limit: float = SECONDS_PER_CALL
    while True:
        began = time.process_time()
        found = _answer_within(limit, solver, question)
        computed = limit * (time.process_time() - began) / found.seconds
        # A solver that gives up before its time is up has another reason, and a tenth is lost on a quiet machine too.
        if found.status in ("sat", "unsat") or found.seconds < limit or computed > 0.9 * SECONDS_PER_CALL:
            return found
        limit *= 2


def _answer_within(limit: float, solver: str, question: Question) -> Answer:
    began = time.perf_counter()
    results = SOLVERS[solver](question, limit)
    status, count = next(results), 0
    if question.models is not None and status == "sat":
        last = status
        while last == "sat" and count <= question.models:
            count, last = count + 1, next(results)
        status = last if last not in ("sat", "unsat") else status
    seconds = time.perf_counter() - began
    return Answer(status, None if question.models is None else count, seconds)


def _z3(question: Question, limit: float) -> Iterator[str]:
    """The solver's answer, then its answer after the model's values of `over` are excluded, and so on."""
    import z3

    solver = z3.SolverFor(question.logic)
    solver.set("timeout", int(limit * 1000))
    solver.from_string(question.text)
    widths = dict(_DECLARED.findall(question.text))
    over = [z3.BitVec(name, int(widths[name])) if widths[name] else z3.Bool(name) for name in question.over]
    while True:
        yield str(solver.check())
        model = solver.model()
        solver.add(z3.Or([constant != model.eval(constant, model_completion=True) for constant in over]))


def _bitwuzla(question: Question, limit: float) -> Iterator[str]:
    import bitwuzla

    manager, options = bitwuzla.TermManager(), bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    options.set(bitwuzla.Option.TIME_LIMIT_PER, int(limit * 1000))
    parser = bitwuzla.Parser(manager, options)
    parser.parse(question.text, True, False)
    solver = parser.bitwuzla()
    declared = {constant.symbol(): constant for constant in parser.get_declared_funs()}
    over = [declared[name] for name in question.over]
    while True:
        yield str(solver.check_sat())
        differ = [manager.mk_term(bitwuzla.Kind.DISTINCT, [each, solver.get_value(each)]) for each in over]
        solver.assert_formula(manager.mk_term(bitwuzla.Kind.OR, differ) if len(differ) > 1 else differ[0])


def _cvc5(question: Question, limit: float) -> Iterator[str]:
    import cvc5

    manager = cvc5.TermManager()
    solver = cvc5.Solver(manager)
    solver.setOption("incremental", "true" if question.over else "false")
    if question.logic == "QF_BV":
        solver.setOption("bitblast", "eager")  # a third of the time, all files together
    solver.setOption("tlimit-per", str(int(limit * 1000)))
    symbols = cvc5.SymbolManager(manager)
    parser = cvc5.InputParser(solver, symbols)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, question.text, "text")
    said = ""
    while not (command := parser.nextCommand()).isNull():
        said += command.invoke(solver, symbols)
    yield said.split()[0]
    declared = {constant.getSymbol(): constant for constant in symbols.getDeclaredTerms()}
    over = [declared[name] for name in question.over]
    while True:
        differ = [manager.mkTerm(cvc5.Kind.DISTINCT, each, solver.getValue(each)) for each in over]
        solver.assertFormula(manager.mkTerm(cvc5.Kind.OR, *differ) if len(differ) > 1 else differ[0])
        result = solver.checkSat()
        yield "sat" if result.isSat() else "unsat" if result.isUnsat() else "unknown"


SOLVERS: dict[str, Callable[[Question, float], Iterator[str]]] = {"z3": _z3, "bitwuzla": _bitwuzla, "cvc5": _cvc5}
