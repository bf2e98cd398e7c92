"""The collective that a schedule replaces, and its input and output."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from p2smt.collective import Collective, Exchange
from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AskedGoal
from p2smt.frontend.msccl.attributes import Attributes
from p2smt.frontend.msccl.schedule import INPUT, OUTPUT, MscclBlock
from p2smt.verify.operation import GOAL_COLLECTIVES, GoalCollective, blocks_of
from p2smt.wording import counted

_COLLECTIVES: Mapping[str, GoalCollective] = {  # lacks SEND: a message is not a goal
    "allreduce": Collective.ALL_REDUCE,
    "allgather": Collective.ALL_GATHER,
    "reduce_scatter": Collective.REDUCE_SCATTER,
    "reducescatter": Collective.REDUCE_SCATTER,
    "alltoall": Exchange.ALL_TO_ALL,
    "broadcast": Collective.BROADCAST,
    "reduce": Collective.REDUCE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FileGoal:
    """A collective, the source that names it (user or file), and its root if it has one."""

    collective: GoalCollective
    note: str
    root: int = 0


def goal_of(algo: Attributes, asked: AskedGoal, gpus: int, blocks: Sequence[MscclBlock]) -> FileGoal:
    """Return the requested goal, or else the file's own; a root is found from the GPUs that do not send or receive.

    Raises VerifyError if neither names a collective, or the root cannot be determined.
    """
    own = algo.get("coll", "")
    collective = asked.collective or _COLLECTIVES.get(own)
    if collective is None:
        what = f"coll={own[:40]!r} names no collective" if "coll" in algo else "coll is missing"
        names = ", ".join(one.hyphenated for one in GOAL_COLLECTIVES)
        raise VerifyError(f"<algo>: {what}; say what the schedule does (--goal {names})")
    whose = f'coll="{own[:40]}" says' if asked.collective is None else "asked for"
    note = f"goal: {collective} among {counted(gpus, 'GPU')}, as {whose}"
    idle = _idle(collective)
    if idle is None or asked.root is not None:
        return FileGoal(collective=collective, note=note, root=asked.root or 0)
    root = _root(collective, idle, gpus, blocks)
    note += f"; root {root}, the only GPU that {idle} nothing"
    return FileGoal(collective=collective, note=note, root=root)


_Idle = Literal["receives", "sends"]


def _idle(collective: GoalCollective) -> _Idle | None:
    """The part of a rooted collective that only the root uses."""
    match collective:
        case Collective.BROADCAST:
            return "receives"
        case Collective.REDUCE:
            return "sends"
        case Collective.ALL_REDUCE | Collective.REDUCE_SCATTER | Collective.ALL_GATHER | Exchange.ALL_TO_ALL:
            return None


def _root(collective: GoalCollective, idle: _Idle, gpus: int, blocks: Iterable[MscclBlock]) -> int:
    busy = {
        block.gpu
        for block in blocks
        for step in block.steps
        if (step.kind.receives if idle == "receives" else step.kind.sends)
    }
    left = [gpu for gpu in range(gpus) if gpu not in busy]
    if len(left) == 1:
        return left[0]
    raise VerifyError(
        f"<algo>: the file does not name the root of a {collective.hyphenated}, and {counted(len(left), 'GPU')} "
        f"{idle.removesuffix('s')} nothing, so it cannot be inferred; name it (--root)"
    )


def lengths_of(
    collective: GoalCollective, chunks: int, gpus: Mapping[int, Mapping[str, int]], blocks: Iterable[MscclBlock]
) -> tuple[int, int]:
    """Return the number of chunks of i and o on every GPU for a payload of `chunks`; VerifyError if steps need more."""
    scattered, gathered = blocks_of(collective)
    if (scattered or gathered) and chunks % len(gpus):
        raise VerifyError(
            f"nchunksperloop={chunks} does not divide into equal blocks for {counted(len(gpus), 'GPU')}, as "
            f"{collective} needs"
        )
    shard = chunks // len(gpus)
    inputs = shard if gathered and not scattered else chunks
    outputs = shard if scattered and not gathered else chunks
    used = _used(blocks)
    for gpu, has in sorted(gpus.items()):
        for buffer, length in ((INPUT, inputs), (OUTPUT, outputs)):
            if has[buffer] > length and used.get((gpu, buffer), 0) > length:
                raise VerifyError(
                    f"gpu {gpu}: i_chunks={has[INPUT]} and o_chunks={has[OUTPUT]}, but nchunksperloop={chunks}; "
                    f"its {collective.hyphenated} has {counted(inputs, 'chunk')} of i and {outputs} of o"
                )
    return inputs, outputs


def _used(blocks: Iterable[MscclBlock]) -> dict[tuple[int, str], int]:
    """Return for each GPU and buffer the number of chunks up to the last one that a step accesses."""
    used: dict[tuple[int, str], int] = {}
    for block in blocks:
        for step in block.steps:
            for part in (step.source, step.target):
                used[block.gpu, part.buffer] = max(part.end, used.get((block.gpu, part.buffer), 0))
    return used
