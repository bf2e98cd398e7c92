"""Conversion of the calls of torch.distributed to operations of a plan."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from p2smt.collective import Collective, Communication, Exchange
from p2smt.frontend.builder import CallMember, GroupCall, PlanBuilder
from p2smt.frontend.torch_function.events import PostEvent, RoutingCall, Span
from p2smt.verify.operation import adds_members, blocks_of, has_blocks
from p2smt.verify.plan import BufferRange
from p2smt.verify.plan_verdict import Place, PlanMistake, PlanRule
from p2smt.wording import listed

PACK, UNPACK = "pack", "unpack"

Records = Mapping[int, PostEvent]
"""The records that the members of a group posted for one call, by rank, in group order."""


def fits(records: Records) -> PlanMistake | None:
    """Return the first mismatch in the lengths of blocks, for a call on whose other properties the members agree."""
    group = list(records)
    posts = list(records.values())
    for place, (rank, record) in enumerate(records.items()):
        for has, wanted, source in _lengths(record, place, posts):
            if has != wanted:
                what = f"rank {rank} has room for {has} elements, and {wanted} come from rank {group[source]}"
                number = record.number
                where = f"line {record.line}: {record.name}"
                message = f"step {number} ({where}), group {listed(group)}: {what}"
                return PlanMistake(PlanRule.LENGTHS, Place(number, tuple(group), rank), message)
    return None


def _lengths(record: PostEvent, place: int, posts: Sequence[PostEvent]) -> list[tuple[int, int, int]]:
    """Return pairs of lengths that must be equal, each with the group index of the member that has the second."""
    outs = [span[2] for span in record.outs]
    match record.call:
        case Collective.REDUCE_SCATTER:
            return [(outs[0], record.ins[place][2], place)]
        case Collective.ALL_GATHER:
            return [(outs[i], post.ins[0][2], i) for i, post in enumerate(posts)]
        case Exchange.ALL_TO_ALL:
            return [(outs[i], post.ins[place][2], i) for i, post in enumerate(posts)]
        case RoutingCall.GATHER if place == record.root:
            return [(outs[i], post.ins[0][2], i) for i, post in enumerate(posts)]
        case RoutingCall.SCATTER:
            return [(outs[0], posts[record.root].ins[place][2], record.root)]
        case (
            Collective.ALL_REDUCE
            | Collective.REDUCE
            | Collective.BROADCAST
            | Exchange.SEND
            | RoutingCall.GATHER
            | RoutingCall.RECEIVE
            | RoutingCall.BARRIER
        ):
            return []


def calls_of(builder: PlanBuilder, records: Records, part: Callable[[Span], BufferRange]) -> None:
    """Add one call to a plan, unless it moves no data."""
    first = next(iter(records.values()))
    if not any(span[2] for record in records.values() for span in (*record.ins, *record.outs)):
        return
    if first.is_message:
        sender, receiver = first.members
        _message(builder, sender, receiver, part(records[sender].ins[0]), part(records[receiver].outs[0]), first.number)
        return
    match first.call:
        case RoutingCall() as call:
            _routed(builder, call, records, part)
        case Collective() | Exchange() as call if has_blocks(call):
            _blocks(builder, call, records, part)
        case Collective() | Exchange() as call:
            members = tuple(CallMember(rank, part(r.ins[0]), part(r.outs[0])) for rank, r in records.items())
            builder.together([GroupCall(call, members, root=first.root, divisor=_divisor(first))], first.number)


def _divisor(record: PostEvent) -> int:
    return len(record.group) if record.average else 1


def _routed(builder: PlanBuilder, call: RoutingCall, records: Records, part: Callable[[Span], BufferRange]) -> None:
    """Add a call without counterpart in plans, as messages between the root and all members."""
    group, first = tuple(records), next(iter(records.values()))
    root = group[first.root]
    match call:
        case RoutingCall.GATHER:
            for rank, target in zip(group, records[root].outs, strict=True):
                _message(builder, rank, root, part(records[rank].ins[0]), part(target), first.number)
        case RoutingCall.SCATTER:
            for rank, source in zip(group, records[root].ins, strict=True):
                _message(builder, root, rank, part(source), part(records[rank].outs[0]), first.number)
        case RoutingCall.BARRIER | RoutingCall.RECEIVE:
            pass


def _blocks(builder: PlanBuilder, call: Communication, records: Records, part: Callable[[Span], BufferRange]) -> None:
    """Add a ReduceScatter, AllGather or AllToAll; scattered blocks are gathered first, or spread afterwards."""
    first = next(iter(records.values()))
    number, members, spread = first.number, [], []
    for rank, record in records.items():
        source, target = _joined(record.ins), _joined(record.outs)
        if source is None:
            source = (PACK, record.ins)
        if target is None:
            target = (UNPACK, record.outs)
        members.append(CallMember(rank, _packed(builder, rank, source, number, part), _room(builder, target, part)))
        if target[0] == UNPACK:
            spread.append((rank, record.outs))
    builder.together([_call(call, tuple(members), list(records.values()), _divisor(first))], number)
    for rank, spans in spread:
        position = 0
        for span in spans:
            builder.copy([rank], BufferRange(UNPACK, position, span[2]), part(span), number)
            position += span[2]


def _call(call: Communication, members: tuple[CallMember, ...], posts: Sequence[PostEvent], divisor: int) -> GroupCall:
    table = tuple(tuple(span[2] for span in post.ins) for post in posts)
    if len({length for row in table for length in row}) == 1:
        return GroupCall(call, members, divisor=divisor)
    if all(blocks_of(call)):
        return GroupCall(call, members, table=table)
    blocks = table[0] if adds_members(call) else tuple(row[0] for row in table)
    return GroupCall(call, members, blocks=blocks, divisor=divisor)


_Place = tuple[str, tuple[Span, ...]]


def _joined(spans: tuple[Span, ...]) -> _Place | None:
    """Return adjacent spans joined to one; None if the spans are not adjacent."""
    if all((a[0], a[1] + a[2]) == b[:2] for a, b in pairwise(spans)):
        return "", ((spans[0][0], spans[0][1], sum(span[2] for span in spans)),)
    return None


def _packed(
    builder: PlanBuilder, rank: int, place: _Place, number: int, part: Callable[[Span], BufferRange]
) -> BufferRange:
    name, spans = place
    if not name:
        return part(spans[0])
    whole = _room(builder, place, part)
    position = 0
    for span in spans:
        builder.copy([rank], part(span), BufferRange(name, position, span[2]), number)
        position += span[2]
    return whole


def _room(builder: PlanBuilder, place: _Place, part: Callable[[Span], BufferRange]) -> BufferRange:
    name, spans = place
    if not name:
        return part(spans[0])
    length = sum(span[2] for span in spans)
    builder.buffer(name, length)
    return BufferRange(name, 0, length)


def _message(
    builder: PlanBuilder, sender: int, receiver: int, source: BufferRange, target: BufferRange, number: int
) -> None:
    if not source.length:
        return
    if sender == receiver:
        builder.copy([sender], source, target, number)
        return
    members = (CallMember(sender, source, source), CallMember(receiver, target, target))
    builder.together([GroupCall(Exchange.SEND, members)], number)
