"""Output of `p2smt synth`."""

from collections.abc import Iterator, Sequence
from itertools import islice
from math import inf

from p2smt.cli.output.document import VERSION, Document, problem_document
from p2smt.cli.output.place import words_of
from p2smt.cli.output.plan import NOTHING_YET
from p2smt.cli.output.program import full_cell, short_cell
from p2smt.cli.output.screen import say
from p2smt.cli.output.table import print_table
from p2smt.collective import Collective
from p2smt.cost.above_wire import above_cell, above_wire
from p2smt.cost.any_length import Reach
from p2smt.cost.bus_bandwidth import HEAD, problem_bus_bandwidth, rate_cell
from p2smt.cost.extrapolation import extrapolation_text, is_extrapolated
from p2smt.cost.ranking import RankedPlacement, RankedProgram
from p2smt.placement.hierarchy import SynthesisHierarchy
from p2smt.problem.model import Problem
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.problem.system.link_origin import links_text
from p2smt.reduction.language.hierarchy import written
from p2smt.reduction.language.text import format_form
from p2smt.reduction.plan.model import CollectiveStep, PermuteStep, Plan
from p2smt.reduction.synth.session import Synthesis
from p2smt.smt.answer import Stop
from p2smt.wording import bare_sizes, counted, plural

MOST_PLACEMENTS = 10
"""The number of placements printed unless --all is given."""

PREVIEW_GROUPS = 4
PREVIEW_MEMBERS = 8


def synthesis_document(synthesis: Synthesis, ranked: Sequence[RankedPlacement], top: int, show_all: bool) -> Document:
    """Return the JSON document: every placement with its best program, its `top` programs, or all of them."""
    problem = synthesis.problem
    return {
        "version": VERSION,
        "problem": problem_document(problem),
        "grammar": str(problem.search.grammar),
        "limit": problem.search.limit,
        "extrapolated": is_extrapolated(problem.system, problem.payload.bytes),
        "complete": synthesis.complete,
        "stopped": str(synthesis.stop),
        "reason": synthesis.reason,
        "elapsed_s": round(synthesis.elapsed_s, 6),
        "placements": [_placement_document(problem, placement, top, show_all) for placement in ranked],
        "total_programs": synthesis.total_programs,
    }


def print_synthesis(synthesis: Synthesis, ranked: Sequence[RankedPlacement], top: int | None) -> None:
    """Print a table of the ten fastest placements, and the `top` programs of each; None prints all of both."""
    problem = synthesis.problem
    search, payload = problem.search, problem.payload
    say(
        f"{counted(synthesis.total_programs, 'program')} on {counted(len(ranked), 'placement')}, "
        f"{completeness(synthesis)} up to {search.limit} instructions of grammar {search.grammar}\n"
        f"{_goal(problem)}, {format_bytes(payload.bytes)} per device\n"
        f"links: {links_text(problem.system)}\n"
    )
    if not synthesis.complete and not any(placement.programs for placement in ranked):
        say(NOTHING_YET)
        return
    fastest = sorted(ranked, key=_seconds)
    shown = fastest if top is None else fastest[:MOST_PLACEMENTS]
    claimed = not is_extrapolated(problem.system, payload.bytes)
    rows = [[str(number), *_placement_cells(one, problem, claimed=claimed)] for number, one in enumerate(shown, 1)]
    columns = ("#", "matrix", "programs", str(problem.goal), "best", HEAD, "speed-up", "overhead", "best program")
    title = "placements, fastest first (overhead: the best over the lower bound of the links)"
    print_table(title, columns, rows, right=(0, 2, 3, 4, 5, 6, 7))
    longer = [placement.programs[0] for placement in ranked if any(r.beyond_limit for r in placement.programs[:1])]
    if longer:
        say(beyond_limit_text(longer, search.limit, counted(len(ranked), "placement")) + "\n")
    for line in unsearched_lines(ranked, search.limit):
        say(line + "\n")
    if not claimed:
        say(extrapolation_text(problem.system) + "\n")
    for number, placement in enumerate(shown, start=1):
        _print_programs(number, placement, placement.programs[:top], problem)
    if more := len(ranked) - len(shown):
        say(f"{more} more {plural('placement', more)}; --all prints every placement and program")


def _seconds(placement: RankedPlacement) -> float:
    """Return the best program's time; infinite without a program, so that the placement sorts last."""
    return placement.programs[0].seconds if placement.programs else inf


def _placement_cells(placement: RankedPlacement, problem: Problem, *, claimed: bool) -> list[str]:
    return [
        str(placement.placed.matrix),
        str(len(placement.placed.programs)),
        format_seconds(placement.allreduce_seconds),
        *_best_cells(placement, problem, claimed=claimed),
    ]


def _print_programs(number: int, placement: RankedPlacement, shown: Sequence[RankedProgram], problem: Problem) -> None:
    """Print a placement's description, and its programs in full."""
    tree = placement.placed.hierarchy.tree
    levels = str(tree) if tree else bare_sizes(placement.placed.hierarchy.sizes) or "1"
    title = f"[{number}] {_listed(placement, shown)} over levels {levels}\n{words_of(placement.placed.matrix, problem)}"
    if not shown:
        say(f"{title}\n")
        return
    lines = [
        [str(r.rank), format_seconds(r.seconds), _rate_cell(problem, r.seconds), full_cell(r.plan.program)]
        for r in shown
    ]
    print_table(title, ("rank", "time", HEAD, "program in full"), lines, right=(0, 1, 2))


def _rate_cell(problem: Problem, seconds: float) -> str:
    return rate_cell(problem_bus_bandwidth(problem, seconds))


def beyond_limit_text(longer: Sequence[RankedProgram], limit: int, of: str) -> str:
    """Return a sentence on the placements whose best programs, `longer`, exceed --limit; `longer` is not empty."""
    most = max(len(ranked.program) for ranked in longer)
    return f"longer than --limit {limit}: the best on {len(longer)} of {of}, up to {most} instructions"


def unsearched_lines(ranked: Sequence[RankedPlacement], limit: int) -> Iterator[str]:
    """Yield on how many placements programs longer than --limit were not searched, and why."""
    for reach in (Reach.LEVELS, Reach.UNLIKE, Reach.LATE):
        some = sum(placement.reach is reach for placement in ranked)
        if some:
            yield f"longer than --limit {limit}, on {some} of {counted(len(ranked), 'placement')}: {reach}"


def _listed(placement: RankedPlacement, shown: Sequence[RankedProgram]) -> str:
    """Return the placement's matrix, and how many of its programs are listed."""
    longer = sum(ranked.beyond_limit for ranked in shown)
    some = f"{len(shown) - longer} of {counted(len(placement.placed.programs), 'program')}"
    return f"{placement.placed.matrix}: {'one longer than --limit and ' if longer else ''}{some}"


def completeness(synthesis: Synthesis) -> str:
    """Return a sentence on whether all programs were found, with the reason if not."""
    why = f": {synthesis.reason}" if synthesis.reason else ""
    return "all" if synthesis.complete else f"INCOMPLETE ({synthesis.stop}{why})"


def _goal(problem: Problem) -> str:
    over = ", ".join(problem.axes[axis].name for axis in problem.reduce)
    # only: the default goal has no name
    return f"reduce {over}" if problem.goal is Collective.ALL_REDUCE else f"{problem.goal.hyphenated} over {over}"


def _best_cells(placement: RankedPlacement, problem: Problem, *, claimed: bool) -> list[str]:
    if not placement.programs:
        return ["-", "-", "-", "-", "none"]
    best = placement.programs[0]
    gain = placement.allreduce_seconds / best.seconds if best.seconds else 1.0
    short = short_cell(best.text, placement.placed.hierarchy.names)
    above = above_cell(best.seconds, placement.wire_seconds)
    time, rate = format_seconds(best.seconds), _rate_cell(problem, best.seconds)
    return [time, rate, f"{gain:.2f}x" if claimed else "", above if claimed else "", short]


def _placement_document(problem: Problem, placement: RankedPlacement, top: int, show_all: bool) -> Document:
    placed = placement.placed
    document: Document = {
        "matrix": placed.matrix.rows,
        "levels": list(placed.hierarchy.sizes),
        "level_names": list(placed.hierarchy.names[1:]),
        "programs": len(placed.programs),
        "complete": placed.stop is Stop.EXHAUSTED,
        "best": _program_document(problem, placement.programs[0], placed.hierarchy) if placement.programs else None,
        "best_of_any_length": placement.any_length,
        "best_beyond_limit": any(ranked.beyond_limit for ranked in placement.programs[:1]),
        "allreduce_cost_s": placement.allreduce_seconds,
        "allreduce_busbw_bytes_per_s": problem_bus_bandwidth(problem, placement.allreduce_seconds),
        "wire_s": placement.wire_seconds,
        "above_wire": _best_above(placement),
        "top": [_short(problem, ranked) for ranked in placement.programs[:top]],
    }
    if not show_all:
        return document
    every = [_program_document(problem, ranked, placed.hierarchy) for ranked in placement.programs]
    return {**document, "all": every}


def _best_above(placement: RankedPlacement) -> float | None:
    """Return the best program's overhead over the lower bound; None without a program, or if no bytes cross a link."""
    best = placement.programs[:1]
    return above_wire(best[0].seconds, placement.wire_seconds) if best else None


def _short(problem: Problem, ranked: RankedProgram) -> Document:
    rate = problem_bus_bandwidth(problem, ranked.seconds)
    return {"text": ranked.plan.program, "cost_s": ranked.seconds, "busbw_bytes_per_s": rate}


def _program_document(problem: Problem, ranked: RankedProgram, hierarchy: SynthesisHierarchy) -> Document:
    collectives = [step for step in ranked.plan.steps if isinstance(step, CollectiveStep)]
    instructions = written(hierarchy, ranked.program)
    return {
        **_short(problem, ranked),
        "local_permutations": sum(isinstance(step, PermuteStep) for step in ranked.plan.steps),
        "steps": [
            {
                "collective": str(instruction.collective),
                "form": format_form(instruction.form, hierarchy.names),
                "slice": hierarchy.names[instruction.slice],
                "group_size": ranked.plan.groups(step.groups).size,
                "groups_preview": _preview(ranked.plan, step),
            }
            for instruction, step in zip(instructions, collectives, strict=True)
        ],
    }


def _preview(plan: Plan, step: CollectiveStep) -> list[list[int]]:
    """Return the first members of a step's first groups."""
    roots = islice(plan.groups(step.groups).roots(), PREVIEW_GROUPS)
    return [list(islice(plan.groups(step.groups).members(root), PREVIEW_MEMBERS)) for root in roots]
