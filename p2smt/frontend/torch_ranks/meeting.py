"""Check that the calls of all ranks match: deadlocks, and groups whose members call different operations."""

from collections import Counter
from collections.abc import Iterator, Sequence

from p2smt.frontend.matching import Event, Post, Wait, matched
from p2smt.frontend.torch_ranks.messages import Action
from p2smt.verify.plan_verdict import PlanMistake


def unmet(ranks: Sequence[Sequence[Action]]) -> tuple[str, bool] | None:
    """Return why the calls do not match, and True if that holds on every backend; None if they match.

    On NCCL collectives wait where they are called; on gloo all calls wait where the program waits.
    """
    on_nccl = matched([list(_events(actions, on_gloo=False)) for actions in ranks])
    if not isinstance(on_nccl, PlanMistake):
        return None
    on_gloo = matched([list(_events(actions, on_gloo=True)) for actions in ranks])
    if isinstance(on_gloo, PlanMistake):
        return on_gloo.message, True
    return f"{on_nccl.message} on NCCL, which does a rank's collectives in the order in which they are called", False


def _events(actions: Sequence[Action], *, on_gloo: bool) -> Iterator[Event]:
    counts: Counter[str] = Counter()
    left: dict[int, object] = {}
    for action in actions:
        if not action.stream:
            if action.number in left:
                yield Wait(left.pop(action.number))
            continue
        key = action.stream, counts[action.stream]
        counts[action.stream] += 1
        yield Post(key, action.group, action.agreed, action.number, f"line {action.line.rpartition(':')[2]}")
        if action.number and (action.is_message or on_gloo):
            left[action.number] = key
        else:
            yield Wait(key)
