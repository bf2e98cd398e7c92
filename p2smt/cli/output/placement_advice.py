"""Output for the placement of a split: levels of its axes, loss of the usual order, communication."""

from collections.abc import Iterator

from p2smt.cli.output.document import Document
from p2smt.cli.output.job import job_document, placement_document
from p2smt.cli.output.prose import labelled
from p2smt.cli.output.step_hints import step_seconds
from p2smt.cost.bus_bandwidth import rate_cell, reduction_bus_bandwidth
from p2smt.job.advice import Advice, sends_seconds
from p2smt.job.job_pricer import PlacementTime
from p2smt.job.placed_step import hidden_seconds
from p2smt.placement.words import placement_words
from p2smt.problem.quantity import format_bytes, format_seconds


def placement_advice_document(advice: Advice, top: int = 5) -> Document:
    """Return the job, the fastest placement, the loss of the usual placement, and the first `top` placements."""
    workload = advice.training.workload
    return {
        "words": _words(advice, advice.best),
        "matrix": advice.best.matrix.rows,
        "seconds": advice.best.seconds,
        "sends_s": sends_seconds(advice.best),
        "step_s": advice.step_seconds(advice.best),
        "hidden_s": hidden_beside(advice),
        "proved": advice.optimum.proved,
        "usual": None if advice.usual is None else _time_document(advice, advice.usual),
        "loss": None if advice.usual is None else advice.loss,
        "step_loss": advice.step_loss,
        "job": job_document(workload),
        "placements": [_time_document(advice, one) for one in advice.times[:top]],
    }


def _time_document(advice: Advice, one: PlacementTime) -> Document:
    return {
        **placement_document(advice.training.workload, one),
        "words": _words(advice, one),
        "sends_s": sends_seconds(one),
        "step_s": advice.step_seconds(one),
        "seconds": one.seconds,
    }


def hidden_beside(advice: Advice | None) -> float | None:
    """Return the seconds of communication in the usual order that its step does not wait for; None if not known."""
    if advice is None or advice.usual is None or advice.training.step is None:
        return None
    return hidden_seconds(advice.training.step, advice.usual)


def placement_lines(advice: Advice | None) -> Iterator[str]:
    """Yield the levels of each axis and the loss of the usual order; nothing if placements were not priced."""
    if advice is None:
        return
    step = None if advice.best is advice.usual else advice.step_seconds(advice.best)
    seconds = "" if step is None else f": a step takes {step_seconds(step)}"
    yield from labelled("where ", f"{_words(advice, advice.best)}{seconds}")
    yield from labelled("usual ", _usual(advice))
    if not advice.optimum.proved:
        yield from labelled(
            "      ",
            f"stopped early ({advice.optimum.stop}): {len(advice.times)} of {advice.optimum.found} placements priced",
        )


def swaps_data_and_stages(advice: Advice | None) -> bool:
    """True if the fastest placement has Megatron-LM's alternative order: data parallelism outside pipeline stages."""
    if advice is None or advice.order is None or advice.best is advice.usual:
        return False
    axes = advice.training.workload.axes
    names = [axes[axis].name for axis in advice.order]
    return names == [name for name in ("dp", "pp", "ep", "cp", "tp") if name in names] and {"dp", "pp"} <= set(names)


def order_lines(advice: Advice | None, *, typed: bool) -> Iterator[str]:
    """Yield how to order ranks for the fastest placement; nothing if it is the usual one, or if `typed`.

    `typed`: a printed flag already selects the order.
    """
    if advice is None or advice.best is advice.usual or typed:
        return
    way = f"give --out job.toml, then p2smt mesh job.toml --to rankfile --matrix {advice.best.matrix}"
    yield from labelled("order ", f"what is typed lays ranks in the usual order; for the fastest {way}")


def _usual(advice: Advice) -> str:
    if advice.usual is None:
        return "the usual order (tp innermost, pp outermost) is no placement on these levels"
    if advice.usual is advice.best:
        return "the usual order (tp innermost, pp outermost) is this: it loses nothing"
    loss = advice.loss if advice.step_loss is None else advice.step_loss
    shown, what = (
        (format_seconds, "of communication per step") if advice.step_loss is None else (step_seconds, "a step")
    )
    best, usual = shown(advice.cost(advice.best)), shown(advice.cost(advice.usual))
    longer = f"{loss:.1%} longer" if loss < 1 else f"{1 + loss:.1f}x as long"
    return f"the usual order (tp innermost, pp outermost) takes {longer}: {usual} {what}, not {best}"


def _words(advice: Advice, one: PlacementTime) -> str:
    workload = advice.training.workload
    return placement_words(one.matrix, workload.axes, workload.levels)


def communication_lines(advice: Advice | None) -> Iterator[str]:
    """Yield a table line per reduction, then one for the total."""
    if advice is None:
        return
    workload = advice.training.workload
    axes = workload.axes
    rows = [("communication per step, busbw in GB/s", "over", "times", "bytes", "time", "busbw")]
    for time in advice.best.reductions:
        over = ", ".join(axes[axis].name for axis in time.reduction.axes)
        size = format_bytes(time.reduction.payload.bytes)
        rate = rate_cell(reduction_bus_bandwidth(workload, time.reduction, time.candidate.seconds))
        times = f"{time.reduction.times:g}"
        rows.append((time.reduction.name, over, times, size, format_seconds(time.seconds), rate))
    rows.append(("together, before any of it is hidden", "", "", "", format_seconds(advice.best.seconds), ""))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, over, *numbers in rows:
        right = "  ".join(f"{cell:>{width}}" for cell, width in zip(numbers, widths[2:], strict=True))
        yield f"  {name:<{widths[0]}}  {over:<{widths[1]}}  {right}".rstrip()


def other_placements(advice: Advice | None, top: int = 5) -> Iterator[str]:
    """Yield the placements after the best one."""
    others = () if advice is None else advice.times[1:top]
    if advice is None or not others:
        return
    step = advice.step_seconds(advice.best) is not None
    by = ": the step, and its communication if none is hidden" if step else ", by communication"
    yield f"other placements, {len(others)} of {len(advice.times) - 1}{by}"
    best = advice.cost(advice.best)
    for one in others:
        ratio = f"{advice.cost(one) / best:.2f}x" if best else ""
        times = (step_seconds(advice.cost(one)),) if step else ()
        cells = (ratio, *times, format_seconds(one.seconds))
        yield from labelled(f"  {'  '.join(f'{cell:>8}' for cell in cells)}  ", _words(advice, one))
