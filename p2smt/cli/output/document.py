"""JSON documents: with `--json`, each command prints one on stdout."""

import json
from collections.abc import Mapping

from p2smt.problem.model import Problem
from p2smt.problem.system.link import Link

Document = Mapping[str, object]

VERSION = 1
"""The version of the JSON format on stdout."""


def print_json(document: Document) -> None:
    """Print one JSON document."""
    print(json.dumps(document, indent=2))


def problem_document(problem: Problem) -> Document:
    """Return the resolved problem, which is part of every document."""
    tree = problem.system.tree
    return {
        "system": [{"name": level.name, "size": level.size} for level in problem.levels],
        **({} if tree is None else {"units": tree.children}),
        "links": [_link_document(link) for link in problem.system.network.links],
        "axes": [{"name": axis.name, "size": axis.size} for axis in problem.axes],
        "reduce": [problem.axes[axis].name for axis in problem.reduce],
        "goal": problem.goal.hyphenated,
        "bytes": problem.payload.bytes,
        "dtype": problem.payload.dtype,
        "engine": str(problem.search.engine),
        "hierarchy": str(problem.search.hierarchy),
        "collapse": problem.search.collapse,
    }


def _link_document(link: Link) -> Document:
    return {
        "name": link.name,
        "level": link.level,
        "wiring": str(link.wiring),
        "bandwidth": link.bandwidth,
        "latency": link.latency,
    }
