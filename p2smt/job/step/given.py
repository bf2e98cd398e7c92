"""Build the split defined by given degrees, and the job tables equivalent to a split."""

from p2smt.errors import ProblemError
from p2smt.job.step.grid import FixedDegrees
from p2smt.problem.transformer.check import check_transformer
from p2smt.problem.transformer.model import Parallelism, Transformer, Zero
from p2smt.problem.transformer.split import Pipeline, Recompute, Split


def given_split(transformer: Transformer, fixed: FixedDegrees, devices: int) -> Split:
    """Return the split with the given degrees; unset degrees are 1, and dp takes the remaining devices.

    Raises ProblemError if the degrees do not divide the devices, or violate a constraint of the transformer.
    """
    tp, pp, cp = fixed.tp or 1, fixed.pp or 1, fixed.cp or 1
    taken = tp * pp * cp
    named = f"tp {tp} x pp {pp} x cp {cp}"
    if fixed.dp is None and devices % taken:
        raise ProblemError(f"{named} = {taken} do not divide {devices} devices; choose divisors")
    dp = devices // taken if fixed.dp is None else fixed.dp
    if taken * dp != devices:
        raise ProblemError(
            f"{named} x dp {dp} needs {taken * dp} devices, but the system has {devices}; leave --dp "
            "out to use the remaining devices"
        )
    ep = fixed.ep or 1
    etp = tp if fixed.etp is None and transformer.experts is not None else fixed.etp or 1
    if (tp * cp * dp) % (ep * etp):
        raise ProblemError(
            f"ep {ep} x etp {etp} does not divide tp {tp} x cp {cp} x dp {dp}, the devices that hold "
            "the experts; choose divisors"
        )
    split = Split(
        tp=tp,
        pp=pp,
        dp=dp,
        cp=cp,
        ep=ep,
        etp=etp,
        chunks=fixed.chunks or 1,
        replicate=fixed.replicate or 1,
        zero=Zero.OPTIMISER if fixed.zero is None else fixed.zero,
        micro_batch=fixed.micro_batch or 1,
        recompute=fixed.recompute or Recompute.NONE,
        sequence_parallel=tp > 1 if fixed.sequence_parallel is None else fixed.sequence_parallel,
        pipeline=fixed.pipeline or Pipeline.ONE_FORWARD_ONE_BACKWARD,
    )
    if fixed.pipeline is not None and pp == 1:
        raise ProblemError(
            f"pipeline {fixed.pipeline} needs several stages, but pp is 1; give --pp, or leave --pipeline out"
        )
    if split.pipeline is Pipeline.GPIPE and split.chunks > 1:
        raise ProblemError(f"pipeline gpipe has one chunk per stage, not {split.chunks}; leave --chunks out")
    if dp % split.replicate:
        raise ProblemError(f"replicas {split.replicate} do not divide dp {dp}; choose a divisor")
    check_transformer(transformer, _tables(split, ep if dp % ep == 0 else 1))
    if transformer.experts is not None and transformer.experts.count % ep:
        raise ProblemError(f"ep {ep} does not divide {transformer.experts.count} experts; choose a divisor")
    return split


def parallelism_of(split: Split) -> Parallelism | None:
    """Return the `[parallelism]` table of a split; None if the table cannot express it.

    The table cannot express experts folded over context or tensor parallelism, hybrid sharding, or a single
    device.
    """
    folded = split.ep > 1 and (split.cp > 1 or split.etp != split.tp or split.dp % split.ep)
    if folded or split.replicate > 1 or split.devices == split.pp:
        return None
    return _tables(split, split.ep)


def _tables(split: Split, ep: int) -> Parallelism:
    return Parallelism(
        dp=split.dp,
        tp=split.tp,
        cp=split.cp,
        pp=split.pp,
        ep=ep,
        chunks=split.chunks,
        sequence_parallel=split.sequence_parallel,
        zero=split.zero,
    )
