"""The JSON document of `p2smt shard`."""

from math import isfinite

from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.step_time_line import time_line_document
from p2smt.spmd.account.candidate import Candidate
from p2smt.spmd.account.instruction import AccountedStep
from p2smt.spmd.account.instruction_rate import instruction_bus_bandwidth
from p2smt.spmd.account.recognition import recognised_in, strategy_of
from p2smt.spmd.account.uses import uses_of
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.network import PICO
from p2smt.spmd.devices.shares import Shares
from p2smt.spmd.model.batch import batch_of
from p2smt.spmd.reading.comparison import RunnerUp, runner_ups, why
from p2smt.spmd.reading.given_program import GivenProgram
from p2smt.spmd.reading.parameters import parameter_groups_in
from p2smt.spmd.reading.step_time_line import reported, step_picoseconds, step_time_line
from p2smt.spmd.search.sharded import MeshScope, OneAxisScope, Scope, SegmentScope, ShardingResult
from p2smt.tensor.placing import Mesh, layouts_text


def sharded_document(sharded: ShardingResult, inside: GivenProgram | None = None) -> Document:
    """Return the JSON document of a sharding; times are in seconds.

    `searched_s` is the stage-model time of the search's result, with a separate call for each collective and sharded
    outputs; `lower_bound_s` and `gap` refer to such programs. All other times are with fused calls and, unless
    conditions say otherwise, with whole outputs: `time_s` is the time line's, `stages_s` the stage model's, which has
    no overlap. `inside` is the program of all devices if the sharding is over machines.
    """
    account, batch = sharded.account, batch_of(sharded.program)
    uses = uses_of(sharded.program)
    found = recognised_in(uses)
    line = step_time_line(sharded.program, account, sharded.cluster)
    return {
        "version": VERSION,
        "program": sharded.program.name,
        "system": sharded.cluster.name,
        "devices": [
            {"kind": device.kind, "speed": device.speed, "memory": device.memory} for device in sharded.cluster.devices
        ],
        "computing": sharded.cluster.computing,
        "time_s": reported(line, account, sharded.cluster) / PICO,
        "stages_s": account.time / PICO,
        "sum_s": account.apart / PICO,
        "time_line": time_line_document(line),
        "machines_of": None if sharded.cluster.inside is None else list(sharded.cluster.inside.counts),
        "inside_machines": None if inside is None else _inside(inside),
        "communication_s": account.communication / PICO,
        "lower_bound_s": sharded.lower_bound / PICO,
        "gap": sharded.gap if isfinite(sharded.gap) else None,
        "buckets": sharded.buckets,
        "searched_s": sharded.searched.account.time / PICO,
        "proved": sharded.proved,
        "engine": str(sharded.engine),
        "notes": list(sharded.notes),
        "shares": _shares_document(sharded.shares),
        "meaning": list(sharded.meaning),
        "strategy": strategy_of(sharded.program, found),
        "parameters": [
            {"pattern": each.pattern, "names": list(each.names), "layouts": list(map(str, each.layouts))}
            for each in parameter_groups_in(uses)
        ],
        "batch": None if batch is None else {"size": batch.size, "divisor": batch.divisor},
        "mesh": [{"axis": axis.name, "size": axis.size} for axis in sharded.program.mesh],
        **_scope(sharded.scope),
        "recognised": [{"name": each.name, "axis": each.axis, "detail": each.detail} for each in found],
        "layouts": [
            {"name": name, "layout": layouts_text(layouts, sharded.program.mesh)} for name, layouts in sharded.layouts
        ],
        "instructions": [_instruction(each, sharded.program.mesh) for each in account.instructions],
        "memory": list(account.memory),
        "lacks": list(sharded.lacks),
        "baselines": [_candidate(name, each, sharded.cluster) for name, each in sharded.baselines],
        "candidates": [_candidate(each.shares.name, each, sharded.cluster) for each in sharded.candidates],
        "runner_ups": [_runner_up(each) for each in runner_ups(sharded)],
    }


def _inside(inside: GivenProgram) -> Document:
    program, account = inside.candidate.program, inside.candidate.account
    return {
        "mesh": [{"axis": axis.name, "size": axis.size} for axis in program.mesh],
        "time_s": step_picoseconds(program, account, inside.cluster) / PICO,
        "memory": list(account.memory),
    }


def _scope(scope: Scope) -> Document:
    document: Document = {"placement": None, "exact": True, "recomputed": [], "segments": [], "meshes": []}
    match scope:
        case OneAxisScope(recomputed):
            return {**document, "recomputed": list(recomputed)}
        case SegmentScope(segments):
            found = [
                {"parameters": list(each.parameters), "flops": each.flops, "shares": _shares_document(each.shares)}
                for each in segments
            ]
            return {**document, "segments": found}
        case MeshScope(placement, _, tried, exact):
            outcomes = [
                {
                    "sizes": list(each.sizes),
                    "placement": each.placement,
                    "time_s": None if each.time is None else each.time / PICO,
                    "lower_bound_s": each.bound / PICO,
                }
                for each in tried
            ]
            return {**document, "placement": placement, "exact": exact, "meshes": outcomes}


def _shares_document(shares: Shares) -> Document:
    return {"name": shares.name, "parts": [float(part) for part in shares.parts]}


def _candidate(name: str, candidate: Candidate, cluster: Cluster) -> Document:
    account = candidate.account
    return {
        "name": name,
        "shares": candidate.shares.name,
        "stages_s": account.time / PICO,
        "time_s": step_picoseconds(candidate.program, account, cluster) / PICO,
        "communication_s": account.communication / PICO,
        "memory": max(account.memory),
    }


def _runner_up(each: RunnerUp) -> Document:
    return {
        "name": each.name,
        "slower_s": each.slower / PICO,
        "collectives_s": each.collectives / PICO,
        "computing_s": each.computing / PICO,
        "missing": each.missing,
        "why": why(each),
    }


def _instruction(each: AccountedStep, mesh: Mesh) -> Document:
    return {
        "statement": each.statement,
        "what": each.text,
        "stage": each.stage,
        "time_s": each.time / PICO,
        "bytes": each.bytes,
        "bucket": list(each.bucket),
        "flops": list(each.flops),
        "way": None if each.way is None else str(each.way),
        "busbw_bytes_per_s": instruction_bus_bandwidth(each, mesh),
        "program": None if each.plan is None else each.plan.program,
    }
