from itertools import product
from math import factorial, prod

import pytest

from p2smt.placement.digits import join, split
from p2smt.reduction.language.language import full_language
from p2smt.reduction.semantics.groups import groups_of
from p2smt.reduction.synth.all_to_all import AllToAllProgram, all_to_all_programs


@pytest.mark.parametrize("sizes", [(5,), (2, 3), (2, 2, 3)])
def test_any_of_them_exchanges_all_blocks(sizes):
    devices = prod(sizes)
    for program in all_to_all_programs(full_language(len(sizes)), 5):
        # held[d]: (source, target) of every block that device d has.
        held = {d: [(d, target) for target in range(devices)] for d in range(devices)}
        for grouping in program.groupings:
            after = {d: [] for d in range(devices)}
            for members in groups_of(sizes, grouping):
                for device in members:
                    for source, target in held[device]:
                        wanted = list(split(device, sizes))
                        for level in grouping.levels:
                            wanted[level - 1] = split(target, sizes)[level - 1]
                        assert join(wanted, sizes) in members
                        after[join(wanted, sizes)].append((source, target))
                assert {len(after[device]) for device in members} == {devices}  # all-to-all of equal parts
            held = after
        assert all(sorted(blocks) == [(s, d) for s in range(devices)] for d, blocks in held.items())


def test_no_level_needs_nothing_and_the_limit_counts():
    assert all_to_all_programs(full_language(0), 5) == (AllToAllProgram(()),)
    assert {len(program.groupings) for program in all_to_all_programs(full_language(3), 2)} == {1, 2}
    assert [len(all_to_all_programs(full_language(n), 5)) for n in range(1, 5)] == [_counted(n) for n in range(1, 5)]


def _counted(levels):
    """Compositions of the levels in ranges, times the orders of the ranges."""
    total = 0
    for cuts in product((False, True), repeat=levels - 1):
        total += factorial(sum(cuts) + 1)
    return total
