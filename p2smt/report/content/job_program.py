"""Steps of the program chosen for one reduction of a job."""

from collections.abc import Sequence

from p2smt.collective import Exchange, NeighbourSend
from p2smt.cost.network.all_to_all import all_to_all_cost
from p2smt.cost.network.cost import Cost, LocalWork
from p2smt.cost.network.neighbour_send import neighbour_send_cost
from p2smt.cost.network.pattern import pattern_of
from p2smt.reduction.language.instruction import Program
from p2smt.reduction.plan.exchange import ExchangeStep, all_to_all_steps
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import PermuteStep
from p2smt.reduction.synth.all_to_all import AllToAllProgram
from p2smt.report.content.content import StepContent
from p2smt.report.content.program_content import LOCAL, StepMembers, shared, step_content, steps_of


def chosen_steps(
    program: Program | AllToAllProgram | NeighbourSend, lowering: Lowering, cost: Cost, devices: Sequence[int]
) -> tuple[StepContent, ...]:
    """Return the steps of a program, with the per-device fields given for `devices`."""
    match program:
        case AllToAllProgram():
            return _all_to_all(program, lowering, cost, devices)
        case NeighbourSend():
            return _send(program, lowering, cost, devices)
        case _:
            return steps_of(lowering.plan(program), cost, devices)


def _all_to_all(
    program: AllToAllProgram, lowering: Lowering, cost: Cost, devices: Sequence[int]
) -> tuple[StepContent, ...]:
    """Return the steps of an all-to-all program: all-to-alls along ranges of levels, and local block permutations."""
    plain = lowering.direct
    payload = float(plain.payload.bytes)
    held, amounts = (payload,) * len(devices), ((payload,), (payload,))
    alone = StepMembers.alone(devices, plain.devices)
    order = step_content(LOCAL, alone, amounts, held, cost.work_cost(LocalWork(payload)))
    found: list[StepContent] = []
    for step in all_to_all_steps(plain.sizes, [lowering.groups(grouping) for grouping in program.groupings]):
        match step:
            case PermuteStep():
                found.append(order)
            case ExchangeStep(_, rule):
                price = all_to_all_cost(pattern_of(plain, rule), payload, cost.system)
                members = StepMembers.of(plain, rule, devices)
                found.append(step_content(Exchange.ALL_TO_ALL, members, amounts, held, price))
    return shared(found)


def _send(send: NeighbourSend, lowering: Lowering, cost: Cost, devices: Sequence[int]) -> tuple[StepContent, ...]:
    """Return the single step of a send to the next rank, in which every device holds the payload before and after.

    The result is empty if groups have only one device.
    """
    plain, rule = lowering.direct, lowering.all_groups
    if not rule.varying:
        return ()
    payload = float(plain.payload.bytes)
    price = neighbour_send_cost(send, pattern_of(plain, rule), payload, cost.system)
    amounts = ((payload,), (payload,))
    members = StepMembers.of(plain, rule, devices)
    return shared([step_content(send, members, amounts, (payload,) * len(devices), price)])
