"""What `p2smt advise --split auto` says: the best split as an answer, then all of them."""

from collections.abc import Iterator

import click

from p2smt.cli.output.advise import answer, memory_document, memory_lines, split_document, split_text, summary_document
from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.prose import labelled
from p2smt.job.advice import Advice, SplitQuestion, SplitSearch
from p2smt.problem.quantity import format_seconds
from p2smt.problem.transformer.memory import USABLE
from p2smt.wording import counted, option_text, plural


def splits_document(found: SplitSearch, question: SplitQuestion, model: str) -> Document:
    """The JSON document: every split, by communication, and those that do not fit or were not priced."""
    return {
        "version": VERSION,
        "model": model,
        "system": [{"name": level.name, "size": level.size} for level in question.system.levels],
        "batch": question.transformer.batch,
        "sequence": question.transformer.sequence,
        "complete": found.complete,
        "stopped": str(found.stop),
        "splits": [summary_document(one, question.memory) for one in found.advice],
        "too_large": [
            {"split": split_document(split), "memory": memory_document(needed, question.memory)}
            for split, needed in found.too_large
        ],
        "unpriced": [split_document(split) for split in found.unpriced],
    }


def print_splits(found: SplitSearch, question: SplitQuestion, model: str, top: int) -> None:
    """Print the answer of the split with the least communication, and a line for each of the first splits."""
    system = question.system
    where = f"{model} on {system.name + ' ' if system.name else ''}{option_text(system.levels)}"
    if not found.advice:
        click.echo("\n".join(_none(found, question, where)))
        return
    best = found.advice[0]
    click.echo("\n".join(labelled("split ", f"{split_text(best.training.parallelism)} has the least communication")))
    click.echo("\n".join(answer(best)))
    count = len(found.advice) + len(found.too_large) + len(found.unpriced)
    fit = f"{len(found.advice)} of {counted(count, 'split')} {'priced' if found.unpriced else 'fit'}"
    click.echo(f"\n{where}: {fit}\n")
    click.echo("\n".join(_table(found, top)))
    click.echo()
    click.echo("\n".join(memory_lines(best.training, question.memory)))
    click.echo("\n".join(_notes(found, question)))


def _table(found: SplitSearch, top: int) -> Iterator[str]:
    best = found.advice[0].best.seconds
    heads = ("tp", "pp", "dp", "cp", "memory", "waiting", "per step", "of the best", "usual order")
    rows = [heads, *(_row(one, best) for one in found.advice[:top])]
    if all(row[3] == "1" for row in rows[1:]):
        rows = [(*row[:3], *row[4:]) for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  " + "  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))
    if len(found.advice) > top:
        yield f"  ... {len(found.advice) - top} more, --top {len(found.advice)} prints all"


def _row(one: Advice, best: float) -> tuple[str, ...]:
    split = one.training.parallelism
    return (
        str(split.tp),
        str(split.pp),
        str(split.dp),
        str(split.cp),
        f"{one.training.memory.total / 1e9:.1f} GB",
        f"{one.training.bubble:.1%}",
        format_seconds(one.best.seconds),
        f"{one.best.seconds / best:.2f}x" if best else "",
        "none" if one.usual is None else f"{1 + one.loss:.2f}x",
    )


def _none(found: SplitSearch, question: SplitQuestion, where: str) -> Iterator[str]:
    """Why there is no split."""
    if found.unpriced:
        said = f"stopped ({found.stop}) before any split was priced; allow a longer --timeout"
    elif not found.too_large:
        said = (
            f"no split of {question.system.devices} devices keeps the model's rules: tp divides its heads, pp its "
            "layers, dp x micro batch its batch"
        )
    else:
        split, needed = min(found.too_large, key=lambda one: one[1].total)
        said = (
            f"none of {counted(len(found.too_large), 'split')} fits; {split_text(split)} needs least, "
            f"{needed.total / 1e9:.1f} GB a device; try --recompute, --zero 3 or more devices"
        )
    yield from labelled("", f"{where}: {said}")


def _notes(found: SplitSearch, question: SplitQuestion) -> Iterator[str]:
    if found.too_large and question.memory is not None:
        many = len(found.too_large)
        yield from labelled("", f"{counted(many, 'split')} {'needs' if many == 1 else 'need'} more than "
                                f"{USABLE * question.memory / 1e9:.1f} GB, {USABLE:.0%} of a device.")  # fmt: skip
    if question.memory is None:
        yield from labelled("", "How much memory a device has is not known, so all splits count; give --memory 80GB.")
    if found.unpriced:
        many = len(found.unpriced)
        yield from labelled("", f"Stopped ({found.stop}): {many} {plural('split', many)} that fit were not priced.")
    if partly := sum(not one.optimum.proved for one in found.advice):
        yield from labelled("", f"Stopped ({found.stop}): of {counted(partly, 'split')} not everything was tried.")
    yield from labelled("", "Computation is not counted: among splits with about the same communication take the one "
                            "whose stages wait less.")  # fmt: skip
