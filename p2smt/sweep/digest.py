"""Canonical JSON of a resolved problem or job, and its hash, which identifies equal ones."""

import json
from dataclasses import asdict, fields
from functools import lru_cache
from hashlib import sha256

from p2smt.cost.network.backend import Backend
from p2smt.problem.model import Problem
from p2smt.problem.system.algorithm import SIMPLE_ALONE, Algorithm, flow_key
from p2smt.problem.system.link import Link
from p2smt.problem.system.network import System
from p2smt.sweep.training_job import TrainingJob

# Keys of stores written by earlier versions must not change: sorted, no spaces, ASCII, no NaN.
_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def task_key(problem: Problem, backend: Backend) -> str:
    """Return the SHA-256 of `task_text` in hexadecimal."""
    return sha256(task_text(problem, backend).encode()).hexdigest()


def task_text(problem: Problem, backend: Backend) -> str:
    """Return one line of ASCII JSON with everything that affects the result, with sorted keys and no spaces.

    It contains the system with its name and all parameters (but not their source), the named axes, the indices
    of the reduction axes, goal, payload, search and backend. Time limits and versions are excluded.
    """
    search = problem.search
    rest = {
        "algorithm": str(backend),
        "axes": [[axis.name, axis.size] for axis in problem.axes],
        "bytes": problem.payload.bytes,
        "collapse": search.collapse,
        "dtype": problem.payload.dtype,
        "engine": search.engine,
        "goal": problem.goal,
        "grammar": search.grammar,
        "hierarchy": search.hierarchy,
        "limit": search.limit,
        "reduce": problem.reduce,
    }
    return _joined(_CANONICAL.encode(rest), _system_text(problem.system))


def job_key(job: TrainingJob, backend: Backend) -> str:
    """Return the SHA-256 of `job_text` in hexadecimal."""
    return sha256(job_text(job, backend).encode()).hexdigest()


def job_text(job: TrainingJob, backend: Backend) -> str:
    """Return one line of ASCII JSON with a job's model, split, device memory, search and system, as `task_text`."""
    rest = {
        "algorithm": str(backend),
        "memory": job.memory,
        "model": {"name": job.model, **asdict(job.transformer)},
        "recompute": job.recompute,
        "search": asdict(job.search),
        "split": asdict(job.parallelism),
    }
    return _joined(_CANONICAL.encode(rest), _system_text(job.system))


@lru_cache(maxsize=4096)
def _system_text(system: System) -> str:
    network = system.network
    described: dict[str, object] = {
        "launch": network.launch,
        "levels": [[level.name, level.size] for level in system.levels],
        "links": [_link_record(link) for link in network.links],
        "machine": network.machine,
        "memory_bandwidth": network.memory_bandwidth,
        "name": system.name,
        "overlap": network.overlap,
    }
    if system.tree is not None:  # so that keys of systems of alike units stay what they are
        described["tree"] = system.tree.children
    if network.protocols:
        described["protocols"] = True
    if network.all_to_all_launch is not None:
        described["all_to_all_launch"] = network.all_to_all_launch
    if network.processors is not None:
        described["processors"] = asdict(network.processors)
    return _CANONICAL.encode({"system": described})


_OPTIONAL = ("flow", "burst", "send_flow")


def _link_record(link: Link) -> dict[str, object]:
    plain = {field.name: getattr(link, field.name) for field in fields(link) if field.name not in _OPTIONAL}
    given = {"burst": link.burst or None, "send_flow": link.send_flow}
    optional = {name: value for name, value in given.items() if value is not None}  # so that other keys stay the same
    plainly = [algorithm for algorithm in Algorithm if algorithm not in SIMPLE_ALONE]
    flows = {flow_key(algorithm): link.flow.get(algorithm) for algorithm in plainly}
    others = {flow_key(algorithm): link.flow[algorithm] for algorithm in sorted(SIMPLE_ALONE & link.flow.keys())}
    return plain | optional | flows | others  # of others what there is, for the same reason


def _joined(*objects: str) -> str:
    """Return one JSON object with the members of several objects, whose keys must ascend from one to the next.

    >>> _joined('{"axes":[]}', '{"system":{}}')
    '{"axes":[],"system":{}}'
    """
    return "{" + ",".join(text.removeprefix("{").removesuffix("}") for text in objects) + "}"
