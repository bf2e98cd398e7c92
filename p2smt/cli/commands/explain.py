"""`p2smt explain`."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from p2smt.cli.options.problem import JSON, backend_options
from p2smt.cost.network.backend import Backend, Gloo, Nccl
from p2smt.problem.model import Grammar, Search

if TYPE_CHECKING:
    from p2smt.cost.network.hop_cost import HopCost
    from p2smt.problem.system.network import System


@click.command("explain")
@click.argument("plan_file", type=click.Path(path_type=Path), metavar="PLAN.json|JOB.toml")
@click.option("--system", metavar="SYSTEM", help="As for synth [a plan's levels alone, a job's system].")
@backend_options
@click.option("--limit", type=int, default=Search().limit, show_default=True, help="Longest rival to look for.")
@click.option(
    "--grammar",
    type=click.Choice([kind.value for kind in Grammar]),
    default=Search().grammar.value,
    show_default=True,
    help="Grammar of the rivals.",
)
@click.option("--by-hop", is_flag=True, help="Count the bytes of every hop, up to 4096 devices, instead of by level.")
@click.option("--matrix", "matrices", multiple=True, help="Of a job: one more placement to compare; repeatable.")
@JSON
def command(
    plan_file: Path,
    system: str | None,
    backend: Backend,
    limit: int,
    grammar: str,
    by_hop: bool,
    matrices: tuple[str, ...],
    as_json: bool,
) -> int:
    """Say where a plan's time goes: per step, per link, the bottleneck, the next best program and why it loses.

    Of a job: why its best placement is the best, beside the next one and those with each axis innermost.

    \b
    Example:
      p2smt plan --system dgx-h100:2x8 --axes 16 --reduce 0 --out plan.json
      p2smt explain plan.json --system dgx-h100:2x8
      p2smt example long-context --out job.toml && p2smt explain job.toml
    """  # noqa: D301
    from p2smt.cli.commands.explain_job import explain_job
    from p2smt.cli.main import FOUND
    from p2smt.cli.output.progress import print_json
    from p2smt.cost.explanation import explain, problem_of
    from p2smt.cost.network.backend import cost_of
    from p2smt.problem.system.build import default_system
    from p2smt.problem.system.network import Level
    from p2smt.problem.system.text import find_system
    from p2smt.problem.text import printable
    from p2smt.reduction.plan.file import read_plan
    from p2smt.reduction.synth.session import Synthesizer

    if plan_file.suffix == ".toml":
        if by_hop:
            raise click.UsageError("--by-hop counts the hops of a plan; leave it out for a job")
        return explain_job(plan_file, system, backend, {"limit": limit, "grammar": grammar}, matrices, as_json)
    if matrices:
        raise click.UsageError("--matrix is for jobs; a plan has its placement")
    plan = read_plan(plan_file)
    named = [Level(name, size) for name, size in plan.levels]
    chosen = default_system(named) if system is None else find_system(system)
    problem = problem_of(plan, chosen, Search(limit=limit, grammar=Grammar(grammar)))
    counting = _by_hop(chosen, backend) if by_hop else None
    synthesis = Synthesizer().synthesize(problem, only=plan.matrix)
    cost = cost_of(chosen, backend)
    found = explain(plan, synthesis.placements[0], problem, cost, counting)
    if as_json:
        print_json(_document(found))
    else:
        _print(found, printable(chosen.name), backend)
    return FOUND


def _by_hop(system: "System", backend: Backend) -> "HopCost":
    from p2smt.cost.network.hop_cost import HopCost

    match backend:
        case Nccl(algorithm):
            return HopCost(system, algorithm)
        case Gloo():
            raise click.UsageError("--by-hop is for NCCL; the hops of gloo are always counted one by one, leave it out")


def _step_text(found: Any, number: int) -> str:
    from p2smt.reduction.plan.model import CollectiveStep

    step = found.plan.steps[number]
    if not isinstance(step, CollectiveStep):
        return "local permutation"
    places = ", ".join(f"{found.plan.digits[p].level}.{found.plan.digits[p].axis}" for p in step.groups.varying)
    return f"{step.collective} among {found.plan.groups(step.groups).size} along {places}"


def _document(found: Any) -> dict[str, Any]:
    from p2smt.cli.output.progress import VERSION
    from p2smt.cost.explanation import busiest_link

    return {
        "version": VERSION,
        "program": found.plan.program,
        "seconds": found.seconds,
        "bottleneck": found.bottleneck,
        "causes_s": found.causes,
        "steps": [
            {
                "step": _step_text(found, number),
                "seconds": cost.seconds,
                "links_s": cost.links_s,
                "latency_s": cost.latency_s,
                "memory_s": cost.memory_s,
                "busiest_link": busiest_link(cost),
                "loads": [
                    {
                        "link": load.link.name,
                        "seconds": load.seconds,
                        "incoming_bytes": load.incoming,
                        "outgoing_bytes": load.outgoing,
                        "busiest_bytes": load.busiest,
                        "switch_bytes": load.switch,
                        "hops": load.hops,
                    }
                    for load in cost.loads
                ],
            }
            for number, cost in enumerate(found.steps)
        ],
        "rank": found.rank,
        "programs": found.programs,
        "rival": None
        if found.rival is None
        else {"text": found.rival.text, "seconds": found.rival_seconds, "causes_s": found.rival_causes},
        "winners": [{"from_bytes": turn.least_bytes, "text": turn.best.text} for turn in found.turns],
    }


def _print(found: Any, system: str, backend: Backend) -> None:
    from p2smt.cli.output.progress import print_table
    from p2smt.problem.quantity import format_bytes, format_seconds

    bottleneck = found.bottleneck
    where = f"{format_bytes(found.plan.payload.bytes)} per device on {system or 'default links'}, algorithm {backend}"
    if bottleneck is None:
        click.echo(f"no step: nothing has to be moved for {where}")
        return
    share = 100 * found.causes[bottleneck] / found.seconds if found.seconds else 0
    click.echo(
        f"{found.plan.program}\n{format_seconds(found.seconds)} for {where}; "
        f"bottleneck {bottleneck} ({share:.0f} % of the time)\n"
    )
    times = []
    for number, cost in enumerate(found.steps):
        seconds = (cost.seconds, cost.links_s, cost.latency_s, cost.memory_s)
        times.append([str(number + 1), _step_text(found, number), *map(format_seconds, seconds)])
    print_table("time per step", ("", "step", "time", "links", "latency", "memory"), times, right=(0, 2, 3, 4, 5))
    rows = [row for number, cost in enumerate(found.steps) for row in _load_rows(number, cost)]
    columns = ("", "link", "in", "out", "shared", "hops", "time", "")
    title = "bytes on the busiest place of every link (* the step waits for it)"
    print_table(title, columns, rows, right=(0, 2, 3, 4, 5, 6))
    click.echo("\n".join([*_rival_lines(found), *_turn_lines(found.turns)]))


def _load_rows(number: int, cost: Any) -> Iterator[list[str]]:
    from p2smt.cost.explanation import busiest_link
    from p2smt.problem.quantity import format_bytes, format_seconds

    for load in cost.loads:
        if load.busiest:
            limit = max(load.bounds, key=lambda bound: bound[1])[0]
            mark = f"* {limit}" if load.link.name == busiest_link(cost) else ""
            shown = [format_bytes(amount) if amount else "" for amount in (load.incoming, load.outgoing, load.busiest)]
            yield [str(number + 1), load.link.name, *shown, str(load.hops), format_seconds(load.seconds), mark]


def _rival_lines(found: Any) -> Iterator[str]:
    from p2smt.problem.quantity import format_seconds

    if found.rival is None:
        yield "there is no other program on this placement"
        return
    loses = found.rival_seconds >= found.seconds
    place = "not among the programs found" if found.rank is None else f"rank {found.rank} of {found.programs}"
    yield f"{place}; {'the next best' if loses else 'better'}: {found.rival.text}"
    names = dict.fromkeys([*found.causes, *found.rival_causes])
    changes = {name: found.rival_causes.get(name, 0.0) - found.causes.get(name, 0.0) for name in names}
    parts = [
        f"{name} {'+' if change > 0 else '-'}{format_seconds(abs(change))}"
        for name, change in sorted(changes.items(), key=lambda change: -abs(change[1]))
        if abs(change) > 1e-9 * found.seconds
    ]
    equal = abs(found.rival_seconds - found.seconds) <= 1e-9 * found.seconds
    verdict = "ties with it" if equal else "loses to it" if loses else "beats it"
    yield f"  {format_seconds(found.rival_seconds)}, {verdict}: {', '.join(parts) or 'the same in everything'}"


def _turn_lines(turns: Sequence[Any]) -> Iterator[str]:
    from p2smt.problem.quantity import format_bytes

    yield "\nwhich program wins at which payload on this placement:"
    for turn in turns:
        begin = f"from {format_bytes(turn.least_bytes)}" if turn.least_bytes else "at the smallest"
        yield f"  {begin}: {turn.best.text}"
