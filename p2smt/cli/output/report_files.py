"""Writing a report's pages and figures, with a note on stderr for each file."""

from pathlib import Path

from p2smt.cli.output.files import write_and_say
from p2smt.problem.quantity import format_bytes
from p2smt.report.figures.png import png_bytes
from p2smt.report.figures.shapes import Drawing, on_paper
from p2smt.report.figures.svg import svg_text


def write_drawing(out: Path, drawing: Drawing, *, force: bool) -> None:
    """Write a figure in the format given by the file name's suffix."""
    paper = on_paper(drawing)
    write(out, png_bytes(paper) if out.suffix.lower() == ".png" else svg_text(paper), drawing.title, force=force)


def write(out: Path, content: str | bytes, what: str, *, force: bool) -> None:
    """Write a file, or to stdout, and report its name, content and size on stderr."""
    size = len(content.encode() if isinstance(content, str) else content)
    write_and_say(out, content, f"{what}, {format_bytes(size)}", "open it in a browser", force=force)
