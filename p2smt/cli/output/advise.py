"""What `p2smt advise` says of one split: the answer in three lines, then the numbers."""

from collections.abc import Iterator, Sequence

import click

from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.job import job_document, placement_document
from p2smt.cli.output.prose import labelled
from p2smt.errors import ProblemError
from p2smt.job.advice import Advice, Training, sends_seconds
from p2smt.job.job_pricer import PlacementTime
from p2smt.placement.framework_call import FRAMEWORKS, framework_call, jax_call, torch_call
from p2smt.placement.words import placement_words
from p2smt.problem.quantity import format_bytes, format_decimal, format_seconds
from p2smt.problem.transformer.memory import USABLE, DeviceMemory, fits
from p2smt.problem.transformer.model import Parallelism
from p2smt.problem.transformer.named import ModelEntry
from p2smt.wording import counted, option_text

_NO_ORDER = "no order of the axes gives it; --out job.toml, then p2smt mesh job.toml --to devicemesh, jax or rankfile"


def advice_document(advice: Advice, model: str, memory: int | None, top: int) -> Document:
    """The JSON document: the job, where its axes go, the usual order, what to type, the first placements."""
    workload = advice.training.workload
    return {
        "version": VERSION,
        "model": model,
        **summary_document(advice, memory),
        "job": job_document(workload),
        "type": dict(typed(advice)),
        "placements": [_time_document(advice, one) for one in advice.times[:top]],
    }


def summary_document(advice: Advice, memory: int | None) -> Document:
    """One split: memory, the fastest placement, and what the usual one loses."""
    job = advice.training
    return {
        "split": split_document(job.parallelism),
        "memory": memory_document(job.memory, memory),
        "bubble": job.bubble,
        "proved": advice.optimum.proved,
        "seconds": advice.best.seconds,
        "sends_s": sends_seconds(advice.best),
        "matrix": advice.best.matrix.rows,
        "words": _words(advice, advice.best),
        "usual": None if advice.usual is None else _time_document(advice, advice.usual),
        "loss": None if advice.usual is None else advice.loss,
    }


def split_document(split: Parallelism) -> Document:
    """The parts of a split."""
    return {"tp": split.tp, "pp": split.pp, "dp": split.dp, "cp": split.cp, "ep": split.ep, "zero": int(split.zero)}


def memory_document(needed: DeviceMemory, memory: int | None) -> Document:
    """What a device needs, part by part, and whether that fits; None where nothing is known of the device."""
    return {
        "parameters": needed.parameters,
        "gradients": needed.gradients,
        "optimiser": needed.optimiser,
        "activations": needed.activations,
        "total": needed.total,
        "device": memory,
        "fits": None if memory is None else fits(needed, memory),
    }


def _time_document(advice: Advice, one: PlacementTime) -> Document:
    return {
        **placement_document(advice.training.workload, one),
        "words": _words(advice, one),
        "sends_s": sends_seconds(one),
        "seconds": one.seconds,
    }


def print_advice(advice: Advice, model: str, memory: int | None, top: int) -> None:
    """Print the three lines, the step's communication, memory, other placements and other frameworks."""
    job = advice.training
    click.echo("\n".join(answer(advice)))
    click.echo()
    system = job.workload.system
    name = f"{system.name} " if system.name else ""
    step = f"{counted(job.transformer.batch, 'sequence')} of {job.transformer.sequence} tokens"
    click.echo(f"{model} on {name}{option_text(system.levels)}: {split_text(job.parallelism)}")
    click.echo(f"a step takes {step}, {job.transformer.micro_batch} at a time\n")
    for part in (memory_lines(job, memory), _communication(advice), _others(advice, top), _elsewhere(advice)):
        if text := "\n".join(part):
            click.echo(f"{text}\n")
    click.echo("\n".join(_caveats(advice)))


def answer(advice: Advice) -> Iterator[str]:
    """Where each axis goes; what the usual order loses; what to type."""
    yield from labelled("where ", _words(advice, advice.best))
    yield from labelled("usual ", _usual(advice))
    framework, text = next(iter(typed(advice).items()))
    yield from labelled("type  ", f"{framework}: {text}")


def _usual(advice: Advice) -> str:
    if advice.usual is None:
        return "the usual order (tp innermost, pp outermost) is no placement on these levels"
    if advice.usual is advice.best:
        return "the usual order (tp innermost, pp outermost) is this: it loses nothing"
    best, usual = format_seconds(advice.best.seconds), format_seconds(advice.usual.seconds)
    longer = f"{advice.loss:.1%} longer" if advice.loss < 1 else f"{1 + advice.loss:.1f}x as long"
    return f"the usual order (tp innermost, pp outermost) takes {longer}: {usual} of communication per step, not {best}"


def typed(advice: Advice) -> dict[str, str]:
    """What to type, by framework, Megatron first."""
    axes, order = advice.training.workload.axes, advice.order
    if order is None:
        return {FRAMEWORKS[0][1]: _NO_ORDER}
    calls = {}
    for notation, name in FRAMEWORKS:
        try:
            call = framework_call(notation, order, axes)
        except ProblemError as reason:
            call = str(reason).partition(";")[0]
        calls[name] = call or "its order is fixed, and another one; a rankfile puts ranks in their place (p2smt mesh)"
    return {**calls, "torch": torch_call(order, axes), "JAX": jax_call(order, axes)}


def _elsewhere(advice: Advice) -> Iterator[str]:
    """What to type into the other frameworks."""
    others = list(typed(advice).items())[1:]
    if others:
        yield "in other words"
    for framework, text in others:
        yield from labelled(f"  {framework:<11}", text)


def _words(advice: Advice, one: PlacementTime) -> str:
    workload = advice.training.workload
    return placement_words(one.matrix, workload.axes, workload.levels)


def split_text(split: Parallelism) -> str:
    """The parts of a split that are more than 1, as a product."""
    parts = {"tp": split.tp, "pp": split.pp, "dp": split.dp, "cp": split.cp}
    text = " x ".join(f"{name} {size}" for name, size in parts.items() if size > 1) or "one device"
    return f"{text}, ep {split.ep} of dp" if split.ep > 1 else text


def _communication(advice: Advice) -> Iterator[str]:
    """A line per reduction, then all together."""
    axes = advice.training.workload.axes
    rows = [("communication per step", "over", "times", "bytes", "time")]
    for time in advice.best.reductions:
        over = ", ".join(axes[axis].name for axis in time.reduction.axes)
        size = format_bytes(time.reduction.payload.bytes)
        rows.append((time.reduction.name, over, f"{time.reduction.times:g}", size, format_seconds(time.seconds)))
    rows.append(("together (some overlap)", "", "", "", format_seconds(advice.best.seconds)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, over, *numbers in rows:
        right = "  ".join(f"{cell:>{width}}" for cell, width in zip(numbers, widths[2:], strict=True))
        yield f"  {name:<{widths[0]}}  {over:<{widths[1]}}  {right}"


def memory_lines(job: Training, memory: int | None) -> Iterator[str]:
    """What a device needs by the formula, and how long stages wait for each other."""
    needed = job.memory
    parts = (
        f"parameters {_gb(needed.parameters)}, gradients {_gb(needed.gradients)}, optimizer {_gb(needed.optimiser)}, "
        f"activations {_gb(needed.activations)}"
    )
    room = "" if memory is None else f" of {_gb(memory)}, {_fits(needed, memory)}"
    yield from labelled("memory ", f"a device needs {_gb(needed.total)}{room}; by formula: {parts}")
    if memory is not None and not fits(needed, memory):
        yield from labelled("       ", "try --recompute, --zero 3, more tp or pp, or --split auto")
    if job.parallelism.pp > 1:
        yield from labelled("stages ", f"wait for each other {job.bubble:.1%} of the time that they compute")


def _fits(needed: DeviceMemory, memory: int) -> str:
    return "which fits" if fits(needed, memory) else f"which DOES NOT FIT into {USABLE:.0%} of it"


def _gb(count: int) -> str:
    return f"{count / 1e9:.1f} GB"


def _others(advice: Advice, top: int) -> Iterator[str]:
    """The placements after the best."""
    others = advice.times[1:top]
    if not others:
        return
    yield f"other placements, {len(others)} of {len(advice.times) - 1}"
    for one in others:
        ratio = f"{one.seconds / advice.best.seconds:.2f}x" if advice.best.seconds else ""
        yield from labelled(f"  {ratio:>8}  {format_seconds(one.seconds):>8}  ", _words(advice, one))


def _caveats(advice: Advice) -> Iterator[str]:
    system = advice.training.workload.system
    figures = f"the figures of {system.name}" if system.name else "default figures"
    text = (
        f"Predicted with {figures}, not measured; computation is not counted, nor how much of the communication it "
        "hides."
    )
    yield from labelled("", text)
    if not advice.optimum.proved:
        yield f"stopped early ({advice.optimum.stop}): {len(advice.times)} of {advice.optimum.found} placements priced"


def print_models(models: Sequence[ModelEntry]) -> None:
    """Print the models that have a name."""
    width = max(len(model.name) for model in models)
    for model in models:
        size = model.parameters if isinstance(model.parameters, str) else format_decimal(model.parameters)
        click.echo(f"{model.name:<{width}}  {model.title}: {size.replace(' G', ' billion').replace(' M', ' million')}")
