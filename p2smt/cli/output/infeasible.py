"""Output for a job with conflicting conditions: the conflict, and the most similar jobs that have a placement."""

from collections.abc import Iterator

from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.job import job_document, text_of
from p2smt.job.infeasible import Infeasible
from p2smt.smt.cores import minimality_text
from p2smt.wording import sizes_text


def infeasible_document(infeasible: Infeasible) -> Document:
    """Return the JSON document: the unsatisfiable core, and the changes that would make the job feasible."""
    workload = infeasible.workload
    return {
        "version": VERSION,
        "job": job_document(workload),
        "placements": [],
        "core": [text_of(workload, condition) for condition in infeasible.core],
        "minimality": str(infeasible.minimality),
        "without": [None if matrix is None else matrix.rows for matrix in infeasible.without],
        "dropped": [[text_of(workload, condition) for condition in some] for some in infeasible.dropped],
        "looser": [[text_of(workload, old), text_of(workload, new)] for old, new in infeasible.looser],
        "sizes": [{axis.name: axis.size for axis in axes} for axes in infeasible.sizes],
    }


def infeasible_text(infeasible: Infeasible) -> str:
    """Describe the unsatisfiable core in terms of the job file, and the changes that would make the job feasible."""
    return "\n".join(_lines(infeasible))


def _lines(infeasible: Infeasible) -> Iterator[str]:
    workload = infeasible.workload
    yield f"nothing keeps all conditions; {minimality_text(infeasible.minimality)}:"
    for condition, matrix in zip(infeasible.core, infeasible.without, strict=True):
        without = "" if matrix is None else f"   (without it: {matrix})"
        yield f"  {text_of(workload, condition)}{without}"
    for some in infeasible.dropped:
        yield f"works without: {'; '.join(text_of(workload, condition) for condition in some)}"
    for old, new in infeasible.looser:
        yield f"works with: {text_of(workload, new)}, in place of {text_of(workload, old)}"
    for axes in infeasible.sizes:
        yield f"works with sizes: {sizes_text(axes, ', ')}"
