"""p2smt and AutoParallel on the same training steps: time to answer, predicted time, bytes that are sent.

    PYTHONPATH=WHERE_PULP_IS .venv/bin/python scripts/compare_autoparallel.py --autoparallel CHECKOUT

AutoParallel (github.com/meta-pytorch/autoparallel) and PuLP, with its CBC, are no part of the project: the script ends
with one line where they cannot be imported. Same model, batch, mesh, data types (float32), on eight devices of
`dgx-h100:1x8`; `autoparallel_answer.py` runs AutoParallel in a process of its own, with a fake process group.

Both answers are evaluated under p2smt's cost model, every collective a call of its own; bytes that a device sends are
counted by one counter, all by rings (`ring_bytes.py`). AutoParallel's collectives are those of the graph that it makes
of its answer. Its computing is that of a program which p2smt completes from AutoParallel's answer, given as conditions:
where each parameter and input lies, and the value of every linear layer of the forward pass, or, where no program
keeps these, parameters and inputs alone. Such programs are rows of their own.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from pathlib import Path
from time import process_time

from autoparallel_process import Case, PeerAnswer, peer_answer, refuse_without, versions
from ring_bytes import ALL, collectives_of, price, ranks_of, total_sent

from p2smt.errors import P2Error
from p2smt.problem.system.text import find_system
from p2smt.spmd.request import ShardingRequest, shard_program
from p2smt.spmd.search.sharded import ShardingResult
from p2smt.tensor.expression import Call, Read, SourceKind, parts
from p2smt.tensor.program import Program
from p2smt.tensor.shapes import wholes

SYSTEM = "dgx-h100:1x8"
MODELS = ("gpt2", "llama", "gpt2-1", "llama-1", "mlp", "gated")
MESHES = ("8", "2,4")
SPEED = 3.46e14
"""Operations per second: 70 % of an H100's in TF32, which AutoParallel's model has for products of float32."""
MILLI = 10**9
"""Picoseconds of a millisecond."""
PRODUCTS = ("linear", "matmul", "einsum")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of the table: milliseconds, MiB, and 10^9 operations of products on a device; None is not known."""

    case: str
    answer: str
    cpu_s: float | None = None
    step: float | None = None
    collectives: float | None = None
    calls: int | None = None
    sent: float | None = None
    products: float | None = None


def conditions_of(names: Sequence[str], placements: Sequence[Sequence[str]], axes: Sequence[str]) -> tuple[str, ...]:
    """p2smt's conditions that tensors lie so, axis by axis; where there is one axis, it has no name.

    >>> conditions_of(["w"], [["sliced(0)", "replicated"]], ["axis0", "axis1"])
    ('w sliced(0) on axis0', 'w replicated on axis1')
    >>> conditions_of(["w"], [["partial"]], ["axis0"])
    ('w partial',)
    """
    return tuple(
        f"{name} {text} on {axis}" if len(axes) > 1 else f"{name} {text}"
        for name, each in zip(names, placements, strict=True)
        for text, axis in zip(each, axes, strict=True)
    )


def linear_layers(program: Program) -> list[tuple[str, list[int]]]:
    """Names and shapes of the linear layers of the forward pass, in order: those that the loss depends on."""
    known, by_name = wholes(program), {each.name: each for each in program.statements}
    needed: set[str] = set()
    waiting = [each.name for each in program.outputs if not known[each.name].shape]
    while waiting:
        name = waiting.pop()
        if name in by_name and name not in needed:
            needed.add(name)
            waiting += [part.name for part in parts(by_name[name].expression) if isinstance(part, Read)]
    return [
        (each.name, list(known[each.name].shape))
        for each in program.statements
        if each.name in needed and isinstance(each.expression, Call) and each.expression.operation == "linear"
    ]


class Evaluation:
    """A case, and p2smt's cost model for it."""

    def __init__(self, case: Case) -> None:
        begun = process_time()
        self._case, self._axes = case, case.axes
        self._program = captured(case.model)
        every = [[f"parameters sliced on {axis}" for axis in self._axes], ["parameters sliced"]]
        self._found = self._shard(tuple(every[len(self._axes) == 1]) if case.sliced else ())
        self._cpu_s = process_time() - begun

    def _shard(self, conditions: Sequence[str]) -> ShardingResult:
        """The fastest program that keeps conditions. P2Error where there is none."""
        mesh = ",".join(f"{name}={size}" for name, size in self._axes.items()) if len(self._axes) > 1 else None
        request = ShardingRequest(
            shares="even", mesh=mesh, conditions=tuple(conditions), buckets=0, speed=SPEED, baselines=not conditions
        )
        return shard_program(self._program, find_system(SYSTEM), request)

    def _row(self, found: ShardingResult, answer: str, cpu_s: float | None = None) -> Row:
        """That of a program of p2smt's."""
        each = collectives_of(found.program)
        products = sum(max(one.flops) for one in found.account.instructions if one.text in PRODUCTS)
        return Row(
            case=str(self._case),
            answer=answer,
            cpu_s=cpu_s,
            step=found.account.time / MILLI,
            collectives=found.account.communication / MILLI,
            calls=len(each),
            sent=total_sent(each, self._axes) / 2**20,
            products=products / 10**9,
        )

    def rows(self, peer: PeerAnswer | str) -> Iterator[Row]:
        """p2smt's answer, AutoParallel's, and what p2smt makes of where AutoParallel has things; a text: none came."""
        yield self._row(self._found, "p2smt", self._cpu_s)
        if isinstance(peer, str):
            yield Row(case=str(self._case), answer=f"AutoParallel: {peer}")
            return
        axes = list(self._axes)
        inputs = [each.name for each in self._program.sources if each.kind is SourceKind.INPUT]
        stored = conditions_of([*peer.parameters, *inputs], [*peer.parameters.values(), *peer.inputs], axes)
        layers = linear_layers(self._program)
        more: tuple[str, ...] = ()
        if [shape for _, shape in layers] == [shape for shape, _ in peer.layers]:
            more = conditions_of([name for name, _ in layers], [lie for _, lie in peer.layers], axes)
        else:
            print(f"{self._case}: layers are unlike, {layers} and {peer.layers}", file=sys.stderr)
        completed = [(self._completed((*stored, *more)), "AP's layers")] if more else []
        completed.append((self._completed(stored), "AP's parameters"))
        rows = [self._row(found, f"{name}, by p2smt") for found, name in completed if found is not None]
        yield self._peer_row(peer, next((found for found, _ in completed if found is not None), None))
        yield from rows

    def _completed(self, conditions: Sequence[str]) -> ShardingResult | None:
        try:
            return self._shard(conditions)
        except P2Error as cause:
            print(f"{self._case}: {cause}", file=sys.stderr)
            return None

    def _peer_row(self, peer: PeerAnswer, completed: ShardingResult | None) -> Row:
        """AutoParallel's own collectives, and the computing of its answer as completed by p2smt."""
        found = self._found
        networks = dict(zip(self._axes, found.networks, strict=True))
        networks[ALL] = found.cluster.network
        sending = sum(price(each, networks[each.axis], ranks_of(each.axis, self._axes)) for each in peer.collectives)
        step = None if completed is None else sending + completed.account.time - completed.account.communication
        return Row(
            case=str(self._case),
            answer="AutoParallel",
            cpu_s=peer.build_s + peer.solve_s,
            step=None if step is None else step / MILLI,
            collectives=sending / MILLI,
            calls=len(peer.collectives),
            sent=total_sent(peer.collectives, self._axes) / 2**20,
            products=peer.product_flops / 10**9,
        )


def captured(model: str) -> Program:
    """A model's step with plain SGD, which keeps no states: AutoParallel's graph ends with gradients."""
    import torch
    from autoparallel_models import batch_of, build_model

    from p2smt.frontend.torch_graph.live import capture

    module = build_model(model)
    tokens, targets = batch_of(model)
    return capture(
        module,
        lambda module, tokens, targets: module(tokens, targets),
        {"tokens": tokens, "targets": targets},
        optimizer=torch.optim.SGD(module.parameters(), lr=0.1),
    )


def number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def table(rows: Iterable[Row]) -> str:
    """A table in Markdown for each case, of lines of at most 80 columns."""
    lines: list[str] = []
    for case, each in groupby(rows, lambda row: row.case):
        lines += [
            f"### {case}",
            "",
            "| answer | CPU s | step | coll. | calls | sent | products |",
            "|---|--:|--:|--:|--:|--:|--:|",
        ]
        for row in each:
            cells = (
                row.answer,
                number(row.cpu_s, 1),
                number(row.step, 2),
                number(row.collectives, 2),
                number(row.calls, 0),
                number(row.sent, 1),
                number(row.products, 0),
            )
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--autoparallel", type=Path, required=True, help="a checkout of AutoParallel")
    parser.add_argument("--models", nargs="+", choices=MODELS, default=MODELS[:2], help="-1: of one layer")
    parser.add_argument("--meshes", nargs="+", default=MESHES, help="such as 8 or 2,4")
    parser.add_argument("--sliced", nargs="+", choices=("no", "yes"), default=("no",), help="parameters in even parts")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds for each of AutoParallel's answers")
    asked = parser.parse_args()
    try:
        refuse_without(asked.autoparallel)
        print(versions(asked.autoparallel))
        for model, mesh, sliced in product(asked.models, asked.meshes, asked.sliced):
            case = Case(model=model, mesh=tuple(map(int, mesh.split(","))), sliced=sliced == "yes")
            peer = peer_answer(asked.autoparallel, case, asked.timeout)
            rows = list(Evaluation(case).rows(peer))
            print(table(rows), flush=True)
    except P2Error as cause:
        print(cause, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
