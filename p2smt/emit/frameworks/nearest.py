"""The supported split nearest to a given split, which is the one with the fewest changes.

Exhaustive over a small neighbourhood: ZeRO stages, interleaving, expert degrees and replicas are varied, pipeline and
context parallelism kept or given up, with the devices going to data parallelism, so that
    dp * pp * cp * tp  stays the number of devices.
Complexity: at most some thousands of variants, each checked by the rules of the framework.
Reference: Aarts and Lenstra, "Local Search in Combinatorial Optimization", 1997 (neighbourhoods).
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from p2smt.emit.frameworks.typed import refusal
from p2smt.problem.transformer.model import Transformer, Zero
from p2smt.problem.transformer.split import Framework, Pipeline, Split


def nearest(framework: Framework, transformer: Transformer, split: Split) -> Split | None:
    """Return a supported split over as many devices, with the fewest changes; None if there is none."""
    # `_variants` is lazy and ordered; `min` keeps the first of equally near ones.
    able = (one for one in _variants(split) if refusal(framework, transformer, one) is None)
    return min(able, key=lambda one: len(changes(split, one)), default=None)


def changes(one: Split, other: Split) -> tuple[str, ...]:
    """Return the differences between two splits as text.

    >>> changes(Split(dp=8), Split(dp=8, zero=Zero.PARAMETERS))
    ('ZeRO 3',)
    """
    found = []
    if one.zero is not other.zero:
        found.append(f"ZeRO {int(other.zero)}")
    for name, text in (
        ("chunks", "chunks"),
        ("etp", "expert tp"),
        ("ep", "ep"),
        ("pp", "pp"),
        ("cp", "cp"),
        ("dp", "dp"),
        ("replicate", "replicas"),
        ("pipeline", "pipeline"),
    ):
        if getattr(one, name) != getattr(other, name):
            found.append(f"{text} {getattr(other, name)}")
    return tuple(found)


def _variants(split: Split) -> Iterator[Split]:
    """Yield variants: ZeRO stages, no interleaving, expert tensor parallelism, less expert parallelism, fewer axes."""
    smaller = [ep for ep in range(split.ep, 0, -1) if split.ep % ep == 0]
    usual = Pipeline.ONE_FORWARD_ONE_BACKWARD
    pipelines = dict.fromkeys((split.pipeline, usual))
    for zero, chunks, etp, replicate, ep, pipeline in product(
        Zero, {split.chunks, 1}, {split.etp, 1, split.tp}, {split.replicate, 1}, smaller, pipelines
    ):
        for pp, cp in product({split.pp, 1}, {split.cp, 1}):
            # Devices of stages or sequence parts that are given up become replicas, so their number stays.
            dp = split.dp * (split.pp // pp) * (split.cp // cp)
            yield replace(
                split,
                zero=zero,
                chunks=chunks if pp > 1 else 1,
                etp=etp,
                replicate=replicate,
                ep=ep,
                pp=pp,
                cp=cp,
                dp=dp,
                pipeline=pipeline if pp > 1 else usual,
            )
