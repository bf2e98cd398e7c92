"""Figures of a network found again in times that were made from them."""

from dataclasses import replace
from functools import cache
from itertools import product
from math import inf, log, nan
from random import Random

import numpy as np
import pytest
from cost.network.random_systems import placed
from hypothesis import given, settings
from hypothesis import strategies as st
from looped import looped
from tiers import examples, is_full, sample

from p2smt.collective import Collective
from p2smt.cost.calibration.fit import fit_system
from p2smt.cost.calibration.measurement import Measurement
from p2smt.cost.calibration.parameters import MEMORY, OVERLAP, parameters, with_parameters
from p2smt.cost.calibration.prediction import predictor
from p2smt.cost.network.backend import BACKENDS, Nccl, cost_of
from p2smt.cost.network.cost import LocalWork, Work
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.errors import CalibrationError, ProblemError
from p2smt.problem.system.algorithm import Algorithm, Auto
from p2smt.problem.system.file import preset, resized
from p2smt.problem.system.network import System

V, F = Role.VARYING, Role.FREE
KINDS = {"p2-a100": (4, 16), "p2-v100": (4, 8)}
BYTES = (1e3, 1e6, 1e9)


def with_figures(system: System, **changes: float) -> System:
    return replace(system, network=with_parameters(system.network, changes))


def truth(name: str, seed: int) -> System:
    """A network of a preset's kind with other figures."""
    random = Random(seed)
    system = preset(name)
    values = {what: value * 2 ** random.uniform(-1, 1) for what, value in parameters(system.network).items()}
    return with_figures(system, **values | {OVERLAP: random.uniform(0.2, 0.9)})


def start(system: System, seed: int) -> System:
    """Every figure off by a factor of 3, to one side or the other."""
    random = Random(seed)
    values = {what: value * random.choice([3, 1 / 3]) for what, value in parameters(system.network).items()}
    return with_figures(system, **values | {OVERLAP: 0.5})


RINGS = Nccl(Algorithm.RING)
FITTED = [backend for backend in BACKENDS if backend != Nccl(Auto.AUTO)]


def patterns(nodes, inner):
    """Groups inside nodes and over nodes, contiguous and strided."""
    half = inner // 2
    free, varying = (F, nodes), (V, nodes)
    yield from (Pattern(((free,), ((F, inner // size), (V, size)))) for size in (2, half, inner) if size < inner)
    yield Pattern(((free,), ((V, inner),)))
    yield Pattern(((free,), ((V, 2), (F, half))))
    yield Pattern(((free,), ((V, half), (F, 2))))
    yield Pattern(((varying,), ((V, inner),)))
    yield Pattern(((varying,), ((F, inner),)))
    yield Pattern(((varying,), ((Role.ZERO, inner),)))
    yield Pattern(((varying,), ((F, 2), (V, half))))


def seconds_of(system, sizes, backend, works):
    cost = cost_of(resized(system, sizes), backend)
    return sum(cost.work_cost(work).seconds for work in works)


def measurement(place, group, sizes, backend, works, seconds):
    return Measurement(place=place, group=group, sizes=sizes, backend=backend, works=works, seconds=seconds)


@cache
def measured(system, inside_only=False, noise=0.0):
    """AllReduces and Broadcasts of three sizes on 2 and 4 nodes; times off by up to `noise`, ever the same way."""
    random, found = Random(7), []
    inner = KINDS[system.name][1]
    for nodes in (2, 4):
        for number, pattern in enumerate(patterns(nodes, inner)):
            if inside_only and pattern.members[0] > 1:
                continue
            for backend in map(Nccl, Algorithm):
                for held in BYTES:
                    works = (Work(Collective.ALL_REDUCE, pattern, held), Work(Collective.BROADCAST, pattern, held))
                    for some in (works[:1], works):
                        time = seconds_of(system, (nodes, inner), backend, some)
                        place = f"row {len(found)}"
                        group = f"pattern {number % 4}"
                        time *= 1 + noise * random.uniform(-1, 1)
                        found.append(measurement(place, group, (nodes, inner), backend, some, time))
    return found


def some_rows(system):
    """Of all groups of rows, or of two: every group is left out once."""
    rows = measured(system, noise=0.02)
    return rows if is_full() else [row for row in rows if row.group in ("pattern 0", "pattern 1")]


def figures(fit):
    return {figure.name: figure for figure in fit.figures}


def tells(true, rows, name):
    """Whether a tenth more and a tenth less of a figure both change some time by more than a hundredth."""
    table, values = predictor(true, rows), parameters(true.network)
    others = [table.predict(values | {name: values[name] * factor}) for factor in (1.1, 1 / 1.1)]
    return all(np.abs(np.log(other / table.predict(values))).max() > 0.01 for other in others)


@pytest.mark.thorough  # as in tests/cli/test_calibrate.py, from figures nearer to the true ones
@pytest.mark.parametrize(("name", "seed"), sample([("p2-a100", 2), ("p2-v100", 1), ("p2-v100", 3)], 1))
def test_figures_are_found_again_from_a_start_that_is_off_by_a_factor_of_three(name, seed):
    true = truth(name, seed)
    rows = measured(true, noise=0.02)
    fit = fit_system(start(true, seed), rows, leave_out=False)
    wanted, found = parameters(true.network), figures(fit)
    told = [what for what in wanted if what != OVERLAP and tells(true, rows, what)]
    assert len(told) >= len(wanted) - 2
    for what in told:
        assert found[what].identified
        assert found[what].before == pytest.approx(wanted[what] * 3) or found[what].before == pytest.approx(
            wanted[what] / 3
        )
        assert found[what].after == pytest.approx(wanted[what], rel=0.1), what
    assert abs(found[OVERLAP].after - wanted[OVERLAP]) < 3 * found[OVERLAP].error
    assert fit.mean_abs_log_error < 0.012
    assert parameters(fit.system.network) == {figure.name: figure.after for figure in fit.figures}
    assert (fit.system.levels, fit.system.name) == (true.levels, true.name)


@pytest.mark.parametrize("name", KINDS)
def test_exact_times_of_the_figures_themselves_change_nothing(name):
    system = preset(name)
    fit = fit_system(system, measured(system), leave_out=False)
    assert fit.mean_abs_log_error < 1e-6
    for figure in fit.figures:
        assert figure.after == pytest.approx(figure.before, rel=1e-4)


@pytest.mark.thorough  # such figures are named in tests/cli/test_calibrate.py
@pytest.mark.parametrize("name", sample([*KINDS][::-1], 1))
def test_a_figure_that_no_row_depends_on_keeps_its_value_and_is_not_identified(name):
    true = truth(name, 2)
    begin = start(true, 2)
    fit = fit_system(begin, measured(true, inside_only=True, noise=0.02), leave_out=False)
    for what, figure in figures(fit).items():
        if what.startswith("nic."):
            assert not figure.identified
            assert figure.after == figure.before == parameters(begin.network)[what]
    wanted = parameters(true.network)
    switch = {"p2-a100": "nvswitch", "p2-v100": "host"}[name]
    for what in (f"{switch}.bandwidth", f"{switch}.latency", MEMORY):
        assert figures(fit)[what].identified
        assert figures(fit)[what].after == pytest.approx(wanted[what], rel=0.1)


def test_two_figures_that_only_move_together_are_not_both_identified():
    """One AllReduce of much over one link: its time has a part of the link and a part of memory."""
    true = preset("lab")
    works = (Work(Collective.ALL_REDUCE, Pattern((((F, 2),), ((V, 4),))), 1e9),)
    rows = [
        measurement(f"row {turn}", "one", (2, 4), RINGS, works, seconds_of(true, (2, 4), RINGS, works))
        for turn in range(5)
    ]
    fit = fit_system(with_figures(true, **{"loopback.bandwidth": 0.5e9}), rows)
    identified = [figure.name for figure in fit.figures if figure.identified]
    assert len(identified) == 1
    assert [row.predicted for row in fit.rows] == pytest.approx([row.seconds for row in rows], rel=1e-3)
    for figure in fit.figures:
        assert figure.identified or figure.after == figure.before


def test_an_old_value_that_the_rows_contradict_is_not_kept_though_they_do_not_tell_it():
    """Link and memory are told apart by nothing, but neither can be as slow as it was said to be."""
    true = preset("lab")
    works = (Work(Collective.ALL_REDUCE, Pattern((((F, 2),), ((V, 4),))), 1e9),)
    rows = [measurement("row", "one", (2, 4), RINGS, works, seconds_of(true, (2, 4), RINGS, works))] * 5
    fit = fit_system(with_figures(true, **{"loopback.bandwidth": 1e6, MEMORY: 1e6}), rows)
    memory = figures(fit)[MEMORY]
    assert not memory.identified
    assert memory.after > 100 * memory.before
    assert [row.predicted for row in fit.rows] == pytest.approx([row.seconds for row in rows], rel=1e-3)


def test_a_figure_that_begins_far_off_does_not_overflow_on_the_way():
    true = preset("lab")
    works = (Work(Collective.ALL_REDUCE, Pattern((((F, 2),), ((V, 4),))), 1e9),)
    rows = [measurement("row", "one", (2, 4), RINGS, works, seconds_of(true, (2, 4), RINGS, works))] * 5
    fit = fit_system(with_figures(true, **{"loopback.bandwidth": 1e6}), rows)
    assert figures(fit)["loopback.bandwidth"].after == pytest.approx(660e6, rel=0.01)


rates, latencies = st.floats(1e6, 1e12), st.floats(0, 1e-3)


@settings(max_examples=examples(8))
@given(placed(rates=rates, latencies=latencies), st.data())
def test_the_predictor_gives_what_the_network_cost_gives(case, data):
    pattern, system = case
    works = st.builds(Work, st.sampled_from(Collective), st.just(pattern), st.floats(1, 1e10))
    some = st.lists(st.one_of(works, st.builds(LocalWork, st.floats(1, 1e10))), max_size=4).map(tuple)
    rows = [
        measurement(f"row {number}", "all", pattern.sizes, backend, data.draw(some), 1.0)
        for number, backend in enumerate([*FITTED, RINGS])
    ]
    values = {
        name: data.draw(latencies if name.endswith("latency") else st.floats(0, 1) if name == OVERLAP else rates)
        for name in parameters(system.network)
    }
    other = with_figures(system, **values)
    by_work = [seconds_of(other, row.sizes, row.backend, row.works) for row in rows]
    assert predictor(other, rows).predict(values) == pytest.approx(by_work, rel=1e-12, abs=0)


@pytest.mark.parametrize("name", KINDS)
def test_the_predictor_of_one_network_serves_all_figures_of_its_kind(name):
    rows = measured(preset(name))
    table = predictor(preset(name), rows)
    for seed in range(examples(1)):
        other = truth(name, seed)
        by_work = [seconds_of(other, row.sizes, row.backend, row.works) for row in rows]
        assert table.predict(parameters(other.network)) == pytest.approx(by_work, rel=1e-12, abs=0)


def test_a_part_of_the_rows_is_predicted_as_with_all():
    rows = measured(preset("p2-v100"))
    table, values = predictor(preset("p2-v100"), rows), parameters(preset("p2-v100").network)
    used = np.arange(len(rows)) % 3 == 1
    assert table.only(used).predict(values).tolist() == table.predict(values)[used].tolist()


def test_every_group_is_predicted_by_a_fit_to_the_others():
    true = truth("p2-v100", 2)
    rows, begin = some_rows(true)[:: 5 if is_full() else 17], start(true, 2)
    told = []
    fit = fit_system(begin, rows, lambda done, total: told.append((done, total)))
    groups = list(dict.fromkeys(row.group for row in rows))
    assert told == [(number + 1, len(groups) + 1) for number in range(len(groups) + 1)]
    assert [row.measurement for row in fit.rows] == rows
    unseen = {row.measurement.place: row.unseen for row in fit.rows}
    for group in sample(groups, 1):
        others = [row for row in rows if row.group != group]
        without = fit_system(begin, others, leave_out=False)
        for row in rows:
            if row.group == group:
                by_hand = seconds_of(without.system, row.sizes, row.backend, row.works)
                assert unseen[row.place] == pytest.approx(by_hand, rel=1e-9)
    errors = [abs(log(unseen[row.place] / row.seconds)) for row in rows]
    assert fit.unseen_mean_abs_log_error == pytest.approx(sum(errors) / len(errors))
    assert fit.mean_abs_log_error == pytest.approx(sum(abs(row.log_error) for row in fit.rows) / len(rows))


def test_without_a_second_group_or_when_not_asked_for_nothing_is_left_out():
    rows = measured(preset("p2-a100"))[::9]
    alone = [replace(row, group="one") for row in rows]
    for fit in (fit_system(preset("p2-a100"), alone), fit_system(preset("p2-a100"), rows, leave_out=False)):
        assert {row.unseen for row in fit.rows} == {None}
        assert fit.unseen_mean_abs_log_error is None


@pytest.mark.thorough  # the documents of fits are golden
def test_the_same_rows_give_the_same_figures():
    rows, begin = some_rows(truth("p2-a100", 2))[::8], start(truth("p2-a100", 2), 2)
    assert fit_system(begin, rows) == fit_system(begin, rows)


@pytest.mark.parametrize(
    ("name", "factor"), [(name, factor) for name, factor in product(KINDS, (10, 0.1))][: None if is_full() else 1]
)
def test_one_row_that_is_wrong_by_a_factor_of_ten_moves_no_identified_figure_by_a_tenth(name, factor):
    true = truth(name, 2)
    rows, begin = measured(true, noise=0.02), start(true, 2)
    without = figures(fit_system(begin, rows, leave_out=False))
    for place in (200,) if factor > 1 else (100,):
        wrong = [
            replace(row, seconds=row.seconds * (factor if number == place else 1)) for number, row in enumerate(rows)
        ]
        found = fit_system(begin, wrong, leave_out=False).figures
        for figure in found:
            assert figure.identified == without[figure.name].identified
            if figure.name != OVERLAP and tells(true, rows, figure.name):
                assert figure.after == pytest.approx(without[figure.name].after, rel=0.1), (figure.name, place)


CROSSING = Work(Collective.ALL_REDUCE, Pattern((((V, 4),), ((F, 16),))), 1e9)


def row(seconds, works=(CROSSING,), sizes=(4, 16)):
    return measurement("file.csv line 2", "one", sizes, RINGS, works, seconds)


@looped(
    ("rows", "wanted"),
    [
        ([], "no measurement to fit to; give rows with a time"),
        *(
            (
                [row(1.0), row(time)],
                f"file.csv line 2: time {time} s is not between 1e-09 and 1e+09; correct it or leave it out",
            )
            for time in (0.0, -1.0, nan, inf, 9e-10, 1.1e9)
        ),
        (
            [row(1e-3), row(1e3)],
            f"2 rows determine none of {', '.join(parameters(preset('p2-a100').network))}; "
            "add rows with other groups and sizes (p2smt calibrate --commands lists some)",
        ),
    ],
)
def test_rows_that_nothing_can_be_fitted_to(rows, wanted):
    with pytest.raises(CalibrationError) as error:
        fit_system(preset("p2-a100"), rows)
    assert str(error.value) == wanted


def test_a_row_of_another_hierarchy_is_refused():
    with pytest.raises(ProblemError) as error:
        fit_system(preset("p2-a100"), [row(1.0, sizes=(2, 2, 16))])
    assert str(error.value) == "3 sizes for 2 levels; give one size for each of node, gpu"


def test_rows_that_nccl_chose_for_are_refused():
    rows = [replace(row(1.0), backend=Nccl(Auto.AUTO))]
    with pytest.raises(
        CalibrationError, match=r"file\.csv line 2: algorithm auto does not identify the algorithm of the"
    ):
        predictor(preset("p2-a100"), rows)
