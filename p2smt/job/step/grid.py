"""Enumerate the splits to search: every combination of degrees that the model, the batch and the framework allow.

Method: generate and test by nested loops over divisors, each filter as far out as its degrees are known:
    tp * pp * cp * dp = devices,   ep * etp divides tp * cp * dp,   a micro-batch of 1, 2, ..., 64 divides batch / dp.
Complexity: at most d(n)^3 meshes for n devices, with d(n) the number of divisors of n, times the expert degrees, ZeRO
stages, micro-batches, chunks and recomputations.
Reference: Narayanan et al., "Efficient large-scale language model training on GPU clusters using Megatron-LM", 2021,
section 3 (the degrees and what they divide).

Example: 8 devices without context parallelism have 10 triples (tp, pp, dp) with product 8. A model of 2 layers keeps
the 7 with pp = 1 or 2; with 4 heads, tp = 8 goes as well.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from p2smt.emit.frameworks.typed import refusal
from p2smt.job.step.traits import TRAITS
from p2smt.problem.divisors import divisors
from p2smt.problem.transformer.model import Transformer, Zero
from p2smt.problem.transformer.split import Framework, Pipeline, Recompute, Split

_Value = TypeVar("_Value")

_MOST_CHUNKS = 16
LEAST_TOKENS = 512
"""Tokens of a sequence that context parallelism leaves on a device at least."""

USUAL_TOKENS = 4096
"""The same where cp is free: shorter pieces are searched only if nothing else fits, or if cp is fixed.

Sources: Megatron-Bridge's `docs/parallelisms.md` (cp 2 from 8K tokens on), and Megatron Core's parallelism guide ("long
sequences, 8K+ tokens"). No run of the public table has shorter pieces, so that their price is untested.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedDegrees:
    """Fixed parts of a split; None leaves a part free. A free `pipeline` is 1F1B, as in the calibration runs."""

    tp: int | None = None
    pp: int | None = None
    dp: int | None = None
    cp: int | None = None
    ep: int | None = None
    etp: int | None = None
    chunks: int | None = None
    replicate: int | None = None
    zero: Zero | None = None
    micro_batch: int | None = None
    recompute: Recompute | None = None
    sequence_parallel: bool | None = None
    pipeline: Pipeline | None = None


FREE = FixedDegrees()
"""No part of the split is fixed."""

_STAGES: dict[Framework, tuple[Zero, ...]] = {
    Framework.MEGATRON: (Zero.OPTIMISER, Zero.PARAMETERS),
    Framework.NEMO: (Zero.OPTIMISER, Zero.PARAMETERS),
    Framework.TORCHTITAN: (Zero.NONE, Zero.PARAMETERS),
    Framework.DEEPSPEED: tuple(Zero),
    Framework.TORCH: (Zero.NONE, Zero.GRADIENTS, Zero.PARAMETERS),
}
"""ZeRO stages worth trying per framework; Megatron's distributed optimizer is never slower than none."""


_HYBRID = (Framework.TORCHTITAN, Framework.TORCH)
"""Frameworks that support hybrid sharding: sharding within a group, and replication across groups."""


def grid(
    transformer: Transformer,
    devices: int,
    domain: int,
    framework: Framework,
    choice: FixedDegrees,
    least_tokens: int = USUAL_TOKENS,
) -> Iterator[Split]:
    """Yield every split over exactly `devices` devices that matches `choice`.

    Degrees are divisors: tp divides heads, kv_heads, and hidden and inner sizes; pp x chunks is at most the
    number of layers; cp leaves at least `least_tokens` tokens of a sequence on a device, or `LEAST_TOKENS` if it is
    fixed; ep divides the experts, which are split by all of tp or not at all; hybrid sharding has one replica per
    domain; micro-batches are powers of two.

    Invariant: split.devices == devices.
    """
    footprint = TRAITS[framework].footprint
    # Otherwise it is as none: flash attention keeps no scores.
    cheap = transformer.experts is not None or transformer.latent is not None
    selective = footprint.selective < 1 or (footprint.fine and cheap)
    recomputations = tuple(one for one in Recompute if selective or one is not Recompute.SELECTIVE)
    for mesh in _meshes(transformer, devices, choice, LEAST_TOKENS if choice.cp else least_tokens):
        for expert in _expert_meshes(transformer, mesh, choice):
            for split in _states(expert, domain, framework, choice):
                for whole in _schedules(transformer, split, choice):
                    # No framework refuses a split for what it recomputes.
                    if refusal(framework, transformer, whole) is None:
                        for recompute in _chosen(choice.recompute, recomputations):
                            yield replace(whole, recompute=recompute)


def _meshes(transformer: Transformer, devices: int, choice: FixedDegrees, least_tokens: int) -> Iterator[Split]:
    for tp in _chosen(choice.tp, divisors(devices)):
        if not _cuts(transformer, tp):
            continue
        sequence = tp > 1 if choice.sequence_parallel is None else choice.sequence_parallel and tp > 1
        for pp in _chosen(choice.pp, divisors(devices)):
            for cp in _chosen(choice.cp, divisors(devices)):
                dp, rest = divmod(devices, tp * pp * cp)
                if rest or pp > transformer.layers or choice.dp not in (None, dp) or transformer.batch % max(dp, 1):
                    continue
                # 2 cp parts: with causal attention each rank has one early and one late part, so that all do the same
                # work.
                if cp > 1 and (transformer.sequence % (2 * cp) or transformer.sequence // cp < least_tokens):
                    continue
                if not sequence or transformer.sequence % (tp * cp) == 0:
                    yield Split(tp=tp, pp=pp, cp=cp, dp=dp, sequence_parallel=sequence)


def _cuts(transformer: Transformer, tp: int) -> bool:
    sizes = (transformer.heads, transformer.kv_heads, transformer.hidden, transformer.ffn)
    return all(size % tp == 0 for size in sizes)


def _expert_meshes(transformer: Transformer, split: Split, choice: FixedDegrees) -> Iterator[Split]:
    experts = transformer.experts
    if experts is None:
        if choice.ep in (None, 1):
            yield split
        return
    stage = split.tp * split.cp * split.dp
    for ep in _chosen(choice.ep, divisors(experts.count)):
        for etp in _chosen(choice.etp, sorted({1, split.tp})):
            if stage % (ep * etp) == 0 and experts.count % ep == 0 and experts.ffn % etp == 0:
                yield replace(split, ep=ep, etp=etp)


def _states(split: Split, domain: int, framework: Framework, choice: FixedDegrees) -> Iterator[Split]:
    for zero in _chosen(choice.zero, _STAGES[framework]):
        if zero is not Zero.PARAMETERS:
            if choice.replicate in (None, 1):
                yield replace(split, zero=zero)
            continue
        inside = max(1, domain // (split.tp * split.cp))
        whole = split.dp % inside or framework not in _HYBRID
        hybrid = 1 if whole else split.dp // inside
        for copies in _chosen(choice.replicate, sorted({1, hybrid})):
            if split.dp % copies == 0 and split.dp // copies * split.cp > 1:
                yield replace(split, zero=zero, replicate=copies)


def _schedules(transformer: Transformer, split: Split, choice: FixedDegrees) -> Iterator[Split]:
    each = transformer.batch // split.dp
    if split.pp > 1 and choice.pipeline is not None:
        split = replace(split, pipeline=choice.pipeline)
    for size in _chosen(choice.micro_batch, [2**power for power in range(7)]):
        if each % size:
            continue
        for chunks in _chosen(choice.chunks, _chunk_counts(transformer, split)):
            yield replace(split, micro_batch=size, chunks=chunks)


def _chunk_counts(transformer: Transformer, split: Split) -> list[int]:
    """Return 1, and the numbers of chunks that give equal chunks, with or without embedding and output as layers."""
    if split.pp == 1 or split.pipeline is Pipeline.GPIPE:
        return [1]
    counts = range(2, min(_MOST_CHUNKS, transformer.layers // split.pp) + 1)
    return [
        1,
        *(v for v in counts if 0 in (transformer.layers % (split.pp * v), (transformer.layers + 2) % (split.pp * v))),
    ]


def _chosen(fixed: _Value | None, free: Sequence[_Value]) -> Sequence[_Value]:
    return free if fixed is None else (fixed,)
