"""Enumerate the splits of a transformer over a number of devices."""

from collections.abc import Iterator
from dataclasses import dataclass

from p2smt.errors import ProblemError
from p2smt.problem.divisors import divisors
from p2smt.problem.transformer.check import check_transformer
from p2smt.problem.transformer.model import Parallelism, Transformer, Zero


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitChoice:
    """The fixed parts of a split; None leaves a part free. By default, `sequence_parallel` is on if tp > 1."""

    tp: int | None = None
    pp: int | None = None
    dp: int | None = None
    cp: int = 1
    ep: int = 1
    chunks: int = 1
    sequence_parallel: bool | None = None
    zero: Zero = Zero.OPTIMISER

    def split(self, tp: int, pp: int, dp: int) -> Parallelism:
        """Return the split with these degrees; a single stage has one chunk."""
        sequence = tp > 1 if self.sequence_parallel is None else self.sequence_parallel
        return Parallelism(
            dp=dp,
            tp=tp,
            cp=self.cp,
            pp=pp,
            ep=self.ep,
            chunks=self.chunks if pp > 1 else 1,
            sequence_parallel=sequence,
            zero=self.zero,
        )


def the_split(choice: SplitChoice, devices: int) -> Parallelism:
    """Return the single split of a choice: free tp and pp are 1, and dp takes the remaining devices.

    Raises ProblemError if the degrees do not divide the devices, or if their product differs from the devices.

    >>> the_split(SplitChoice(tp=8, pp=4), 64).dp
    2
    """
    tp, pp = choice.tp or 1, choice.pp or 1
    taken = tp * pp * choice.cp
    given = f"tp {tp} x pp {pp} x cp {choice.cp}"
    if choice.dp is None and (taken < 1 or devices % taken):
        raise ProblemError(f"{given} = {taken} do not divide {devices} devices; choose divisors")
    dp = devices // taken if choice.dp is None else choice.dp
    if taken * dp != devices:
        raise ProblemError(
            f"{given} x dp {dp} needs {taken * dp} devices, but the system has {devices}; leave --dp "
            "out to use the remaining devices"
        )
    return choice.split(tp, pp, dp)


def every_split(transformer: Transformer, choice: SplitChoice, devices: int) -> Iterator[Parallelism]:
    """Yield all valid splits of a choice over exactly `devices` devices, with tp and pp ascending.

    Pure pipeline splits are omitted, as they reduce nothing. Invariant: tp * pp * dp * cp == devices.
    """
    for tp in divisors(devices) if choice.tp is None else [choice.tp]:
        for pp in divisors(devices) if choice.pp is None else [choice.pp]:
            taken = tp * pp * choice.cp
            if taken < 1 or devices % taken or choice.dp not in (None, devices // taken):
                continue
            split = choice.split(tp, pp, devices // taken)
            if _keeps_rules(transformer, split):
                yield split


def _keeps_rules(transformer: Transformer, split: Parallelism) -> bool:
    try:
        check_transformer(transformer, split)
    except ProblemError:
        return False
    return split.dp * split.tp * split.cp > 1
