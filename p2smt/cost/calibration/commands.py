"""Command lines of nccl-tests whose results identify the parameters of a system's links."""

from collections.abc import Iterator
from math import prod
from typing import assert_never

from p2smt.collective import Collective
from p2smt.cost.calibration.nccl_groups import GroupSplit, SplitKind, split_pattern
from p2smt.cost.calibration.nccl_which import PRICED
from p2smt.cost.network.applicable import applicable
from p2smt.errors import ProblemError
from p2smt.problem.system.algorithm import SIMPLE_ALONE, Algorithm
from p2smt.problem.system.build import check_alike
from p2smt.problem.system.link import Wiring
from p2smt.problem.system.network import System

_COLLECTIVES = tuple(str(test) for test in PRICED if test in {one.underscored for one in Collective})

SIZES = "-b 1K -e 1G -f 8"
"""The sizes to measure, from pure latency to pure bandwidth."""


def nccl_tests_commands(system: System) -> tuple[str, ...]:
    """Return shell lines, one per run, with comment lines, for mpirun or a similar launcher.

    All devices together give the bandwidth of one connection. At every boundary between levels, DIV k measures the
    links inside it alone, and MOD k the links across it with k groups at once. A level with a ring is also split
    inside, into neighbours (which the ring joins) and every k-th unit (which it may not join). Rings run every
    collective, because collectives use memory and links in different proportions; trees run if a group spans machines.
    """
    check_alike(system, "nccl-tests cut all devices into equal groups")
    if system.devices == 1:
        raise ProblemError("the system has one device, so there is no link to measure; give its levels larger sizes")
    lines = ["# one process per GPU, ranks host by host; afterwards: p2smt calibrate --system ... *.json"]
    boundaries = _boundaries(system)
    for split in (None, *_splits(boundaries), *_splits(_cuts_of_rings(system, boundaries))):
        inner = split is not None and split.k not in boundaries
        lines.append(f"# {_sentence(split, system)}")
        for algorithm in Algorithm:
            pattern = split_pattern(split, system, system.name)
            if algorithm in SIMPLE_ALONE and algorithm not in applicable(system, pattern.members):
                continue
            sends = split is None and _names_sends(system)
            tests = _tests(algorithm, inner, _spans_machines(split, system), sends)
            lines += [_command(test, algorithm, split, system) for test in tests]
    return tuple(lines)


def _tests(algorithm: Algorithm, inner: bool, spans_machines: bool, sends: bool) -> tuple[str, ...]:
    """Return the tests worth measuring for an algorithm; `inner`: in groups that split a level."""
    match algorithm:
        case Algorithm.RING:
            collectives = ("all_reduce",) if inner else _COLLECTIVES
            return (*collectives, "sendrecv") if sends else collectives
        case Algorithm.TREE:
            return ("all_reduce",) if spans_machines else ()
        case Algorithm.NVLS | Algorithm.NVLS_TREE | Algorithm.COLLNET_DIRECT | Algorithm.COLLNET_CHAIN:
            return ("all_reduce",)
        case Algorithm.PAT:  # its terms are NCCL's, and no figure of a link
            return ()
        case _:
            assert_never(algorithm)


def _names_sends(system: System) -> bool:
    """True if some link has a parameter for the rate of a single send, which collectives do not measure."""
    return any(link.send_flow is not None for link in system.network.links)


def _boundaries(system: System) -> tuple[int, ...]:
    """Return the number of devices in a unit of each level, outermost first, if neither 1 nor all."""
    sizes = [level.size for level in system.levels]
    inside = (prod(sizes[level:]) for level in range(1, len(sizes)))
    return tuple(dict.fromkeys(count for count in inside if 1 < count < system.devices))


def _cuts_of_rings(system: System, boundaries: tuple[int, ...]) -> Iterator[int]:
    """Yield the group sizes that split a level with a ring into equal parts."""
    inside = system.devices
    for level in system.levels:
        inside //= level.size
        if any(link.wiring is Wiring.RING for link in system.network.at(level.name)):
            parts = (part for part in range(2, level.size) if level.size % part == 0)
            yield from (inside * part for part in parts if inside * part not in boundaries)


def _splits(cuts: Iterator[int] | tuple[int, ...]) -> list[GroupSplit]:
    return [GroupSplit(cut, k) for k in cuts for cut in SplitKind]


def _spans_machines(split: GroupSplit | None, system: System) -> bool:
    members = split_pattern(split, system, system.name).members
    return prod(members[: system.machine + 1]) > 1


def _sentence(split: GroupSplit | None, system: System) -> str:
    devices = system.devices
    match split:
        case None:
            return f"all {devices} devices"
        case GroupSplit(SplitKind.DIV, k):
            return f"{devices // k} groups of {k} devices, next to one another"
        case GroupSplit(_, k):
            return f"{k} groups of {devices // k} devices, {k} apart"


def _named(algorithm: Algorithm) -> str:
    """Return the algorithm's name for NCCL_ALGO."""
    match algorithm:
        case Algorithm.RING | Algorithm.TREE:
            return algorithm.capitalize()
        case Algorithm.NVLS:
            return "NVLS"
        case Algorithm.NVLS_TREE:
            return "NVLSTree"
        case Algorithm.COLLNET_DIRECT:
            return "CollnetDirect"
        case Algorithm.COLLNET_CHAIN:
            return "CollnetChain"
        case Algorithm.PAT:
            return "PAT"


def _command(test: str, algorithm: Algorithm, split: GroupSplit | None, system: System) -> str:
    name = f"{test}_{algorithm}_{'all' if split is None else f'{split.cut.lower()}{split.k}'}.json"
    groups = "" if split is None else f'NCCL_TESTS_SPLIT="{split}" '
    return f"mpirun -np {system.devices} env {groups}NCCL_ALGO={_named(algorithm)} {test}_perf {SIZES} -g 1 -J {name}"
