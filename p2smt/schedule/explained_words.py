"""Text of schedule explanations."""

from p2smt.problem.quantity import format_seconds
from p2smt.schedule.cost.estimate import Estimate
from p2smt.schedule.cost.knobs import Bandwidth, Knob, Length, Speed
from p2smt.schedule.cost.time_line import HiddenCommunication
from p2smt.schedule.crossover import ScheduleCrossover
from p2smt.schedule.emission.kernel_share import KernelShare
from p2smt.schedule.explained import ScheduleExplanation
from p2smt.schedule.tuner.result import TuningResult
from p2smt.wording import counted


def change_text(seconds: float) -> str:
    """Return a time difference with its sign; empty for none."""
    if abs(seconds) < 1e-12:
        return ""
    return f"{'+' if seconds > 0 else '-'}{format_seconds(abs(seconds))}"


def why_not(explained: ScheduleExplanation) -> str:
    """Return the parts of the time that grow, and the reasons why loops hide no more."""
    bounds = [f"in {each.loop.name} {_bound(each)}" for each in explained.time_line.hiding]
    return f"leave it as it is: {', '.join([against(explained.before, explained.after), *bounds])}"


def against(before: Estimate, after: Estimate) -> str:
    """Return the parts in which a schedule takes longer than another, and the hidden part.

    Differences below a thousandth of the total change are left out.
    """
    least = abs(after.seconds - before.seconds) / 1000
    fixed, moving, hidden = (new - old for new, old in zip(after.parts, before.parts, strict=True))
    found = [f"{change_text(fixed)} of start-ups"] if fixed > least else []
    found += [f"{change_text(moving)} of moving and computing"] if moving > least else []
    if hidden < 0:
        return ", ".join([*found, f"{format_seconds(-hidden)} are lost to start-ups of further chunks"])
    return ", ".join([*found, f"{format_seconds(hidden)} are hidden" if hidden > 0 else "nothing is hidden"])


def extent_text(tuned: TuningResult) -> str:
    """Return the extent of a search: what was tried, and why it stopped."""
    behind = f" and whatever follows {counted(tuned.unfollowed, 'schedule')}" if tuned.unfollowed else ""
    left = f"{counted(tuned.left, 'further step')}{behind} not tried"
    if tuned.cut_off:
        return f"cut off: {tuned.cut_off}; {left}"
    extent = f"all up to {counted(tuned.depth, 'move')}"
    if tuned.left or tuned.unfollowed:
        return f"{extent} and some of more, until {tuned.stopped}; {left}"
    return f"{extent}, where {tuned.stopped}" if tuned.stopped else extent


def hidden_text(hiding: HiddenCommunication) -> str:
    """Return a sentence on the time that a loop hides, its stages without the loop, and its bound."""
    in_turn = ", ".join(f"{name} {format_seconds(seconds)}" for name, seconds in hiding.stages)
    gained = hiding.in_turn - hiding.seconds
    what = f"{format_seconds(gained)} hidden" if gained > 0 else f"nothing hidden, {format_seconds(-gained)} lost"
    return (
        f"{hiding.loop.name}, {hiding.way}: {what}; whole and in turn its stages take "
        f"{format_seconds(hiding.in_turn)} ({in_turn}), as a loop {format_seconds(hiding.seconds)}; "
        f"{_bound(hiding)}; start-ups of further chunks are {format_seconds(hiding.start_ups)}"
    )


def _bound(hiding: HiddenCommunication) -> str:
    if hiding.bound is None:
        longest = max(hiding.stages, key=lambda each: each[1])[0]
        return f"the others wait for {longest}"
    users = " and ".join(hiding.users)
    shared = f", which {users} share" if len(hiding.users) > 1 else f" by {users}"
    return f"{hiding.bound} is busy all the time{shared}, so that no more can be hidden"


def pays(crossover: ScheduleCrossover) -> str:
    """Return the values of a parameter for which a schedule is faster than the unscheduled program."""
    least, most = (value_text(crossover.knob, factor) for factor in (crossover.least, crossover.most))
    now = value_text(crossover.knob, 1.0)
    if not crossover.turns:
        word = "faster" if crossover.faster else "not faster"
        return f"{word} all the way from {least} to {most} (now {now})"
    parts = ["faster at first" if crossover.faster else "not faster at first"]
    for turn in crossover.turns:
        value = value_text(crossover.knob, turn.factor)
        parts.append(f"{'faster' if turn.faster else 'not faster'} from {value} on")
    return f"{', '.join(parts)} (now {now}, looked at from {least} to {most})"


def value_text(knob: Knob, factor: float) -> str:
    """Return the value of a parameter multiplied by a factor."""
    match knob:
        case Length(_, value):
            return str(max(1, round(value * factor)))
        case Bandwidth() | Speed():
            return f"{_decimal(factor)}x" if factor >= 0.1 else f"1/{_decimal(1 / factor)}x"


def _decimal(value: float) -> str:
    """Return a number of at least 0.1 with three or four digits, never with an exponent.

    >>> _decimal(4096.0), _decimal(1.5), _decimal(123456.0)
    ('4096', '1.5', '123500')
    """
    return f"{float(f'{value:.4g}'):.10g}"


def kernels_text(share: KernelShare) -> str:
    """Return a sentence on the kernels of a group or loop, and on the statements left to torch."""
    kept = ", ".join(f"{name} ({why})" for name, why in share.kept)
    return f"{share.unit}: {counted(share.kernels, 'kernel')}{f'; by torch: {kept}' if kept else ''}"
