"""The memory of communicators is that of their numbers of ranks, whatever digits these are made of."""

import random
from math import prod

from p2smt.job.communicator_limits import GROUP_BYTES, PAIR_BYTES, communicator_bytes, keeps_limit
from p2smt.problem.condition import FewCommunicators, LittleMemory


def test_a_pair_takes_less_than_a_group_of_any_digits():
    rng = random.Random(1)
    pairs = groups = 0
    for _ in range(100):
        sizes = [rng.choice((1, 2, 2, 3, 4)) for _ in range(rng.randint(1, 4))]
        every = [tuple(place for place in range(len(sizes)) if mask >> place & 1) for mask in range(1, 2 ** len(sizes))]
        chosen = [places for places in every if rng.random() < 0.5 and prod(sizes[place] for place in places) > 1]
        ranks = [prod(sizes[place] for place in places) for places in chosen]
        wanted = sum(PAIR_BYTES if count == 2 else GROUP_BYTES for count in ranks)
        communicators = frozenset(chosen)
        assert communicator_bytes(communicators, sizes) == wanted
        for limit, least in ((LittleMemory, wanted), (FewCommunicators, len(chosen))):
            assert keeps_limit(communicators, sizes, limit(least))
            assert not keeps_limit(communicators, sizes, limit(least - 1))
        pairs, groups = pairs + ranks.count(2), groups + sum(count > 2 for count in ranks)
    assert min(pairs, groups) > 50
