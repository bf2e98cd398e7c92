"""Families of scripts; each fills one folder of `encodings/`."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from p2smt.reduction.catalogue.examples import examples
from p2smt.reduction.catalogue.lemmas import lemmas
from p2smt.reduction.catalogue.optimality import obligations
from p2smt.reduction.catalogue.placements import placements
from p2smt.reduction.catalogue.programs import programs
from p2smt.reduction.catalogue.sequences import sequences
from p2smt.reduction.catalogue.sums import sums
from p2smt.reduction.catalogue.triples import triples
from p2smt.smt.smtlib import Origin, Script


@dataclass(frozen=True, slots=True)
class ScriptFamily:
    """A family of scripts: its folder, the function that builds it, and the meaning of sat and unsat answers."""

    folder: str
    build: Callable[[], Iterator[Script]]
    sat: str
    unsat: str

    def scripts(self) -> Iterator[tuple[str, Script]]:
        """Yield every script with its path inside `encodings/`; the scripts are not solved yet."""
        origin = Origin(f"{self.build.__module__}.{self.build.__name__}", self.sat, self.unsat)
        for script in self.build():
            yield f"{self.folder}/{script.name.replace('_', '-')}.smt2", replace(script, origin=origin)


FAMILIES = (
    ScriptFamily(
        "placements",
        placements,
        "every model is a factor matrix with the given products of rows and columns.",
        "there is no such matrix.",
    ),
    ScriptFamily(
        "triples",
        triples,
        "there are states as described (files called `applies`); in all others, a state that breaks the rule.",
        "the rule holds for every state.",
    ),
    ScriptFamily(
        "sums",
        sums,
        "numbers whose sum is not what the states say; expected only of `overlap-adds-wrongly`.",
        "the states say exactly what adding up the contributions gives.",
    ),
    ScriptFamily(
        "sequences",
        sequences,
        "states for which the claim about two steps is wrong.",
        "the claim holds for every state.",
    ),
    ScriptFamily(
        "programs",
        programs,
        "every model is a valid program; in files called `agree`, a program that one encoding alone takes.",
        "there is no valid program of this kind; in files called `agree`, both encodings take the same ones.",
    ),
    ScriptFamily(
        "examples",
        examples,
        "the program is valid, and the model is its run.",
        "the program breaks a rule or misses the goal.",
    ),
    ScriptFamily(
        "lemmas",
        lemmas,
        "the assumptions can hold together (files called `possible`); in all others, the lemma is wrong.",
        "the lemma holds for levels of every size.",
    ),
    ScriptFamily(
        "optimality",
        obligations,
        "some valid program costs less than the bound.",
        "no valid program costs less than the bound: the certificate of the optimum.",
    ),
)
"""All families by topic: placements, collective rules, programs, soundness of level sets."""
