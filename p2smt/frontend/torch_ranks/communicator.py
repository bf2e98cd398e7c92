"""Communicators, and reductions by the names that torch gives them."""

from dataclasses import dataclass

TIMES = "sum times "
"""The prefix of the name of torch's PREMUL_SUM, before its factor."""


@dataclass(frozen=True, slots=True)
class Members:
    """A communicator and its ranks."""

    communicator: str
    ranks: tuple[int, ...]


def named_by(collective: str, reduction: str) -> str:
    """Return the name of a collective with its reduction; averages and scaled sums are sums, scaled afterwards.

    >>> named_by("all_reduce", "avg"), named_by("all_reduce", "max")
    ('all_reduce', 'all_reduce_max')
    """
    is_sum = reduction in ("sum", "avg") or factor_of(reduction) is not None
    return collective if is_sum else f"{collective}_{reduction}"


def factor_of(reduction: str) -> float | None:
    """The factor by which a sum is scaled; None for other reductions."""
    return float(reduction.removeprefix(TIMES)) if reduction.startswith(TIMES) else None
