"""Output of `p2smt complete`."""

from collections.abc import Sequence
from typing import assert_never

from p2smt.cli.output.document import Document
from p2smt.cli.output.program import full_cell
from p2smt.cli.output.screen import say
from p2smt.cli.output.synth import completeness, print_synthesis, synthesis_document
from p2smt.cost.ranking import RankedPlacement
from p2smt.reduction.language.hierarchy import program_text
from p2smt.reduction.language.sketch import format_sketch, least_length
from p2smt.reduction.synth.completion import Completion, ConflictExplanation
from p2smt.reduction.synth.conflicts import PlacementConflict
from p2smt.reduction.synth.session import PlacedPrograms
from p2smt.smt.cores import Minimality


def completion_document(
    completion: Completion,
    ranked: Sequence[RankedPlacement],
    why: Sequence[PlacementConflict],
    top: int,
    show_all: bool,
) -> Document:
    """Return the JSON document: `p2smt synth`'s, with the sketch, and the conflicts where no program fits."""
    return {
        **synthesis_document(completion.synthesis, ranked, top, show_all),
        "sketch": format_sketch(completion.sketch),
        "unfit": [{"matrix": unfit.matrix.rows, "reason": unfit.reason} for unfit in completion.unfit],
        "conflicts": [_conflict_document(conflict) for conflict in why],
    }


def print_completion(
    completion: Completion, ranked: Sequence[RankedPlacement], why: Sequence[PlacementConflict], top: int | None
) -> None:
    """Print the programs that fit, in the format of `p2smt synth`, or else the conflicting conditions.

    `top` limits the programs printed per placement; None prints all.
    """
    synthesis = completion.synthesis
    say(f"sketch: {format_sketch(completion.sketch)}")
    for unfit in completion.unfit:
        say(f"not on {unfit.matrix}: {unfit.reason}")
    if synthesis.total_programs:
        print_synthesis(synthesis, ranked, top)
        return
    if not synthesis.complete:
        say(f"no program found so far, {completeness(synthesis)}")
    for explanation in dict.fromkeys(conflict.explanation for conflict in why):
        on = [conflict.placed for conflict in why if conflict.explanation == explanation]
        for line in _clash(explanation, completion, on):
            say(line)


def _clash(explanation: ConflictExplanation | None, completion: Completion, on: Sequence[PlacedPrograms]) -> list[str]:
    where = f" on {', '.join(str(placed.matrix) for placed in on)}"
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
            lines.append(f"    without it: {full_cell(program_text(on[0].hierarchy, program))}")
    return [*lines, f"({_minimality(explanation)}; {tried})"]


def _minimality(explanation: ConflictExplanation) -> str:
    match explanation.minimality:
        case Minimality.SMALLEST:
            return "no fewer conditions clash"
        case Minimality.IRREDUCIBLE:
            return "none of them can go; whether fewer others clash was not decided in time"
        case Minimality.UNREDUCED:
            return "fewer of them may clash; time was up"
        case _:
            assert_never(explanation.minimality)


def _conflict_document(conflict: PlacementConflict) -> Document:
    explanation, hierarchy = conflict.explanation, conflict.placed.hierarchy
    matrix = conflict.placed.matrix.rows
    if explanation is None:
        return {"matrix": matrix, "conditions": None, "minimality": None, "most_steps": None}
    without = [None if program is None else program_text(hierarchy, program) for program in explanation.without]
    return {
        "matrix": matrix,
        "conditions": [
            {"text": condition, "without": program}
            for condition, program in zip(explanation.conditions, without, strict=True)
        ],
        "minimality": str(explanation.minimality),
        "most_steps": explanation.most_steps,
    }
