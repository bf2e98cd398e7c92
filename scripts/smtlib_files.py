"""SMT-LIB files: write those of encodings/, compare them with what the code generates, put them to three solvers.

--write        generate the files, and remove files that the code no longer generates
--check        generate the files and compare them byte by byte; exit code 1 and the names of files that differ
--cross-check  z3, bitwuzla and cvc5 parse every file (bitwuzla only those of bit-vectors); exit code 1 unless status
               and number of models are those of the header
--all          every query, not only the selection that encodings/ keeps; with --write and --check, in another --folder

Exit code 2: a solver is missing, or there is no such file.

  python scripts/smtlib_files.py --cross-check --all
  python scripts/smtlib_files.py --write --all --folder /tmp/queries
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from smtlib_selection import SELECTED
from smtlib_solvers import SOLVERS, Answer, Question, answer, missing, read_question, solvers_of

from p2smt.wording import counted

FOLDER = Path(__file__).parents[1] / "encodings"


def generated(every: bool = False) -> dict[str, str]:
    """Texts by path inside the folder, of all scripts or of the selection; z3 has confirmed their headers."""
    from p2smt.cli.output.progress import working
    from p2smt.reduction.catalogue import families
    from p2smt.reduction.catalogue.answers import answered
    from p2smt.schedule import catalogue as schedules
    from p2smt.smt.smtlib import script_text
    from p2smt.smt.smtlib_functions import functions_text
    from p2smt.tensor.rules import catalogue

    with working("generating the files"):
        of_reductions = {
            path: script_text(answered(script))
            for family in families.FAMILIES
            for path, script in family.scripts()
            if every or path in SELECTED
        }
        of_tensors = [*catalogue.all_scripts(), *schedules.all_scripts()]
        return of_reductions | {
            path: functions_text(script) for path, script in of_tensors if every or path in SELECTED
        }


def written(folder: Path) -> list[str]:
    """Paths of the files in a folder."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.smt2"))


def write(folder: Path, every: bool = False) -> int:
    texts = generated(every)
    for path in written(folder):
        if path not in texts:
            (folder / path).unlink()
            print(f"removed {path}")
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode())
    print(f"{len(texts)} files, {sum(map(len, texts.values())):,} bytes in {folder}")
    return 0


def check(folder: Path, every: bool = False) -> int:
    texts, there = generated(every), written(folder)
    wrong = [(path, "is not there") for path in texts if path not in there]
    wrong += [(path, "is no longer generated") for path in there if path not in texts]
    wrong += [
        (path, "differs from what is generated")
        for path in there
        if path in texts and (folder / path).read_bytes() != texts[path].encode()
    ]
    for path, what in sorted(wrong):
        print(f"{path} {what}")
    remedy = "; scripts/smtlib_files.py --write renews them" if wrong else ""
    print(f"{len(texts)} files generated, {len(wrong)} wrong{remedy}")
    return 1 if wrong else 0


def cross_check(folder: Path, only: Sequence[str], solvers: Sequence[str], as_json: bool) -> int:
    if absent := [name for name in missing() if name in solvers]:
        print(
            f"smtlib_files: {' and '.join(absent)} cannot be imported; pip install -e '.[xcheck]' brings the solvers",
            file=sys.stderr,
        )
        return 2
    paths = only or written(folder)
    if strange := [path for path in paths if not (folder / path).is_file()]:
        print(f"smtlib_files: no file {', '.join(strange)} in {folder}", file=sys.stderr)
        return 2
    if not paths:
        print(f"smtlib_files: no .smt2 file in {folder}; --write --all --folder makes them", file=sys.stderr)
        return 2
    try:
        questions = {path: read_question(folder / path) for path in paths}
    except ValueError as cause:
        print(f"smtlib_files: {cause}", file=sys.stderr)
        return 2
    rows = []
    for row in _rows(questions, solvers):
        rows.append(row)
        if not as_json:
            print(_line(row), flush=True)
    disagreeing = [row["path"] for row in rows if not row["agree"]]
    if as_json:
        print(json.dumps({"files": rows, "disagreeing": disagreeing}, indent=2))
    else:
        print(f"{len(rows)} files, {counted(len(solvers), 'solver')}, {len(disagreeing)} disagreements")
    return 1 if disagreeing else 0


def _rows(questions: Mapping[str, Question], solvers: Sequence[str]) -> Iterator[dict[str, Any]]:
    for path, question in questions.items():
        answers = {solver: answer(solver, question) for solver in solvers_of(question) if solver in solvers}
        if not answers:
            continue
        yield {
            "path": path,
            "status": question.status,
            "models": question.models,
            "agree": all(_agrees(question, found) for found in answers.values()),
            "answers": {solver: asdict(found) for solver, found in answers.items()},
        }


def _agrees(question: Question, found: Answer) -> bool:
    return (found.status, found.models) == (question.status, question.models)


def _line(row: dict[str, Any]) -> str:
    def said(of: dict[str, Any]) -> str:
        return of["status"] + (f" {of['models']}" if of["models"] is not None else "")

    answers = "  ".join(f"{name} {said(of)} {of['seconds']:.2f} s" for name, of in row["answers"].items())
    return f"{'ok' if row['agree'] else 'WRONG'}  {row['path']}  {said(row)}:  {answers}"


def _refused(given: argparse.Namespace) -> str:
    """The words that refuse a folder; none for one that will do."""
    if given.folder.exists() and not given.folder.is_dir():
        return f"{given.folder} is a file; --folder takes a folder"
    if given.check and not given.folder.exists():
        return f"there is no folder {given.folder}; --write --folder makes it"
    if given.all and not given.cross_check and given.folder.resolve() == FOLDER.resolve():
        return "--all needs --folder: encodings/ keeps a selection"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--write", action="store_true", help="generate the files")
    action.add_argument("--check", action="store_true", help="compare the files with what is generated")
    action.add_argument("--cross-check", action="store_true", help="put the files to three solvers")
    parser.add_argument("files", nargs="*", help="cross-check these only; paths inside the folder")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the files are [encodings/]")
    parser.add_argument("--json", action="store_true", help="cross-check: one JSON document on stdout")
    parser.add_argument("--solvers", nargs="+", choices=SOLVERS, default=list(SOLVERS), help="cross-check: these only")
    parser.add_argument("--all", action="store_true", help="every query, not only the selection of encodings/")
    given = parser.parse_args()
    if refused := _refused(given):
        print(f"smtlib_files: {refused}", file=sys.stderr)
        return 2
    if given.write:
        return write(given.folder, given.all)
    if given.check:
        return check(given.folder, given.all)
    if given.all:
        with tempfile.TemporaryDirectory() as folder:
            for path, text in generated(every=True).items():
                (Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
                (Path(folder) / path).write_bytes(text.encode())
            return cross_check(Path(folder), given.files, given.solvers, given.json)
    return cross_check(given.folder, given.files, given.solvers, given.json)


if __name__ == "__main__":
    sys.exit(main())
