"""Writing pages and figures of a report, and saying so."""

from pathlib import Path

import click

from p2smt.cli.output.files import write_result
from p2smt.problem.quantity import format_bytes
from p2smt.report.figures.png import png_bytes
from p2smt.report.figures.shapes import Drawing, on_paper
from p2smt.report.figures.svg import svg_text


def write_drawing(out: Path, drawing: Drawing) -> None:
    """Write a figure in the format of its file's name."""
    paper = on_paper(drawing)
    write(out, png_bytes(paper) if out.suffix.lower() == ".png" else svg_text(paper), drawing.title)


def write(out: Path, content: str | bytes, what: str) -> None:
    """Write a file, and print its name, what is in it and its size, unless it goes to stdout itself."""
    write_result(out, content)
    if str(out) != "-":
        size = len(content.encode() if isinstance(content, str) else content)
        click.echo(f"{out}: {what}, {format_bytes(size)}")
