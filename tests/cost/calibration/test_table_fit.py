"""Fits to tables: figures found again, what carried all-reduces, and no nonsense in silence."""

import re
from collections.abc import Sequence
from dataclasses import replace
from math import exp, log
from random import Random
from statistics import median

import pytest
from cost.calibration import logs
from looped import looped
from tiers import is_full

from p2smt.cost.calibration.answer import answer
from p2smt.cost.calibration.doubts import Doubt, doubts
from p2smt.cost.calibration.fit_measured import fit_measured
from p2smt.cost.calibration.nccl_tests import read_nccl_text
from p2smt.cost.calibration.table_fit import TableFit, fit_tables
from p2smt.cost.network.backend import Nccl, cost_of
from p2smt.errors import P2Error
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.file import resized
from p2smt.problem.system.text import find_system

BARE = "node:2,gpu:4"


def fitted(text: str, system: str = BARE) -> tuple[TableFit, tuple[Doubt, ...]]:
    described = find_system(system)
    found = fit_tables(described, read_nccl_text(text, "a.log", described, None).measurements)
    return found, doubts(found, described)


def errors_from(fit: TableFit, least: int) -> list[float]:
    return [abs(row.log_error) for row in fit.rows if row.measurement.size >= least]


def test_one_table_tells_the_network_and_keeps_what_it_does_not_tell():
    fit, doubtful = fitted(logs.all_reduce(rate=32e9))
    figures = {figure.name: figure for figure in fit.figures}
    assert doubtful == ()
    assert (fit.inside, fit.between) == (None, Algorithm.RING)
    assert figures["node.bandwidth"].after == pytest.approx(33e9, rel=0.05)
    for kept in ("gpu.bandwidth", "device.memory_bandwidth", "overlap"):
        assert not figures[kept].identified
        assert figures[kept].after == figures[kept].before
    assert max(errors_from(fit, 2**30)) < 0.05
    assert median(errors_from(fit, 2**20)) < 0.25
    assert answer(fit, find_system(BARE)).startswith("this cluster does 32")


def by_protocols(ranks: int, rate: float, hop: float, begin: float, sizes: Sequence[int]) -> logs.Points:
    """Times of a ring over machines as NCCL's own model has them: Simple, LL128 and LL, the fastest for each size."""
    around = 2 * (ranks - 1) / ranks * hop

    def seconds(size: int) -> float:
        links = logs.twice(ranks) * size / rate
        return begin + min(links + around, links / 0.92 + around * 4 / 14, 2 * links + around * 2.7 / 14)

    return [(size, seconds(size)) for size in sizes]


def test_small_messages_are_explained_by_protocols_of_which_one_half_tells_the_other():
    sizes = [2**power for power in range(8, 33)]
    described = find_system("node:8,gpu:1")
    whole = by_protocols(8, 20e9, 40e-6, 6e-6, sizes)
    told = read_nccl_text(logs.table(whole[::2], 8, 1), "a.log", described, None).measurements
    fit = fit_tables(described, told)
    assert fit.small is not None
    assert fit.small[0] < 0.1 < fit.small[1]
    assert fit.system.network.protocols
    assert fit.system.measured_from == 256
    for size, measured in whole[1::2]:
        found = cost_of(fit.system, Nccl(Algorithm.RING)).work_cost(replace(told[0].works[0], held=float(size)))
        assert found.seconds == pytest.approx(measured, rel=0.15), size
    said = answer(fit, described)
    assert re.search(r"LL up to \S+ KiB, LL128 up to \S+ MiB, Simple above \(below 1 MiB \d %", said), said
    assert doubts(fit, described) == ()


def test_what_nccl_chooses_on_the_fitted_system_takes_what_was_measured():
    fit, _ = fitted(logs.all_reduce(rate=32e9))
    largest = max(fit.rows, key=lambda row: row.measurement.size).measurement
    (work,) = largest.works
    assert cost_of(fit.system, Nccl()).work_cost(work).seconds == pytest.approx(largest.seconds, rel=0.05)


def test_more_than_the_cards_carry_was_no_ring():
    fit, doubtful = fitted(logs.all_reduce(rate=487e9, begin=150e-6, each=8), "dgx-h100:2x8")
    assert doubtful == ()
    assert fit.between is Algorithm.NVLS_TREE
    inside, _ = fitted(logs.all_reduce(rate=480e9, begin=40e-6, hosts=1, each=8), "dgx-h100:1x8")
    assert inside.inside is Algorithm.NVLS


@looped(
    ("system", "rate", "algorithm"),
    [
        ("dgx-h100:16x8", 380e9, Algorithm.RING),  # rings over eight cards of 50 GB/s end at 400
        ("dgx-h100:16x8", 470e9, Algorithm.NVLS),
        ("dgx-a100:16x8", 180e9, Algorithm.RING),
        ("dgx-a100:16x8", 260e9, Algorithm.COLLNET_DIRECT),
    ],
)
def test_sums_between_machines_are_told_from_rings_by_what_cards_carry(system, rate, algorithm):
    fit, doubtful = fitted(logs.all_reduce(rate=rate, begin=100e-6, hosts=16, each=8), system)
    assert doubtful == ()
    assert fit.between is algorithm
    assert max(errors_from(fit, 2**30)) < 0.1
    named = any(link.level == "node" and algorithm in link.flow for link in fit.system.network.links)
    assert named == (algorithm is not Algorithm.RING)


def test_small_gathers_of_one_device_per_machine_are_taken_for_parallel_trees():
    """Large messages tell a ring, and small ones fewer latencies than it has."""
    described = find_system("node:16,gpu:1")
    sizes = [2**power for power in range(12, 33)]
    ring, trees = (cost_of(described, Nccl(one)) for one in (Algorithm.RING, Algorithm.PAT))
    blank = logs.points(16, logs.once, 1e9, 1e-4, sizes=sizes)
    table = logs.table(blank, 16, 1, logs.once, name="all_gather", redop="none", parts=16)
    told = read_nccl_text(table, "a.log", described, None).measurements
    rows = [replace(one, seconds=min(cost.work_cost(one.works[0]).seconds for cost in (ring, trees))) for one in told]
    assert {str(one.backend) for one in rows} == {"auto"}
    fit = fit_tables(described, rows, leave_out=False)
    assert fit.mean_abs_log_error < 0.02
    as_rings = fit_tables(described, [replace(one, backend=Nccl(Algorithm.RING)) for one in rows], leave_out=False)
    assert as_rings.mean_abs_log_error > 5 * fit.mean_abs_log_error


def joint_tables() -> str:
    """All-gathers and reduce-scatters of one cluster: in a machine, over machines with one device each, over all."""
    found = ""
    for hosts, each, rate, begin in ((1, 8, 360e9, 40e-6), (4, 1, 48e9, 60e-6), (4, 8, 340e9, 200e-6)):
        ranks = hosts * each
        for name, redop in (("all_gather", "none"), ("reduce_scatter", "sum")):
            times = logs.points(ranks, logs.once, rate, begin, sizes=logs.SIZES[5:])
            found += logs.table(times, hosts, each, logs.once, name=name, redop=redop, parts=ranks)
    return found


def test_tables_of_one_cluster_are_explained_together():
    fit, doubtful = fitted(joint_tables(), "dgx-h100:4x8")
    assert doubtful == ()
    assert fit.mean_abs_log_error < 0.08
    assert fit.unseen_mean_abs_log_error is not None


def test_latencies_inside_machines_and_between_them_are_told_apart_by_tables_of_both():
    described = find_system("dgx-h100:4x8")
    real = described.with_latency(nic="7us", nvswitch="9us")
    told = read_nccl_text(joint_tables(), "a.log", described, None).measurements
    rows = [
        replace(one, seconds=cost_of(resized(real, one.sizes), one.backend).work_cost(one.works[0]).seconds)
        for one in told
        if one.backend == Nccl(Algorithm.RING)
    ]
    fit = fit_tables(described, rows, leave_out=False)
    figures = {figure.name: figure for figure in fit.figures}
    assert figures["nic.latency"].after == pytest.approx(7e-6, rel=0.1)
    assert figures["nvswitch.latency"].after == pytest.approx(9e-6, rel=0.1)
    assert figures["nvswitch.latency"].identified
    assert fit.mean_abs_log_error < 0.01
    alone = fit_tables(described, [one for one in rows if one.sizes == (4, 8)], leave_out=False)
    after = {figure.name: figure.after for figure in alone.figures}
    assert after["nic.latency"] / after["nvswitch.latency"] == pytest.approx(14 / 3.4)


def test_sends_and_exchanges_are_fitted():
    sends = logs.points(8, lambda ranks: 1.0, 15e9, 6e-5)
    exchanges = logs.points(8, logs.once, 20e9, 1e-4)
    for text in (
        logs.table(sends, 2, 4, lambda ranks: 1.0, name="sendrecv"),
        logs.table(exchanges, 2, 4, logs.once, name="alltoall", redop="none", parts=8),
    ):
        fit, doubtful = fitted(text)
        assert doubtful == ()
        assert max(errors_from(fit, 2**30)) < 0.05


def test_sends_that_get_a_part_of_a_card_have_a_rate_of_their_own():
    gathers, sends = logs.points(8, logs.once, 30e9, 1e-4), logs.points(8, lambda ranks: 1.0, 4e9, 6e-5)
    gather = logs.table(gathers, 2, 4, logs.once, name="all_gather", redop="none", parts=8)
    text = gather + logs.table(sends, 2, 4, lambda ranks: 1.0, name="sendrecv")
    described = find_system(BARE)
    fit = fit_measured(described, read_nccl_text(text, "a.log", described, None).measurements)
    assert isinstance(fit, TableFit)
    assert (doubts(fit, described), fit.notes) == ((), ())
    node, _ = fit.system.network.links
    assert node.send_flow == pytest.approx(4e9, rel=0.05)
    assert node.bandwidth == pytest.approx(30e9, rel=0.15)
    assert max(errors_from(fit, 2**30)) < 0.1


def test_sends_that_get_more_than_collectives_are_left_out_and_said():
    gathers, sends = logs.points(8, logs.once, 4e9, 1e-4), logs.points(8, lambda ranks: 1.0, 30e9, 6e-5)
    gather = logs.table(gathers, 2, 4, logs.once, name="all_gather", redop="none", parts=8)
    text = gather + logs.table(sends, 2, 4, lambda ranks: 1.0, name="sendrecv")
    described = find_system(BARE)
    fit = fit_measured(described, read_nccl_text(text, "a.log", described, None).measurements)
    assert isinstance(fit, TableFit)
    assert doubts(fit, described) == ()
    assert len(fit.notes) == 1
    assert "sendrecv all of 4 GiB gets 30" in fit.notes[0]
    assert {row.measurement.group for row in fit.rows} == {"all_gather all"}


def test_doubts_are_named():
    slow = logs.all_reduce(rate=1e9, begin=5e-4)
    cases = {
        "small-messages-only": (logs.table(logs.points(8, logs.twice, 3e10, 1e-4, logs.SIZES[:5]), 2, 4), BARE),
        "contradiction": (logs.all_reduce() + slow, BARE),
        "largest-message": (logs.all_reduce(1e9, hosts=2, each=1) + logs.all_reduce(hosts=4, each=1), "node:4,gpu:1"),
        "far-below-line-rate": (logs.all_reduce(rate=4e9, begin=1e-3, each=8), "dgx-h100:2x8"),
    }
    for kind, (text, system) in cases.items():
        _, doubtful = fitted(text, system)
        assert kind in {str(doubt.kind) for doubt in doubtful}, kind


def spoilt(random: Random) -> tuple[str, float]:
    """A log that somebody spoilt, and its rate: rows gone or doubled, other units, two clusters mixed."""
    rate, begin = 10 ** random.uniform(9.5, 11), 10 ** random.uniform(-4.5, -3.5)
    text = logs.all_reduce(rate=rate, begin=begin)
    lines = text.splitlines(keepends=True)
    rows = [number for number, line in enumerate(lines) if line[:1] == " "]
    some = set(random.sample(rows, len(rows) // 3))
    match random.randrange(6):
        case 0:
            return "".join(line for number, line in enumerate(lines) if number not in some), rate
        case 1:
            return "".join(line * (2 if number in some else 1) for number, line in enumerate(lines)), rate
        case 2:  # some times in milliseconds, rates as they were
            return "".join(_scaled(line, 1e-3) if number in some else line for number, line in enumerate(lines)), rate
        case 3:  # all of them
            return "".join(_scaled(line, 1e-3) if number in rows else line for number, line in enumerate(lines)), rate
        case 4:  # the other cluster's rows for some sizes
            other = logs.all_reduce(rate=rate / random.uniform(2.5, 30), begin=begin).splitlines(keepends=True)
            return "".join(other[number] if number in some else line for number, line in enumerate(lines)), rate
        case _:
            return text + logs.all_reduce(rate=rate / random.uniform(2.5, 30), begin=begin), rate


def _scaled(line: str, factor: float) -> str:
    return re.sub(r"(-1 +)(\d+\.?\d*)", lambda found: f"{found[1]}{float(found[2]) * factor:.6f}", line, count=1)


@pytest.mark.parametrize("seed", range(40 if is_full() else 2))
def test_no_spoilt_log_is_fitted_to_nonsense_in_silence(seed):
    """Either it is refused, or there is a doubt, or the fit is that of the log as it was."""
    text, rate = spoilt(Random(seed))
    try:
        fit, doubtful = fitted(text)
    except P2Error:
        return
    if doubtful:
        return
    clean, _ = fitted(logs.all_reduce(rate=rate))
    found, wanted = (fit_.system.network.links[0].bandwidth for fit_ in (fit, clean))
    assert abs(log(found / wanted)) < log(1.1), exp(abs(log(found / wanted)))
