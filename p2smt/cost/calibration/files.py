"""Reading of measured times from any supported file, and the record of a fitted system's origin."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from p2smt.cost.calibration.heading import parse_heading
from p2smt.cost.calibration.nccl_factor import NcclTest
from p2smt.cost.calibration.nccl_lines import plain_lines
from p2smt.cost.calibration.nccl_rows import raw_row
from p2smt.cost.calibration.nccl_tests import Reading, named_algorithm, named_test, read_nccl_json, read_nccl_text
from p2smt.cost.calibration.nccl_which import PRICED
from p2smt.cost.calibration.table import read_measurements
from p2smt.errors import CalibrationError, P2Error, ProblemError
from p2smt.problem.system.algorithm import CHOICES, Choice
from p2smt.problem.system.network import System
from p2smt.problem.typed import names_file, read_bounded
from p2smt.wording import did_you_mean

if TYPE_CHECKING:
    from p2smt.cost.calibration.fit import Fit

_Member = TypeVar("_Member", NcclTest, Choice)

MAX_DATA_BYTES = 64_000_000


_FIRST_LINES = 20
_LOOKED_AT = 200
"""The bytes at the beginning of a file that are checked for UTF-16 without a byte-order mark (every other one is 0)."""


@dataclass(frozen=True, slots=True)
class MeasuredFile:
    """The contents of a measured file; test and algorithm of its tables if they do not state them (None: unknown)."""

    path: Path
    content: bytes
    test: NcclTest | None = None
    algorithm: Choice | None = None

    @property
    def sha256(self) -> str:
        """The SHA-256 hash of the content, in hexadecimal."""
        return hashlib.sha256(self.content).hexdigest()


def read_measured(text: str) -> MeasuredFile:
    """Read the file named by `FILE`, `FILE:COLLECTIVE` or `FILE:COLLECTIVE:ALGORITHM`, of at most 64 MB.

    Raises CalibrationError if the file is too large or unreadable, and for an unknown collective or algorithm.
    """
    name, *said = [text] if names_file(text) else text.split(":")
    if len(said) > 2:
        raise CalibrationError(f"{text[:80]!r} does not parse; write FILE, FILE:all_gather or FILE:all_reduce:ring")
    content = read_bounded(Path(name), MAX_DATA_BYTES, CalibrationError)
    test = _member(text, said[0], {str(one): one for one in PRICED}) if said else None
    algorithm = _member(text, said[1], {str(one): one for one in CHOICES}) if len(said) > 1 else None
    return MeasuredFile(Path(name), content, test, algorithm)


def _member(text: str, word: str, known: Mapping[str, _Member]) -> _Member:
    if word not in known:
        meant = did_you_mean(word, known)
        raise CalibrationError(f"{text[:80]}: {word[:40]!r} is unknown; choose one of {', '.join(known)}{meant}")
    return known[word]


def by_name(file: MeasuredFile) -> str:
    """Return a sentence on what a file's name states about its tables; empty if nothing or if not needed."""
    if file.path.suffix == ".csv" or file.test is not None:
        return ""
    said = [str(one) for one in (named_test(file.path.name), named_algorithm(file.path.name)) if one is not None]
    return f"{file.path}: where its tables do not say it, {', '.join(said)} by its name" if said else ""


def measurements(
    file: MeasuredFile, system: System, algorithm: Choice | None = None, test: NcclTest | None = None
) -> Reading:
    """Return the rows of a file: a CSV table of programs, JSON of nccl-tests, or text with tables of a benchmark.

    `algorithm` and `test` apply to files of nccl-tests that do not state them, also not in their names. Raises
    CalibrationError or ProblemError with the place of the mistake.
    """
    place, name = str(file.path), file.path.name
    test = file.test or test or named_test(name)
    algorithm = file.algorithm or algorithm or named_algorithm(name)
    if file.path.suffix == ".json" or file.content.lstrip()[:1] in (b"{", b"["):
        try:
            return read_nccl_json(file.content, place, system, algorithm, test)
        except ProblemError as of_json:
            try:  # a log whose lines a launcher wrote as JSON, or that only begins with a bracket
                return read_nccl_text(_decoded(file.content, place), place, system, algorithm, test)
            except P2Error as of_text:
                raise (of_json if file.path.suffix == ".json" else of_text) from None
    text = _decoded(file.content, place)
    if file.path.suffix == ".csv" and not _is_of_a_benchmark(text):
        return Reading(tuple(read_measurements(text, place, system)))
    return read_nccl_text(text, place, system, algorithm, test)


def _is_of_a_benchmark(text: str) -> bool:
    """True if one of a CSV's first lines is a row of nccl-tests, or a heading with a size and a time or rate."""
    lines = plain_lines("\n".join(text.split("\n", _FIRST_LINES)[:_FIRST_LINES]))
    return any(raw_row(line, "") is not None or parse_heading(line) is not None for _, line in lines)


def _decoded(content: bytes, place: str) -> str:
    """Decode a file: UTF-8, UTF-16 if its first bytes indicate it, or a log with some bytes in another encoding."""
    marked = content[:2] in (b"\xff\xfe", b"\xfe\xff")
    wide = not marked and content[1:_LOOKED_AT:2].count(0) > _LOOKED_AT // 3
    try:
        return content.decode("utf-16" if marked else "utf-16-le" if wide else "utf-8-sig")
    except UnicodeDecodeError as cause:
        if b"\0" not in content and not place.endswith(".csv"):
            return content.decode("utf-8", errors="replace")
        raise CalibrationError(f"{place} is not UTF-8 text; give a CSV table or the output of nccl-tests") from cause


def provenance(fit: "Fit", files: Sequence[MeasuredFile]) -> dict[str, object]:
    """Return a fit's origin for the system file: rows, file hashes, errors, unidentified parameters."""
    said: dict[str, object] = {
        "rows": len(fit.rows),
        "files": [{"name": file.path.name, "sha256": file.sha256} for file in files],
        "mean_abs_log_error": round(fit.mean_abs_log_error, 6),
        "not_identified": [figure.name for figure in fit.figures if not figure.identified],
    }
    unseen = fit.unseen_mean_abs_log_error
    return said if unseen is None else said | {"mean_abs_log_error_left_out": round(unseen, 6)}
