"""Output for the placement of a split: levels of its axes, loss of the usual order, communication."""

from collections.abc import Iterator

from p2smt.cli.output.document import Document
from p2smt.cli.output.job import job_document, placement_document
from p2smt.cli.output.prose import labelled
from p2smt.cost.bus_bandwidth import rate_cell, reduction_bus_bandwidth
from p2smt.job.advice import Advice, sends_seconds
from p2smt.job.job_pricer import PlacementTime
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
        "proved": advice.optimum.proved,
        "usual": None if advice.usual is None else _time_document(advice, advice.usual),
        "loss": None if advice.usual is None else advice.loss,
        "job": job_document(workload),
        "placements": [_time_document(advice, one) for one in advice.times[:top]],
    }


def _time_document(advice: Advice, one: PlacementTime) -> Document:
    return {
        **placement_document(advice.training.workload, one),
        "words": _words(advice, one),
        "sends_s": sends_seconds(one),
        "seconds": one.seconds,
    }


def placement_lines(advice: Advice | None) -> Iterator[str]:
    """Yield the levels of each axis and the loss of the usual order; nothing if placements were not priced."""
    if advice is None:
        return
    yield from labelled("where ", _words(advice, advice.best))
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
    way = "give --out job.toml, then p2smt mesh job.toml --to rankfile"
    yield from labelled("order ", f"what is typed lays ranks in the usual order; for the fastest {way}")


def _usual(advice: Advice) -> str:
    if advice.usual is None:
        return "the usual order (tp innermost, pp outermost) is no placement on these levels"
    if advice.usual is advice.best:
        return "the usual order (tp innermost, pp outermost) is this: it loses nothing"
    best, usual = format_seconds(advice.exposed(advice.best)), format_seconds(advice.exposed(advice.usual))
    longer = f"{advice.loss:.1%} longer" if advice.loss < 1 else f"{1 + advice.loss:.1f}x as long"
    return f"the usual order (tp innermost, pp outermost) takes {longer}: {usual} of communication per step, not {best}"


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
    yield f"other placements, {len(others)} of {len(advice.times) - 1}, by the communication that a step waits for"
    for one in others:
        best = advice.exposed(advice.best)
        ratio = f"{advice.exposed(one) / best:.2f}x" if best else ""
        yield from labelled(f"  {ratio:>8}  {format_seconds(advice.exposed(one)):>8}  ", _words(advice, one))
