"""Tables of a store that can be queried, with the columns of answers."""

from enum import StrEnum


class QuerySubject(StrEnum):
    """The subject of a query: problems or jobs, with one row each."""

    PROBLEMS = "problems"
    JOBS = "jobs"


SHOWN = {
    QuerySubject.PROBLEMS: (
        "key",
        "system",
        "levels",
        "axes",
        "reduce",
        "goal",
        "bytes",
        "dtype",
        "algorithm",
        "grammar",
        "max_instructions",
        "status",
        "reason",
        "placements",
        "programs",
        "best_matrix",
        "best_seconds",
        "allreduce_seconds",
        "speedup",
        "speedup_over_allreduce",
        "placement_spread",
        "above_wire",
        "best_program",
    ),
    QuerySubject.JOBS: (
        "key",
        "model",
        "system",
        "levels",
        "split",
        "zero",
        "recompute",
        "batch",
        "micro_batch",
        "sequence",
        "algorithm",
        "memory",
        "device_memory",
        "fits",
        "bubble",
        "step_seconds",
        "status",
        "reason",
        "placements",
        "best_matrix",
        "best_words",
        "best_order",
        "best_seconds",
        "sends_seconds",
        "wire_seconds",
        "usual_seconds",
        "loss",
    ),
}
"""Default columns of an answer."""

ORDERS = {
    QuerySubject.PROBLEMS: (
        "key",
        "best_seconds",
        "speedup",
        "speedup_over_allreduce",
        "placement_spread",
        "above_wire",
        "programs",
        "devices",
    ),
    QuerySubject.JOBS: (
        "step_seconds",
        "best_seconds",
        "key",
        "loss",
        "memory",
        "bubble",
        "placements",
        "devices",
    ),
}
"""Columns by which an answer can be sorted, the default first."""

ASCENDING = ("key", "step_seconds", "best_seconds", "memory", "bubble")
CONDITIONS = {
    QuerySubject.PROBLEMS: ("axes", "reduce", "goal", "algorithm", "grammar", "status"),
    QuerySubject.JOBS: ("model", "split", "algorithm", "status"),
}
