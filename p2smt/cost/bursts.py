"""Corrections for bursts in the comparison of a plan in chunks with one in one piece.

A port that a token bucket shapes passes a burst at once when it was idle, whatever its rate. In one piece every step
that uses other links than the one before finds a burst saved up; in chunks links are at work all the time, and have
one burst once. Short payloads are therefore faster in one piece than their prices say. Prices, rankings and searches
leave bursts out, the wire is shorter by them; chunks are proposed only where they surely gain with bursts, too.
"""

from p2smt.cost.network.backend import Cost
from p2smt.cost.pipelining import Pipelines, added_up, joining_seconds, slot_causes, stage_numbers
from p2smt.problem.system.network import Network
from p2smt.reduction.plan.chunking import payload_chunks, slots
from p2smt.reduction.plan.model import Plan

SURE = 1.1
"""Gains in chunks below this are not proposed if ports have bursts, because predictions are off by as much.

Source: scripts/results/chunks.md, mean |ln(predicted / measured)| of gains.
"""


def has_bursts(network: Network) -> bool:
    """True if some port passes more bytes at once than its rate."""
    return any(link.burst for link in network.links)


def seconds_with_bursts(plan: Plan, cost: Cost) -> float:
    """The time of a plan, slot by slot: of one chunk a step in each.

    A link has as many seconds saved up as its burst takes by its rate, at first. What it carries uses them up; it saves
    up again in slots in which it carries nothing. Without bursts that is what the plan's steps or chunks are priced at.
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
    """True if a plan in chunks is faster by the factor SURE despite bursts; always true without bursts."""
    if not has_bursts(cost.system.network):
        return True
    return seconds_with_bursts(chunked, cost) * SURE <= seconds_with_bursts(alone, cost)
