"""Matching of the ranks' blocking calls: which calls match, in which order, or which ranks deadlock.

A rank posts a call and continues, or waits until all members have posted it. A call completes when its last
member posts it. Collectives wait where they are called, even those that a program starts asynchronously: NCCL
requires one order of all collectives of a device, and a program that relies on another order hangs there.

Method: execution in rounds. Every rank advances to its first wait for an incomplete call; calls that all members
have posted complete in this round. A rank's actions depend only on its own program and on completed calls, and a
completed call stays complete, so the outcome does not depend on the order in which ranks advance. If some ranks
wait at the end, rank r waits for a call that rank missing(r) has not posted, and so on: following `missing`
either reaches a rank again (a cycle: the deadlock) or a rank that has ended.

    round:  every rank advances to its first wait;  c is complete if every member has posted it;  until nothing changes.

Complexity: O(posts and waits of all ranks).
Reference: Coffman, Elphick and Shoshani, "System deadlocks", 1971 (circular wait).

Example: rank 0 posts A, B, rank 1 posts B, A, each waiting at once: neither A nor B is posted by both, and the
cycle is 0, 1.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any  # Any: a pattern matches any value

from p2smt.verify.plan_verdict import Place, PlanMistake, PlanRule
from p2smt.wording import listed

Key = Any
"""A key that the members of a group share for one call, such as the communicator and its call number."""


@dataclass(frozen=True, slots=True)
class Post:
    """A rank's participation in a call of this group; `what` describes the call and must be equal for all members.

    `number` is the call's number in messages, `where` its place in the source.
    """

    key: Key
    group: tuple[int, ...]
    what: str
    number: int = 0
    where: str = ""


@dataclass(frozen=True, slots=True)
class Wait:
    """A wait: the rank continues only when all members have posted the call."""

    key: Key


Event = Post | Wait
Round = tuple[Key, ...]


def meet(post: Post) -> tuple[Event, ...]:
    """A post followed by its wait, as of a blocking call."""
    return post, Wait(post.key)


def matched(programs: Sequence[Sequence[Event]]) -> tuple[Round, ...] | PlanMistake:
    """Return the calls, in rounds, in the order in which they complete, or the deadlock that stops the ranks."""
    return _Ranks(programs).run()


class _Ranks:
    def __init__(self, programs: Sequence[Sequence[Event]]) -> None:
        self._programs = programs
        self._next = [0] * len(programs)
        self._posts: dict[Key, dict[int, Post]] = defaultdict(dict)
        self._done: set[Key] = set()

    def run(self) -> tuple[Round, ...] | PlanMistake:
        rounds: list[Round] = []
        waiting: Iterable[int] = range(len(self._programs))
        while True:
            posted: dict[Key, None] = {}
            for rank in waiting:
                posted |= dict.fromkeys(self._advance(rank))
            done = []
            for key in posted:
                first, *others = self._posts[key].values()
                if wrong := next(
                    (post for post in others if (post.group, post.what) != (first.group, first.what)), None
                ):
                    return self._mismatch(key, first, wrong)
                if len(self._posts[key]) == len(first.group):
                    done.append(key)
            if not done:
                break
            rounds.append(tuple(done))
            self._done |= set(done)
            # Only members of calls that were done can go on; all others still wait for the same.
            waiting = sorted({rank for key in done for rank in self._posts[key]})
        stuck = [rank for rank, place in enumerate(self._next) if place < len(self._programs[rank])]
        return self._deadlock(stuck) if stuck else tuple(rounds)

    def _advance(self, rank: int) -> Iterable[Key]:
        """Run a rank up to its next wait; returns the calls that it posted on the way."""
        program = self._programs[rank]
        posted = []
        while self._next[rank] < len(program):
            match program[self._next[rank]]:
                case Post(key, _, _) as post:
                    self._posts[key][rank] = post
                    posted.append(key)
                case Wait(key) if key not in self._done:
                    break
                case Wait():
                    pass
            self._next[rank] += 1
        return posted

    def _mismatch(self, key: Key, first: Post, wrong: Post) -> PlanMistake:
        ranks = {id(post): rank for rank, post in self._posts[key].items()}
        one, other = ranks[id(first)], ranks[id(wrong)]
        number = first.number
        what = f"rank {one} calls {_said(first)}, where rank {other} calls {_said(wrong)}"
        place = Place(number, first.group, other)
        rule = "the members of a group must agree on every call"
        return PlanMistake(PlanRule.MISMATCH, place, f"step {number}: {what}; {rule}")

    def _deadlock(self, stuck: Sequence[int]) -> PlanMistake:
        """The cycle of waiting ranks, or the chain to a rank that has ended, as a mistake."""
        # Each waiting rank gets one successor, so that the walk ends in a cycle, or at a rank that has
        # ended, after at most len(stuck) steps.
        chain: list[int] = [stuck[0]]
        while True:
            missing = self._missing(chain[-1])
            follower = next((rank for rank in missing if rank in stuck), None)
            if follower is None or follower in chain:
                break
            chain.append(follower)
        first = chain[0] if follower is None else follower
        # Ranks before the cycle wait for it, but are not its cause: the message leaves them out.
        lines = [self._waits(rank) for rank in chain[chain.index(first) :]]
        if follower is None:
            lines.append(f"rank {missing[0]}, which ends without it")
        post = self._post(first)
        number = post.number
        what = ", and ".join(lines[:-1]) + f" for {lines[-1]}" if follower is None else ", and ".join(lines)
        return PlanMistake(PlanRule.ORDER, Place(number, post.group, first), f"step {number}: {what}; nobody can go on")

    def _waits(self, rank: int) -> str:
        post = self._post(rank)
        missing = self._missing(rank)
        ended = all(self._next[other] == len(self._programs[other]) for other in missing)
        return f"rank {rank} waits in {_said(post)}" + ("" if ended else f" for rank {missing[0]}")

    def _post(self, rank: int) -> Post:
        wait = self._programs[rank][self._next[rank]]
        return self._posts[wait.key][rank]

    def _missing(self, rank: int) -> list[int]:
        post = self._post(rank)
        return [other for other in post.group if other not in self._posts[post.key]]


def _said(post: Post) -> str:
    return f"{post.what} among {listed(post.group)}" + (f" ({post.where})" if post.where else "")
