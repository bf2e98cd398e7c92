"""Doubts about a fit to tables: each kind has a name, and a sentence with the parameters and rows concerned."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, pairwise
from math import exp, log, prod
from statistics import median

from p2smt.cost.calibration.fit import Fit, FitRow
from p2smt.cost.calibration.parameters import parameters
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.problem.system.link import Link, Wiring
from p2smt.problem.system.network import SIMPLE_FROM, System

APART = 1.5
"""The largest ratio between two tables with the same setting that raises no doubt."""

OFF = 1.25
"""The largest error ratio of a table's largest message that raises no doubt."""

LEAST_LATENCY, MOST_LATENCY = 0.49e-6, 1.01e-3
"""The plausible range of a hop's latency, in seconds."""

LEAST_RATE = 50e6
"""The lowest plausible rate of a link in a cluster, in bytes/s."""

MOST_RATE = 3e12
"""The highest plausible rate of a link of a device or machine, in bytes/s."""

SHARE = 15
"""The reciprocal of the smallest plausible fraction of a link's data-sheet rate."""

LINE = 1.25
"""The largest plausible ratio of a link's rate to its parameter in a named system, which is 0.9 of the line rate.

The margin is wide because memory's part of the time is a guess.
"""

UNEXPLAINED = 0.4
"""The largest fraction of rows off by a factor of `ROW_OFF` that raises no doubt."""

ROW_OFF = 1.6
_NEAR_LARGEST = 32


class DoubtKind(StrEnum):
    """The kinds of doubt."""

    INNER_SLOWER = "inner-slower"
    LATENCY = "latency"
    ABOVE_LINE = "above-line-rate"
    FAR_BELOW = "far-below-line-rate"
    CONTRADICTION = "contradiction"
    LARGEST = "largest-message"
    ROWS = "unexplained-rows"
    ORDER = "larger-is-faster"
    SMALL = "small-messages-only"


@dataclass(frozen=True, slots=True)
class Doubt:
    """A doubt, and the sentence that says why."""

    kind: DoubtKind
    text: str


def doubts(fit: Fit, before: System) -> tuple[Doubt, ...]:
    """Return all doubts about a fit to tables, for a system that was described as `before`."""
    tables: dict[str, list[FitRow]] = {}
    for row in fit.rows:
        if row.measurement.table:
            tables.setdefault(row.measurement.table, []).append(row)
    if not tables:
        return ()
    largest = max((row.measurement for row in fit.rows), key=lambda one: one.size)
    if largest.size < SIMPLE_FROM:
        said = f"the largest message is {format_bytes(largest.size)} ({largest.place})"
        return (Doubt(DoubtKind.SMALL, f"{said}, and below 1 MiB nothing tells bandwidth; measure with -e 8G"),)
    found = [*_inner_slower(fit.system, before), *_figures(fit, before)]
    counted = [_counted(rows) for rows in tables.values()]
    found += _contradictions(counted)
    for rows in counted:
        found += [*_largest(rows), *_order(rows), *_unexplained(rows)]
    return tuple(found)


def _counted(rows: Sequence[FitRow]) -> list[FitRow]:
    """Return the rows from 1 MiB on, ascending; all rows if there are fewer than two such."""
    ascending = sorted(rows, key=lambda row: row.measurement.size)
    large = [row for row in ascending if row.measurement.size >= SIMPLE_FROM]
    return large if len(large) > 1 else ascending


def _per_device(link: Link, system: System) -> float:
    """Return the bandwidth of a link, in bytes/s, per device that shares it."""
    place = [level.name for level in system.levels].index(link.level)
    devices = prod(system.sizes[place + 1 :])
    if link.wiring is Wiring.BUS:  # the units of a parent share it
        devices *= system.sizes[place]
    return link.bandwidth * link.count / devices


def _inner_slower(system: System, before: System) -> Iterator[Doubt]:
    links = [link for link in system.network.links if link.wiring is not Wiring.RING]
    old = {link.name: link for link in before.network.links}
    order = [level.name for level in system.levels]
    for one, other in combinations(sorted(links, key=lambda link: order.index(link.level)), 2):
        outer, inner = _per_device(one, system), _per_device(other, system)
        # Only a new contradiction counts: some systems are described with slower inner links.
        was = _per_device(old[other.name], before) < _per_device(old[one.name], before)
        if inner < outer and not was:
            yield Doubt(
                DoubtKind.INNER_SLOWER,
                f"{other.name} would carry {inner / 1e9:.4g} GB/s per device, and {one.name}, which is further out, "
                f"{outer / 1e9:.4g} GB/s; a wrong algorithm or wrong sizes of levels look so",
            )


def _figures(fit: Fit, before: System) -> Iterator[Doubt]:
    old = parameters(before.network)
    for name, value in parameters(fit.system.network).items():
        if name not in old or value == old[name]:
            continue
        if name.endswith(".latency") and not LEAST_LATENCY <= value <= MOST_LATENCY:
            yield Doubt(DoubtKind.LATENCY, f"{name} would be {format_seconds(value)}; a hop takes 0.5 us to 1 ms")
        if not name.endswith(".bandwidth"):
            continue
        rates = f"{name} would be {value / 1e9:.4g} GB/s"
        if before.name and value > LINE * old[name]:
            yield Doubt(
                DoubtKind.ABOVE_LINE,
                f"{rates}, which is above the line rate of {old[name] / 0.9e9:.4g} GB/s of {before.name}",
            )
        if value > MOST_RATE:
            yield Doubt(
                DoubtKind.ABOVE_LINE, f"{rates}, more than any link carries; a wrong algorithm or other links look so"
            )
        if value < LEAST_RATE or (before.name and value < old[name] / SHARE):
            yield Doubt(
                DoubtKind.FAR_BELOW,
                f"{rates}, {old[name] / value:.3g} times below that of {before.name or 'the default'}",
            )


def _contradictions(tables: Sequence[Sequence[FitRow]]) -> Iterator[Doubt]:
    """Yield rows with the same setting and size but different times, from one table or two."""
    known: dict[tuple[str, str, int], FitRow] = {}
    said: set[str] = set()
    for row in (row for rows in tables for row in rows):
        one = row.measurement
        first = known.setdefault((one.group, str(one.backend), one.size), row).measurement
        ratio = max(one.seconds, first.seconds) / min(one.seconds, first.seconds)
        if ratio > APART and one.group not in said and _is_near_largest(one.size, tables, one.group):
            said.add(one.group)
            yield Doubt(
                DoubtKind.CONTRADICTION,
                f"these tables contradict each other: {one.group} of {format_bytes(one.size)} took "
                f"{format_seconds(first.seconds)} ({first.place}) and {format_seconds(one.seconds)} ({one.place}), "
                f"{ratio:.3g} times as long; give them as two systems",
            )


def _is_near_largest(size: int, tables: Sequence[Sequence[FitRow]], group: str) -> bool:
    """True if a message is among the larger ones, whose times are not dominated by jitter."""
    most = max(row.measurement.size for rows in tables for row in rows if row.measurement.group == group)
    return size * _NEAR_LARGEST >= most


def _largest(rows: Sequence[FitRow]) -> Iterator[Doubt]:
    row = rows[-1]
    if abs(row.log_error) > log(OFF):
        one = row.measurement
        yield Doubt(
            DoubtKind.LARGEST,
            f"{one.group} of {format_bytes(one.size)} took {format_seconds(one.seconds)} ({one.place}) and the fit "
            f"says {format_seconds(row.predicted)}, {exp(row.log_error):.2f} times that: no one system does all of it",
        )


def _order(rows: Sequence[FitRow]) -> Iterator[Doubt]:
    """Yield larger messages that are clearly faster, or suddenly much slower per byte, than the next smaller one."""
    largest = rows[-1].measurement.size
    near = [row.measurement for row in rows if row.measurement.size * _NEAR_LARGEST >= largest]
    for one, other in pairwise(near):
        grown = other.size / one.size
        if grown > 1 and other.seconds < one.seconds / APART:
            yield Doubt(
                DoubtKind.ORDER,
                f"{other.group} of {format_bytes(other.size)} took {format_seconds(other.seconds)} ({other.place}), "
                f"less than {format_bytes(one.size)} with {format_seconds(one.seconds)} ({one.place})",
            )
            return
        if grown > 1 and other.seconds > 2 * grown * one.seconds:
            yield Doubt(
                DoubtKind.ORDER,
                f"{other.group} of {format_bytes(other.size)} took {format_seconds(other.seconds)} ({other.place}), "
                f"{other.seconds / one.seconds:.3g} times as long as {format_bytes(one.size)} ({one.place}): "
                "something else carries it, or disturbed it",
            )
            return


def _unexplained(rows: Sequence[FitRow]) -> Iterator[Doubt]:
    far = [row for row in rows if abs(row.log_error) > log(ROW_OFF)]
    if len(rows) > 2 and len(far) > UNEXPLAINED * len(rows):
        worst = max(far, key=lambda row: abs(row.log_error))
        middle = exp(median(abs(row.log_error) for row in rows))
        one = worst.measurement
        yield Doubt(
            DoubtKind.ROWS,
            f"{len(far)} of {len(rows)} rows of {one.group} are off by more than {ROW_OFF} times (half by "
            f"{middle:.2f}), the most {format_bytes(one.size)} ({one.place}): {format_seconds(one.seconds)} measured, "
            f"{format_seconds(worst.predicted)} fitted",
        )
