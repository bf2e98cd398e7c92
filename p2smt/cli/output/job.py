"""Parts of JSON documents that describe a job and its placements."""

from p2smt.cli.output.document import Document
from p2smt.cost.above_wire import above_wire
from p2smt.cost.bus_bandwidth import reduction_bus_bandwidth
from p2smt.job.job_pricer import PlacementTime
from p2smt.problem.condition import Condition
from p2smt.problem.condition_text import condition_text
from p2smt.problem.workload import Workload


def job_document(workload: Workload) -> Document:
    """Return the document of a resolved job."""
    return {
        "system": [{"name": level.name, "size": level.size} for level in workload.levels],
        "axes": [{"name": axis.name, "size": axis.size} for axis in workload.axes],
        "conditions": [text_of(workload, condition) for condition in workload.conditions],
        "reductions": [
            {
                "name": reduction.name,
                "axes": [workload.axes[axis].name for axis in reduction.axes],
                "collective": reduction.goal.hyphenated,
                "bytes": reduction.payload.bytes,
                "dtype": reduction.payload.dtype,
                "times": reduction.times,
                "overlap": reduction.overlap,
            }
            for reduction in workload.reductions
        ],
        "limit": workload.search.limit,
        "grammar": str(workload.search.grammar),
        "note": "",  # what was not counted, in documents of earlier versions
    }


def placement_document(workload: Workload, placement: PlacementTime) -> Document:
    """Return the document of a placement: its phases, and each phase's reductions with their programs."""
    return {
        "matrix": placement.matrix.rows,
        "cost_s": placement.seconds,
        "wire_s": placement.wire_seconds,
        "above_wire": above_wire(placement.seconds, placement.wire_seconds),
        "communicators": placement.communicators,
        "phases": [
            {
                "cost_s": phase.seconds,
                "reductions": [
                    {
                        "reduction": workload.reductions.index(time.reduction),
                        "cost_s": time.seconds,
                        "once_s": time.candidate.seconds,
                        "busbw_bytes_per_s": reduction_bus_bandwidth(workload, time.reduction, time.candidate.seconds),
                        "program": time.candidate.text,
                    }
                    for time in phase.reductions
                ],
            }
            for phase in placement.phases
        ],
    }


def text_of(workload: Workload, condition: Condition) -> str:
    """Return a condition as text, in the syntax of job files."""
    return condition_text(condition, workload.axes, workload.levels)
