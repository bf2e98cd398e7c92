"""Lemmas about conversions used by transforms, as scripts for `encodings/schedules/`."""

from collections.abc import Iterator

from p2smt.schedule.lemmas import LEMMAS
from p2smt.smt.smtlib import Script
from p2smt.tensor.rules.catalogue import proof_scripts

_SOURCE = "transforms of distributed programs; p2smt/schedule/lemmas.py"


def all_scripts() -> Iterator[tuple[str, Script]]:
    """Yield every script with its path inside `encodings/`; z3 has confirmed its status."""
    for name, lemma in LEMMAS.items():
        file = name.replace("'", "").replace(" ", "-")
        yield from proof_scripts(f"schedules/{file}", f"What transforms rest on: {name}.", [lemma()], _SOURCE, __name__)
