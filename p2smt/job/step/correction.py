"""Correction factors per device, precision and framework: the ratio of measured to predicted step times.

Nested random effects: the median of ln(measured / predicted) over a group's n runs is modelled as

    y = all + framework + (precision, framework) + (device, precision, framework) + noise / sqrt(n),

and each effect is shrunk towards zero as if `_HOLDS` additional runs of its level had none (ridge regression;
best linear unbiased prediction: Henderson 1975). A group without runs gets the effects of the levels that it
shares with others. The effects are found by `_ROUNDS` rounds of backfitting over the levels; each round costs
levels * groups.

Example: if two devices run a framework 0.3 slower (in ln) than predicted, a third device is corrected by a part
of 0.3, which grows with the number of runs. The holds were chosen by cross-validation, leaving out one source,
framework, device or group of public runs at a time.

Factors in `corrections.toml` treat a framework with experts as a framework of its own (`framework_name`). Releases of
one framework differ by 1.5x on models with experts, and in some groups only these were published.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib import resources
from math import exp
from statistics import median

import msgspec

from p2smt.errors import ProblemError
from p2smt.problem.transformer.split import Framework, Precision
from p2smt.problem.typed import convert_checked

Group = tuple[str, str, str]
"""A device, precision and framework."""

_HOLDS = (0.5, 40.0, 20.0, 0.5)
_ROUNDS = 15

_PUBLISHED_AS = {
    Framework.MEGATRON: "Megatron-Bridge (Megatron Core)",
    Framework.NEMO: "Megatron-Bridge (Megatron Core)",
    Framework.TORCHTITAN: "torchtitan (FSDP2)",
    Framework.DEEPSPEED: "Megatron-DeepSpeed",
    Framework.TORCH: "llm-foundry/Composer (PyTorch FSDP)",
}


@dataclass(frozen=True)
class Corrections:
    """Each group's median logarithm of measured / predicted, and its number of runs."""

    groups: Mapping[Group, tuple[float, int]]

    def factor(self, group: Group) -> float:
        """Return the correction factor of a group, which need not have runs."""
        return exp(sum(self._effects.get(level, 0.0) for level in _levels(group)))

    @cached_property
    def _effects(self) -> dict[tuple[str, ...], float]:
        """The effects of all levels, keyed by what the groups of a level share."""
        effects: dict[tuple[str, ...], float] = {}
        for _ in range(_ROUNDS):
            for number, hold in enumerate(_HOLDS):
                sums: dict[tuple[str, ...], list[float]] = {}
                for group, (own, runs) in self.groups.items():
                    levels = _levels(group)
                    others = sum(effects.get(level, 0.0) for level in levels if level != levels[number])
                    entry = sums.setdefault(levels[number], [0.0, hold])
                    entry[0] += runs * (own - others)
                    entry[1] += runs
                effects |= {level: total / weight for level, (total, weight) in sums.items()}
        return effects


def _levels(group: Group) -> tuple[tuple[str, ...], ...]:
    """Return the levels of a group, from the most general to the group itself."""
    _, precision, framework = group
    return (), (framework,), (precision, framework), group


def fit_corrections(residuals: Iterable[tuple[Group, float]]) -> Corrections:
    """Return corrections from pairs of a group and ln(measured / predicted).

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


def framework_name(framework: str, *, experts: bool) -> str:
    """Return the name under which the factors of a published framework are kept.

    >>> framework_name("torchtitan (FSDP2)", experts=True)
    'torchtitan (FSDP2), experts'
    """
    return f"{framework}, experts" if experts else framework


@lru_cache(maxsize=64)
def known_factor(device: str, precision: Precision, framework: Framework, *, experts: bool) -> float:
    """Return the correction factor for a device, precision, framework and kind of model, by their names in options."""
    name = framework_name(_PUBLISHED_AS[framework], experts=experts)
    return known_corrections().factor((device, str(precision), name))
