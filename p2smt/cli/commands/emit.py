"""`p2smt emit`."""

from pathlib import Path

import click


@click.command("emit")
@click.argument("plan_file", type=click.Path(path_type=Path), metavar="PLAN.json")
@click.option(
    "--target", type=click.Choice(["torch", "ddp", "jax"]), default="torch", show_default=True, help="What to emit for."
)
@click.option("--out", type=click.Path(path_type=Path), help="File to write instead of stdout.")
def command(plan_file: Path, target: str, out: Path | None) -> None:
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
    from p2smt.cli.output.files import write_result
    from p2smt.emit.jax.source import emit_jax
    from p2smt.emit.torch.ddp_source import emit_ddp
    from p2smt.emit.torch.source import emit_torch
    from p2smt.reduction.plan.file import read_plan

    emit = {"torch": emit_torch, "ddp": emit_ddp, "jax": emit_jax}[target]
    write_result(out, emit(read_plan(plan_file)))
