"""`p2smt emit`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.exit_code import ExitCode
from p2smt.cli.options.plan_file import UNCHECKED, given_plan
from p2smt.cli.options.shared import FORCE, backend_options
from p2smt.cli.options.values import choice
from p2smt.cost.network.backend import Backend
from p2smt.emit.target import Target
from p2smt.errors import ProgramError

if TYPE_CHECKING:
    from p2smt.reduction.plan.model import Plan

_BEGINNING = 65_536
"""Bytes of a file that say what it is."""


@click.command("emit")
@click.argument("plan_file", type=click.Path(path_type=Path), metavar="FILE")
@choice("--target", Target, default=Target.TORCH, help="What to emit for.")
@click.option("--system", "system_text", metavar="SYSTEM", help="Of a program: where uneven collectives are priced.")
@UNCHECKED
@click.option("--out", type=click.Path(path_type=Path), help="File to write instead of stdout.")
@FORCE
@backend_options
def command(
    plan_file: Path,
    target: Target,
    system_text: str | None,
    unchecked: bool,
    out: Path | None,
    force: bool,
    backend: Backend,
) -> ExitCode:
    """Write a plan, or a distributed tensor program, as one file that needs torch, or jax, or MSCCL's runtime, alone.

    Of a plan, target torch is the reduction of a tensor on nccl or gloo; ddp adds a communication hook for
    DistributedDataParallel and a drop-in for gradients that are averaged by hand; both check themselves under
    torchrun. Target jax is a function for shard_map; its file checks itself on host devices. Target msccl is the XML
    of a schedule, with rings and chains inside groups, that runs in place on the communicator of a reduction group.

    Of a program, as p2smt shard writes it, torch is a training step: every rank keeps its part of parameters and
    states; checkpoints are of whole tensors. Collectives with shards of unlike sizes are padded, or with --system
    each in the way that is fastest there: padded, one broadcast or reduction for each owner, or an exchange.

    \b
    Example:
      p2smt emit plan.json --target torch --out reduction.py
      torchrun --standalone --nproc-per-node 8 reduction.py
      p2smt emit plan.json --target ddp --out hook.py
      p2smt emit plan.json --target jax --out reduction.py
      python reduction.py
      p2smt emit plan.json --target msccl --out schedule.xml
      p2smt emit sharded.tp --out step.py
      p2smt emit sharded.tp --system hap-a100-p100 --out step.py
    """  # noqa: D301
    from p2smt.cli.output.files import write_and_say
    from p2smt.emit.emission import emit

    if _is_program(plan_file):
        return _program(plan_file, target, system_text, out, backend, force=force)
    if system_text is not None:
        raise ProgramError("--system is for distributed tensor programs; a plan has its own system")
    plan = given_plan(plan_file, unchecked=unchecked)
    what, check = _said(target, plan)
    write_and_say(out, emit(plan, target), what, f"{check} {out} checks it", force=force)
    return ExitCode.FOUND


def _is_program(path: Path) -> bool:
    """Whether a file is a tensor program, by how it begins; what cannot be read is for whoever reads plans to say."""
    from p2smt.frontend.format import Format
    from p2smt.frontend.recognition import format_of

    try:
        with path.open("rb") as file:
            return format_of(path, file.read(_BEGINNING)) is Format.TENSOR
    except OSError:
        return False


def _program(
    path: Path, target: Target, system_text: str | None, out: Path | None, backend: Backend, *, force: bool
) -> ExitCode:
    """A distributed program as a training step."""
    from p2smt.cli.output.files import write_and_say
    from p2smt.emit.torch.program.source import emit_program
    from p2smt.problem.system.text import find_system
    from p2smt.spmd.system import cluster_of
    from p2smt.spmd.ways import ways
    from p2smt.tensor.placing import world
    from p2smt.tensor.text.file import read_program

    program = read_program(path)
    if target is not Target.TORCH:
        raise ProgramError(f"target {target} is for plans; a tensor program is emitted for torch")
    chosen = {} if system_text is None else ways(program, cluster_of(find_system(system_text), backend))
    text = emit_program(program, chosen)
    devices = world(program.mesh)
    check = f"torchrun --standalone --nproc-per-node {devices} {out} checks it"
    write_and_say(out, text, f"the training step on {devices} ranks", check, force=force)
    return ExitCode.FOUND


def _said(target: Target, plan: "Plan") -> tuple[str, str]:
    """What the file is, and what checks it."""
    devices = plan.devices
    torchrun = f"torchrun --standalone --nproc-per-node {devices}"
    match target:
        case Target.TORCH:
            return f"the reduction for torch.distributed on {devices} ranks", torchrun
        case Target.DDP:
            return f"a hook for DistributedDataParallel on {devices} ranks", torchrun
        case Target.JAX:
            return f"the reduction for jax.shard_map on {devices} devices", "python"
        case Target.MSCCL:
            groups = plan.groups(plan.reduction)
            among = f"one of {groups.count} communicators" if groups.count > 1 else "a communicator"
            rooted = "--root 0 " if plan.goal.from_root or plan.goal.to_root else ""
            return f"the schedule of {among} of {groups.size} GPUs", f"p2smt verify {rooted}".rstrip()
