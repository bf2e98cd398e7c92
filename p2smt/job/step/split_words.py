"""Describe a split in words."""

from p2smt.problem.transformer.split import Pipeline, Split


def split_words(split: Split) -> str:
    """Return the degrees of a split above 1, and its schedule, as text.

    >>> split_words(Split(tp=8, pp=4, dp=2, chunks=2))
    'tp 8 x pp 4 x dp 2, 2 chunks a stage, ZeRO 1, micro-batch 1, recompute none'
    """
    degrees = {"tp": split.tp, "pp": split.pp, "dp": split.dp, "cp": split.cp}
    text = " x ".join(f"{name} {size}" for name, size in degrees.items() if size > 1) or "one device"
    more = []
    if split.ep * split.etp > 1:
        more.append(f"ep {split.ep}" + (f" x expert tp {split.etp}" if split.etp > 1 else ""))
    if split.chunks > 1:
        more.append(f"{split.chunks} chunks a stage")
    if split.pipeline is not Pipeline.ONE_FORWARD_ONE_BACKWARD:
        more.append(f"{split.pipeline} pipeline")
    more.append(f"ZeRO {int(split.zero)}" + (f", {split.replicate} replicas" if split.replicate > 1 else ""))
    more.append(f"micro-batch {split.micro_batch}")
    more.append(f"recompute {split.recompute}")
    return ", ".join([text, *more])
