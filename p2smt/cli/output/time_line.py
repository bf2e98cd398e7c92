"""The time line of a plan in several chunks, as `p2smt explain` prints it."""

from p2smt.cli.output.document import Document
from p2smt.cli.output.screen import GLUE
from p2smt.cli.output.table import print_panels
from p2smt.cost.chunk_time_line import ChunkTimeLine, time_line_columns, time_line_rows


def print_time_line(line: ChunkTimeLine) -> None:
    """Print which chunk is in which step, slot by slot."""
    title = "time line: which chunks are in step 1, 2 ... and how busy links are meanwhile"
    rows = [
        [slots, begin, takes, waits_for.replace("step ", f"step{GLUE}"), *cells]
        for slots, begin, takes, waits_for, *cells in time_line_rows(line)
    ]
    columns = time_line_columns(line)
    print_panels(title, columns, rows, right=[0, 1, 2, *range(4, len(columns))])


def time_line_document(line: ChunkTimeLine) -> Document:
    """Return runs of equal slots in order; steps, slots and chunks are numbered from 1."""
    return {
        "steps": [
            {"steps": list(numbers), "text": text} for numbers, text in zip(line.numbers, line.stages, strict=True)
        ],
        "slots": [
            {
                "slot": run.first + 1,
                "count": run.count,
                "begin_s": run.begin,
                "seconds": run.seconds,
                "waits_for": run.waits_for,
                "work": [
                    {
                        "step": line.numbers[work.stage][-1],
                        "chunk": work.chunk + 1,
                        "start_s": work.start,
                        "seconds": work.seconds,
                    }
                    for work in run.work
                ],
                "busy_s": dict(run.busy),
            }
            for run in line.slots
        ],
        "busy_s": line.resources,
    }
