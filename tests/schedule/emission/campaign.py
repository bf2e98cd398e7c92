"""All packaged schedules on 1 to 8 real ranks beside the programs as they were, on lengths that divide and that do not.

PYTHONPATH=tests python tests/schedule/emission/campaign.py [NAME ...] prints a line for each: how many outputs and
states the emitted file finds to differ, in each type. Where the schedule keeps the order of sums, `bitwise` compares
bits; loops over more chunks than there are elements are left out. Every collective is compared among the ranks (torch's
debug level DETAIL).
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from typing import NamedTuple

from schedule.emission.packaged import checked, names, stem_of

from p2smt.errors import ProgramError, RunError
from p2smt.run.local.calls import CallRanks
from p2smt.run.rank.message import Seat
from p2smt.schedule.check import CheckedSchedule
from p2smt.schedule.emission.exchanges import GATHER, SCATTER, Exchanges
from p2smt.schedule.emission.hoisting import hoisted
from p2smt.schedule.emission.source import emit_schedule
from p2smt.verify.verdict import Refuted

RANK = str(Path(__file__).with_name("schedule_rank.py"))
LIMIT_S = 300.0
RANKS = range(1, 9)
TYPES = ("float64", "float32", "bfloat16")
FORMS = ("", BITWISE := "bitwise ", EXCHANGED := "exchanged ")
"""How sums are made, and whether what ranks gather are messages between them."""
LENGTHS = {"whole": None, "ragged": None, "one": 1}
"""Lengths of tensors; the last is that of optimizers, whose programs have one length alone."""


class Run(NamedTuple):
    """A schedule on ranks, and what was found: how many tensors differ, or what was said."""

    name: str
    ranks: int
    lengths: str
    kind: str
    found: str

    @property
    def is_right(self) -> bool:
        """Whether nothing differs."""
        return self.found == "0"


def runs(some: Sequence[str], ranks: Sequence[int] = RANKS) -> Iterator[Run]:
    """Every schedule of these on so many ranks, in every type and length."""
    for count in ranks:
        with ExitStack() as stack:
            running = None
            for name in some:
                if stem_of(name) == "pipeline" and count % 2:
                    continue
                for lengths, kind, text in _texts(name, count):
                    if running is None or running.ended:
                        running = stack.enter_context(CallRanks([Seat()] * count, timeout_s=LIMIT_S))
                    yield Run(name, count, lengths, kind, text if "\n" not in text else _differing(running, text, kind))


def _texts(name: str, count: int) -> Iterator[tuple[str, str, str]]:
    """Lengths, type, and the file or why there is none."""
    for lengths, length in LENGTHS.items():
        if length is not None and not _is_flat(name):
            continue
        for form in FORMS:
            bitwise = form == BITWISE
            try:
                made = checked(name, count, ragged=lengths != "whole", bitwise=bitwise, length=length)
                if isinstance(made.verdict, Refuted) and (bitwise or length is not None):
                    continue
                text = emit_schedule(made, bitwise=bitwise, exchanged=_exchanged(made) if form == EXCHANGED else None)
            except ProgramError as error:
                text = str(error)
            yield from ((lengths, f"{form}{real}", text) for real in TYPES)


def _exchanged(made: CheckedSchedule) -> Exchanges:
    """Every ReduceScatter and AllGather, as rates may have them."""
    names = [statement.name for statement in hoisted(made.scheduled).program.statements]
    return frozenset(product(names, (SCATTER, GATHER)))


def _is_flat(name: str) -> bool:
    return stem_of(name) in ("adam", "adamw", "adamw_mixed", "lamb", "lamb_layers", "lars", "sgd")


def _differing(running: CallRanks, text: str, kind: str) -> str:
    path = running.folder / f"schedule{abs(hash(text))}.py"
    path.write_text(text, encoding="utf-8")
    try:
        return str(sum(running.call(RANK, "check", str(path), kind.rpartition(" ")[2], timeout_s=LIMIT_S)))
    except RunError as error:
        return str(error)


def main() -> int:
    """Print what was found; 1 where something differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="schedules; all unless given")
    parser.add_argument("--ranks", type=int, nargs="*", default=RANKS)
    asked = parser.parse_args()
    wrong = count = 0
    for each in runs(asked.names or names(), asked.ranks):
        count, wrong = count + 1, wrong + (not each.is_right)
        print(*each, sep="\t", flush=True)
    print(f"{count} runs, {wrong} are not right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
