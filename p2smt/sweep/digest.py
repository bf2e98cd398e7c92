"""The resolved problem as canonical JSON, and its hash: equal problems have equal keys."""

import json
from dataclasses import asdict
from functools import lru_cache
from hashlib import sha256
from typing import Any

from p2smt.cost.network.algorithm import Algorithm
from p2smt.problem.model import Problem
from p2smt.problem.system.network import System


def task_key(problem: Problem, algorithm: Algorithm) -> str:
    """SHA-256 of `task_text`, in hexadecimal."""
    return sha256(task_text(problem, algorithm).encode()).hexdigest()


def task_text(problem: Problem, algorithm: Algorithm) -> str:
    """One line of ASCII: everything that the result depends on, with sorted keys and no spaces.

    The system with all its figures and its name (not where the figures come from), axes with their names, the
    numbers of the axes reduced over, payload, search and algorithm. No time limit, no version.
    """
    search = problem.search
    rest = {
        "algorithm": algorithm,
        "axes": [[axis.name, axis.size] for axis in problem.axes],
        "bytes": problem.payload.bytes,
        "collapse": search.collapse,
        "dtype": problem.payload.dtype,
        "engine": search.engine,
        "grammar": search.grammar,
        "hierarchy": search.hierarchy,
        "limit": search.limit,
        "reduce": problem.reduce,
    }
    return f'{_canonical(rest)[:-1]},"system":{_system_text(problem.system)}}}'


@lru_cache(maxsize=4096)
def _system_text(system: System) -> str:
    network = system.network
    described = {
        "levels": [[level.name, level.size] for level in system.levels],
        "links": [asdict(link) for link in network.links],
        "machine": network.machine,
        "memory_bandwidth": network.memory_bandwidth,
        "name": system.name,
        "overlap": network.overlap,
    }
    return _canonical(described)


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
