"""CPU quotas of the devices of every machine, given as text: `0.5/0.25`."""

from dataclasses import replace
from itertools import groupby

from p2smt.errors import ProblemError
from p2smt.problem.system.build import build_system
from p2smt.problem.system.devices import DeviceKind
from p2smt.problem.system.network import System

CORE = 5e10
"""Operations per second assumed for a whole core; only ratios between cores matter."""


def with_quotas(system: System, text: str) -> System:
    """Return the system with devices limited to fractions of a core: one quota per machine, or one for all.

    Consecutive machines with equal quotas form one kind. Raises ProblemError for another number of quotas, and
    for a system that already has kinds of devices.

    >>> from p2smt.problem.system.file import preset
    >>> [(kind.name, kind.machines) for kind in with_quotas(preset("lab"), "0.5/0.25").kinds]
    [('core-0_5', 1), ('core-0_25', 1)]
    """
    if system.kinds:
        raise ProblemError(f"system {system.name} already has kinds of devices; write their quotas into a system file")
    quotas = [_quota(part) for part in text.split("/")]
    machines = system.machines
    if len(quotas) == 1:
        quotas *= machines
    if len(quotas) != machines:
        raise ProblemError(
            f"{len(quotas)} quotas for {machines} machines; give one for each or one for all, such as @0.5/0.25"
        )
    runs = [(quota, len(list(run))) for quota, run in groupby(quotas)]
    kinds = tuple(
        DeviceKind(
            name=_name(quota, [each for each, _ in runs[:number]]), machines=count, speed=quota * CORE, quota=quota
        )
        for number, (quota, count) in enumerate(runs)
    )
    return build_system(replace(system, kinds=kinds))


def _quota(text: str) -> float:
    try:
        return float(text)
    except ValueError as cause:
        raise ProblemError(
            f"quota {text[:40]!r} is not a number; write fractions of a core such as @0.5/0.25"
        ) from cause


def _name(quota: float, before: list[float]) -> str:
    """Return a name for a kind that differs from those of all previous kinds."""
    again = before.count(quota)
    return f"core-{quota:g}".replace(".", "_") + (f"-{again + 1}" if again else "")
