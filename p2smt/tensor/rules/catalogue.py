"""All rules, conversions and lemmas as scripts for `encodings/tensor/`, one per kind of rule.

A script holds several obligations as cases: each assumption and each negated claim is guarded by its case,
and some case is chosen. The script is therefore unsatisfiable exactly if every obligation is proved.
"""

from collections.abc import Iterator, Sequence

from p2smt.smt.answer import NoAnswer, Sat, Unsat
from p2smt.smt.smtlib import Group, Origin, Script, Status
from p2smt.smt.solver import Logic, Solver
from p2smt.smt.terms import constants, disj, implies, neg
from p2smt.tensor.conversion import (
    AllGather,
    AllReduce,
    AllToAll,
    Broadcast,
    Conversion,
    Keep,
    Rebalance,
    Reduce,
    ReduceScatter,
    Send,
    Slice,
)
from p2smt.tensor.layout import Layout, OnRank, Partial, ReductionOp, Replicated, Sliced
from p2smt.tensor.rule import RuleName
from p2smt.tensor.rules.cases import schemas
from p2smt.tensor.rules.conversions import conversion_obligation
from p2smt.tensor.rules.lemmas import lemmas
from p2smt.tensor.rules.schema import RuleObligation, obligation

_ABOUT = {
    RuleName.REP: "Whoever has all operands whole computes the whole result.",
    RuleName.PAR: "The owner of an index of a parallel label computes the element of the result that is there.",
    RuleName.RED: "Where a reduced label is cut, the reduction of the ranks' results is the result.",
    RuleName.LIN: "Sums over ranks pass through an operation that is linear in the operand that is a summand.",
    RuleName.ADD: "Sums over ranks pass through an operation that is additive in its summands together.",
    RuleName.MONO: "Maxima and minima over ranks pass through an operation that is monotone.",
    RuleName.LOCAL: "Of a rank's own operands no more is claimed than what that rank computes.",
    RuleName.ON_RANK: "The rank that has all operands computes the result.",
}
CONVERSIONS: tuple[tuple[Conversion, Layout, Layout], ...] = (
    *((AllReduce(kind), Partial(kind), Replicated()) for kind in ReductionOp),
    *((ReduceScatter(0, None, kind), Partial(kind), Sliced(0)) for kind in ReductionOp),
    (AllGather(0), Sliced(0), Replicated()),
    (AllToAll(0, 1), Sliced(0), Sliced(1)),
    (Rebalance(0), Sliced(0), Sliced(0)),
    *((Reduce(0, kind), Partial(kind), OnRank(0)) for kind in ReductionOp),
    (Broadcast(0), OnRank(0), Replicated()),
    (Send(), OnRank(0), OnRank(1)),
    (Slice(0), Replicated(), Sliced(0)),
    (Keep(0), Replicated(), Partial()),
)
"""Every conversion with the layouts before and after it."""


_SOURCE = "the layouts of tensor programs"


def all_scripts() -> Iterator[tuple[str, Script]]:
    """Yield every script with its path inside `encodings/`; z3 has confirmed its status."""
    kinds: dict[RuleName, list[RuleObligation]] = {name: [] for name in RuleName}
    for (signed, rule), operation in schemas().items():
        question = obligation(signed, rule)
        kinds[rule.name].append(RuleObligation(f"{question.name} of {operation}", question.lemmas, question.claim))
    for name, found in kinds.items():
        yield from proof_scripts(f"tensor/rule-{name.lower().replace('_', '-')}", _ABOUT[name], found)
    converted = [conversion_obligation(*each, dimensions=2) for each in CONVERSIONS]
    yield from proof_scripts(
        "tensor/conversions", "Each conversion leads from the layout it needs to the one it makes.", converted
    )
    for number, lemma in enumerate(lemmas()):
        about = f"What rules take for granted of sums: {lemma.name}. A sum is any associative, commutative operation."
        yield from proof_scripts(
            f"tensor/lemma-{number + 1}-{lemma.name.replace(',', '').replace(' ', '-')}", about, [lemma]
        )


def proof_scripts(
    path: str, about: str, found: Sequence[RuleObligation], source: str = _SOURCE, module: str = __name__
) -> Iterator[tuple[str, Script]]:
    """Yield two scripts: all claims follow (UNSAT), and all assumptions can hold together (SAT).

    `path` is inside `encodings/`. `module` contains the function `all_scripts` that lists the scripts.
    """
    folder, _, name = path.rpartition("/")
    cases = constants("case", len(found))
    denied: list[Group] = []
    for case, each in zip(cases, found, strict=True):
        terms = tuple(implies(case, lemma) for lemma in each.lemmas)
        denied.append(
            (
                f"{each.name}: the lemmas' instances, and that the claim does not hold.",
                (*terms, implies(case, neg(each.claim))),
            )
        )
    denied.append(("Some case is chosen.", (disj(cases),)))
    assumed = tuple((f"{each.name}: the lemmas' instances.", each.lemmas) for each in found)
    builder = f"{module}.all_scripts"
    scripts = (
        Script(
            name,
            f"{about} Tensors of any size, cut in any way, on any number of ranks; a case per claim.",
            source,
            Status.UNSAT,
            (),
            tuple(denied),
            origin=Origin(builder, "some claim does not hold.", "every claim holds."),
        ),
        Script(
            f"{name}-possible",
            f"{about} The assumptions of the proofs, all at once.",
            source,
            Status.SAT,
            (),
            assumed,
            origin=Origin(builder, "the assumptions can hold together.", "the proofs are vacuous."),
        ),
    )
    for script in scripts:
        _confirm(script)
        yield f"{folder}/{script.name}.smt2", script


def _confirm(script: Script) -> None:
    """Raise AssertionError unless z3 confirms the status of the script."""
    terms = [term for _, terms in script.groups for term in terms]
    match Solver(script.name, terms, Logic.FUNCTIONS).ask():
        case Sat():
            status = Status.SAT
        case Unsat():
            status = Status.UNSAT
        case NoAnswer(reason):
            raise AssertionError(f"{script.name}: z3 gave up: {reason}")
    assert status is script.status, f"{script.name} is said to be {script.status}, z3 says {status}"
