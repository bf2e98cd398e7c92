"""Writing pages and figures of a report, and saying so."""

from pathlib import Path

from p2smt.cli.output.files import write_and_say
from p2smt.problem.quantity import format_bytes
from p2smt.report.figures.png import png_bytes
from p2smt.report.figures.shapes import Drawing, on_paper
from p2smt.report.figures.svg import svg_text


def write_drawing(out: Path, drawing: Drawing, *, force: bool) -> None:
    """Write a figure in the format of its file's name."""
    paper = on_paper(drawing)
    write(out, png_bytes(paper) if out.suffix.lower() == ".png" else svg_text(paper), drawing.title, force=force)


def write(out: Path, content: str | bytes, what: str, *, force: bool) -> None:
    """Write a file, or to stdout, and say on stderr its name, what is in it and its size."""
    size = len(content.encode() if isinstance(content, str) else content)
    write_and_say(out, content, f"{what}, {format_bytes(size)}", "open it in a browser", force=force)
