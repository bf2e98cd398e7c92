"""Additions of `p2smt synth --certify` to the output, and the SMT-LIB file of the proof obligation."""

from pathlib import Path

from p2smt.cli.output.document import Document
from p2smt.cli.output.files import write_and_say
from p2smt.cli.output.screen import say
from p2smt.collective import Collective
from p2smt.cost.certificate import PlacementProof, WinnerCertificate
from p2smt.errors import OutputError
from p2smt.problem.model import Problem
from p2smt.problem.quantity import format_seconds
from p2smt.smt.smtlib import script_text
from p2smt.wording import counted


def certificate_document(certificate: WinnerCertificate | None) -> Document:
    """Return the entries that --certify adds to the JSON document: the overall claim, then one entry per placement."""
    if certificate is None:
        return {}
    claim = {
        "proved": certificate.proved,
        "cost_s": certificate.winner_s,
        "proved_any_length": certificate.proved_any_length,
        "lower_bound_s": certificate.lower_bound_s,
        "elapsed_s": round(certificate.elapsed_s, 6),
        "obligations": sum(proof.implied_by is None for proof in certificate.proofs),
        "placements": [_proof_document(proof) for proof in certificate.proofs],
    }
    return {"certificate": claim}


def print_certificate(certificate: WinnerCertificate, problem: Problem) -> None:
    """Print that the winner is proved optimal, or the placements for which only a lower bound is known."""
    search = problem.search
    # only: the default goal has no name
    program = "program" if problem.goal is Collective.ALL_REDUCE else f"{problem.goal} program"
    claim = f"no {program} of at most {search.limit} instructions of grammar {search.grammar} costs less in one piece"
    took = f"(Z3, {format_seconds(certificate.elapsed_s)})"
    number = len(certificate.proofs)
    missing = [proof for proof in certificate.proofs if not proof.proved]
    if certificate.proved:
        say(f"certified: {claim}, on any of {counted(number, 'placement')} {took}", whole_in_pipes=True)
    else:
        partial = "" if certificate.complete else "; the search was not complete, so there may be more programs"
        proved = f"is proved on {number - len(missing)} of {counted(number, 'placement')}"
        say(f"NOT CERTIFIED: that {claim} {proved} {took}{partial}", whole_in_pipes=True)
    for proof in missing:
        say(f"  {proof.placed.matrix}: {_shortfall(proof, certificate.winner_s)}", whole_in_pipes=True)
    own = [proof for proof in certificate.proofs if proof.implied_by is None]
    if excluded := sum(len(proof.excluded) for proof in own):
        say(
            f"  {counted(excluded, 'program')} would cost less without their permutations; priced in full",
            whole_in_pipes=True,
        )
    any_length = f"no {program} of any length of grammar {search.grammar}, however lowered, costs less in one piece"
    say(_any_length_text(certificate, any_length), whole_in_pipes=True)
    say(
        "  not in it: payloads in chunks, whose steps overlap; p2smt plan --chunks auto looks for these",
        whole_in_pipes=True,
    )


def _any_length_text(certificate: WinnerCertificate, claim: str) -> str:
    """Return a sentence on what the state graph's distances prove for programs of any length, and where."""
    proofs = [proof.any_length for proof in certificate.proofs]
    missing = [proof.missing for proof in proofs if proof.missing]
    number, proved = counted(len(proofs), "placement"), len(proofs) - len(missing)
    if missing:
        return f"NOT CERTIFIED: that {claim},\n  is proved on {proved} of {number} ({missing[0]})"
    states, places = sum(proof.states for proof in proofs), sum(proof.places for proof in proofs)
    which = f"any of {number}" if certificate.complete else f"the {number} found"
    return f"certified: {claim},\n  on {which} ({states} distances between states checked, {places} with layouts)"


def write_obligation(certificate: WinnerCertificate | None, path: Path, *, force: bool) -> None:
    """Write the proof obligation for the winner's placement; raises OutputError if there is none."""
    if certificate is None or certificate.script is None:
        raise OutputError(
            f"there is no proof obligation to write to {path}, because no program was found or the "
            "time was up; raise --limit or --timeout"
        )
    hint = f"z3 {path} (unsat: nothing costs less)"
    write_and_say(path, script_text(certificate.script), "the proof obligation in SMT-LIB 2", hint, force=force)


def _shortfall(proof: PlacementProof, winner_s: float) -> str:
    if proof.beaten_by is not None:
        return f"{proof.beaten_by} costs less"
    return (
        f"every program takes at least {format_seconds(proof.lower_bound_s)}, the winner "
        f"{format_seconds(winner_s)} ({proof.reason})"
    )


def _proof_document(proof: PlacementProof) -> Document:
    return {
        "matrix": proof.placed.matrix.rows,
        "proved": proof.proved,
        "any_length": {
            "proved": not proof.any_length.missing,
            "states": proof.any_length.states,
            "places": proof.any_length.places,
            "reason": proof.any_length.missing,
        },
        "lower_bound_s": proof.lower_bound_s,
        "reason": proof.reason,
        "beaten_by": proof.beaten_by,
        "priced_in_full": len(proof.excluded),
        "implied_by": None if proof.implied_by is None else proof.implied_by.matrix.rows,
    }
