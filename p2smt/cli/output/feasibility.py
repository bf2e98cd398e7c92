"""Output of `p2smt capture --dry-run`: the obstacles to capturing a step, and how much of it can be captured."""

from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.screen import say
from p2smt.frontend.torch_graph.survey import Feasibility, StepObstacle
from p2smt.wording import counted


def feasibility_document(target: str, found: Feasibility) -> Document:
    """Return the JSON document of `p2smt capture --dry-run`."""
    return {
        "version": VERSION,
        "step": target,
        "is_captured": found.is_captured,
        "is_complete": not found.ended,
        "operations": found.operations,
        "captured": found.captured,
        "obstacles": [
            {
                "operation": stop.obstacle.operation or None,
                "line": stop.obstacle.line or None,
                "backward": stop.obstacle.backward,
                "times": stop.times,
                "reason": stop.reason,
                "way_out": stop.way_out,
            }
            for stop in found.stops
        ],
    }


def print_feasibility(target: str, found: Feasibility) -> None:
    """Print every obstacle with its operation, source line, reason and remedy."""
    share = f"{found.captured} of {counted(found.operations, 'operation')} can be captured"
    say(f"{target}: {counted(len(found.stops), 'obstacle')}; {share}")
    for stop in found.stops:
        say(f"\n{_place(stop)}\n  {stop.reason}\n  way out: {stop.way_out}")
    if found.ended:
        say("\nthe step ends at the last one, so there may be more behind it")


def _place(stop: StepObstacle) -> str:
    obstacle = stop.obstacle
    where = f"{obstacle.line}: " if obstacle.line else ""
    part = ", in the backward pass of what is called there" if obstacle.backward else ""
    often = f", {stop.times} times" if stop.times > 1 else ""
    return f"{where}{obstacle.operation or 'the step'}{part}{often}"
