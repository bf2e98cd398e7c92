"""Races and deadlocks of loops beside a simulation of every interleaving that ranks can come to."""

import random
from dataclasses import replace

import pytest
from tiers import is_full

from p2smt.schedule.chunks import Chunker
from p2smt.schedule.events import Access, RankEvent, ancestors, deadlock, event_graph, node_of, race
from p2smt.schedule.layouts_of import typed
from p2smt.schedule.loop_events import orders
from p2smt.tensor.expression import ProgramAxis
from p2smt.tensor.text.parser import parse_program

TEXT = """program chain
input x : f32[6, 4] sliced(1)
parameter w : f32[4, 5] sliced(0)
parameter b : f32[5]
layer = matmul(x, w)
sum = AllReduce(layer)
out = relu(sum + b)
output out
"""


def loop(ranks=2, chunks=2, stages=(("layer", ("layer",)), ("sum", ("sum",)), ("out", ("out",)))):
    program = parse_program(TEXT).on(ProgramAxis("rank", ranks))
    chunking = Chunker(typed(program), [name for _, members in stages for name in members], 0)
    chunking.run()
    return orders(program, stages, chunking, chunks)


UPDATED = """program updated
mesh rank=2
input g : f32[8] partial(+)
state m : f32[8] sliced(0)
rs = ReduceScatter(g, 0)
m1 = update(m, m * 0.5 + rs)
ag = AllGather(m1, 0)
output ag
"""
TWO_AXES = """program axes
mesh data=2, model=2
input x : f32[8] partial(+, data) partial(+, model)
inner = ReduceScatter(x, 0, axis=data)
both = ReduceScatter(inner, 0, axis=model)
output both sliced(0, data) sliced(0, model)
"""
SEVERAL = {
    "a scatter, an update in place, a gather": (UPDATED, ("rs", "m1", "ag")),
    "scatters along two axes": (TWO_AXES, ("inner", "both")),
}


def several(name, chunks=2):
    """A loop with two collectives: of one group, or of groups that cross."""
    text, names = SEVERAL[name]
    program = parse_program(text)
    chunking = Chunker(typed(program), list(names), 0)
    chunking.run()
    return orders(program, tuple((each, (each,)) for each in names), chunking, chunks)


class Simulation:
    """Ranks issue when what an event needs has ended; an event ends when it is its turn on every member of its group.

    A state is how far every rank has issued and which events have ended. Written from the words, not from the graph.
    """

    def __init__(self, issued):
        self.issued = issued
        self.start = ((0,) * len(issued), frozenset())

    def moves(self, state):
        positions, ended = state
        for rank, order in enumerate(self.issued):
            at = positions[rank]
            if at < len(order) and all((rank, key) in ended for key in order[at].needs):
                yield (*positions[:rank], at + 1, *positions[rank + 1 :]), ended
        for rank, order in enumerate(self.issued):
            for event in order[: positions[rank]]:
                members = event.group or (rank,)
                if (rank, event.key) not in ended and all(self.turn(member, event, state) for member in members):
                    yield positions, ended | {(member, event.key) for member in members}

    def turn(self, rank, event, state):
        positions, ended = state
        for other in self.issued[rank][: positions[rank]]:
            if other.key == event.key:
                return True
            if other.queue == event.queue and (rank, other.key) not in ended:
                return False
        return False

    def explore(self):
        """Whether every way ends, and for each pair on a rank whether the first can end after the second."""
        seen, waiting, stuck = {self.start}, [self.start], False
        after = set()
        while waiting:
            state = waiting.pop()
            following = list(self.moves(state))
            everything = sum(map(len, self.issued))
            stuck |= not following and len(state[1]) < everything
            for new in following:
                for rank, key in new[1] - state[1]:
                    after |= {(rank, key, other) for who, other in state[1] if who == rank}
                if new not in seen:
                    seen.add(new)
                    waiting.append(new)
        return stuck, after


def bound(issued):
    """What the graph says: (rank, later, earlier) that is bound."""
    past = ancestors(event_graph(issued))
    return {
        (rank, second.key, first.key)
        for rank, order in enumerate(issued)
        for first in order
        for second in order
        if first.key != second.key and node_of(rank, first) in past[node_of(rank, second)]
    }


@pytest.mark.parametrize(("ranks", "chunks"), [(1, 3), (2, 2), (2, 3)])
def test_a_loop_ends_and_its_orders_are_those_of_all_interleavings(ranks, chunks):
    issued = loop(ranks, chunks)
    stuck, after = Simulation(issued).explore()
    assert deadlock(issued) is None
    assert not stuck
    pairs = {(rank, a.key, b.key) for rank, order in enumerate(issued) for a in order for b in order if a != b}
    never = {(rank, later, earlier) for rank, later, earlier in pairs if (rank, earlier, later) not in after}
    assert bound(issued) == never
    assert 0 < len(never) < len(pairs)
    assert race(issued) is None


@pytest.mark.parametrize("name", SEVERAL)
def test_a_loop_of_several_collectives_ends_and_its_orders_are_those_of_all_interleavings(name):
    issued = several(name)
    assert sum(bool(event.group) for event in issued[0]) == 2 * len({event.stage for event in issued[0] if event.group})
    assert len({event.stage for event in issued[0] if event.group}) == 2
    stuck, after = Simulation(issued).explore()
    assert deadlock(issued) is None
    assert not stuck
    pairs = {(rank, a.key, b.key) for rank, order in enumerate(issued) for a in order for b in order if a != b}
    never = {(rank, later, earlier) for rank, later, earlier in pairs if (rank, earlier, later) not in after}
    assert bound(issued) == never
    assert 0 < len(never) < len(pairs)
    assert race(issued) is None
    assert not conflicts(issued, after)


@pytest.mark.parametrize("name", SEVERAL)
def test_mistakes_planted_among_several_collectives_are_found_where_the_simulation_finds_them(name):
    counts = {"stuck": 0, "raced": 0, "fine": 0}
    for seed in range(40 if is_full() else 13):
        issued = shuffled(several(name), random.Random(seed))
        stuck, after = Simulation(issued).explore()
        assert (deadlock(issued) is not None) == stuck, seed
        wrong = not stuck and conflicts(issued, after)
        if not stuck:
            assert (race(issued) is not None) == wrong, seed
        counts["stuck" if stuck else "raced" if wrong else "fine"] += 1
    assert min(counts.values()) >= (3 if is_full() else 1), counts


def shuffled(issued, rng):
    """Another order on one rank, or a need that is forgotten."""
    rank = rng.randrange(len(issued))
    order = list(issued[rank])
    first, second = rng.sample(range(len(order)), 2)
    if rng.random() < 0.7:
        order[first], order[second] = order[second], order[first]
    else:
        order[first] = replace(order[first], needs=())
    return (*issued[:rank], tuple(order), *issued[rank + 1 :])


def test_planted_mistakes_are_found_where_the_simulation_finds_them():
    stuck_often = raced = fine = 0
    for seed in range(60):
        rng = random.Random(seed)
        issued = shuffled(loop(2, 2), rng)
        stuck, after = Simulation(issued).explore()
        assert (deadlock(issued) is not None) == stuck, seed
        stuck_often += stuck
        if stuck:
            continue
        wrong = conflicts(issued, after)
        assert (race(issued) is not None) == wrong, seed
        raced += wrong
        fine += not wrong
    assert min(stuck_often, raced, fine) >= 5, (stuck_often, raced, fine)


def conflicts(issued, after):
    """Whether in some interleaving a conflicting pair comes in another order than it has to."""
    for rank, order in enumerate(issued):
        for first in order:
            for second in order:
                for a in first.accesses:
                    for b in second.accesses:
                        conflict = first.key != second.key and a.conflicts(b) and a.comes_first(b)
                        if conflict and (rank, first.key, second.key) in after:
                            return True
    return False


def test_unlike_order_on_two_ranks_is_a_deadlock():
    first, second = (RankEvent(stage="a", chunk=c, queue="g", group=(0, 1)) for c in (0, 1))
    assert deadlock(((first, second), (first, second))) is None
    assert deadlock(((first, second), (second, first))) == "chunk 0 of a, chunk 1 of a never end"


def test_a_rank_that_does_not_take_part_is_named():
    only = RankEvent(stage="a", chunk=0, queue="g", group=(0, 1))
    assert deadlock(((only,), ())) == "rank 1 never takes part in chunk 0 of a"


def test_waiting_for_what_is_never_issued_is_named():
    lonely = RankEvent(stage="b", chunk=0, needs=(("a", 0),))
    assert deadlock(((lonely,),)) == "rank 0 waits for chunk 0 of a, which it never issues"


def test_a_write_in_place_behind_a_read_that_is_still_going_on_is_a_race():
    reads = RankEvent(
        stage="a", chunk=0, queue="group", group=(0,), accesses=(Access("t", 0, writes=False, version=0),)
    )
    writes = RankEvent(stage="b", chunk=0, accesses=(Access("t", 0, writes=True, version=1),))
    assert "have no order" in race(((reads, writes),))
    assert race(((reads, replace(writes, needs=(("a", 0),))),)) is None
    behind = replace(reads, needs=(("b", 0),))
    assert "come in the wrong order" in race(((writes, behind),))
