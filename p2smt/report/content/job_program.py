"""The program chosen for a reduction of a job, step by step: whole all-reduces, halves of them, and all-to-alls."""

from collections.abc import Sequence
from typing import assert_never

from p2smt.collective import Collective
from p2smt.cost.network.all_to_all import all_to_all_cost
from p2smt.cost.network.backend import Cost
from p2smt.cost.network.cost import LocalWork
from p2smt.cost.network.pattern import pattern_of
from p2smt.problem.workload import Wanted
from p2smt.reduction.language.hierarchy import exchange_text, read_program
from p2smt.reduction.language.instruction import Grouping, Program, instruction_for
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep, GroupRule
from p2smt.reduction.plan.schedule import Together
from p2smt.reduction.synth.exchanges import exchanges
from p2smt.report.content.content import StepContent
from p2smt.report.content.program_content import LOCAL, Members, shared, step_content, steps_of

EXCHANGE = "AllToAll"


def chosen_steps(
    wanted: Wanted, text: str, lowering: Lowering, cost: Cost, devices: Sequence[int]
) -> tuple[StepContent, ...]:
    """The steps of the program that reads `text`, as they are for these devices."""
    match wanted:
        case Wanted.ALL_REDUCE:
            return steps_of(lowering.plan(read_program(lowering.hierarchy, text)), cost, devices)
        case Wanted.REDUCE_SCATTER | Wanted.ALL_GATHER:
            return _half(wanted, read_program(lowering.hierarchy, text), lowering, cost, devices)
        case Wanted.ALL_TO_ALL:
            return _exchange(text, lowering, cost, devices)
        case _:
            assert_never(wanted)


def _half(
    wanted: Wanted, program: Program, lowering: Lowering, cost: Cost, devices: Sequence[int]
) -> tuple[StepContent, ...]:
    """An all-reduce's steps before its AllGather over everything, or after its ReduceScatter over everything."""
    levels = len(lowering.hierarchy.carrying)
    if not levels:
        return ()
    scatters = wanted is Wanted.REDUCE_SCATTER
    everything = Grouping(0, levels)
    if scatters:
        whole = (*program, instruction_for(everything, Collective.ALL_GATHER, levels))
    else:
        whole = (instruction_for(everything, Collective.REDUCE_SCATTER, levels), *program)
    plan = lowering.plan(whole)
    together = [number for number, step in enumerate(plan.steps) if isinstance(step, CollectiveStep)]
    other = together[-1 if scatters else 0]
    return shared([step for number, step in enumerate(steps_of(plan, cost, devices)) if number != other])


def _exchange(text: str, lowering: Lowering, cost: Cost, devices: Sequence[int]) -> tuple[StepContent, ...]:
    """All-to-alls along ranges of levels; between two of them every device puts its blocks in order."""
    plain = lowering.allreduce()
    payload = float(plain.payload.bytes)
    held, amounts = (payload,) * len(devices), ((payload,), (payload,))
    alone = Members(tuple(devices), 1, plain.devices, ())
    order = step_content(LOCAL, alone, amounts, held, cost.work_cost(LocalWork(payload)))
    found: list[StepContent] = []
    for rule in _rules(text, lowering):
        price = all_to_all_cost(pattern_of(plain, rule), payload, cost.system)
        sent = step_content(EXCHANGE, Members.of(plain, rule, devices), amounts, held, price)
        found += [order, sent] if found else [sent]
    return shared(found)


def _rules(text: str, lowering: Lowering) -> list[GroupRule]:
    """The groups of the exchange that reads `text`."""
    search = lowering.problem.search
    every = exchanges(lowering.language, search.limit)
    chosen = next(one for one in every if exchange_text(lowering.hierarchy, one, EXCHANGE) == text)
    steps = (lowering.step(Together(grouping, Collective.ALL_REDUCE, ((0, 0),)), ()) for grouping in chosen)
    return [step.groups for step in steps if isinstance(step, CollectiveStep)]
