"""`p2smt mesh`."""

from pathlib import Path
from typing import Any

import click

from p2smt.cli.options.job import job_options, read_job
from p2smt.cli.options.problem import JSON, TIMEOUT, backend_options, deadline_after
from p2smt.cost.network.backend import Backend

TARGETS = ("devicemesh", "jax", "megatron", "torchtitan", "deepspeed", "rankfile", "hostfile")


@click.command("mesh")
@job_options
@backend_options
@TIMEOUT
@click.option(
    "--to", type=click.Choice(TARGETS), help="Write a placement as a mesh, an order string or a file of ranks."
)
@click.option("--matrix", metavar="ROWS", help="The placement to write, such as 1x4/4x4 [the fastest].")
@click.option("--order", metavar="ORDER", help="Sequence of the mesh's dimensions, or order by which the framework "
              "lays its ranks: axes:data,model, megatron:tp-cp-dp-pp [as the job lists its axes].")  # fmt: skip
@click.option("--hosts", type=click.Path(path_type=Path), help="Host names, one a line, by device number [host0 ...].")
@click.option("--out", type=click.Path(path_type=Path), help="File to write instead of stdout.")
@click.option(
    "--from", "given", metavar="ORDER|MESH.json", help="An order string or a mesh: its matrix, time and loss."
)
@click.option("--orders", is_flag=True, help="How many matrices order strings can express, and the best of them.")
@JSON
def command(
    backend: Backend, timeout: float | None, to: str | None, matrix: str | None, order: str | None, hosts: Path | None,
    out: Path | None, given: str | None, orders: bool, as_json: bool, **job: Any,
) -> int:  # fmt: skip
    """Write a placement in a framework's words, or read one and say which matrix it is, its time and its loss.

    An order is NOTATION:NAMES: megatron:tp-cp-dp-pp (first varies fastest), torchtitan:pp,dp_shard,tp and
    deepspeed:pipe,data,model (outermost first), axes:... (any names, outermost first). A mesh file is
    {"mesh_dim_names": ["data", "model"], "mesh": [[0, 1], [2, 3]]}.

    \b
    Example:
      p2smt mesh job.toml --to devicemesh --out mesh.py
      p2smt mesh job.toml --to rankfile --order megatron:tp-cp-ep-dp-pp --hosts hosts.txt
      p2smt mesh job.toml --from megatron:tp-cp-ep-dp-pp
      p2smt mesh job.toml --orders --json

    Exit codes: 0 written or read, 1 no order or matrix, 2 bad input, 3 stopped early.
    """  # noqa: D301
    from p2smt.cli.commands.mesh_answer import MeshAnswer
    from p2smt.cost.network.backend import cost_of
    from p2smt.errors import ProblemError

    if (to is not None) + (given is not None) + orders != 1:
        raise ProblemError("give one of --to, --from and --orders; --help shows an example of each")
    if as_json and to is not None:
        raise ProblemError("--json goes with --from and --orders; --to writes a file of its target's kind")
    for option, value in (("--matrix", matrix), ("--order", order), ("--hosts", hosts), ("--out", out)):
        if value is not None and to not in _GOES_WITH[option]:
            raise ProblemError(f"{option} goes with --to {', '.join(_GOES_WITH[option])}")
    workload = read_job(job)
    answer = MeshAnswer(workload, cost_of(workload.system, backend), deadline_after(timeout))
    if to is not None:
        return answer.write(to, matrix, order, hosts, out)
    return answer.orders(as_json) if given is None else answer.read(given, as_json)


_GOES_WITH = {
    "--matrix": TARGETS,
    "--order": ("devicemesh", "jax", "rankfile", "hostfile"),
    "--hosts": ("rankfile", "hostfile"),
    "--out": TARGETS,
}
