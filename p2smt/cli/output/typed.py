"""Launch flags or configuration for a split, for the requested framework and for others that support it."""

from collections.abc import Iterator

from p2smt.cli.output.prose import labelled
from p2smt.emit.frameworks.nearest import changes, nearest
from p2smt.emit.frameworks.typed import NAMES, refusal, typed
from p2smt.job.step.search import StepQuestion, priced
from p2smt.problem.quantity import format_seconds
from p2smt.problem.transformer.memory import fits
from p2smt.problem.transformer.split import Framework, Split


def type_lines(question: StepQuestion, split: Split, *, swapped: bool = False) -> Iterator[str]:
    """Yield the flags or file for the requested framework; `swapped`: data parallelism outermost, stages inside."""
    reason = refusal(question.framework, question.transformer, split)
    if reason is not None:
        yield from labelled("type  ", f"{NAMES[question.framework]} does not run it: {reason}")
        return
    yield from _block("type  ", question.framework, _lines(question, question.framework, split, swapped=swapped))


def other_frameworks(question: StepQuestion, split: Split) -> Iterator[str]:
    """Yield the flags or files for the other frameworks, or the reason and nearest split if one is unsupported."""
    yield "in other frameworks"
    for framework in Framework:
        if framework is question.framework:
            continue
        reason = refusal(framework, question.transformer, split)
        if reason is None:
            yield from _block("  ", framework, _lines(question, framework, split))
            continue
        yield from labelled(
            " ", f"{NAMES[framework]} does not run it: {reason}; {_nearest(question, framework, split)}"
        )


def typed_document(question: StepQuestion, split: Split) -> dict[str, object]:
    """Return the lines by framework; for an unsupported split, the reason and the nearest supported split."""
    found: dict[str, object] = {}
    for framework in Framework:
        reason = refusal(framework, question.transformer, split)
        if reason is None:
            found[framework] = _lines(question, framework, split)
        else:
            found[framework] = {"refused": reason, "nearest": _nearest(question, framework, split)}
    return found


def _lines(question: StepQuestion, framework: Framework, split: Split, *, swapped: bool = False) -> list[str]:
    return typed(
        framework, question.transformer, split, question.precision, dispatcher=question.wanted, swapped=swapped
    )


def _nearest(question: StepQuestion, framework: Framework, split: Split) -> str:
    other = nearest(framework, question.transformer, split)
    if other is None:
        return f"--framework {framework} finds its own best"
    found = priced(question, other)
    room = "" if fits(found.memory, question.cluster.memory) else ", which does not fit"
    return f"nearest is {', '.join(changes(split, other))}: {format_seconds(found.seconds)}{room}"


def _block(label: str, framework: Framework, lines: list[str]) -> Iterator[str]:
    """Yield one framework's lines: flags are wrapped as one text, files keep their lines."""
    match framework:
        case Framework.MEGATRON:
            yield from labelled(label, f"{NAMES[framework]}: {' '.join(lines)}")
        case Framework.TORCHTITAN | Framework.DEEPSPEED | Framework.TORCH | Framework.NEMO:
            yield f"{label} {NAMES[framework]}:" if label.strip() else f"{label}{NAMES[framework]}:"
            yield from (f"    {line}".rstrip() for line in lines)
