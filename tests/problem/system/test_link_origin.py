"""The line `links:` tells measured bandwidths from kept ones, also after a second fit and after --bandwidth."""

from dataclasses import replace

from p2smt.problem.system.file import parse_system, system_text
from p2smt.problem.system.link_origin import links_text, with_measured
from p2smt.problem.system.text import find_system

PRESET = find_system("dgx-h100:2x8")


def fitted(system, link, rate):
    """The system after a fit that determined the bandwidth of one link."""
    return with_measured(system, system.with_bandwidth(**{link: rate}).network, 2**23, [link])


def test_measured_and_kept_bandwidths_are_told_apart():
    first = fitted(PRESET, "nvswitch", "420GB/s")
    assert links_text(first) == "dgx-h100, measured from 8 MiB on: nvswitch 420 GB/s; not measured: nic 45 GB/s"
    second = fitted(first, "nic", "40GB/s")
    kept = "dgx-h100, measured from 8 MiB on: nic 40 GB/s; kept from an earlier fit: nvswitch 420 GB/s"
    assert links_text(second) == kept
    assert links_text(fitted(second, "nvswitch", "400GB/s")).endswith("kept from an earlier fit: nic 40 GB/s")


def test_a_bandwidth_that_is_given_is_not_measured():
    second = fitted(fitted(PRESET, "nvswitch", "420GB/s"), "nic", "40GB/s")
    by_hand = second.with_bandwidth(nic="25GB/s", nvswitch="300GB/s")
    assert links_text(by_hand) == "dgx-h100, not measured: nic 25 GB/s, nvswitch 300 GB/s"
    assert links_text(second.with_latency(nic="5us")) == links_text(second)
    assert PRESET.with_bandwidth(nic="25GB/s").unmeasured == ()


def test_a_file_keeps_the_origin():
    system = fitted(fitted(PRESET, "nvswitch", "420GB/s"), "nic", "40GB/s")
    for one in (system, replace(system, unmeasured=("nvswitch",), measured_earlier=())):
        assert parse_system(system_text(one), "x") == one
