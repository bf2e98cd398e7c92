"""Check of a trace's messages under NCCL's rules: no tags, and one stream per pair of ranks.

NCCL runs the messages between two ranks, in both directions, one after the other in the order in which each rank posts
them; only messages of one `batch_isend_irecv` run concurrently. The n-th message of one rank matches the n-th of the
other, so with s[a][n] = "send" or "receive" for rank a's n-th unbatched message to b,
    a and b can hang if  s[a][n] = s[b][n]  for some n:  both wait for the other to receive, or to send.
Complexity: one pass over the messages.
Reference: Coffman, Elphick and Shoshani, "System deadlocks", 1971 (circular wait).

Example: both ranks call send, then recv. That works on gloo, which buffers; on NCCL both sends wait.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

from p2smt.frontend.torch_function.events import PostEvent, Record, Trace

_Sent = tuple[str, int, int]
"""A communicator, with sender and receiver."""


def of_nccl(trace: Trace) -> tuple[str, ...]:
    """Return the first messages that work on gloo but not on NCCL: with differing tags, and in a deadlock."""
    return (*_other_tags(trace), *_hangs(trace))


def _other_tags(trace: Trace) -> Iterator[str]:
    sent, received = defaultdict[_Sent, list[PostEvent]](list), defaultdict[_Sent, list[PostEvent]](list)
    for records in trace.ranks:
        for post in _messages(records):
            to = sent if _sends(post) else received
            sender, receiver = post.members
            to[post.communicator, sender, receiver].append(post)
    for sending, posts in sorted(sent.items()):
        _, sender, receiver = sending
        for one, other in zip(posts, received[sending], strict=False):
            if one.tag != other.tag:
                yield (
                    f"NCCL leaves tags aside: there what rank {sender} sends in line {one.line} (tag {one.tag}) comes "
                    f"where rank {receiver} receives in line {other.line} (tag {other.tag})"
                )
                return


def _hangs(trace: Trace) -> Iterator[str]:
    """Yield pairs of ranks whose unbatched messages are in incompatible orders: both send or both receive first."""
    ranks = range(len(trace.ranks))
    of_pair = defaultdict[tuple[str, int, int], list[PostEvent]](list)
    for rank, records in enumerate(trace.ranks):
        for post in _messages(records):
            if not post.batched:
                of_pair[post.communicator, rank, next(other for other in post.members if other != rank)].append(post)
    communicators = sorted({communicator for communicator, _, _ in of_pair})
    for communicator in communicators:
        for one, other in combinations(ranks, 2):
            pairs = zip(of_pair[communicator, one, other], of_pair[communicator, other, one], strict=False)
            for left, right in pairs:
                if _sends(left) == _sends(right):
                    both = "send" if _sends(left) else "receive"
                    yield (
                        f"ranks {one} and {other} both {both} first (lines {left.line} and {right.line}), outside of "
                        "batch_isend_irecv; NCCL does a pair's messages one after the other, so that this hangs there "
                        "but for messages that fit its buffers"
                    )
                    return


def _sends(post: PostEvent) -> bool:
    """True if the rank is the sender of a message."""
    return post.group[post.root] == post.member


def _messages(records: Sequence[Record]) -> Iterator[PostEvent]:
    """A rank's messages to and from others."""
    posts = (record for record in records if isinstance(record, PostEvent) and record.is_message)
    return (post for post in posts if post.root != post.other)
