"""`p2smt shard`."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.exit_code import ExitCode, of_search
from p2smt.cli.file_kind import PROGRAM
from p2smt.cli.next_step import say_next
from p2smt.cli.options.merged import MergedOption, merge_options
from p2smt.cli.options.paths import SYSTEM_TEXT, InputPath, OutputPath
from p2smt.cli.options.sharding import SEARCHED_NAMES, ShardingOptions, refuse_given, sharding_options
from p2smt.cli.options.shared import FORCE, JSON, backend_options
from p2smt.cli.options.speed import SPEED
from p2smt.cli.options.values import choice
from p2smt.cli.options.words import RememberingCommand, words
from p2smt.cost.network.backend import Backend
from p2smt.emit.export import Export, exported
from p2smt.errors import ProblemError
from p2smt.problem.system.text import SYSTEM_FORMS, find_system

if TYPE_CHECKING:
    from p2smt.problem.system.network import System
    from p2smt.spmd.like import ReappliedSharding
    from p2smt.spmd.reading.given_program import GivenProgram
    from p2smt.spmd.request import ShardingRequest
    from p2smt.spmd.search.sharded import ShardingResult
    from p2smt.tensor.program import Program


MOST_OPTIONS = 15
"""Options that `p2smt shard --help` describes."""


@click.command("shard", cls=RememberingCommand, most_options=MOST_OPTIONS)
@click.argument("program_file", type=InputPath(PROGRAM), metavar="PROGRAM")
@click.option("--system", "system_text", type=SYSTEM_TEXT, required=True, metavar="SYSTEM", help=f"{SYSTEM_FORMS}.")
@SPEED
@sharding_options
@click.option(
    "--like",
    type=InputPath(PROGRAM),
    metavar="SHARDED",
    help="Take the layouts of a sharding of the same step with another batch; nothing is searched.",
)
@click.option("--out", type=OutputPath(), metavar="FILE", help="Write the distributed program.")
@click.option("--report", type=OutputPath(), metavar="FILE", help="Write one HTML file to look at.")
@click.option("--trace", type=OutputPath(), metavar="FILE", help="Write the time line, for Perfetto.")
@choice("--export", Export, help="What --out writes: the program, or where DTensor or JAX keep what is stored.")
@FORCE
@backend_options
@JSON
def command(
    program_file: Path,
    system_text: str,
    speed: str | None,
    asked: ShardingOptions,
    like: Path | None,
    out: Path | None,
    report: Path | None,
    trace: Path | None,
    export: Export | None,
    force: bool,
    backend: Backend,
    as_json: bool,
) -> ExitCode:
    """Find the fastest distributed program for a tensor program: a layout for every tensor, collectives between.

    PROGRAM is the text of a program for one device (p2smt/tensor/examples has some). What is observed is the same on
    the cluster: outputs, and parameters and states after the step, each stored as it was before. Data, tensor,
    sequence and expert parallelism and sliced states come out where they are fastest, or where memory asks for them.
    Devices of unlike speed get shares of unlike size. With --mesh tensors have a layout on each of several axes.

    \b
    Example:
      p2smt shard step.tp --system hap-v100-p100
      p2smt shard step.tp --system hap-a100-p100 --shares proportional --out sharded.tp
      p2smt shard step.tp --system dgx-h100:1x8 --condition "parameters replicated" --search next-best=2
      p2smt shard step.tp --system dgx-h100:8x8 --mesh 8,8
      p2smt shard step.tp --system dgx-h100:8x8 --mesh data=8,tensor=8 --condition "layers.*.weight sliced on tensor"
      p2smt shard step.tp --system dgx-h100:1x8 --export dtensor --out plan.py
      p2smt shard step.tp --system hap-a100-p100 --compute twice=4
      p2smt shard step.tp --system dgx-h100:1x8 --compute recompute=3 --condition "at most 30GB"
      p2smt shard step.tp --system dgx-h100:1x8 --compute precision=bf16 --out mixed.tp
      p2smt shard step128.tp --system dgx-h100:1x8 --search like=sharded64.tp --out sharded128.tp
      p2smt shard step.tp --system hap-a100-p100 --report sharding.html --trace step.json

    Exit codes: 0 found, 1 found but larger than a device's memory, 2 bad input.
    """  # noqa: D301
    from p2smt.cli.collection import rare_collections
    from p2smt.cli.output.files import refuse_overwriting
    from p2smt.cli.output.progress import working
    from p2smt.spmd.request import shard_program
    from p2smt.tensor.text.file import read_program

    if export is not None and out is None:
        raise ProblemError(f"--export {export} is the format of the file that --out names; give --out FILE as well")
    refuse_overwriting(out, report, trace, force=force)
    program, system = read_program(program_file), find_system(system_text)
    request = asked.request(backend, speed)
    with rare_collections(), working(f"sharding {program.name}"):
        found = shard_program(program, system, request) if like is None else _like(program, system, like, request)
    found, inside = _inside_machines(program, found, system, request, is_written=out is not None)
    if out is not None:
        _write_program(out, found, inside, export or Export.PROGRAM, _against(program_file, asked), force=force)
    if trace is not None:
        _write_trace(trace, found, force=force)
    code = _printed(found, system, report, inside, force=force, as_json=as_json)
    say_next("--out dist.tp", when=out is None and not as_json)
    return code


merge_options(
    command,
    (
        MergedOption(
            "--compute",
            {
                "precision": "--precision",
                "speed": "--speed",
                "tf32": "--tf32",
                "recompute": "--recompute",
                "twice": "--twice",
                "checkpoints": "--checkpoints",
            },
            help="precision=bf16 (or compute=bf16,reduce=bf16,output=f32,keep=*softmax*), recompute=N (N kinds of "
            "operations again where memory is short), twice=N (N values where that is faster than sending them), "
            "checkpoints=drop (keep them in memory), speed=SPEED (the price of operations), tf32 (for float32).",
        ),
        MergedOption(
            "--collectives",
            {
                "buckets": "--buckets",
                "programs": "--programs",
                "backend": "--backend",
                "algorithm": "--algorithm",
            },
            help="buckets=SIZE (bytes that are one call once emitted [25MiB where that gains anything], or off), "
            "programs (also by reduction programs), backend=NAME (gloo or nccl), algorithm=NAME (of AllReduces).",
        ),
        MergedOption(
            "--search",
            {"certify": "--certify", "memory": "--search-memory", "next-best": "--next-best", "like": "--like"},
            help="certify (have the bound's certificate checked), next-best=N (also the N next best programs), "
            "memory=SIZE (of the tables [4GB]), like=FILE (take the layouts of that sharding for another batch).",
        ),
    ),
)


def _inside_machines(
    program: "Program",
    found: "ShardingResult | ReappliedSharding",
    system: "System",
    request: "ShardingRequest",
    *,
    is_written: bool,
) -> "tuple[ShardingResult | ReappliedSharding, GivenProgram | None]":
    """Return the program of all devices for a sharding over machines, None without --virtual.

    If there is no such program, the sharding gets a note, or the error is raised if the program is to be written.
    """
    from p2smt.spmd.inside_machines import for_all_devices
    from p2smt.spmd.search.sharded import ShardingResult

    if request.virtual is None or not isinstance(found, ShardingResult):
        return found, None
    try:
        return found, for_all_devices(program, found, system, request)
    except ProblemError as cause:
        if is_written:
            raise
        return replace(found, notes=(*found.notes, f"not written for all devices: {cause}")), None


def _write_trace(path: Path, found: "ShardingResult | ReappliedSharding", *, force: bool) -> None:
    from p2smt.cli.output.step_time_line import write_trace
    from p2smt.spmd.reading.step_time_line import step_time_line

    answer = found.answer
    line = step_time_line(answer.program, answer.account, found.cluster)
    write_trace(path, line, answer.program.name, force=force)


def _like(program: "Program", system: "System", like: Path, request: "ShardingRequest") -> "ReappliedSharding":
    from p2smt.spmd.like import shard_like
    from p2smt.tensor.text.file import read_program

    refuse_given((*SEARCHED_NAMES, "report"), "--like")
    return shard_like(program, system, read_program(like), request)


def _printed(
    found: "ShardingResult | ReappliedSharding",
    system: "System",
    report: Path | None,
    inside: "GivenProgram | None",
    *,
    force: bool,
    as_json: bool,
) -> ExitCode:
    from p2smt.spmd.like import ReappliedSharding

    if isinstance(found, ReappliedSharding):
        _print_like(found, system.name, as_json=as_json)
        return of_search(found=not found.missing, complete=True)
    if report is not None:
        _write_report(report, found, force=force)
    _print(found, system, inside, as_json=as_json)
    return of_search(found=not found.lacks, complete=True)


def _print(sharded: "ShardingResult", system: "System", inside: "GivenProgram | None", *, as_json: bool) -> None:
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.shard import print_sharded
    from p2smt.cli.output.shard_document import sharded_document
    from p2smt.problem.system.link_origin import links_text

    if as_json:
        print_json(sharded_document(sharded, inside))
    else:
        print_sharded(sharded, links_text(system), inside)


def _print_like(found: "ReappliedSharding", system: str, *, as_json: bool) -> None:
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.shard_like import like_document, print_like

    if as_json:
        print_json(like_document(found, system))
    else:
        print_like(found, system)


def _against(program_file: Path, asked: ShardingOptions) -> str:
    """Return the arguments of --against that verify the written program."""
    return f"{program_file}{' --up-to-rounding' if asked.precision else ''}"


def _write_program(
    path: Path,
    found: "ShardingResult | ReappliedSharding",
    inside: "GivenProgram | None",
    export: Export,
    against: str,
    *,
    force: bool,
) -> None:
    from p2smt.cli.output.files import write_and_say

    program = found.answer.program if inside is None else inside.candidate.program
    what, hint = _said(export, path, against)
    write_and_say(path, exported(program, export), what, hint, force=force)


def _write_report(path: Path, sharded: "ShardingResult", *, force: bool) -> None:
    from p2smt.cli.output.report_files import write
    from p2smt.report.page.sharding_page import sharding_page

    write(path, sharding_page(sharded, words()), "the sharding", force=force)


def _said(export: Export, out: Path, against: str) -> tuple[str, str]:
    """Return a description of the exported file, and the command to run next."""
    match export:
        case Export.PROGRAM:
            return "the distributed program", f"p2smt verify {out} --against {against}"
        case Export.DTENSOR:
            return "DTensor placements", "on every rank: parallelize(module, device_mesh('cuda'))"
        case Export.JAX:
            return "PartitionSpecs", "shardings(device_mesh()) has a NamedSharding for each name"
