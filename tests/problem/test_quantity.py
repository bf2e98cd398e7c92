"""Sizes, rates and times as text."""

from fractions import Fraction
from math import isclose
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support import refused

from p2smt.errors import ProblemError
from p2smt.problem.quantity import (
    format_bytes,
    format_decimal,
    format_seconds,
    parse_bandwidth,
    parse_bytes,
    parse_memory,
    parse_seconds,
    parse_speed,
    parse_tokens,
)
from p2smt.problem.system.values import bytes_text, rate_text, read_bytes, speed_text, time_text

DECIMAL = {"": 1, "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15}
PREFIX = DECIMAL | {f"{letter}i": 1024**power for power, letter in enumerate("KMGTP", start=1)}


@given(st.integers(1, 2**60), st.sampled_from(sorted(PREFIX)), st.sampled_from(["", "B"]), st.sampled_from(["", " "]))
def test_bytes_are_the_number_times_the_prefix(number, prefix, unit, space):
    size = number * PREFIX[prefix]
    assume(size <= 2**60)
    assert parse_bytes(f"{number}{space}{prefix}{unit}") == size


@given(st.integers(1, 10**6), st.integers(0, 999), st.sampled_from(sorted(PREFIX)), st.sampled_from(["B", "b", "bit"]))
def test_bandwidths_are_bytes_per_second(whole, thousandths, prefix, unit):
    exact = Fraction(whole * 1000 + thousandths, 1000) * PREFIX[prefix] / (1 if unit == "B" else 8)
    assert isclose(parse_bandwidth(f"{whole}.{thousandths:03}{prefix}{unit}/s"), exact, rel_tol=1e-12)


@given(st.integers(0, 10**9), st.sampled_from([("ns", -9), ("us", -6), ("µs", -6), ("ms", -3), ("s", 0)]))
def test_times_are_seconds(number, unit):
    assert isclose(parse_seconds(f"{number} {unit[0]}"), number * Fraction(10) ** unit[1], rel_tol=1e-12)


@given(st.integers(0, 1023), st.sampled_from(["", "Ki", "Mi", "Gi", "Ti"]))
def test_printed_whole_sizes_parse_back(number, prefix):
    assume(number)
    assert parse_bytes(format_bytes(number * PREFIX[prefix])) == number * PREFIX[prefix]


@given(st.floats(1e-9, 1e12))
def test_printed_times_parse_back_to_three_digits(seconds):
    assert isclose(parse_seconds(format_seconds(seconds)), seconds, rel_tol=0.006)


@given(
    st.one_of(
        st.floats(1e-9, 1e10),
        st.sampled_from([999.6, 1000, 7200, 172_799, 9.996e-10, 9.9961e-7, 0.00099961, 0.99961, 999.4e-6]),
    )
)
def test_times_have_at_most_three_digits_before_the_point(seconds):
    number, _ = format_seconds(seconds).split()
    assert "e" not in number
    assert 0.999 <= float(number) < 1000


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=12))
def test_any_text_is_read_or_refused(text):
    for parse in (parse_bytes, parse_bandwidth, parse_seconds):
        try:
            answer = str(parse(text) >= 0)
        except ProblemError as error:
            answer = str(error)
        assert answer == "True" or repr(text) in answer


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "-1",
        "1.5",
        "0.1B",
        "1 XB",
        "1e99",
        "1GiBB",
        "GiB",
        "nan",
        "9999999PiB",
        "1000000000000000.00000000000000000001kB",
    ],
)
def test_no_size(text):
    with pytest.raises(ProblemError) as error:
        parse_bytes(text)
    assert str(error.value) == (
        f"bytes {text!r} is not a size; write a positive whole number of bytes such as 1GiB or 64MB"
    )


@pytest.mark.parametrize("text", ["", "8", "0GB/s", "-8GB/s", "infB/s", "8 GB / s"])
def test_no_bandwidth(text):
    with pytest.raises(ProblemError) as error:
        parse_bandwidth(text)
    assert str(error.value) == f"bandwidth {text!r} is not a positive rate; write one such as 8GB/s or 100Gbit/s"


@pytest.mark.parametrize(("text", "unit"), [("8GB", "bytes"), ("25Gb", "bits"), ("100 Gbit", "bits")])
def test_a_bandwidth_without_seconds_is_asked_for(text, unit):
    with pytest.raises(ProblemError, match=f"did you mean {text}/s, {unit} per second"):
        parse_bandwidth(text)


@pytest.mark.parametrize("number", ["1", "25", "0.5", "400"])
def test_ps_is_per_second(number):
    for unit in ("Gb", "Gbit", "GB", "Mib", "KiB"):
        assert parse_bandwidth(f"{number}{unit}ps") == parse_bandwidth(f"{number}{unit}/s")


@pytest.mark.parametrize("text", ["", "14", "us", "-1us", "1w", "1 e5s"])
def test_no_time(text):
    with pytest.raises(ProblemError) as error:
        parse_seconds(text)
    assert str(error.value) == f"time {text!r} is not a duration; write one such as 14us, 3ms or 2s"


def test_capitals_of_sizes_and_rates_do_not_matter_where_nobody_could_mistake_them():
    assert [parse_bytes(text) for text in ("1gb", "1GIB", "1gib", "8k", "8K", "64 mb", "2t")] == [
        10**9,
        2**30,
        2**30,
        8000,
        8000,
        64 * 10**6,
        2 * 10**12,
    ]
    assert [parse_bandwidth(text) for text in ("25gB/s", "25GBPS", "200gbit/s", "200GBit/s", "25Gb/s", "8kb/s")] == [
        25e9,
        25e9,
        25e9,
        25e9,
        3.125e9,
        1000.0,
    ]
    assert "did you mean 8GB/s, bytes per second, or 8Gbit/s?" in refused(
        lambda: parse_bandwidth("8gb/s"), ProblemError
    )
    assert "did you mean 1GB?" in refused(lambda: parse_bytes("1Gb"), ProblemError)
    assert parse_speed("400tflop/s") == parse_speed("400 TFLOPS") == parse_speed("400TFlops/s") == 4e14
    assert [parse_tokens(text) for text in ("8k", "8K", "1000", "1m")] == [8192, 8192, 1000, 2**20]
    for text in ("0", "-1", "8kB", "1.5k", ""):
        assert repr(text) in refused(lambda text=text: parse_tokens(text), ProblemError)
    assert parse_memory("80gb") == 80 * 10**9
    assert refused(lambda: parse_memory("80"), ProblemError) == "memory '80' is 80 bytes; did you mean 80GB?"


def test_sizes_are_exact_and_no_part_of_a_byte():
    assert [parse_bytes(text) for text in ("1.1kB", "0.3MB", "999999999999999.999kB", "0.5Ki", "1e3")] == [
        1100,
        300_000,
        999_999_999_999_999_999,
        512,
        1000,
    ]
    assert parse_bytes(str(2**60)) == parse_bytes("1024Pi") == 2**60
    for text in (
        str(2**60 + 1),
        "1025Pi",
        "0",
        "0.1",
        "0.0001kB",
        "1.0001kB",
        "-1",
        "1e-1",
        "1 iB",
        "1Kb",
        "1Gb",
        "1KiBs",
    ):
        assert "is not a size" in refused(lambda text=text: parse_bytes(text), ProblemError)


def test_times_are_the_nearest_numbers_and_rates_have_a_unit():
    for number in (*range(1, 400), 999_999, 123_456_789):
        for unit, power in (("ns", -9), ("us", -6), ("ms", -3), ("s", 0)):
            assert parse_seconds(f"{number}{unit}") == float(f"{number}e{power}")
    for parse, texts in (
        (parse_seconds, ("1", "us", "1m", "-1us", "1 u s")),
        (parse_bandwidth, ("1GB", "1", "0GB/s", "1GB/m", "-1GB/s", "1G/s")),
        (parse_speed, ("1", "1T", "0Tflop/s", "-1Tflop/s", "1Tiflop/s")),
    ):
        for text in texts:
            assert repr(text) in refused(lambda parse=parse, text=text: parse(text), ProblemError)
    assert "did you mean 1GB/s, bytes per second?" in refused(lambda: parse_bandwidth("1GB"), ProblemError)
    assert "did you mean 8Gb/s, bits per second?" in refused(lambda: parse_bandwidth("8Gb"), ProblemError)
    assert (parse_bandwidth("8Gb/s"), parse_bandwidth("8Gbps"), parse_bandwidth("1GB/s")) == (1e9,) * 3


def test_what_is_written_into_a_file_reads_back_as_the_same_number():
    dice = Random(5)
    for _ in range(300):
        number = dice.random() * 10.0 ** dice.randint(-12, 12)
        for write, parse in ((rate_text, parse_bandwidth), (time_text, parse_seconds), (speed_text, parse_speed)):
            for value in (number, float(f"{number:.2g}")):
                assert parse(write(value)) == value
    for count in (1, 10**6, 10**8, 5 * 10**8, 10**9, 11 * 10**8, 80 * 10**9, 2**30, 2**60, 10**9 + 1):
        assert read_bytes(bytes_text(count), "here") == count
    assert (bytes_text(None), read_bytes(None, "here"), bytes_text(80 * 10**9)) == (None, None, "80GB")


def test_numbers_are_printed_in_the_first_unit_in_which_they_are_less_than_the_next():
    assert [format_bytes(count) for count in (0, 1, 1023, 1024, 2**20 - 1, 2**20, 2**50, 2**60)] == [
        "0 B",
        "1 B",
        "1023 B",
        "1 KiB",
        "1024 KiB",
        "1 MiB",
        "1 PiB",
        "1024 PiB",
    ]
    assert [format_decimal(number) for number in (999, 1000, 999_999, 10**6, 10**15, 10**18)] == [
        "999 ",
        "1 k",
        "1000 k",
        "1 M",
        "1 P",
        "1000 P",
    ]
