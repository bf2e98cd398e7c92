"""Candidates that placements with equal prices share."""

from collections.abc import Callable

from p2smt.cost.price_key import PriceKey, price_key
from p2smt.job.candidate import Candidates
from p2smt.problem.model import Payload
from p2smt.reduction.language.instruction import Program
from p2smt.reduction.plan.lower import Lowering
from p2smt.smt.answer import Stop


class AlikeCandidates:
    """A cache of one job's candidates by payload and `price_key`, whose language names the goal."""

    def __init__(self) -> None:
        # Programs by identity, as in `ProgramTables`, and their candidates on one placement.
        self._known: dict[tuple[Payload, PriceKey], tuple[tuple[Program, ...], Candidates]] = {}

    def of(self, programs: tuple[Program, ...], lowering: Lowering, priced: Callable[[], Candidates]) -> Candidates:
        """Return the candidates for these programs on a placement; `priced` works them out if none is alike."""
        key = lowering.problem.payload, price_key(lowering)
        known = self._known.get(key)
        if known is not None and known[0] is programs:
            return known[1].on(lowering)
        found = priced()
        if found.stop is Stop.EXHAUSTED:
            self._known[key] = programs, found
        return found
