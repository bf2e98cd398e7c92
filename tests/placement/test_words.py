"""Placements in words: different words for different placements."""

import pytest
from looped import looped
from support import problem

from p2smt.placement.enumeration import all_placements
from p2smt.placement.matrix import parse_matrix
from p2smt.placement.words import placement_words
from p2smt.problem.model import Axis
from p2smt.problem.system.network import Level

NODES = [Level("node", 8), Level("gpu", 8)]
RACKS = [Level("rack", 2), Level("node", 4), Level("gpu", 8)]


@looped(
    ("levels", "sizes", "matrix", "words"),
    [
        (NODES, (4, 2, 8), "4x1/2x1/1x8", "c inside the node; a, b across nodes"),
        (NODES, (4, 2, 8), "1x4/1x2/8x1", "a, b inside the node; c across nodes"),
        (NODES, (4, 16), "4x1/2x8", "b over 2 nodes x 8 gpus of each; a across nodes"),
        (RACKS, (2, 4, 8), "2x1x1/1x4x1/1x1x8", "c inside the node; b across nodes inside the rack; a across racks"),
        (RACKS, (4, 16), "2x2x1/1x2x8", "b over 2 nodes x 8 gpus of each; a over 2 racks x 2 nodes of each"),
        (NODES, (8, 8), "2x4/4x2", "a over 2 nodes x 4 gpus of each; b over 4 nodes x 2 gpus of each"),
        ([Level("gpu", 8)], (2, 4), "2/4", "a, b across gpus"),
        (NODES, (64, 1), "8x8/1x1", "a over 8 nodes x 8 gpus of each"),
        ([Level("gpu", 1)], (1,), "1", "one device"),
    ],
)
def test_words(levels, sizes, matrix, words):
    axes = [Axis(name, size) for name, size in zip("abcd", sizes, strict=False)]
    assert placement_words(parse_matrix(matrix), axes, levels) == words


@pytest.mark.parametrize(("sizes", "shards"), [([8, 8], [4, 2, 8]), ([4, 2, 4], [4, 8]), ([2, 3, 4], [6, 2, 2])])
def test_no_two_placements_have_the_same_words(sizes, shards):
    asked = problem(sizes, shards)
    placements = all_placements(asked).items
    assert len({placement_words(one, asked.axes, asked.levels) for one in placements}) == len(placements) > 2
