"""`p2smt emit`."""

from pathlib import Path

import click


@click.command("emit")
@click.argument("plan_file", type=click.Path(path_type=Path), metavar="PLAN.json")
@click.option("--target", type=click.Choice(["torch"]), default="torch", show_default=True, help="What to emit for.")
@click.option("--out", type=click.Path(path_type=Path), help="File to write instead of stdout.")
def command(plan_file: Path, target: str, out: Path | None) -> None:
    """Write a plan as one Python file that needs torch alone and runs on nccl and gloo.

    \b
    Example:
      p2smt emit plan.json --target torch --out reduction.py
      torchrun --standalone --nproc-per-node 8 reduction.py
    """  # noqa: D301
    from p2smt.cli.files import write_result
    from p2smt.emit.torch_source import emit_torch
    from p2smt.plan.file import read_plan

    assert target == "torch"
    write_result(out, emit_torch(read_plan(plan_file)))
