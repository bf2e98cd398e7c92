"""Fit of a network to tables of nccl-tests, to programs of CSV files, or to both."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import median

from p2smt.collective import NeighbourSend
from p2smt.cost.calibration.fit import Fit, fit_system
from p2smt.cost.calibration.measurement import Measurement, Transfer
from p2smt.cost.calibration.parameters import parameters
from p2smt.cost.calibration.prediction import predictor
from p2smt.cost.calibration.table_fit import TableFit, fit_tables
from p2smt.problem.quantity import format_bytes
from p2smt.problem.system.network import System

OFF = 1.25
"""The largest error ratio at which sends are fitted together with collectives."""


def fit_measured(
    system: System, measurements: Sequence[Measurement], progress: Callable[[int, int], None] | None = None
) -> Fit:
    """Fit tables if there are only tables; otherwise fit all rows with equal weights.

    In a mixed fit, the tables alone determine which algorithms carried the all-reduces that NCCL chose for.
    """
    tables = [one for one in measurements if one.table]
    if tables and len(tables) == len(measurements):
        return _fit_tables(system, tables, progress)
    carried = iter(fit_tables(system, tables, leave_out=False).rows if tables else ())
    told = [replace(one, backend=next(carried).measurement.backend) if one.table else one for one in measurements]
    return fit_system(system, told, progress)


def _fit_tables(system: System, tables: Sequence[Measurement], progress: Callable[[int, int], None] | None) -> TableFit:
    """Fit all tables, with a separate rate of sends if they reach clearly less than collectives.

    A single send fills a fraction of a network card (15 of 50 GB/s on ten DGX H100), so no single bandwidth explains
    both. Tables of sends are left out if they are faster than collectives, or if only some of them are slower.
    """
    sends = [one for one in tables if _is_send(one)]
    others = [one for one in tables if not _is_send(one)]
    if not sends or not others:
        return fit_tables(system, tables, progress)
    found = fit_tables(system, others, leave_out=False).system
    seconds = predictor(found, sends).predict(parameters(found.network)).tolist()
    largest: dict[str, tuple[Measurement, float]] = {}
    for one, predicted in zip(sends, seconds, strict=True):
        if one.table not in largest or one.size > largest[one.table][0].size:
            largest[one.table] = (one, predicted)
    slower = [one.seconds / predicted for one, predicted in largest.values()]
    if min(slower) > OFF:
        return fit_tables(with_send_flow(system, median(slower)), tables, progress)
    apart = {
        table: f"{one.place}: {one.group} of {format_bytes(one.size)} gets {one.busbw / 1e9:.4g} GB/s, where links "
        f"as fitted to collectives carry {one.busbw * one.seconds / predicted / 1e9:.4g}; its table is left out"
        for table, (one, predicted) in largest.items()
        if max(one.seconds / predicted, predicted / one.seconds) > OFF
    }
    fit = fit_tables(system, [one for one in tables if one.table not in apart], progress)
    return replace(fit, notes=tuple(apart.values()))


def with_send_flow(system: System, slower: float) -> System:
    """Return the system with a rate of single sends between machines, `slower` times below the port rate."""
    outer = {level.name for level in system.levels[: system.machine + 1]}
    links = tuple(
        replace(link, send_flow=link.bandwidth / slower) if link.level in outer and link.send_flow is None else link
        for link in system.network.links
    )
    return replace(system, network=replace(system.network, links=links))


def _is_send(one: Measurement) -> bool:
    return any(
        isinstance(work, Transfer) and work.goal is NeighbourSend.AROUND  # only: others keep all cards busy
        for work in one.works
    )
