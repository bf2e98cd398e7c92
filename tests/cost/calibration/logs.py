"""Logs of nccl-tests as programs print them, small, from times that a formula gives; tests spoil and dress them."""

import re
from collections.abc import Callable, Sequence
from random import Random

HEADING = """\
#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
"""
SIZES = tuple(2**power for power in range(10, 34, 2))
Points = Sequence[tuple[int, float]]
"""Bytes, and the seconds that they take."""


def twice(ranks: int) -> float:
    """The factor of an all-reduce."""
    return 2 * (ranks - 1) / ranks


def once(ranks: int) -> float:
    """The factor of an all-gather, a reduce-scatter, an all-to-all."""
    return (ranks - 1) / ranks


def points(
    ranks: int, factor: Callable[[int], float], rate: float, begin: float, sizes: Sequence[int] = SIZES, seed: int = 1
) -> Points:
    """Times with a bus bandwidth of `rate`, 1 % off at most, small messages by faster protocols."""
    random = Random(seed)

    def seconds(size: int) -> float:
        moved = factor(ranks) * size / rate
        return min(begin + moved, 0.4 * begin + 1.1 * moved, 0.15 * begin + 4 * moved)

    return [(size, seconds(size) * (1 + 0.01 * random.uniform(-1, 1))) for size in sizes]


def devices(hosts: int, each: int, gpu: str = "NVIDIA A100-SXM4-80GB") -> str:
    """A device list."""
    lines = [
        f"#  Rank {host * each + device:2} Group  0 Pid {1000 + device} on host{host} device {device:2} [0x07] {gpu}\n"
        for host in range(hosts)
        for device in range(each)
    ]
    return "# Using devices\n" + "".join(lines)


def row(size: int, seconds: float, factor: float, redop: str = "sum", root: object = -1, parts: int = 1) -> str:
    """A row, with the digits that nccl-tests prints."""
    algbw = size / seconds / 1e9
    us = seconds * 1e6
    time = f"{us:.0f}" if us >= 1e4 else f"{us:.1f}" if us >= 100 else f"{us:.2f}"
    half = f"{time:>8} {algbw:7.2f} {factor * algbw:7.2f}      0"
    return f"{size:12} {size // 4 // parts:12}     float {redop:>7} {root!s:>7} {half} {half}\n"


def table(
    times: Points,
    hosts: int,
    each: int,
    factor: Callable[[int], float] = twice,
    name: str = "",
    listed: str | None = None,
    redop: str = "sum",
    root: object = -1,
    parts: int = 1,
) -> str:
    """What a run prints; `listed` in place of its device list."""
    ranks = hosts * each
    start = f"# Collective test starting: {name}_perf\n" if name else ""
    start += "# nThread 1 nGpus 1 minBytes 1024 maxBytes 8589934592 step: 2(factor) warmup iters: 5 iters: 20\n#\n"
    rows = "".join(row(size, seconds, factor(ranks), redop, root, parts) for size, seconds in times)
    return (
        f"{start}{devices(hosts, each) if listed is None else listed}{HEADING}{rows}# Avg bus bandwidth    : 9.5\n#\n"
    )


def all_reduce(rate: float = 32e9, begin: float = 120e-6, hosts: int = 2, each: int = 4, **more: object) -> str:
    """An all-reduce that does not name its test."""
    return table(points(hosts * each, twice, rate, begin), hosts, each, **more)  # type: ignore[arg-type]


def tagged(text: str, tag: str) -> str:
    """The text with a launcher's tag in front of every piece that is printed at once: three a row."""

    def line(one: str) -> str:
        return tag + re.sub(r"( -1)( +\d)", rf"\1{tag}\2", re.sub(r"( 0)( +\d+\.?\d* )", rf"\1{tag}\2", one, count=1))

    return "".join(line(one) + "\n" if one[:1] == " " else f"{tag}{one}\n" for one in text.splitlines())
