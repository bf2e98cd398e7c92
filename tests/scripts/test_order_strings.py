"""What order strings can express of 350 matrices: the share by brute force, and a document that agrees with itself."""

import json
import sys
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from itertools import permutations
from math import prod

import pytest
from scripts.loading import script_module
from tiers import is_full

SIZES, SHARDS = (8, 16, 8), (8, 4, 2, 4, 4)


@pytest.fixture(scope="module")
def script():
    return script_module("order_strings")


@pytest.fixture(scope="module")
def document(script):
    """Of the job with an all-to-all alone: all three take three times as long, and all its reductions twice."""
    (job,) = script.JOBS[2:]
    some = job if is_full() else replace(job, reductions=job.reductions[:2])
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as printed:
        patch.setattr(script, "JOBS", (some,))
        patch.setattr(sys, "argv", ["order_strings.py", "--json"])
        assert script.main() == 0
    return json.loads(printed.getvalue())


def test_every_job_can_be_built(script):
    assert [job.name for job in script.JOBS] == ["dense", "long context", "mixture of experts"]
    assert [len(job.workload.reductions) for job in script.JOBS] == [5, 6, 5]


def by_brute_force(order):
    """The matrix of an order, read off the coordinates of the devices: all sizes here are powers of two."""
    rows = []
    for axis, size in enumerate(SHARDS):
        stride = prod(SHARDS[other] for other in order[order.index(axis) + 1 :])
        devices = [coordinate * stride for coordinate in range(size)]
        units = [len({device // prod(SIZES[level + 1 :]) for device in devices}) for level in range(3)]
        rows.append((units[0], units[1] // units[0], units[2] // units[1]))
    return tuple(rows)


@pytest.mark.thorough  # a script for results: what it calls is tested in its room
@pytest.mark.slow
def test_the_share_is_that_of_all_120_orders(document):
    expressible = {by_brute_force(order) for order in permutations(range(5))}
    for job in document["jobs"]:
        assert (job["matrices"], job["expressible"], job["proved"]) == (350, len(expressible), True)
        order, matrix = job["best_order"]["order"].split(","), job["best_order"]["matrix"]
        names = list(job["axes"])
        found = by_brute_force([names.index(name) for name in order])
        assert "/".join("x".join(map(str, row)) for row in found) == matrix


@pytest.mark.slow
def test_losses_are_losses(document):
    assert [job["name"] for job in document["jobs"]] == ["mixture of experts"]
    for job in document["jobs"]:
        assert job["loss"] == job["best_order"]["seconds"] / job["best"]["seconds"] - 1
        assert 0 <= job["loss"] <= job["median_loss"] <= job["worst_loss"]
        assert (job["best_order"]["faster_matrices"] == 0) == (job["loss"] == 0)


@pytest.mark.slow
def test_the_text_says_what_the_document_says(script, document):
    lines = "\n".join(script.text(document))
    assert lines.startswith("[8 16 8], axes 8,4,2,4,4: order strings express\n66 of 350 matrices (18.9%)\n")
    assert lines.count("best order") == 1
