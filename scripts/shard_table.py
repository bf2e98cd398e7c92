"""The tables of sharded training steps: what was measured of candidates, and of small programs on the same hosts."""

from dataclasses import dataclass
from pathlib import Path

RESULTS = Path(__file__).parent / "results"
DDP = "DDP"
"""How the names of torch's DistributedDataParallel begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A candidate: seconds of a step, predicted, and measured; the loss of the first step.

    `rounds` are the means of each round's steps, `least` and `most` among them; `seconds` is their median, for what has
    all rounds without what all of a round took longer (shard_rounds.py). Of torch's DDP nothing is predicted: 0.
    `communication` is the part of what is predicted that collectives take.
    `slowdown` is how many times as long programs that only compute took beside it as when the system was calibrated,
    `beginning` collectives of a few bytes, `sending` those of 512 KiB.
    `buckets` are the bytes of whole tensors that one collective was of at most; 0: one tensor's.
    """

    setting: str
    model: str
    candidate: str
    shares: str
    predicted: float
    communication: float
    seconds: float
    least: float
    most: float
    loss: float
    slowdown: float
    buckets: int = 0
    beginning: float = 0.0
    sending: float = 0.0
    rounds: str = ""

    @property
    def is_ddp(self) -> bool:
        """Whether torch's DistributedDataParallel made the steps."""
        return self.candidate.startswith(DDP)


@dataclass(frozen=True, slots=True, kw_only=True)
class Probing:
    """A small program on a rank; the rank -1 stands for all together."""

    setting: str
    program: str
    rank: int
    seconds: float
