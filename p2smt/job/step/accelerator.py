"""Devices by name: how fast they compute, how much they hold."""

import tomllib
from functools import cache
from importlib import resources

import msgspec

from p2smt.errors import ProblemError
from p2smt.problem.typed import convert_checked
from p2smt.wording import did_you_mean


class Accelerator(msgspec.Struct, frozen=True, kw_only=True):
    """One `[[accelerator]]` table.

    `half` and `eighth` are operations/s in 16 and 8 bits (`eighth` 0: it has no 8-bit unit), `bandwidth` and `memory`
    those of its memory. `link` and `card` are bytes/s of one device and direction inside and outside a domain of
    `domain` devices, in the usual system around it. `systems` are the presets that are made of it.
    """

    name: str
    half: float
    bandwidth: float
    memory: float
    link: float
    card: float
    domain: int
    systems: tuple[str, ...] = ()
    eighth: float = 0.0


class _AcceleratorsFile(msgspec.Struct, frozen=True):
    accelerator: tuple[Accelerator, ...]


@cache
def accelerators() -> dict[str, Accelerator]:
    """The accelerators by name."""
    text = resources.files("p2smt.job.step").joinpath("accelerators.toml").read_text(encoding="utf-8")
    found = convert_checked(tomllib.loads(text), _AcceleratorsFile, "accelerators.toml", ProblemError)
    return {one.name: one for one in found.accelerator}


def named_accelerator(name: str) -> Accelerator:
    """The accelerator of a name, in any case; raises ProblemError for an unknown one.

    >>> named_accelerator("h100").half
    989000000000000.0
    """
    known = {one.lower(): accelerator for one, accelerator in accelerators().items()}
    if name.lower() not in known:
        raise ProblemError(
            f"accelerator {name[:40]!r} is unknown; choose one of {', '.join(accelerators())}"
            f"{did_you_mean(name, accelerators())}"
        )
    return known[name.lower()]
