"""The nccl-tests commands whose times identify a system's links."""

from collections.abc import Iterator
from math import prod

from p2smt.cost.algorithm import Algorithm
from p2smt.cost.calibration.nccl_groups import Cut, Split, boundaries
from p2smt.problem.network import System, Wiring

SIZES = "-b 1K -e 1G -f 8"
"""1 KiB for latencies to 1 GiB for bandwidths, out of place and in place."""


def nccl_tests_commands(system: System) -> tuple[str, ...]:
    """Shell lines, one process per GPU, ranks host by host; each writes a JSON file that `p2smt calibrate` reads.

    All groups of a split work at once, so a link that they share is measured under the load that programs put on it.
    """
    lines = ["# Open MPI, one process per GPU, ranks host by host; afterwards: p2smt calibrate --system ... *.json"]
    for split in (None, *splits(system)):
        lines.append(f"# {'all devices in one group' if split is None else _words(split)}")
        lines += [_command(system, split, program, algorithm) for program, algorithm in _programs(system, split)]
    return tuple(lines)


def splits(system: System) -> tuple[Split, ...]:
    """The splits at every boundary of levels, and inside levels that have a ring: neighbours and strided groups."""
    cuts = {count for count in boundaries(system) if count > 1}
    for level, named in enumerate(system.levels):
        inside = prod(below.size for below in system.levels[level + 1 :])
        if any(link.wiring is Wiring.RING for link in system.network.at(named.name)):
            cuts |= {part * inside for part in range(2, named.size) if named.size % part == 0}
    found = [Split(cut, count) for count in sorted(cuts) for cut in Cut]
    return tuple(split for split in found if 1 < split.k < system.devices)


def _words(split: Split) -> str:
    if split.cut is Cut.DIV:
        return f"groups of {split.k} consecutive ranks, all at once"
    return f"groups of ranks {split.k} apart, all at once"


def _programs(system: System, split: Split | None) -> Iterator[tuple[str, Algorithm]]:
    yield "all_reduce_perf", Algorithm.RING
    if system.network.machine is not None:
        yield "all_reduce_perf", Algorithm.TREE
    if split is None or split.cut is Cut.MOD:
        yield "reduce_scatter_perf", Algorithm.RING
        yield "reduce_perf", Algorithm.RING


def _command(system: System, split: Split | None, program: str, algorithm: Algorithm) -> str:
    name = "all" if split is None else f"{split.cut.lower()}{split.k}"
    grouped = "" if split is None else f' -x NCCL_TESTS_SPLIT="{split}"'
    chosen = f"-x NCCL_ALGO={'Tree' if algorithm is Algorithm.TREE else 'Ring'}"
    file = f"{program.removesuffix('_perf')}_{algorithm}_{name}.json"
    return f"mpirun -np {system.devices} --map-by slot {chosen}{grouped} ./build/{program} {SIZES} -g 1 -J {file}"
