"""PyTorch functions against real ranks: whether `verify FILE.py:f --against` ever says right of one that is wrong.

Random functions (`statements_to_break.py`) are judged beside a program for one device, which often is not what they
compute, and run by two processes on gloo. A verdict is false if it is "right" and a value differs, or ranks race or
hang, or if it is "wrong" and no value differs. While ranks run, every operation that torch dispatches is asked whether
it changes what its schema says, and is counted with what the tracer makes of it.

    scripts/break_functions.py --functions 2000 --seed 1 --out found.json
"""

import argparse
import json
import os
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from traceback import format_exc
from unittest.mock import patch

from exchanges_to_break import EXCHANGES
from functions_to_break import HEADER, RANKS, Function, function
from statements_to_break import STATEMENTS

AT_ONCE = 25
RANK = Path(__file__).with_name("break_functions_rank.py")
JOIN_S = 120.0
"""Ranks join in this time, and a collective that takes longer fails."""
CALL_S = 300.0
"""The limit of the functions of one file."""
UNLIKE = "unlike their schemas"
Progress = Callable[[str], None]


def run(count: int, seed: int, progress: Progress = lambda _: None) -> dict[str, object]:
    """What was found of this many functions: verdicts, false ones with their code, and the operators that ran."""
    begun = sum(os.times()[:4])
    functions = [
        function(f"f{number}", Random(f"{seed} {number}"), {**STATEMENTS, **EXCHANGES}) for number in range(count)
    ]
    with tempfile.TemporaryDirectory() as folder:
        files = _written(Path(folder), functions)
        values, operators, ranks_s = _on_ranks(functions, files, progress)
        verdicts = {}
        for number, each in enumerate(functions):
            verdicts[each.name] = _verdict(each, files[each.name])
            if number % AT_ONCE == 0:
                progress(f"judged {number} of {count}")
    false = {name: said for each in functions if (said := _false(each, verdicts[name := each.name], values[name]))}
    said = Counter(verdict for verdict, _ in verdicts.values())
    return {
        "functions": count,
        "seed": seed,
        "verdicts": dict(said),
        "true ones not proved": round(_unproved(functions, verdicts, values), 3),
        "reasons": dict(Counter(_short(reason) for verdict, reason in verdicts.values() if reason).most_common(20)),
        "kinds": dict(Counter(kind for each in functions for kind in each.kinds)),
        "false": [
            {"why": why, "verdict": verdicts[name], "code": each.code, "single": each.single}
            for each in functions
            if (why := false.get(name := each.name))
        ],
        "operators": operators,
        "CPU seconds": round(sum(os.times()[:4]) - begun + ranks_s, 1),
    }


def _written(folder: Path, functions: Sequence[Function]) -> dict[str, Path]:
    files = {}
    for first in range(0, len(functions), AT_ONCE):
        some = functions[first : first + AT_ONCE]
        path = folder / f"functions_{first}.py"
        path.write_text(HEADER + "\n\n".join(each.code for each in some), encoding="utf-8")
        files |= dict.fromkeys([each.name for each in some], path)
    return files


def _verdict(each: Function, path: Path) -> tuple[str, str]:
    """The verdict in a word, and its reason."""
    from p2smt.errors import VerifyError
    from p2smt.frontend.torch_ranks import ranks, trace
    from p2smt.tensor.expression import ProgramAxis
    from p2smt.tensor.text.parser import parse_program
    from p2smt.verify.verdict import Proved, Refuted

    def traced(request: object, timeout_s: float) -> object:
        return ranks.checked(trace.traced(request), request.path)

    try:
        with patch.object(ranks, "_traced", traced), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            mesh = (ProgramAxis("ranks", RANKS),)
            found = ranks.verify_function(path, each.name, mesh, parse_program(each.single), 60).verdict
    except VerifyError as refused:
        return "refused", str(refused)
    except Exception:
        return "crash", format_exc()[-1500:]
    match found:
        case Proved():
            return "right", ""
        case Refuted():
            return "wrong", ""
        case _:
            return "not proved", str(found.reason)


def _false(each: Function, verdict: tuple[str, str], value: str) -> str:
    """Why a verdict is false; nothing if it is not."""
    if verdict[0] == "crash":
        return "p2smt raised an error"
    if verdict[0] == "right" and (each.races or each.hangs or value != "same"):
        return f"right, but {'ranks race' if each.races else 'ranks hang' if each.hangs else value}"
    if verdict[0] == "wrong" and value == "same" and not (each.races or each.hangs):
        return "wrong, but real ranks give what it gives"
    return ""


def _unproved(functions: Sequence[Function], verdicts: dict[str, tuple[str, str]], values: dict[str, str]) -> float:
    true = [each.name for each in functions if values[each.name] == "same" and not (each.races or each.hangs)]
    return sum(verdicts[name][0] != "right" for name in true) / max(1, len(true))


def _short(reason: str) -> str:
    """A reason without what is another in every function."""
    return reason.rpartition(": ")[2][:80] if "functions_" in reason else reason[:80]


def _on_ranks(
    functions: Sequence[Function], files: Mapping[str, Path], progress: Progress
) -> tuple[dict[str, str], dict[str, object], float]:
    """Whether what all ranks give is the program's value, the operators that rank 0 dispatched, and CPU seconds."""
    from p2smt.run.local.calls import CallRanks
    from p2smt.run.rank.message import Seat

    by_file: dict[Path, list[tuple[str, str]]] = {}
    for each in functions:
        if not (each.hangs or each.races):
            by_file.setdefault(files[each.name], []).append((each.name, each.single))
    values = {each.name: "a value differs" for each in functions}  # those that race or hang are not run
    tables, seconds = [], 0.0
    with CallRanks([Seat()] * RANKS, timeout_s=JOIN_S) as ranks:
        for number, (path, some) in enumerate(by_file.items()):
            progress(f"ran {number} of {len(by_file)} files")
            found = ranks.call(str(RANK), "agreements", str(path), some, timeout_s=CALL_S)
            for name, _ in some:
                fits = set.intersection(*(set(agreements[name][0]) for agreements, _, _ in found))
                errors = [agreements[name][1] for agreements, _, _ in found]
                values[name] = next(filter(None, errors), "same" if fits else "a value differs")
            tables.append(found[0][1])
            seconds += sum(each[2] for each in found)
    return values, _together(tables), seconds


def _together(tables: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """One table of operators of several: their counts added, and all that are unlike their schemas."""
    counts: dict[str, Counter[str]] = {}
    for kind, found in (each for table in tables for each in table.items() if each[0] != UNLIKE):
        counts.setdefault(kind, Counter()).update(found)
    unlike = sorted({name for table in tables for name in table[UNLIKE]})
    return {kind: dict(sorted(counts[kind].items())) for kind in sorted(counts)} | {UNLIKE: unlike}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--functions", type=int, default=2000, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="the JSON, instead of stdout")
    asked = parser.parse_args()
    found = run(asked.functions, asked.seed, lambda said: print(said, file=sys.stderr, flush=True))
    text = json.dumps(found, indent=1)
    if asked.out is None:
        print(text)
    else:
        asked.out.write_text(text + "\n", encoding="utf-8")
        print(json.dumps({key: found[key] for key in ("functions", "verdicts", "true ones not proved", "CPU seconds")}))
    sys.exit(bool(found["false"] or found["operators"][UNLIKE]))


if __name__ == "__main__":
    main()
