"""Whole models sharded, proved, emitted, and trained for three steps on four gloo ranks beside plain PyTorch.

    .venv/bin/python scripts/check_models.py
    .venv/bin/python scripts/check_models.py --model gpt2 --layout mesh --json
    .venv/bin/python scripts/check_models.py --model zoo:mixtral --report mixtral.md

Models are the small ones of `checked_models.py`, or those of the zoo, such as zoo:gpt2 (extra `zoo`). Layouts: `one`
axis of four devices; a `mesh` of 2 x 2, with a batch of eight samples; `uneven`
devices, of which two are three times as fast as the others. All are so slow that everything is cut that can be.
Numbers are float64, but for the zoo's mixtures of experts. Beside each other are the loss of every step and in the end
all parameters and buffers, on every rank, relative to the largest element or 1; what drops out has the same bits. Exit
code 1 if one is not proved, or is further apart than 1e-9 (the zoo's, which compute in float32 inside, 1e-5).
"""

import argparse
import copy
import json
import logging
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

import torch
from checked_models import CHECKED, checked, numbers_of

from p2smt.cost.network.backend import Gloo
from p2smt.emit.torch.program.source import emit_program
from p2smt.errors import P2Error
from p2smt.frontend.torch_graph.live import live_program
from p2smt.frontend.torch_graph.training import Training, loss_of, training_of
from p2smt.problem.system.text import find_system
from p2smt.run.local.calls import CallRanks
from p2smt.run.rank.message import Seat
from p2smt.spmd.account.ways import carried
from p2smt.spmd.request import ShardingRequest, shard_program
from p2smt.spmd.search.sharded import ShardingResult
from p2smt.tensor.expression import Convert, SourceKind
from p2smt.tensor.layout import Sliced
from p2smt.tensor.program import Program
from p2smt.tensor.verification.check import verify_program
from p2smt.verify.verdict import Proved

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))
from frontend.torch_graph.eager import CounterBits  # noqa: E402

RANK, RANKS, STEPS, LIMIT_S = str(HERE / "check_models_rank.py"), 4, 3, 300.0
ZOO = "zoo:"
MOST, MOST_OF_THE_ZOO = 1e-9, 1e-5
"""Models of the zoo cast to float32 inside, even where parameters are float64."""
_SPEED = 1e5
"""Operations per second, of devices that are alike: any communication is faster than computing twice."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A system, the mesh on it, None for one axis, and the samples of a batch."""

    system: str
    mesh: str | None
    samples: int


LAYOUTS = {
    "one": Layout("gpu:4", None, 8),
    "mesh": Layout("gpu:4", "data=2,tensor=2", 8),
    "uneven": Layout(str(HERE / "uneven.toml"), None, 8),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What was seen of a model in a layout; seconds are of CPU, those of ranks of all together.

    `cut` is the part of parameters' elements that no device stores more of than its part, `calls` are the collectives.
    """

    model: str
    layout: str
    right: bool
    verdict: str
    apart: float = 0.0
    furthest: str = ""
    statements: int = 0
    cut: float = 0.0
    calls: str = ""
    capture_s: float = 0.0
    shard_s: float = 0.0
    verify_s: float = 0.0
    ranks_s: float = 0.0


def maker(model: str) -> tuple[Callable[[int], object], torch.dtype]:
    """The function that gives a model's step, of so many samples, and its type of numbers. KeyError for no model.

    Those of the zoo have two samples.
    """
    if not model.startswith(ZOO):
        function = CHECKED[model]
        return lambda samples: checked(function, samples), torch.float64
    import zoo

    wanted = model.removeprefix(ZOO)
    found = {name: (family, make) for family, name, make in zoo.models([wanted]) if name == wanted}
    family, make = found[wanted]
    return lambda _: zoo.mild(make)(), torch.float32 if family == zoo.IN_32_BITS else torch.float64


def drawn(make: Callable[[int], object], samples: int, seed: int) -> Training:
    torch.manual_seed(seed)
    return training_of(make(samples))


def sharded(program: Program, layout: Layout) -> ShardingResult:
    """The fastest program of the layout, without what others would do."""
    speed = None if layout.system.endswith(".toml") else _SPEED
    request = ShardingRequest(speed=speed, mesh=layout.mesh, backend=Gloo(), baselines=False)
    return shard_program(program, find_system(layout.system), request)


def emitted(found: ShardingResult) -> str:
    """The file that `p2smt emit` writes."""
    if len(found.program.mesh) > 1:
        return emit_program(found.program)
    how = carried(found.program, found.cluster, found.buckets)
    return emit_program(found.program, how.ways, buckets=how.buckets, programs=how.programs, library=how.library)


def plain(
    training: Training, batches: Iterable[dict[str, torch.Tensor]]
) -> tuple[list[float], dict[str, torch.Tensor]]:
    """The losses of steps in PyTorch, and the state of the module behind them; of dropout the bits are ours."""
    from torch.nn.attention import SDPBackend, sdpa_kernel

    assert training.optimizer is not None
    losses = []
    for number, batch in enumerate(batches, 1):
        training.optimizer.zero_grad()
        with CounterBits(number), sdpa_kernel(SDPBackend.MATH):
            loss = loss_of(training, batch)
            loss.backward()
        training.optimizer.step()
        losses.append(loss.item())
    return losses, state_of(training.module)


def state_of(module: torch.nn.Module) -> dict[str, torch.Tensor]:
    """All parameters and buffers, those that are not persistent, too."""
    return {**dict(module.named_buffers()), **module.state_dict()}


def cut(program: Program) -> float:
    """The part of parameters' elements that is cut along every axis."""
    parameters = [each for each in program.sources if each.kind is SourceKind.PARAMETER]
    sizes = {each.name: torch.Size(each.shape).numel() for each in parameters}
    wholly = (
        sizes[each.name]
        for each in parameters
        if each.layouts and all(isinstance(one.layout, Sliced) for one in each.layouts)
    )
    return sum(wholly) / sum(sizes.values())


class Ranks:
    """Processes that are started when they are first called, and again after a failure, which ends them."""

    def __init__(self) -> None:
        self._ranks: CallRanks | None = None

    def trained(self, *given: object) -> list[tuple[float, str, float]]:
        """What every rank says of its training."""
        if self._ranks is None or self._ranks.ended:
            self._ranks = CallRanks([Seat()] * RANKS, timeout_s=LIMIT_S)
        return self._ranks.call(RANK, "trained", *given, timeout_s=LIMIT_S)

    def close(self) -> None:
        """End them."""
        if self._ranks is not None:
            self._ranks.close()


def row(model: str, layout: str, ranks: Ranks) -> Row:
    """One model in one layout; what refuses it is its verdict. KeyError for no model."""
    make, dtype = maker(model)
    try:
        with numbers_of(dtype):
            return _row(model, layout, make, ranks)
    except P2Error as cause:
        return Row(model=model, layout=layout, right=False, verdict=f"refused: {' '.join(str(cause).split())}")


def _row(model: str, layout: str, make: Callable[[int], object], ranks: Ranks) -> Row:
    clock, where = [time.process_time()], LAYOUTS[layout]
    training = drawn(make, where.samples, 0)
    live = live_program(training)
    clock.append(time.process_time())
    found = sharded(live.program, where)
    clock.append(time.process_time())
    verdict = verify_program(found.program, live.program)
    clock.append(time.process_time())
    batches = [dict(drawn(make, where.samples, seed).batch) for seed in range(STEPS)]
    begun = state_of(copy.deepcopy(training.module))
    seen = ranks.trained(emitted(found), live, begun, batches, plain(training, batches))
    apart, furthest, _ = max(seen)
    proved, most = isinstance(verdict, Proved), MOST_OF_THE_ZOO if model.startswith(ZOO) else MOST
    calls = Counter(type(each.conversion).__name__ for each in found.program.expressions() if isinstance(each, Convert))
    capture, shard, verify = (after - before for before, after in pairwise(clock))
    return Row(
        model=model,
        layout=layout,
        right=proved and apart <= most,
        verdict="proved" if proved else " ".join(str(verdict).split()),
        apart=apart,
        furthest=furthest,
        statements=len(live.program.statements),
        cut=cut(found.program),
        calls=", ".join(f"{count} {name}" for name, count in sorted(calls.items())),
        capture_s=capture,
        shard_s=shard,
        verify_s=verify,
        ranks_s=sum(each[2] for each in seen),
    )


def table(rows: list[Row]) -> str:
    """In Markdown."""
    said = (__doc__ or "").partition("\n\n    ")[0] + "\n\n" + (__doc__ or "").rpartition("\n\n")[2].strip()
    head = (
        "model",
        "layout",
        "verdict",
        "apart",
        "furthest",
        "statements",
        "cut",
        "conversions",
        "capture",
        "shard",
        "verify",
        "ranks",
    )
    lines = [
        f"# Models on four ranks\n\nWritten by `scripts/check_models.py --report`. {said}\n\n`cut` is the part of "
        "parameters' elements that is cut along every axis; the last four columns are CPU seconds.\n",
        f"| {' | '.join(head)} |",
        f"|{'---|' * len(head)}",
    ]
    for each in rows:
        lines.append(
            f"| {each.model} | {each.layout} | {each.verdict} | {each.apart:.1e} | {each.furthest} | "
            f"{each.statements} | {each.cut:.0%} | {each.calls} | {each.capture_s:.1f} | {each.shard_s:.1f} | "
            f"{each.verify_s:.1f} | {each.ranks_s:.1f} |"
        )
    return "\n".join(lines) + "\n"


def line(each: Row) -> str:
    return (
        f"{each.model:10} {each.layout:7} {each.verdict[:200]}, apart {each.apart:.1e} ({each.furthest}), "
        f"{each.cut:.0%} cut, {each.statements} statements, {each.calls}; CPU s: capture {each.capture_s:.1f}, "
        f"shard {each.shard_s:.1f}, verify {each.verify_s:.1f}, ranks {each.ranks_s:.1f}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", action="append", help=f"any of the zoo, or {', '.join(CHECKED)} [these]")
    parser.add_argument("--layout", action="append", choices=LAYOUTS, help="[all]")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    parser.add_argument("--report", type=Path, help="write the table in Markdown, row by row")
    options = parser.parse_args()
    report = options.report
    if report is not None and (report.is_dir() or not report.parent.is_dir()):
        parser.error(f"--report {report} cannot be written; give a file in a folder that is there")
    try:
        for model in options.model or CHECKED:
            maker(model)
    except KeyError as cause:
        print(f"check_models: no model is called {cause}; see --help, and scripts/zoo_models", file=sys.stderr)
        return 2
    warnings.simplefilter("ignore")
    logging.disable(logging.ERROR)
    rows: list[Row] = []
    with closing(Ranks()) as ranks:
        for model in options.model or CHECKED:
            for layout in options.layout or LAYOUTS:
                rows.append(row(model, layout, ranks))
                print(line(rows[-1]), file=sys.stderr if options.json else sys.stdout, flush=True)
                if report is not None:
                    report.write_text(table(rows), encoding="utf-8")
    if options.json:
        print(json.dumps([asdict(each) for each in rows], indent=1))
    return int(not all(each.right for each in rows))


if __name__ == "__main__":
    sys.exit(main())
