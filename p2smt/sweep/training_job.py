"""A job of a sweep: a named model, trained on a system under a split."""

from dataclasses import dataclass

from p2smt.problem.model import Search
from p2smt.problem.system.network import System
from p2smt.problem.transformer.model import Parallelism, Transformer


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingJob:
    """The input of `p2smt advise` for one split; `memory` is bytes per device (None: unknown)."""

    model: str
    system: System
    transformer: Transformer
    parallelism: Parallelism
    search: Search
    memory: int | None
    recompute: bool


def split_text(split: Parallelism) -> str:
    """Return a split in the notation of sweep files: tp, pp, dp, and other degrees above 1.

    >>> split_text(Parallelism(tp=8, dp=4, ep=2))
    'tp:8,pp:1,dp:4,ep:2'
    """
    others = {"cp": split.cp, "ep": split.ep, "chunks": split.chunks}
    parts = {"tp": split.tp, "pp": split.pp, "dp": split.dp} | {name: size for name, size in others.items() if size > 1}
    return ",".join(f"{name}:{size}" for name, size in parts.items())
