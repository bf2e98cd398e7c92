"""Everything of p2smt's that can be shown on one GPU: several NCCL ranks on it, and the front door with CUDA models.

    python scripts/check_cuda.py --quick
    python scripts/check_cuda.py --out scripts/results/cuda.json --ranks 4
    python scripts/check_cuda.py --device cpu --quick --only reductions       tries the file itself, on gloo

NCCL refuses two ranks on one device of one host. Where every rank says that it is another host, and sends through
sockets, it works; a call takes 4 to 100 ms then, so nothing that ranks send each other is timed. Checked are emitted
reductions of all goals, hooks of DistributedDataParallel, schedules with torch's and Triton's kernels, optimizers,
sharded steps, and the scripts of training_scripts.py. On one rank the emitted step is timed beside eager PyTorch.

Nothing stops at a failure: every check's verdict, or what it raised, is a row of the JSON file, which is written as the
checks end. Ranks that do not answer within `--limit` seconds are ended and begun anew behind the check that hung. No
check is begun after `--seconds` (8 minutes, 4 with --quick); those left out are rows too. Exit code 1 where any row is
not right.
"""

import argparse
import json
import os
import platform
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

ONE_HOST_EACH = {
    "NCCL_P2P_DISABLE": "1",
    "NCCL_SHM_DISABLE": "1",
    "NCCL_IB_DISABLE": "1",
    "NCCL_SOCKET_IFNAME": "lo",
    "NCCL_NVLS_ENABLE": "0",
    "LOCAL_RANK": "0",
    "LOCAL_WORLD_SIZE": "1",
    "MASTER_ADDR": "127.0.0.1",
}
Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class Check:
    """A file that checks itself, a training script by its name, or a comparison of speed, on so many ranks."""

    group: str
    name: str
    path: str = ""
    ranks: int = 4


def emitted(folder: Path, quick: bool, ranks: int) -> Iterator[Check | Row]:
    """Files that check themselves; a row for each that could not be written."""
    for group, write in (
        ("reductions", _reductions),
        ("hooks", _hooks),
        ("schedules", _schedules),
        ("optimizers", _optimizers),
        ("steps", _steps),
    ):
        try:
            for name, text in write(quick, ranks):
                path = folder / f"{group}_{name}.py".replace("/", "_")
                path.write_text(text, encoding="utf-8")
                yield Check(group, name, str(path), ranks)
        except Exception:
            yield {"group": group, "name": "emission", "right": False, "raised": traceback.format_exc()[-2000:]}


def _plans(goal: object, ranks: int, most: int) -> Iterator[tuple[str, object]]:
    import p2smt
    from p2smt.reduction.plan.lower import Lowering

    problem = p2smt.build_problem(
        p2smt.find_system(f"node:2,gpu:{ranks // 2}"),
        [p2smt.Axis("data", ranks)],
        ["data"],
        p2smt.Payload(2**16, "float32"),
        goal=goal,
    )
    found = [(each.matrix, program) for each in p2smt.synthesize(problem).placements for program in each.programs]
    for number in range(min(most, len(found))):
        matrix, program = found[number * (len(found) - 1) // max(1, most - 1)]
        yield str(number), Lowering(problem, matrix).plan(program)


def _reductions(quick: bool, ranks: int) -> Iterator[tuple[str, str]]:
    import p2smt

    for goal in p2smt.Collective:
        for name, plan in _plans(goal, ranks, 2 if quick else 6):
            yield f"{goal.name.lower()}_{name}", p2smt.emit_torch(plan)


def _hooks(quick: bool, ranks: int) -> Iterator[tuple[str, str]]:
    import p2smt

    for name, plan in _plans(p2smt.Collective.ALL_REDUCE, ranks, 1 if quick else 2):
        yield name, p2smt.emit_ddp(plan)


def _schedule_files(quick: bool) -> Sequence[tuple[str, str]]:
    few = (("adam", "adam_fused"), ("mlp_step_megatron", ""), ("zero2", "zero2_overlapped"))
    more = (
        ("adam", "adam_overlapped"),
        ("sgd", "sgd_fused"),
        ("lamb", "lamb_fused"),
        ("sequence_parallel", "sequence_parallel_overlapped"),
    )
    return [each for each in (few if quick else (*few, *more)) if each[1]]


def _checked(program: str, steps: str, ranks: int) -> object:
    import p2smt
    from p2smt.tensor.text.file import read_program

    folders = (ROOT / "p2smt" / "tensor" / "examples", ROOT / "p2smt" / "schedule" / "examples")
    path = next(folder / f"{program}.tp" for folder in folders if (folder / f"{program}.tp").is_file())
    read = read_program(path)
    steps_of = p2smt.read_schedule(folders[1] / f"{steps}.steps")
    return p2smt.check_schedule(read, steps_of, None if read.mesh else ranks)


def _schedules(quick: bool, ranks: int) -> Iterator[tuple[str, str]]:
    from p2smt.schedule.emission.source import emit_schedule

    for program, steps in _schedule_files(quick):
        yield steps, emit_schedule(_checked(program, steps, ranks))


def _optimizers(quick: bool, ranks: int) -> Iterator[tuple[str, str]]:
    from p2smt.schedule.emission.optimizer import emit_optimizer

    for program, steps in (("adam", "adam_fused"), *(() if quick else (("sgd", "sgd_fused"),))):
        yield steps, emit_optimizer(_checked(program, steps, ranks))


def _steps(quick: bool, ranks: int) -> Iterator[tuple[str, str]]:
    import p2smt
    from p2smt.frontend.torch_graph.capture import capture_example
    from p2smt.frontend.torch_graph.settings import Example, OptimizerName, Size, settings_of

    system = p2smt.find_system(f"dgx-h100:1x{ranks}")
    for example in list(Example)[: 1 if quick else 3]:
        program = capture_example(example, settings_of(example, Size.SMALL), OptimizerName.ADAM)
        found = p2smt.shard_program(program, system)
        yield example.value, p2smt.emit_program(found.program)


def _python_path() -> list[str]:
    """Folders that this process was told to import from; the packages of p2smt may lie there."""
    return [each for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if each]


def training(quick: bool, ranks: int) -> Iterator[Check]:
    from training_scripts import SCRIPTS

    few = ("schedule", "accumulation", "own_parts", "mixed", "resume", "hugging_face")
    for name in few if quick else SCRIPTS:
        yield Check("training", name, ranks=2 if quick else ranks)
    yield Check("training", "meta", ranks=2 if quick else ranks)


def speeds(quick: bool) -> Iterator[Check]:
    for name in ("mlp", "transformer") if quick else ("mlp", "transformer", "convolutions"):
        yield Check("speed", name, ranks=1)


class Rank:
    """The work of a rank: the checks of a file in order, each verdict a line of its standard output."""

    def __init__(self, kind: str) -> None:
        import torch
        import torch.distributed as dist

        self._device = torch.device("cuda", 0) if kind == "cuda" else torch.device("cpu")
        if kind == "cuda":
            torch.cuda.set_device(self._device)
        dist.init_process_group("nccl" if kind == "cuda" else "gloo", timeout=timedelta(seconds=90))

    def run(self, checks: Sequence[Check], first: int) -> None:
        """A line with the number of the check before it begins, and its row behind it, on rank 0."""
        for number, check in list(enumerate(checks))[first:]:
            begun = time.perf_counter()
            try:
                row = self._row(check)
            except Exception as cause:
                row = {
                    "right": False,
                    "raised": f"{type(cause).__name__}: {cause}"[-1500:],
                    "at": traceback.format_exc()[-1500:],
                }
            row["seconds"] = round(time.perf_counter() - begun, 2)
            row["number"] = number
            print(f"ROW {json.dumps(row)}", flush=True)

    def _row(self, check: Check) -> Row:
        match check.group:
            case "training" if check.name == "meta":
                return _meta(self._device)
            case "training":
                from training_scripts import verdict

                return verdict(check.name, self._device)
            case "speed":
                return _speed(check.name, self._device)
            case _:
                return self._file(check.path)

    def _file(self, path: str) -> Row:
        """Return how many results a file finds wrong on this rank."""
        from p2smt.run.rank.modules import load_module

        wrong = load_module(path).check(self._device)
        return {"right": wrong == 0, "wrong": wrong}


def _meta(device: "object") -> Row:
    """A model on `meta`, materialised part by part, on the device."""
    import torch
    import torch.distributed as dist
    from training_scripts import Net, apart, batches, loss, plain_step, system

    import p2smt

    given = batches(torch.device("cpu"), torch.float32)
    torch.manual_seed(4)
    with torch.device("meta"):
        empty = Net()
    optimizer = torch.optim.AdamW(empty.parameters(), lr=0.01)
    made = p2smt.shard(empty, loss, given[0], system(), optimizer=optimizer)
    torch.manual_seed(4)
    alone = Net()
    its = torch.optim.AdamW(alone.parameters(), lr=0.01)
    for batch in given[:3]:
        made.step(batch)
        plain_step(alone, its, batch)
    found = apart({name: each.cpu() for name, each in made.state_dict()["module"].items()}, alone.state_dict())
    made.close()
    return {"right": found < 1e-4, "apart": found, "ranks": dist.get_world_size()}


def _speed(name: str, device: "object") -> Row:
    """Milliseconds of a step of p2smt.shard beside eager PyTorch's, in turns, on one rank."""
    import copy

    import torch

    import p2smt

    assert isinstance(device, torch.device)
    module, batch, loss = _model(name, device)
    alone = copy.deepcopy(module)
    own, its = (torch.optim.AdamW(each.parameters(), lr=1e-3) for each in (module, alone))
    made = p2smt.shard(module, loss, batch, "gpu:1", optimizer=own)

    def eager() -> torch.Tensor:
        its.zero_grad()
        one = loss(alone, *batch)
        one.backward()
        its.step()
        return one

    losses = (made.step(batch).item(), eager().item())
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(25 if device.type == "cuda" else 3):
        for found, step in zip(times, (lambda: made.step(batch), eager), strict=True):
            found.append(_milliseconds(step, device))
    ours, theirs = (sorted(each)[len(each) // 2] for each in times)
    made.close()
    right = abs(losses[0] - losses[1]) < 1e-3 * max(1, abs(losses[1]))
    return {"right": right, "sharded_ms": ours, "eager_ms": theirs, "ratio": ours / theirs, "losses": losses}


def _milliseconds(step: "Callable[[], object]", device: "object") -> float:
    import torch

    if getattr(device, "type", "") != "cuda":
        begun = time.perf_counter()
        step()
        return 1e3 * (time.perf_counter() - begun)
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda.synchronize()
    begin.record()
    step()
    end.record()
    torch.cuda.synchronize()
    return float(begin.elapsed_time(end))


def _model(name: str, device: "object") -> "tuple[object, ...]":
    import torch
    from torch import nn
    from torch.nn import functional

    torch.manual_seed(0)
    large = getattr(device, "type", "") == "cuda"
    width, rows = (2048, 512) if large else (64, 16)
    y = torch.randint(0, 10, (rows,))

    def loss(module: nn.Module, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return functional.cross_entropy(module(x), y)

    match name:
        case "mlp":
            layers = [each for _ in range(6) for each in (nn.Linear(width, width), nn.GELU())]
            module, x = nn.Sequential(*layers, nn.Linear(width, 10)), torch.randn(rows, width)
        case "convolutions":
            blocks = [
                each for _ in range(4) for each in (nn.Conv2d(64, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU())
            ]
            module = nn.Sequential(nn.Conv2d(3, 64, 3, padding=1), *blocks, nn.Flatten(), nn.Linear(64 * 16 * 16, 10))
            x, y = torch.randn(rows // 8, 3, 16, 16), y[: rows // 8]
        case _:
            layer = nn.TransformerEncoderLayer(width // 4, 8, width, 0.0, "gelu", batch_first=True, norm_first=True)

            class Encoder(nn.Module):
                """A small encoder."""

                def __init__(self) -> None:
                    super().__init__()
                    self.layers = nn.TransformerEncoder(layer, 4 if large else 1, enable_nested_tensor=False)
                    self.head = nn.Linear(width // 4, 10)

                def forward(self, x: torch.Tensor) -> torch.Tensor:
                    """Logits of the mean over the sequence."""
                    return self.head(self.layers(x).mean(1))

            module, x, y = Encoder(), torch.randn(rows // 32 or 1, 128, width // 4), y[: rows // 32 or 1]
    return module.to(device), (x.to(device), y.to(device)), loss


class Ranks:
    """The processes of all ranks, which run a list of checks; begun anew where one hangs or dies."""

    def __init__(self, kind: str, limit: float, deadline: float) -> None:
        self._kind, self._limit, self._deadline = kind, limit, deadline

    def rows(self, checks: Sequence[Check], folder: Path) -> Iterator[Row]:
        """A row for every check, in their order."""
        ranks = checks[0].ranks
        listed = folder / f"checks_{checks[0].group}_{ranks}.json"
        listed.write_text(
            json.dumps([[each.group, each.name, each.path, each.ranks] for each in checks]), encoding="utf-8"
        )
        first = 0
        while first < len(checks):
            if time.monotonic() > self._deadline:
                for check in checks[first:]:
                    yield _named(check, {"right": False, "raised": "left out: no time was left"})
                return
            for number, row in self._some(checks, listed, ranks, first):
                yield _named(checks[number], row)
                first = number + 1

    def _some(self, checks: Sequence[Check], listed: Path, ranks: int, first: int) -> Iterator[tuple[int, Row]]:
        """The rows of the checks from `first` on, up to one that does not end, which has a row too."""
        outs = [listed.with_suffix(f".{first}.{rank}.out") for rank in range(ranks)]
        errs = [path.with_suffix(".err") for path in outs]
        running = [self._started(listed, ranks, rank, first, outs[rank], errs[rank]) for rank in range(ranks)]
        number, since = first, time.monotonic()
        try:
            while number < len(checks):
                found = [_rows_of(path).get(number) for path in outs]
                if all(row is not None for row in found):
                    yield number, _together([row for row in found if row is not None])
                    number, since = number + 1, time.monotonic()
                    continue
                ended = [each.poll() for each in running]
                begins = 60.0 if number == first else 0.0
                late = time.monotonic() - since > self._limit + begins or time.monotonic() > self._deadline
                if late or all(code is not None for code in ended):
                    said = [path.read_text(encoding="utf-8", errors="replace")[-600:] for path in errs]
                    waited = time.monotonic() - since
                    why = f"ranks did not end within {waited:.0f} s" if late else f"ranks ended: {ended}"
                    partial = [row for row in found if row is not None]
                    yield number, {"right": False, "raised": why, "stderr": said, "others": partial[:1]}
                    return
                time.sleep(0.05)
        finally:
            for each in running:
                try:
                    each.wait(timeout=10 if number == len(checks) else 0.1)
                except subprocess.TimeoutExpired:
                    each.kill()
                    each.wait()

    def _started(
        self, listed: Path, ranks: int, rank: int, first: int, out: Path, err: Path
    ) -> "subprocess.Popen[bytes]":
        if rank == 0:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                self._port = free.getsockname()[1]
        environment = {
            **os.environ,
            **ONE_HOST_EACH,
            "NCCL_HOSTID": f"host{rank}",
            "RANK": str(rank),
            "WORLD_SIZE": str(ranks),
            "MASTER_PORT": str(self._port),
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "scripts"), *_python_path()]),
            "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "2"),
            "XDG_CACHE_HOME": str(listed.parent / "cache"),
        }
        command = [
            sys.executable,
            str(Path(__file__).resolve()),
            "--rank-of",
            str(listed),
            "--first",
            str(first),
            "--device",
            self._kind,
        ]
        with out.open("wb") as stdout, err.open("wb") as stderr:
            return subprocess.Popen(command, stdout=stdout, stderr=stderr, env=environment)


def _rows_of(path: Path) -> dict[int, Row]:
    found: dict[int, Row] = {}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else ():
        if line.startswith("ROW ") and line.endswith("}"):
            row = json.loads(line[4:])
            found[row["number"]] = row
    return found


def _together(rows: Sequence[Row]) -> Row:
    """The row of the first rank that is not right, else of rank 0."""
    wrong = [row for row in rows if not row.get("right")]
    return {**(wrong or rows)[0], "right": not wrong}


def _named(check: Check, row: Row) -> Row:
    rest = {key: value for key, value in row.items() if key not in ("number", "script")}
    return {"group": check.group, "name": check.name, "ranks": check.ranks, **rest}


def _about(kind: str) -> Row:
    """Versions, the card, the commit."""
    import torch

    try:
        commit = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
        ).stdout
    except OSError:
        commit = ""
    found: Row = {
        "commit": commit.strip(),
        "torch": torch.__version__,
        "python": platform.python_version(),
        "device": kind,
        "when": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }
    if kind == "cuda":
        found |= {
            "card": torch.cuda.get_device_name(0),
            "cuda": torch.version.cuda,
            "nccl": ".".join(map(str, torch.cuda.nccl.version())),
        }
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer of each kind, in at most 4 minutes")
    parser.add_argument("--out", type=Path, default=ROOT / "scripts" / "results" / "cuda.json")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--seconds", type=float, help="no check is begun later")
    parser.add_argument("--limit", type=float, default=45.0, help="seconds that one check may take")
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--only", default="", help="groups, with commas between them")
    parser.add_argument("--rank-of", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--first", type=int, default=0, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.rank_of is not None:
        Rank(given.device).run(
            [Check(*each) for each in json.loads(given.rank_of.read_text(encoding="utf-8"))], given.first
        )
        sys.stdout.flush()
        os._exit(0)  # process groups of checks that failed may never be given back
    deadline = time.monotonic() + (given.seconds or (225.0 if given.quick else 465.0))
    rows: list[Row] = []
    try:
        about = _about(given.device)
    except (RuntimeError, AssertionError) as cause:
        print(f"check_cuda.py: no CUDA device: {cause}; --device cpu tries the file on gloo", file=sys.stderr)
        return 2

    def kept(row: Row) -> None:
        rows.append(row)
        right = sum(bool(each["right"]) for each in rows)
        given.out.parent.mkdir(parents=True, exist_ok=True)
        given.out.write_text(
            json.dumps({**about, "right": right, "of": len(rows), "checks": rows}, indent=1) + "\n", encoding="utf-8"
        )
        words = " ".join(f"{key}={row[key]}" for key in ("wrong", "apart", "ratio", "raised") if key in row)
        print(f"{'right' if row['right'] else 'WRONG'}  {row['group']:<11} {row['name']}  {words[:200]}", flush=True)

    wanted = [each for each in given.only.split(",") if each]
    with tempfile.TemporaryDirectory() as folder:
        of_one = Ranks(given.device, given.limit, deadline)
        for checks in (list(speeds(given.quick)), list(training(given.quick, given.ranks))):
            chosen = [each for each in checks if not wanted or each.group in wanted]
            for row in of_one.rows(chosen, Path(folder)) if chosen else ():
                kept(row)
        files = []
        if not wanted or {*wanted} - {"speed", "training"}:
            for each in emitted(Path(folder), given.quick, given.ranks):
                if isinstance(each, Check):
                    files.append(each)
                else:
                    kept(each)
        files = [each for each in files if not wanted or each.group in wanted]
        for row in of_one.rows(files, Path(folder)) if files else ():
            kept(row)
    print(f"{sum(bool(each['right']) for each in rows)} of {len(rows)} are right; {given.out}")
    return 0 if all(each["right"] for each in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
