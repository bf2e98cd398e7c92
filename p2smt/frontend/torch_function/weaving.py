"""Conversion of a trace to a plan: the ranks' calls are matched, and all work is put into one order.

Order: calls are executed in the rounds in which they match (`matching.py`); before a round, each rank's local work up
to its calls in that round is written. Ranks' local work touches their own buffers only, and calls of one round do not
depend on each other, so every order of a round has the same effect, provided that no race was found before (`waits.py`,
`stream_order.py`).

    plan = for each round: local work of all ranks up to their calls of the round, then these calls.

Complexity: one pass over the records of all ranks.
Reference: Lamport, "Time, clocks, and the ordering of events in a distributed system", 1978 (a total order from a
partial one).
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from p2smt.collective import Collective, Exchange
from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AS_WRITTEN, AskedGoal
from p2smt.frontend.builder import DATA, PlanBuilder
from p2smt.frontend.matching import Event, Post, Round, Wait, matched, meet
from p2smt.frontend.torch_function.calls import calls_of, fits
from p2smt.frontend.torch_function.events import (
    AddEvent,
    CopyEvent,
    DivideEvent,
    Group,
    HostWaits,
    Local,
    MarkEvent,
    NegateEvent,
    OnStream,
    PostEvent,
    Record,
    RoutingCall,
    Span,
    StreamWaits,
    SynchronizeEvent,
    Trace,
    WaitEvent,
    ZeroEvent,
)
from p2smt.frontend.torch_function.messages_on_nccl import of_nccl
from p2smt.frontend.torch_function.stream_order import out_of_stream_order
from p2smt.frontend.torch_function.waits import unordered
from p2smt.verify.operation import written
from p2smt.verify.plan import BufferRange, VerificationPlan
from p2smt.verify.plan_verdict import NoPlan, PlanMistake
from p2smt.verify.verdict import Unknown
from p2smt.wording import listed

ZEROS, RESULT = "zeros", "result"
ON_NCCL = " on NCCL, which does a rank's collectives in the order in which they are called; gloo does not"

_Posts = dict[object, tuple[int, PostEvent]]
"""Map the key that the members of a call share to the call's index in a rank's records, and the call."""


def plan_of(trace: Trace, asked: AskedGoal = AS_WRITTEN) -> VerificationPlan | NoPlan:
    """Return the plan that a trace's ranks execute, their deadlock or mismatch, or Unknown if timing decides."""
    posted: list[_Posts] = [{} for _ in trace.ranks]
    rounds = matched(_programs(trace, posted))
    if isinstance(rounds, PlanMistake):
        on_gloo = matched(_programs(trace, [{} for _ in trace.ranks], on_gloo=True))
        return rounds if isinstance(on_gloo, PlanMistake) else replace(rounds, message=rounds.message + ON_NCCL)
    if mistake := unordered(trace) or out_of_stream_order(trace):
        return mistake
    if trace.unsure:
        return Unknown(trace.unsure)
    plan = _Weaver(trace, posted).plan(rounds, asked)
    return plan if isinstance(plan, PlanMistake) else replace(plan, notes=(*of_nccl(trace), *_not_on_gloo(trace)))


def _not_on_gloo(trace: Trace) -> Iterator[str]:
    """Yield descriptions of coalesced calls, which gloo does not support."""
    lines = (one.line for records in trace.ranks for one in records if isinstance(one, PostEvent) and one.coalesced)
    if line := next(lines, 0):
        yield f"gloo brings no calls together, so that the function fails there (line {line}); NCCL does"


def _programs(trace: Trace, posted: Sequence[_Posts], *, on_gloo: bool = False) -> list[list[Event]]:
    everyone = tuple(range(len(trace.ranks)))
    return [list(_events(records, everyone, posted[rank], on_gloo)) for rank, records in enumerate(trace.ranks)]


def _events(records: Sequence[Record], everyone: tuple[int, ...], posted: _Posts, on_gloo: bool) -> Iterator[Event]:
    """Yield the posts and waits of a rank; `posted` receives the index of each call in the rank's records.

    Collectives wait where they are called, as NCCL requires; on gloo all calls wait where the program waits.
    """
    counts: Counter[object] = Counter()
    waited_later: dict[int, object] = {}
    for place, record in enumerate(records):
        match record:
            case Group(ranks, line):
                what = f"new_group({listed(ranks)})"
                yield from meet(Post(("group", counts["group"]), everyone, what, where=f"line {line}"))
                counts["group"] += 1
            case PostEvent(number=number, communicator=communicator, members=members, line=line):
                message = record.is_message
                stream = (communicator, *members, record.tag) if message else communicator
                # Calls of one communicator (messages: of a pair and a tag) meet in the order in which each rank makes
                # them.
                key = (stream, counts[stream])
                counts[stream] += 1
                posted[key] = place, record
                yield Post(key, members, _what(record), number, f"line {line}")
                if message or on_gloo:
                    waited_later[number] = key
                else:
                    yield Wait(key)
            case WaitEvent(number) if number in waited_later:
                yield Wait(waited_later[number])
            case (
                WaitEvent()
                | SynchronizeEvent()
                | CopyEvent()
                | AddEvent()
                | ZeroEvent()
                | DivideEvent()
                | NegateEvent()
            ):
                pass
            case OnStream() | MarkEvent() | StreamWaits() | HostWaits():
                pass


def _what(record: PostEvent) -> str:
    """The properties of a call that all members must agree on."""
    if record.is_message:
        return f"a message of {_lengths(record.ins or record.outs)} {record.dtype}"
    operation = f"averaging {record.name}" if record.average else record.name
    return f"{operation} of {_amount(record)}" if record.ins or record.outs else operation


def _amount(record: PostEvent) -> str:
    match record.call:
        case Collective.REDUCE_SCATTER:
            return f"blocks of {_lengths(record.ins)} {record.dtype}"
        case Collective.ALL_GATHER:
            return f"blocks of {_lengths(record.outs)} {record.dtype}"
        case Collective.BROADCAST | Collective.REDUCE:
            return f"{_lengths(record.ins)} {record.dtype} with root {record.group[record.root]}"
        case RoutingCall.GATHER | RoutingCall.SCATTER:
            return f"{record.dtype} with root {record.group[record.root]}"
        case Exchange.ALL_TO_ALL:
            return record.dtype
        case Collective.ALL_REDUCE | Exchange.SEND | RoutingCall.RECEIVE | RoutingCall.BARRIER:
            return f"{_lengths(record.ins)} {record.dtype}"


def _lengths(spans: Sequence[Span]) -> str:
    lengths = [span[2] for span in spans]
    return str(lengths[0]) if len(set(lengths)) == 1 else str(lengths)


class _Weaver:
    """A builder that emits calls in the order in which they run, each after the preceding local work of its members."""

    def __init__(self, trace: Trace, posted: Sequence[_Posts]) -> None:
        self._trace, self._posted = trace, posted
        self._payload = BufferRange(DATA, 0, trace.buffers[0][0])
        self._builder = PlanBuilder(len(trace.ranks))
        self._builder.buffer(DATA, self._payload.length)
        for lengths in trace.buffers:
            for buffer, length in enumerate(lengths[1:], start=1):
                self._builder.buffer(f"b{buffer}", max(length, 1))
        self._next = [0] * len(trace.ranks)
        self._number = [0] * len(trace.ranks)
        self._labels: dict[int, str] = {}

    def plan(self, rounds: Sequence[Round], asked: AskedGoal) -> VerificationPlan | PlanMistake:
        for keys in rounds:
            done = [self._members(key) for key in keys if isinstance(key, tuple) and key[0] != "group"]
            self._alone(_last(done))
            for members in done:
                records = {rank: record for rank, (_, record) in members.items()}
                if mistake := fits(records):
                    return mistake
                self._together(records)
        self._alone({rank: len(records) for rank, records in enumerate(self._trace.ranks)})
        goal = asked.between(len(self._trace.ranks), self._payload, self._results(asked))
        return self._builder.plan(goal, self._trace.integers, tuple(sorted(self._labels.items())))

    def _members(self, key: object) -> dict[int, tuple[int, PostEvent]]:
        first = next(of_rank[key] for of_rank in self._posted if key in of_rank)[1]
        return {rank: self._posted[rank][key] for rank in first.group if key in self._posted[rank]}

    def _together(self, records: Mapping[int, PostEvent]) -> None:
        first = next(iter(records.values()))
        self._labels.setdefault(first.number, f"line {first.line}: {first.name}")
        for rank, record in records.items():
            self._number[rank] = record.number
        calls_of(self._builder, records, part)

    def _alone(self, upto: Mapping[int, int]) -> None:
        """Emit the ranks' local work up to these indices of their records; equal work of several ranks is one step."""
        alike: dict[tuple[int, int, Local], list[int]] = defaultdict(list)
        for rank, end in upto.items():
            locals_ = [r for r in self._trace.ranks[rank][self._next[rank] : end] if isinstance(r, Local)]
            for place, record in enumerate(locals_):
                alike[place, self._number[rank], record].append(rank)
            self._next[rank] = max(end, self._next[rank])
        for (_, number, record), ranks in sorted(alike.items(), key=lambda item: item[0][0]):
            self._local(record, ranks, number)

    def _local(self, record: Local, ranks: Sequence[int], number: int) -> None:
        builder = self._builder
        match record:
            case CopyEvent(source, target):
                builder.copy(ranks, part(source), part(target), number)
            case AddEvent(source, target):
                builder.add(ranks, part(source), part(target), number)
            case ZeroEvent(target):
                builder.copy(ranks, builder.zero(ZEROS, target[2]), part(target), number)
            case DivideEvent(target, divisor):
                builder.divide(ranks, part(target), divisor, number)
            case NegateEvent(target):
                builder.negate(ranks, part(target), number)

    def _results(self, asked: AskedGoal) -> BufferRange:
        """Copy the ranks' results to one part: the payload, unless the goal needs a part of another length."""
        given = self._payload.length
        goal = asked.between(len(self._trace.ranks), self._payload, self._payload)
        length = given
        for group in goal.groups:
            length = written(goal.collective, given, len(group)) or length
        target = BufferRange(DATA if length == given else RESULT, 0, length)
        self._builder.buffer(target.buffer, length)
        alike: dict[tuple[tuple[Span, ...], int], list[int]] = defaultdict(list)
        for rank, spans in enumerate(self._trace.results):
            if (elements := sum(span[2] for span in spans)) != length:
                raise VerifyError(
                    f"rank {rank}, the function returns a tensor of {elements}; it has to return the result, a "
                    f"tensor of {length}"
                    f"{', or None' if length == given else ''}"
                )
            alike[spans, self._number[rank]].append(rank)
        for (spans, number), ranks in alike.items():
            first = 0
            for span in spans:
                self._builder.copy(ranks, part(span), BufferRange(target.buffer, first, span[2]), number)
                first += span[2]
        return target


def _last(done: Sequence[Mapping[int, tuple[int, PostEvent]]]) -> dict[int, int]:
    """Return the index in each rank's records of its last call of a round; a rank may post several."""
    last: dict[int, int] = {}
    for members in done:
        for rank, (place, _) in members.items():
            last[rank] = max(place, last.get(rank, 0))
    return last


def part(span: Span) -> BufferRange:
    """Return the plan's part for a span."""
    buffer, start, length = span
    return BufferRange(f"b{buffer}" if buffer else DATA, start, length)
