"""What collectives were timed to take: lines between points, files, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2smt.errors import ProblemError
from p2smt.problem.system.build import build_system
from p2smt.problem.system.figures import with_figures
from p2smt.problem.system.file import preset, read_system, resized, system_text
from p2smt.problem.system.text import find_system
from p2smt.problem.system.timings import COLLECTIVES, Timings, never_less, seconds_of

TIMING = ((4, 1e-3), (1024, 2.5e-3), (4096, 2.5e-3), (1 << 20, 1.0))
TIMINGS = Timings(
    **{
        name: tuple((count, seconds * (number + 1)) for count, seconds in TIMING)
        for number, name in enumerate(COLLECTIVES)
    }
)
SYSTEM = replace(find_system("lab:2x2"), timings=TIMINGS)


@given(st.floats(1, 1 << 20))
def test_between_points_time_is_what_numpy_interpolates(count):
    counts, seconds = zip(*TIMING, strict=True)
    assert seconds_of(TIMING, count) == pytest.approx(np.interp(count, counts, seconds))


def test_outside_it_is_the_first_and_goes_on_as_at_last():
    assert seconds_of(TIMING, 1) == 1e-3
    each = (1.0 - 2.5e-3) / ((1 << 20) - 4096)
    assert seconds_of(TIMING, 1 << 21) == pytest.approx(1.0 + each * (1 << 20))
    assert seconds_of(((8, 2.0),), 1) == seconds_of(((8, 2.0),), 80) == 2.0


@given(st.lists(st.integers(1, 30), min_size=1, max_size=7))
def test_the_nearest_sequence_that_never_falls(many):
    """Against all ways to join neighbours to their means, of which the nearest that never falls is one."""
    found, best = never_less(many), None
    for cuts in range(1 << (len(many) - 1)):
        ends = [place + 1 for place in range(len(many) - 1) if cuts >> place & 1] + [len(many)]
        means = [
            np.mean(many[start:end]) for start, end in zip([0, *ends], ends, strict=False) for _ in many[start:end]
        ]
        if np.all(np.diff(means) >= -1e-12):
            off = float(np.sum((np.array(means) - many) ** 2))
            best = (off, means) if best is None or off < best[0] else best
    assert np.all(np.diff(found) >= 0)
    np.testing.assert_allclose(np.sum((np.array(found) - many) ** 2), best[0], atol=1e-9)
    np.testing.assert_allclose(found, best[1])


def test_a_system_file_keeps_them(tmp_path):
    path = tmp_path / "system.toml"
    path.write_text(system_text(SYSTEM), encoding="utf-8")
    assert read_system(path) == SYSTEM


def test_they_are_of_the_links_and_sizes_that_were_timed():
    assert with_figures(SYSTEM).timings == TIMINGS
    assert with_figures(SYSTEM, "nic=1Gb/s").timings is None
    assert with_figures(SYSTEM, None, "nic=7ms").timings is None
    assert resized(SYSTEM, SYSTEM.sizes).timings == TIMINGS
    assert resized(SYSTEM, (4, 2)).timings is None


@pytest.mark.parametrize(
    ("timing", "message"),
    [
        ((), "timings: all_reduce has 0 points; give 1 to 64"),
        (((1, 1.0),) * 65, "timings: all_reduce has 65 points; give 1 to 64"),
        (((0, 1.0),), "timings: all_reduce: 1 s for 0 bytes; both must be more than 0"),
        (((1, 0.0),), "timings: all_reduce: 0 s for 1 bytes; both must be more than 0"),
        (((1, float("nan")),), "timings: all_reduce: nan s for 1 bytes; both must be more than 0"),
        (((4, 1.0), (4, 2.0)), "s come after 4 bytes in 1 s; bytes must ascend and times must not fall, so"),
        (
            ((4, 1.0), (8, 0.5)),
            "s come after 4 bytes in 1 s; bytes must ascend and times must not fall, so",
        ),
    ],
)
def test_what_is_no_timing_is_refused(timing, message):
    with pytest.raises(ProblemError) as refused:
        build_system(replace(SYSTEM, timings=replace(TIMINGS, all_reduce=timing)))
    assert message in str(refused.value)


def test_either_rates_or_timings():
    with pytest.raises(
        ProblemError, match=r"\[profile\] and \[timings\] both have times of collectives; keep one of them"
    ):
        build_system(replace(preset("hap-v100-p100"), timings=TIMINGS))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[["1KiB", "5"]]', "timings: all_reduce"),
        ('[["1KX", "5us"]]', "timings: all_reduce"),
        ('[["1KiB"]]', "timings"),
        ('[["8B", "5us"], ["4B", "9us"]]', "4 bytes in 9e-06 s come after 8 bytes"),
    ],
)
def test_a_file_says_where_its_mistake_is(text, message, tmp_path):
    path = tmp_path / "system.toml"
    good = system_text(SYSTEM)
    start = good.index("all_reduce = ")
    end = good.index("all_gather = ")
    path.write_text(f"{good[:start]}all_reduce = {text}\n{good[end:]}", encoding="utf-8")
    with pytest.raises(ProblemError) as refused:
        read_system(path)
    assert message in str(refused.value)
