"""The JSON document of `p2smt advise`."""

from collections.abc import Sequence
from dataclasses import asdict

from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.placement_advice import placement_advice_document
from p2smt.cli.output.steps import tokens_per_second, utilisation
from p2smt.cli.output.typed import typed_document
from p2smt.emit.frameworks.groups import rank_groups
from p2smt.job.advice import Advice
from p2smt.job.step.explanation import WhatIf, loss
from p2smt.job.step.search import SplitCandidate, StepQuestion, StepSearch
from p2smt.job.step.split_words import split_words
from p2smt.problem.transformer.memory import fits
from p2smt.problem.transformer.parameters import parameters
from p2smt.problem.transformer.split import Pipeline


def steps_document(
    found: StepSearch,
    name: str,
    system: str,
    advice: Advice | None,
    *,
    better: SplitCandidate | None,
    changes: Sequence[WhatIf],
    groups: bool,
) -> Document:
    """Return the document with everything that the text output contains."""
    question = found.question
    document: Document = {
        "version": VERSION,
        "model": name,
        "parameters": parameters(question.transformer),
        "system": system,
        "device": question.cluster.device.name,
        "framework": str(question.framework),
        "precision": str(question.precision),
        "batch": question.transformer.batch,
        "sequence": question.transformer.sequence,
        "points": found.points,
        "priced": found.priced,
        "too_large": found.too_large,
        "complete": found.complete,
        "splits": [_candidate(found, one) for one in found.best],
        "better": None if better is None else _candidate(found, better),
        "least": None if found.least is None else _candidate(found, found.least),
        "what_if": [
            {"change": one.change, "best": None if one.best is None else _candidate(found, one.best)} for one in changes
        ],
    }
    if not found.best:
        return document
    best = found.best[0].split
    answer: Document = {
        **document,
        "type": typed_document(question, best),
        **_best(found),
        **({} if advice is None else placement_advice_document(advice)),
    }
    experts = question.transformer.experts is not None
    return {**answer, "groups": rank_groups(best, experts=experts)} if groups else answer


def _best(found: StepSearch) -> Document:
    """Return the entry of the best split; `bubble` is the pipeline bubble relative to the micro-batches' time."""
    best = found.best[0]
    first = _candidate(found, best)
    # Only models with experts send tokens.
    sent = found.question.setting(best.split).dispatcher if found.question.transformer.experts else None
    return {
        "split": first["split"],
        "memory": first["memory"],
        "bubble": _bubble(found.question, best),
        "dispatcher": None if sent is None else str(sent),
    }


def _bubble(question: StepQuestion, best: SplitCandidate) -> float:
    split, time = best.split, best.time
    if split.pipeline is Pipeline.ZERO_BUBBLE:
        slots = time.computing + time.tensor + time.context + time.dispatch + time.sends
        return time.bubble / slots
    return (split.pp - 1) / (split.micro_batches(question.transformer.batch) * split.chunks)


def _candidate(found: StepSearch, one: SplitCandidate) -> Document:
    loses = None
    if found.best and one is not found.best[0]:
        part, seconds = loss(found.best[0], one)
        loses = {"part": part, "seconds": seconds}
    return {**candidate_document(found.question, one), "loses": loses}


def candidate_document(question: StepQuestion, one: SplitCandidate) -> Document:
    """Return the split, its step by parts, its throughput, and its memory by parts."""
    split = asdict(one.split)
    split |= {"zero": int(one.split.zero), "recompute": str(one.split.recompute), "pipeline": str(one.split.pipeline)}
    return {
        "split": split,
        "words": split_words(one.split),
        "step_s": one.seconds,
        "tokens_per_s": tokens_per_second(question, one),
        "tokens_per_s_per_device": tokens_per_second(question, one) / question.cluster.devices,
        "mfu": utilisation(question, one),
        "parts": asdict(one.time),
        "memory": {
            **asdict(one.memory),
            "total": one.memory.total,
            "device": question.cluster.memory,
            "fits": fits(one.memory, question.cluster.memory),
        },
    }
