"""`p2smt emit`."""

from pathlib import Path

import click

from p2smt.cli.exit_code import ExitCode
from p2smt.cli.options.plan_file import UNCHECKED, given_plan
from p2smt.cli.options.shared import FORCE
from p2smt.cli.options.values import choice
from p2smt.emit.target import Target


@click.command("emit")
@click.argument("plan_file", type=click.Path(path_type=Path), metavar="PLAN.json")
@choice("--target", Target, default=Target.TORCH, help="What to emit for.")
@UNCHECKED
@click.option("--out", type=click.Path(path_type=Path), help="File to write instead of stdout.")
@FORCE
def command(plan_file: Path, target: Target, unchecked: bool, out: Path | None, force: bool) -> ExitCode:
    """Write a plan as one Python file that needs torch, or jax, alone.

    Target torch is the reduction of a tensor on nccl or gloo; ddp adds a communication hook for
    DistributedDataParallel and a drop-in for gradients that are averaged by hand; both check themselves under
    torchrun. Target jax is a function for shard_map; its file checks itself on host devices.

    \b
    Example:
      p2smt emit plan.json --target torch --out reduction.py
      torchrun --standalone --nproc-per-node 8 reduction.py
      p2smt emit plan.json --target ddp --out hook.py
      p2smt emit plan.json --target jax --out reduction.py
      python reduction.py
    """  # noqa: D301
    from p2smt.cli.output.files import write_and_say
    from p2smt.emit.emission import emit

    plan = given_plan(plan_file, unchecked=unchecked)
    what, check = _said(target, plan.devices)
    write_and_say(out, emit(plan, target), what, f"{check} {out} checks it", force=force)
    return ExitCode.FOUND


def _said(target: Target, devices: int) -> tuple[str, str]:
    """What the file is, and what runs it."""
    torchrun = f"torchrun --standalone --nproc-per-node {devices}"
    match target:
        case Target.TORCH:
            return f"the reduction for torch.distributed on {devices} ranks", torchrun
        case Target.DDP:
            return f"a hook for DistributedDataParallel on {devices} ranks", torchrun
        case Target.JAX:
            return f"the reduction for jax.shard_map on {devices} devices", "python"
