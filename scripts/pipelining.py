"""How far above the wire programs are in one piece and in chunks, over the placements of many systems.

For every system all placements of every pair of axis sizes, reduced over the first, 1 GiB per device; the ratio of a
price to the wire of its placement: the median, what nine of ten are at most, the worst. The wire is the time of the
links alone, so that latency, memory and the starts of calls keep every ratio above 1. In chunks it is the best program
of any length in 1, 2, 4 ... 256 of them; `proved`: on how many placements that was checked.

    .venv/bin/python scripts/pipelining.py --json
"""

import argparse
import json
from dataclasses import dataclass
from math import prod

import numpy as np

import p2smt
from p2smt.cost.cheapest_chunks import searched_chunks
from p2smt.cost.network.pipelining import Pipelines
from p2smt.cost.ranking import Ranker
from p2smt.reduction.synth.session import Synthesizer
from p2smt.smt.deadlines import EVER

SYSTEMS = (
    "4x16",
    "p2-a100:4x16",
    "16x8",
    "2x4x8",
    "16x8x8",
    "dgx-h100:4x8",
    "dgx-h100:32x8",
    "dgx-a100:4x8",
    "gb200-nvl72:2x72",
    "gb200-nvl72:8x72",
    "ethernet:32x6",
)
BYTES = 2**30


@dataclass(frozen=True, slots=True)
class Above:
    """How far a placement's prices are above its wire: one collective, the best program, the best in chunks."""

    plain: float
    best: float
    chunks: float
    proved: bool


def measured(name: str) -> list[Above]:
    """All placements of a system on which there is something to reduce."""
    system = p2smt.find_system(name)
    cost, synthesizer, ranker, ratios = p2smt.cost_of(system), Synthesizer(), Ranker(p2smt.cost_of(system)), []
    devices = prod(level.size for level in system.levels)
    for first in (size for size in range(2, devices + 1) if devices % size == 0):
        axes = [p2smt.Axis("a", first), p2smt.Axis("b", devices // first)]
        problem = p2smt.build_problem(system, axes, ["a"], p2smt.Payload(BYTES, "bfloat16"))
        for placed in synthesizer.synthesize(problem).placements:
            ranked = ranker.placement(problem, placed)
            if not ranked.wire_seconds or not ranked.programs:
                continue
            known = Pipelines(cost).best(program.plan for program in ranked.programs)
            alone = ranked.programs[0].seconds
            least = min(alone, known[1] if known else alone)
            found = searched_chunks(ranked, problem, cost, least, EVER)
            seconds = (ranked.allreduce_seconds, alone, found.seconds if found.plan else least)
            proved = found.checked and ranked.any_length
            ratios.append(Above(*(one / ranked.wire_seconds for one in seconds), proved=proved))
    return ratios


def spread(ratios: list[float]) -> dict[str, float]:
    """The median, what nine of ten are at most, the worst."""
    return {"median": float(np.median(ratios)), "nine_of_ten": float(np.quantile(ratios, 0.9)), "worst": max(ratios)}


def main() -> None:
    """Print the table, or a JSON document."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="Print JSON.")
    parser.add_argument("--system", action="append", metavar="SYSTEM", help="Only this one; repeatable [all].")
    options = parser.parse_args()
    document = {}
    if not options.json:
        print(f"{'':16} placements  {'one collective':17}  {'best program':17}  {'in chunks':17}  proved")
    for name in options.system or SYSTEMS:
        ratios = measured(name)
        spreads = [spread([getattr(one, kind) for one in ratios]) for kind in ("plain", "best", "chunks")]
        proved = sum(one.proved for one in ratios)
        document[name] = {
            "placements": len(ratios),
            "proved": proved,
            **dict(zip(("plain", "best", "chunks"), spreads, strict=True)),
        }
        if not options.json:
            cells = ["/".join(f"{value:5.2f}" for value in one.values()) for one in spreads]
            print(f"{name:16} {len(ratios):10}  {'  '.join(cells)}  {proved}", flush=True)
    if options.json:
        print(json.dumps(document, indent=2))


if __name__ == "__main__":
    main()
