"""Text output of `p2smt advise`: the split and its step time in the first line, then the details."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from p2smt.cli.output.files import write_and_say
from p2smt.cli.output.placement_advice import (
    communication_lines,
    hidden_beside,
    order_lines,
    other_placements,
    placement_lines,
    swaps_data_and_stages,
)
from p2smt.cli.output.prose import labelled
from p2smt.cli.output.step_hints import batch_lines, better_lines, step_seconds
from p2smt.cli.output.typed import other_frameworks, type_lines
from p2smt.emit.frameworks.typed import swaps
from p2smt.job.advice import Advice
from p2smt.job.step.explanation import PARTS, WhatIf, loss, parts, runner_up
from p2smt.job.step.grid import FixedDegrees
from p2smt.job.step.search import SplitCandidate, StepQuestion, StepSearch, model_flops
from p2smt.job.step.split_words import split_words
from p2smt.problem.quantity import format_decimal, format_seconds
from p2smt.problem.transformer.memory import USABLE, DeviceMemory, fits
from p2smt.problem.transformer.parameters import parameters
from p2smt.wording import counted

_SHARE = 0.01


def print_steps(
    found: StepSearch,
    name: str,
    where: str,
    devices: str,
    advice: Advice | None,
    *,
    better: SplitCandidate | None,
    changes: Sequence[WhatIf],
) -> None:
    """Print the best split, a breakdown of its step time, the runners-up, memory, and the requested what-if changes.

    `better` is a faster split with the degrees of the one that was given.
    """
    if not found.best:
        click.echo("\n".join(_none(found, name, where)))
        return
    best, question = found.best[0], found.question
    swapped = swaps_data_and_stages(advice) and swaps(question.framework, question.transformer, best.split)
    step = f"{split_words(best.split)}: a step takes {step_seconds(best.seconds)}"
    sections = (
        [
            *labelled("split ", step),
            *better_lines(found, better),
            *batch_lines(question),
            *placement_lines(advice),
            *order_lines(advice, typed=swapped),
            *type_lines(question, best.split, swapped=swapped),
        ],
        _job(found, name, where, devices),
        _parts(best, advice),
        _table(found),
        _reasons(found),
        memory_lines(best.memory, question.cluster.memory),
        communication_lines(advice),
        other_placements(advice),
        other_frameworks(question, best.split),
        _what_if(best, changes),
        _notes(found),
    )
    click.echo("\n\n".join(text for section in sections if (text := "\n".join(section))))


def draw_splits(path: Path, found: StepSearch, *, force: bool) -> None:
    """Write a bar chart of the best splits."""
    from p2smt.report.figures.shapes import on_paper
    from p2smt.report.figures.splits_chart import splits_drawing
    from p2smt.report.figures.svg import svg_text

    text = svg_text(on_paper(splits_drawing(found)))
    write_and_say(path, text, "the parts of the steps of the best splits", "open it in a browser", force=force)


def tokens_per_second(question: StepQuestion, best: SplitCandidate) -> float:
    """Return the throughput of all devices together, in tokens/s."""
    return question.transformer.batch * question.transformer.sequence / best.seconds


def utilisation(question: StepQuestion, best: SplitCandidate) -> float:
    """Return the model FLOP utilisation (MFU): the model's FLOPs relative to the devices' peak in 16 bits."""
    could = best.seconds * question.cluster.devices * question.cluster.half
    return model_flops(question.transformer) / could


def _job(found: StepSearch, name: str, where: str, devices: str) -> Iterator[str]:
    question, best = found.question, found.best[0]
    transformer, count = question.transformer, question.cluster.devices
    tokens = tokens_per_second(question, best)
    text = (
        f"{name} ({parameters(transformer):,} parameters) on {where}, {question.precision}, "
        f"{transformer.batch} sequences of {transformer.sequence} tokens a step"
    )
    yield from labelled("", text)
    yield from labelled(
        "",
        f"{tokens:,.0f} tokens/s, {tokens / count:,.0f} per device; "
        f"{utilisation(question, best):.1%} of the peak in 16 bits (MFU)",
    )
    yield from labelled("", f"devices: {devices}")


def _parts(best: SplitCandidate, advice: Advice | None) -> Iterator[str]:
    """Yield a line per part of the step time, which is that of the usual order of axes."""
    title = "the step" if advice is None or advice.best is advice.usual else "the step, in the usual order"
    yield f"{title:<34} {format_seconds(best.seconds):>8}"
    small = 0.0
    for name, seconds in parts(best.time).items():
        if seconds < _SHARE * best.seconds:
            small += seconds
            continue
        yield f"  {PARTS[name]:<32} {format_seconds(seconds):>8}  {seconds / best.seconds:>5.1%}"
    if small:
        yield f"  {'all else':<32} {format_seconds(small):>8}  {small / best.seconds:>5.1%}"
    beside = hidden_beside(advice)
    hidden = best.time.hidden if beside is None else beside
    if hidden:
        yield f"  {'hidden behind computing':<32} {format_seconds(hidden):>8}"


_HEADS = ("tp", "pp", "dp", "cp", "ep", "etp", "chunks", "zero", "micro", "recompute", "memory", "step", "loses")
_SHORT = {
    "linear": "products",
    "elementwise": "element-wise",
    "tensor": "tp",
    "context": "cp",
    "dispatch": "ep",
    "gathers": "ZeRO 3",
}


def _table(found: StepSearch) -> Iterator[str]:
    if len(found.best) < 2:
        return
    best = found.best[0]
    rows: list[tuple[str, ...]] = [_HEADS]
    for one in found.best:
        split = one.split
        name, seconds = loss(best, one)
        lost = "" if one is best or seconds <= 0 else f"{format_seconds(seconds)} {_SHORT.get(name, name)}"
        sizes = (split.tp, split.pp, split.dp, split.cp, split.ep, split.etp, split.chunks, int(split.zero))
        rows.append(
            (
                *map(str, sizes),
                str(split.micro_batch),
                str(split.recompute),
                f"{one.memory.total / 1e9:.1f} GB",
                step_seconds(one.seconds),
                lost,
            )
        )
    kept = [column for column in zip(*rows, strict=True) if set(column[1:]) != {"1"} and set(column[1:]) != {""}]
    widths = [max(map(len, column)) for column in kept]
    yield f"the best {counted(len(found.best), 'split')} of {found.points} ({found.priced} priced)"
    for row in zip(*kept, strict=True):
        yield ("  " + " ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))).rstrip()


def _reasons(found: StepSearch) -> Iterator[str]:
    """Yield the bottleneck of the best split, and the reason why the runner-up is slower."""
    best, other = found.best[0], runner_up(found)
    time = best.time
    # Three groups for the headline; the single largest part is named after them.
    shares = {"computing": time.computing, "communication": time.communication, "the bubble": time.bubble}
    name, seconds = max(shares.items(), key=lambda pair: pair[1])
    first = next(iter(parts(time)))
    yield from labelled("limit ", f"{name}, {seconds / best.seconds:.0%} of the step; most of all {PARTS[first]}")
    if other is not None:
        part, more = loss(best, other)
        ratio = other.seconds / best.seconds - 1
        yield from labelled(
            "next  ",
            f"{split_words(other.split)} takes {ratio:.1%} more: {format_seconds(more)} more for {PARTS[part]}",
        )


def memory_lines(needed: DeviceMemory, holds: float) -> Iterator[str]:
    """Yield the memory of a device by part, and the remaining margin."""
    named = (
        ("parameters", needed.parameters),
        ("gradients", needed.gradients),
        ("optimizer", needed.optimiser),
        ("activations", needed.activations),
        ("loss", needed.logits),
        ("gathered", needed.gathered),
        ("context and gaps", needed.reserve),
    )
    text = ", ".join(f"{name} {_gb(size)}" for name, size in named if size)
    room = (
        f"which leaves {_gb(holds - needed.total)}" if fits(needed, holds) else f"which DOES NOT FIT into {USABLE:.0%}"
    )
    yield from labelled("memory ", f"a device needs {_gb(needed.total)} of {_gb(holds)}, {room}; by formula: {text}")


def _gb(count: float) -> str:
    return f"{count / 1e9:.1f} GB"


def _what_if(best: SplitCandidate, changes: Sequence[WhatIf]) -> Iterator[str]:
    for one in changes:
        if one.best is None:
            yield from labelled("what if", f"{one.change}: no split fits")
            continue
        gain = best.seconds / one.best.seconds - 1
        same = "the same split" if one.best.split == best.split else split_words(one.best.split)
        yield from labelled(
            "what if", f"{one.change}: {format_seconds(one.best.seconds)}, {gain:.1%} faster, with {same}"
        )


_OPTIONS = {
    "zero": "--zero",
    "recompute": "--recompute",
    "micro_batch": "--micro-batch",
    "tp": "--tp",
    "pp": "--pp",
    "cp": "--cp",
    "dp": "--dp",
    "ep": "--ep",
    "replicate": "--replicas",
}
"""Options for the degrees with the largest effect on memory, by the field of `FixedDegrees`."""


def _freed(fixed: FixedDegrees) -> str:
    """Return advice to leave out the options that fix such degrees, as the end of a message; empty if none is fixed."""
    given = [option for field, option in _OPTIONS.items() if getattr(fixed, field) is not None]
    return f", or leave out {' or '.join([', '.join(given[:-1]), given[-1]] if given[1:] else given)}" if given else ""


def _notes(found: StepSearch) -> Iterator[str]:
    if not found.complete:
        yield from labelled("", f"Stopped early: {found.priced} of {found.points} splits were priced.")
    yield from labelled(
        "",
        "Predicted by a model that was fitted to published runs (mean error 6 %, of models with "
        "experts or in fp8 10 %), not measured on this system.",
    )


def _none(found: StepSearch, name: str, where: str) -> Iterator[str]:
    """Yield the reason why there is no split."""
    question = found.question
    if not found.complete:
        said = "stopped before any split that fits was priced; allow a longer --timeout"
    elif found.least is None:
        said = (
            f"no split of {question.cluster.devices} devices keeps the rules: tp divides heads and inner sizes, dp x "
            f"micro-batch the batch of {question.transformer.batch}, and {question.framework} has to run it; free a "
            "degree that is given, or change --batch"
        )
    else:
        least = found.least
        said = (
            f"none of {counted(found.points, 'split')} fits; {split_words(least.split)} needs least, "
            f"{_gb(least.memory.total)} a device; take more devices{_freed(question.fixed)}"
        )
    yield from labelled(
        "", f"{name} ({format_decimal(parameters(question.transformer))} parameters) on {where}: {said}"
    )
