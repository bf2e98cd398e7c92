"""How fast programs are sharded, as JSON: seconds of CPU of every part, for the texts of programs that are named.

    p2smt capture --example gpt --size paper --layers 24 --out gpt24.tp
    .venv/bin/python scripts/bench_shard.py gpt24.tp --system hap-v100-p100

Each program is searched once, with the shares in proportion to the speeds, and its certificate checked.
"""

import argparse
import json
import platform
import sys
from pathlib import Path
from time import process_time

from p2smt.cli.collection import rare_collections
from p2smt.cli.output.progress import working
from p2smt.cost.network.backend import Nccl
from p2smt.errors import P2Error
from p2smt.problem.system.text import find_system
from p2smt.spmd.build import build
from p2smt.spmd.certificate_check import check_certificate
from p2smt.spmd.classes import classes_of
from p2smt.spmd.cluster import Cluster
from p2smt.spmd.elimination import eliminate
from p2smt.spmd.emission import emit
from p2smt.spmd.graph import graph_of
from p2smt.spmd.instructions import account
from p2smt.spmd.pricing import Pricing
from p2smt.spmd.problem import Best
from p2smt.spmd.shares import proportional
from p2smt.spmd.system import cluster_of
from p2smt.tensor.text.file import read_program


def timed(path: Path, cluster: Cluster) -> dict[str, object]:
    """Seconds of the parts of one search."""
    marks = [process_time()]
    graph = graph_of(read_program(path))
    marks.append(process_time())
    sharding = build(Pricing(graph, classes_of(graph), cluster, proportional(cluster.speeds)))
    marks.append(process_time())
    eliminated = eliminate(sharding.problem)
    marks.append(process_time())
    assert isinstance(eliminated.answer, Best)
    assert eliminated.certificate is not None
    fault = check_certificate(sharding.problem, eliminated.certificate, eliminated.answer.assignment)
    marks.append(process_time())
    made = account(emit(sharding, eliminated.answer.assignment), cluster)
    marks.append(process_time())
    parts = ("read_s", "build_s", "eliminate_s", "certify_s", "emit_s")
    return {
        "program": path.name,
        "operations": len(graph.nodes),
        "choices": len(sharding.problem.choices),
        "width": eliminated.width,
        "certified": fault is None,
        "step_s": made.time / 10**12,
        **{part: round(after - before, 3) for part, before, after in zip(parts, marks, marks[1:], strict=False)},
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", type=Path)
    parser.add_argument("--system", default="hap-v100-p100")
    given = parser.parse_args()
    try:
        cluster = cluster_of(find_system(given.system), Nccl())
        with working("sharding the programs"), rare_collections():
            runs = [timed(path, cluster) for path in given.programs]
    except P2Error as error:
        print(f"bench_shard: {error}", file=sys.stderr)
        return 2
    print(json.dumps({"python": platform.python_version(), "system": given.system, "runs": runs}, indent=2))
    return 0 if all(run["certified"] for run in runs) else 1


if __name__ == "__main__":
    sys.exit(main())
