"""One factor per device, precision and framework: how much longer its steps take than the model says.

The factor of a group is the median of ln(measured / predicted) over its runs, drawn towards what is known of its kin as
if `_KIN` runs more were there. Kin of a group, the first that has any: groups of the same framework and precision, of
the same framework, of the same device, all.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from math import exp
from statistics import fmean, median

import msgspec

from p2smt.errors import ProblemError
from p2smt.problem.transformer.split import Framework, Precision
from p2smt.problem.typed import convert_checked

Group = tuple[str, str, str]
"""Device, precision, framework."""

_KIN = 0.7
_FEW = 0.5

_PUBLISHED_AS = {
    Framework.MEGATRON: "Megatron-Bridge (Megatron Core)",
    Framework.NEMO: "Megatron-Bridge (Megatron Core)",
    Framework.TORCHTITAN: "torchtitan (FSDP2)",
    Framework.DEEPSPEED: "Megatron-DeepSpeed",
    Framework.TORCH: "llm-foundry/Composer (PyTorch FSDP)",
}


@dataclass(frozen=True, slots=True)
class Corrections:
    """Logarithms of the groups' factors before they are drawn to their kin, and the runs behind each."""

    groups: Mapping[Group, tuple[float, int]]

    def factor(self, group: Group) -> float:
        """The factor of a group, which may have no runs."""
        own, runs = self.groups.get(group, (0.0, 0))
        return exp((own * runs + self._kin(group) * _KIN) / (runs + _KIN))

    def _kin(self, group: Group) -> float:
        device, precision, framework = group
        if not self.groups:
            return 0.0
        pool = fmean(own for own, _ in self.groups.values())
        near = (
            [own for (_, other, name), (own, _) in self.groups.items() if (other, name) == (precision, framework)],
            [own for (_, _, name), (own, _) in self.groups.items() if name == framework],
            [own for (name, _, _), (own, _) in self.groups.items() if name == device],
        )
        kin = next((one for one in near if one), [])
        return pool + sum(own - pool for own in kin) / (len(kin) + _FEW)


def fit_corrections(residuals: Iterable[tuple[Group, float]]) -> Corrections:
    """Correction factors from groups and ln(measured / predicted).

    >>> from math import log
    >>> group = ("H100", "bf16", "megatron")
    >>> round(fit_corrections([(group, log(1.2))] * 9).factor(group), 2)
    1.2
    """
    found: dict[Group, list[float]] = {}
    for group, residual in residuals:
        found.setdefault(group, []).append(residual)
    return Corrections({group: (median(values), len(values)) for group, values in sorted(found.items())})


class _Entry(msgspec.Struct, frozen=True):
    device: str
    precision: str
    framework: str
    ln: float
    runs: int


class _File(msgspec.Struct, frozen=True):
    correction: tuple[_Entry, ...]


@cache
def known_corrections() -> Corrections:
    """Return the corrections fitted to the table of public jobs."""
    text = resources.files("p2smt.job.step").joinpath("corrections.toml").read_text(encoding="utf-8")
    entries = convert_checked(tomllib.loads(text), _File, "corrections.toml", ProblemError).correction
    return Corrections({(one.device, one.precision, one.framework): (one.ln, one.runs) for one in entries})


@lru_cache(maxsize=64)
def known_factor(device: str, precision: Precision, framework: Framework) -> float:
    """The factor of a device, precision and framework as users name them."""
    return known_corrections().factor((device, str(precision), _PUBLISHED_AS[framework]))
