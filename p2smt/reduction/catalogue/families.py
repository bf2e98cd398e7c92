"""Every family of scripts, and the folder of `encodings/` that it fills."""

from collections.abc import Callable, Iterator

from p2smt.reduction.catalogue.answers import answered
from p2smt.reduction.catalogue.examples import examples
from p2smt.reduction.catalogue.lemmas import lemmas
from p2smt.reduction.catalogue.optimality import obligations
from p2smt.reduction.catalogue.placements import placements
from p2smt.reduction.catalogue.programs import programs
from p2smt.reduction.catalogue.sequences import sequences
from p2smt.reduction.catalogue.sums import sums
from p2smt.reduction.catalogue.triples import triples
from p2smt.smt.smtlib import Script

FAMILIES: tuple[tuple[str, Callable[[], Iterator[Script]]], ...] = (
    ("placements", placements),
    ("triples", triples),
    ("sums", sums),
    ("sequences", sequences),
    ("programs", programs),
    ("examples", examples),
    ("lemmas", lambda: (script for _, script in lemmas())),
    ("optimality", lambda: (script for _, script in obligations())),
)


def all_scripts() -> Iterator[tuple[str, Script]]:
    """Every script with its answer, and its path inside `encodings/`."""
    for folder, family in FAMILIES:
        for script in family():
            yield f"{folder}/{script.name.replace('_', '-')}.smt2", answered(script)
