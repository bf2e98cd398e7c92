"""Text and JSON output of `p2smt shard --like`: a known sharding applied to another batch size."""

from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.screen import say
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.spmd.account.recognition import strategy
from p2smt.spmd.devices.network import PICO
from p2smt.spmd.like import ReappliedSharding
from p2smt.spmd.reading.step_time_line import step_picoseconds


def print_like(found: ReappliedSharding, system: str) -> None:
    """Print the step time with the new batch."""
    account, program = found.answer.account, found.answer.program
    times = step_picoseconds(program, account, found.cluster), account.communication
    time, communication = (format_seconds(each / PICO) for each in times)
    say(f"computing: {found.cluster.computing}")
    say(f"{program.name} on {system or 'the system'}: step {time}, of which {communication} collectives")
    say(
        f"batch {found.batch.size}; layouts were found for {found.before.size}, and hold for any multiple of "
        f"{found.before.divisor}; nothing was searched"
    )
    say(f"strategy: {strategy(program)}")
    say(f"at its peak a device holds {format_bytes(max(account.memory))}")
    if found.missing:
        say(f"does not fit: a device lacks {format_bytes(found.missing)}")


def like_document(found: ReappliedSharding, system: str) -> Document:
    """Return the JSON document; times are in seconds, bytes are those of the device with the most memory in use."""
    account, program = found.answer.account, found.answer.program
    return {
        "version": VERSION,
        "program": program.name,
        "system": system,
        "time_s": step_picoseconds(program, account, found.cluster) / PICO,
        "stages_s": account.time / PICO,
        "communication_s": account.communication / PICO,
        "memory": max(account.memory),
        "missing": found.missing,
        "batch": {"size": found.batch.size, "divisor": found.batch.divisor},
        "found_for": {"size": found.before.size, "divisor": found.before.divisor},
        "strategy": strategy(program),
    }
