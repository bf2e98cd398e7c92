"""What `p2smt complete` prints."""

from collections.abc import Sequence
from typing import Any

import click

from p2smt.cli.output.synth import completeness, print_synthesis, synthesis_document
from p2smt.cost.ranking import RankedPlacement
from p2smt.reduction.language.hierarchy import program_text
from p2smt.reduction.language.sketch import format_sketch, least_length
from p2smt.reduction.synth.completion import Completion, Explanation, explain
from p2smt.reduction.synth.session import PlacedPrograms

Explained = tuple[PlacedPrograms, Explanation | None]


def explanations(completion: Completion, deadline: float | None) -> tuple[Explained, ...]:
    """Why no program fits, per placement; the same levels are explained once."""
    known: dict[Any, Explanation | None] = {}
    found = []
    for placed in completion.synthesis.placements:
        levels = tuple((level.name, level.reduces, level.reduces_some) for level in placed.hierarchy.levels)
        if levels not in known:
            known[levels] = explain(completion.synthesis.problem, completion.sketch, placed.hierarchy, deadline)
        found.append((placed, known[levels]))
    return tuple(found)


def completion_document(
    completion: Completion, ranked: Sequence[RankedPlacement], why: Sequence[Explained], top: int, show_all: bool
) -> dict[str, Any]:
    """The JSON document: that of `p2smt synth`, the sketch, and what clashes where no program fits."""
    return {
        **synthesis_document(completion.synthesis, ranked, top, show_all),
        "sketch": format_sketch(completion.sketch),
        "unfit": [{"matrix": unfit.matrix.rows, "reason": unfit.reason} for unfit in completion.unfit],
        "conflicts": [_conflict_document(placed, explanation) for placed, explanation in why],
    }


def print_completion(
    completion: Completion, ranked: Sequence[RankedPlacement], why: Sequence[Explained], top: int, show_all: bool
) -> None:
    """Print the programs that fit as `p2smt synth` does, or what clashes."""
    synthesis = completion.synthesis
    click.echo(f"sketch: {format_sketch(completion.sketch)}")
    for unfit in completion.unfit:
        click.echo(f"not on {unfit.matrix}: {unfit.reason}")
    if synthesis.total_programs:
        print_synthesis(synthesis, ranked, top, show_all)
        return
    if not synthesis.complete:
        click.echo(f"no program found so far, {completeness(synthesis)}")
    for explanation in dict.fromkeys(explanation for _, explanation in why):
        places = [placed for placed, other in why if other == explanation]
        click.echo("\n".join(_clash(explanation, completion, places)))


def _clash(explanation: Explanation | None, completion: Completion, places: Sequence[PlacedPrograms]) -> list[str]:
    where = f" on {', '.join(str(placed.matrix) for placed in places)}"
    if explanation is None:
        return [f"no program fits{where}; time was up before it was known which conditions cannot go together"]
    tried = f"valid programs of up to {explanation.most_steps} steps were considered"
    if not explanation.conditions:
        least = least_length(completion.sketch)
        return [f"no program fits{where}: no valid program has {least} or more steps, whatever they are", f"({tried})"]
    lines = [f"no program fits{where}: these conditions cannot go together:"]
    for condition, program in zip(explanation.conditions, explanation.without, strict=True):
        lines.append(f"  {condition}")
        if program is not None:
            lines.append(f"    without it: {program_text(places[0].hierarchy, program)}")
    return [*lines, f"({_minimality(explanation)}; {tried})"]


def _minimality(explanation: Explanation) -> str:
    match explanation.minimality:
        case "smallest":
            return "no fewer conditions clash"
        case "irreducible":
            return "none of them can go; whether fewer others clash was not decided in time"
        case _:
            return "fewer of them may clash; time was up"


def _conflict_document(placed: PlacedPrograms, explanation: Explanation | None) -> dict[str, Any]:
    document: dict[str, Any] = {"matrix": placed.matrix.rows}
    if explanation is None:
        return {**document, "conditions": None, "minimality": None, "most_steps": None}
    without = [None if program is None else program_text(placed.hierarchy, program) for program in explanation.without]
    return {
        **document,
        "conditions": [
            {"text": condition, "without": program}
            for condition, program in zip(explanation.conditions, without, strict=True)
        ],
        "minimality": explanation.minimality,
        "most_steps": explanation.most_steps,
    }
