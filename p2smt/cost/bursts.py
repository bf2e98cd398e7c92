"""Corrections for bursts when a plan in chunks is compared with the same plan in one piece.

A port shaped by a token bucket passes a burst at full speed after it was idle, whatever its rate. Without chunks, every
step that uses other links than the step before it finds a full bucket; with chunks, the links are busy all the time and
have one burst in total. Short payloads are therefore faster in one piece than their prices say. Prices, rankings,
searches and lower bounds ignore bursts; this module only decides whether chunks are still faster when bursts are
counted.

    slot:    seconds = time of its busiest link, of which link l can save at most saved[l];
    after:   saved[l] = min(burst, saved[l] - used[l])   if it carried anything, never below 0,
             saved[l] = min(burst, saved[l] + seconds)   if it was idle.

Complexity: one pass over the slots of the plan.
Reference: Turner, "New directions in communications", 1986 (the token, or leaky, bucket).
"""

from p2smt.cost.network.cost import Cost
from p2smt.cost.network.pipelining import Pipelines, added_up, joining_seconds, slot_causes, stage_numbers
from p2smt.problem.system.network import Network
from p2smt.reduction.plan.chunking import payload_chunks, slots
from p2smt.reduction.plan.model import Plan

SURE = 1.1
"""The smallest predicted gain for which chunks are proposed if ports have bursts; predictions are off by as much.

Source: scripts/results/chunks.md, mean |ln(predicted / measured)| of gains.
"""


def has_bursts(network: Network) -> bool:
    """True if some link has a token bucket and can pass a burst above its rate."""
    return any(link.burst for link in network.links)


def seconds_with_bursts(plan: Plan, cost: Cost) -> float:
    """Return the time of a plan with bursts, slot by slot; in each slot every active step works on one chunk.

    Each link starts with a credit of burst / rate seconds. Its traffic uses up the credit, and a slot without traffic
    restores it. Without bursts, the result equals the price of the plan.
    """
    network = cost.system.network
    bursts = {link.name: link.burst / link.bandwidth for link in network.links if link.burst}
    stages, names = Pipelines(cost).stages(plan), [str(numbers[-1]) for numbers in stage_numbers(plan)]
    saved, total = dict(bursts), 0.0
    for slot in slots(len(payload_chunks(plan)), len(stages)):
        first, last = slot[-1][1], slot[0][1] + 1
        at_work = stages[first:last]
        seconds = max(slot_causes(at_work, names[first:last], network, saved).values())
        used = added_up(use for stage in at_work for use in stage.busy)
        for link, burst in bursts.items():
            # Carrying uses up what was saved; an idle slot saves its own length, up to the burst.
            left = saved[link] - used[link] if used.get(link) else saved[link] + seconds
            saved[link] = min(burst, max(0.0, left))
        total += seconds
    return total + (joining_seconds(plan, network) if plan.chunks > 1 else 0.0)


def chunks_gain(alone: Plan, chunked: Plan, cost: Cost) -> bool:
    """True if a plan in chunks is faster by the factor `SURE` when bursts are counted; always True without bursts."""
    if not has_bursts(cost.system.network):
        return True
    return seconds_with_bursts(chunked, cost) * SURE <= seconds_with_bursts(alone, cost)
