"""The options of `p2smt report` that select the output."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.options.plan import BEST, PlanOptions, parse_chunks
from p2smt.cli.output.files import is_stdout
from p2smt.cost.network.backend import Backend
from p2smt.placement.matrix import parse_matrix
from p2smt.report.figures.kind import FigureKind

if TYPE_CHECKING:
    from p2smt.placement.matrix import ParallelismMatrix

_DRAWN = (".svg", ".png")
_NOT_PAGES = (".pdf", ".eps", ".jpg", ".jpeg", ".gif")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOutput:
    """The output options of a report: page or figure, placement, program, chunks, deadline and file.

    `command` has the command line's arguments. `chunks` is None if not given; the best number is used then.
    """

    figure: FigureKind | None
    matrix: str | None
    program: str | None
    chunks: str | None
    backend: Backend
    deadline: float | None
    out: Path | None
    force: bool
    command: tuple[str, ...]

    @property
    def page_file(self) -> Path:
        """Return the output path of the HTML page."""
        return self.out or Path("report.html")

    @property
    def figure_file(self) -> Path:
        """Return the output path of the figure."""
        return self.out or Path(f"{self.figure}.svg")

    @property
    def chosen(self) -> "ParallelismMatrix | None":
        """Return the placement of --matrix; None if not given."""
        return None if self.matrix is None else parse_matrix(self.matrix)

    @property
    def plan_options(self) -> PlanOptions:
        """Return the options that select the plan to draw."""
        if self.figure is not FigureKind.TIME_LINE:
            return PlanOptions(self.matrix, self.program)
        return PlanOptions(self.matrix, self.program, parse_chunks(self.chunks or BEST))

    def check(self) -> None:
        """Raise UsageError for options that cannot be combined."""
        if self.program is not None and self.figure not in (FigureKind.PROGRAM, FigureKind.TIME_LINE):
            raise click.UsageError("--program needs --figure program, which draws it; give both")
        if self.chunks is not None and self.figure is not FigureKind.TIME_LINE:
            raise click.UsageError("--chunks is for --figure time-line; give both")
        if self.matrix is not None and self.figure in (FigureKind.RANKING, FigureKind.SENSITIVITY):
            raise click.UsageError(f"--figure {self.figure} shows all placements, and --matrix one; leave --matrix out")
        suffix = "" if self.out is None else self.out.suffix.lower()
        if self.figure is None and suffix in _DRAWN:
            raise click.UsageError(
                f"--out {self.out} is the name of a figure; choose one with --figure, or name an .html file"
            )
        if self.figure is not None and not is_stdout(self.out) and suffix not in _DRAWN:
            raise click.UsageError(f"--out {self.out} has no known format; end the file name in .svg or .png")
        if self.figure is None and suffix in _NOT_PAGES:
            raise click.UsageError(f"--out {self.out}: a page is HTML; name an .html file, and print it from a browser")
