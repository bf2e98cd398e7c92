"""One class per goal in the emitted communication of a training step: its call, and its reference function."""

import re
from textwrap import indent

from p2smt.collective import Collective, Exchange, NeighbourSend
from p2smt.emit.template import filled
from p2smt.emit.torch.goals import words_of
from p2smt.reduction.plan.exchange import ExchangeGoal

Goal = Collective | ExchangeGoal

_OWN = re.compile(r"\b(MULTIPLE|RULES|REDUCTION|LEVELS|AROUND|WRITES|(?:CLASSES|AMOUNTS)_\d+)\b(?! divides)")
"""Constants of a plan in template code; occurrences before "divides" are in docstrings."""

_CHECK = '''\
def differing(self, tensor: torch.Tensor, mine: Ranks, known: dict[Ranks, dist.ProcessGroup]) -> int:
    """Number of results that differ from those of {reference}."""
    {names} = {values}
{compared}    return wrong
'''


def own(text: str) -> str:
    """Return template code in which the constants of a plan are attributes of its class."""
    return _OWN.sub(r"self.\1", text)


def goal_class(goal: Goal) -> str:
    """Return the class of a goal, without the parts that differ between plans."""
    compared = re.sub(r"\breduction\b", "self", own(_compared(goal)))
    names = ["wrong", *(["length"] if "length" in compared else [])]
    values = ["0", *(["tensor.numel()"] if "length" in compared else [])]
    check = _CHECK.format(
        reference=reference_of(goal),
        names=", ".join(names),
        values=", ".join(values),
        compared=indent(compared, "    "),
    )
    head = f'class {goal.value}(Reduction):\n    """{_does(goal)}."""\n\n{_constants(goal)}'
    return f"{head}{indent(own(_call(goal)), '    ')}\n{indent(check, '    ')}"


def _constants(goal: Goal) -> str:
    match goal:
        case Collective() | Exchange.ALL_TO_ALL:
            return ""
        case NeighbourSend.NEXT:
            return "    AROUND = False\n\n"
        case NeighbourSend.AROUND:
            return "    AROUND = True\n\n"


def gives(goal: Goal) -> str:
    """Return a sentence on a rank's input and output."""
    match goal:
        case Collective():
            return _collective_gives(goal)
        case Exchange.ALL_TO_ALL:
            return (
                "k blocks of ceil(L / k) elements, filled up with zeros, become what each rank has for this one; "
                "called again it takes all back, and so it does with gradients"
            )
        case NeighbourSend.NEXT:
            return (
                "a tensor becomes that of the rank before, with backward=True of the rank behind; the first rank, "
                "with backward=True the last, gets a tensor without elements"
            )
        case NeighbourSend.AROUND:
            return "a tensor becomes that of the rank before, with backward=True of the rank behind, all around"


def _collective_gives(goal: Collective) -> str:
    match goal:
        case Collective.ALL_REDUCE:
            return "a tensor becomes the sum; also in place: out=tensor"
        case Collective.REDUCE_SCATTER:
            return "L elements become the rank's block of ceil(L / k) of the sum, filled up with zeros"
        case Collective.ALL_GATHER:
            return "a shard of s elements becomes all k shards, flat; an out may have k (s - 1) + 1 to k s elements"
        case Collective.REDUCE:
            return "a tensor becomes the sum on the first rank, elsewhere a tensor without elements"
        case Collective.BROADCAST:
            return "a tensor, which counts on the first rank, becomes that tensor; also in place: out=tensor"


def reference_of(goal: Goal) -> str:
    """Return torch's own function for a goal."""
    match goal:
        case Collective():
            return words_of(goal).reference
        case Exchange.ALL_TO_ALL:
            return "dist.all_to_all_single"
        case NeighbourSend():
            return "dist.send and dist.recv"


def needs_root(goal: Goal) -> bool:
    """True if ranks must know the first rank of their group."""
    match goal:
        case Collective():
            return goal.from_root or goal.to_root
        case Exchange.ALL_TO_ALL | NeighbourSend():
            return False


def _does(goal: Goal) -> str:
    match goal:
        case Collective():
            return words_of(goal).does
        case Exchange.ALL_TO_ALL:
            return "Gives each rank of a group its block of every rank's tensor"
        case NeighbourSend.NEXT:
            return "Sends a tensor to the next rank of a group, all at once"
        case NeighbourSend.AROUND:
            return "Sends a tensor to the next rank of a group, from the last to the first, all at once"


def _call(goal: Goal) -> str:
    """Return `__call__`, which copies the input if the plan would modify it."""
    match goal:
        case Collective.ALL_REDUCE | Collective.REDUCE:
            return filled(f"torch/templates/call/{goal.underscored}.py.in")
        case Collective.REDUCE_SCATTER | Collective.BROADCAST:
            return filled(f"torch/templates/call/{goal.underscored}.py.in", buffer=_BUFFER)
        case Collective.ALL_GATHER:
            return filled(f"torch/templates/call/{goal.underscored}.py.in", buffer=_SHARD)
        case Exchange.ALL_TO_ALL:
            return filled("torch/templates/training/call_all_to_all.py.in", buffer=_BUFFER)
        case NeighbourSend():
            return filled("torch/templates/training/call_send.py.in")


def _compared(goal: Goal) -> str:
    match goal:
        case Collective():
            return filled(f"torch/templates/compare/{goal.underscored}.py.in")
        case Exchange.ALL_TO_ALL:
            return filled("torch/templates/training/compare_all_to_all.py.in")
        case NeighbourSend():
            return filled("torch/templates/training/compare_send.py.in")


_BUFFER = "buffer = self._copied(tensor) if WRITES else self._flat(tensor)\n"
_SHARD = "buffer = tensor.reshape(-1).clone() if WRITES else tensor.contiguous().view(-1)\n"
