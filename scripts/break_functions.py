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
import runpy
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from random import Random
from traceback import format_exc
from unittest.mock import patch

from exchanges_to_break import EXCHANGES
from functions_to_break import COLUMNS, HEADER, RANKS, ROWS, Function, function
from operators_to_break import Watching
from statements_to_break import STATEMENTS

AT_ONCE = 25
Progress = Callable[[str], None]


def run(count: int, seed: int, progress: Progress = lambda _: None) -> dict[str, object]:
    """What was found of this many functions: verdicts, false ones with their code, and the operators that ran."""
    begun = sum(os.times()[:4])
    functions = [
        function(f"f{number}", Random(f"{seed} {number}"), {**STATEMENTS, **EXCHANGES}) for number in range(count)
    ]
    with tempfile.TemporaryDirectory() as folder:
        files = _written(Path(folder), functions)
        values, operators = _on_ranks(Path(folder), functions, files, progress)
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
        "false": [{"why": why, "verdict": verdicts[name], "code": each.code, "single": each.single}
                  for each in functions if (why := false.get(name := each.name))],
        "operators": operators,
        "CPU seconds": round(sum(os.times()[:4]) - begun, 1),
    }  # fmt: skip


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
    from p2smt.tensor.program import Axis
    from p2smt.tensor.text.parser import parse_program
    from p2smt.verify.verdict import Proved, Refuted

    def traced(request: object, timeout_s: float) -> object:
        return ranks.checked(trace.traced(request), request.path)

    try:
        with patch.object(ranks, "_traced", traced), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            mesh = (Axis("ranks", RANKS),)
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


def _on_ranks(folder: Path, functions: Sequence[Function], files: dict[str, Path], progress: Progress) -> tuple[
    dict[str, str], dict[str, object]
]:  # fmt: skip
    """Whether what all ranks give is the program's value, and the operators that rank 0 has dispatched."""
    import torch.distributed.tensor
    import torch.optim

    torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], 0.1)  # which loads, once for all processes, what it needs
    children = []
    for rank in range(RANKS):
        child = os.fork()
        if child == 0:
            _rank(folder, functions, files, rank, progress if rank == 0 else lambda _: None)
        children.append(child)
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    if any(codes):
        raise RuntimeError(f"ranks ended with exit codes {codes}")
    found = [json.loads((folder / f"{rank}.json").read_text(encoding="utf-8")) for rank in range(RANKS)]
    values = {}
    for each in functions:
        fits = [set(one["fits"][each.name]) for one in found]
        errors = [one["errors"].get(each.name, "") for one in found]
        values[each.name] = next(filter(None, errors), "same" if set.intersection(*fits) else "a value differs")
    return values, found[0]["operators"]


def _rank(folder: Path, functions: Sequence[Function], files: dict[str, Path], rank: int, progress: Progress) -> None:
    """One rank's process, which ends here."""
    code = 1
    try:
        import torch.distributed as dist

        warnings.simplefilter("ignore")
        os.environ |= {"RANK": str(rank), "WORLD_SIZE": str(RANKS), "GLOO_SOCKET_IFNAME": "lo"}
        dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=rank, world_size=RANKS,
                                timeout=timedelta(seconds=60))  # fmt: skip
        fits: dict[str, list[str]] = {}
        errors: dict[str, str] = {}
        watching = Watching()
        for number, each in enumerate(functions):
            fits[each.name] = []
            if not (each.hangs or each.races):
                try:
                    fits[each.name] = _fits(each, files[each.name], rank, watching)
                except Exception as cause:
                    errors[each.name] = f"on real ranks {type(cause).__name__}: {str(cause)[:200]}"
            if number % (4 * AT_ONCE) == 0:
                progress(f"ran {number} of {len(functions)}")
        found = {"fits": fits, "errors": errors, "operators": watching.table()}
        (folder / f"{rank}.json").write_text(json.dumps(found), encoding="utf-8")
        dist.barrier()
        code = 0
    except BaseException:
        print(format_exc(), file=sys.stderr)
    finally:
        sys.stderr.flush()
        os._exit(code)


_FILES: dict[Path, dict[str, object]] = {}


def _fits(each: Function, path: Path, rank: int, watching: Watching) -> list[str]:
    """The ways in which this rank's result is a part of the program's value: whole, or cut along a dimension."""
    import numpy as np
    import torch

    from p2smt.tensor.frame import whole
    from p2smt.tensor.interpreter import run as interpreted
    from p2smt.tensor.meaning import Part
    from p2smt.tensor.reals import Reals
    from p2smt.tensor.text.parser import parse_program

    if path not in _FILES:
        _FILES.clear()
        _FILES[path] = runpy.run_path(str(path))
    array = np.random.default_rng(5).normal(size=(ROWS, COLUMNS))
    wanted = interpreted(parse_program(each.single), {"w1": (Part(array, whole(array.shape)),)}, Reals(0), 1)
    value = wanted["y"][0].array
    width = COLUMNS // RANKS
    mine = torch.tensor(array[:, rank * width : (rank + 1) * width].copy()).requires_grad_()
    with watching:
        result = _FILES[path][each.name](mine)
    ours = result.detach().numpy()
    found = ["whole"] if _close(ours, value) else []
    for dim in range(2):
        if value.shape[dim] % RANKS == 0 and _close(ours, np.split(value, RANKS, dim)[rank]):
            found.append(f"cut along {dim}")
    return found


def _close(one: object, other: object) -> bool:
    import numpy as np

    return one.shape == other.shape and bool(np.allclose(one, other, rtol=1e-9, atol=1e-12))


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
    sys.exit(bool(found["false"] or found["operators"]["unlike their schemas"]))


if __name__ == "__main__":
    main()
