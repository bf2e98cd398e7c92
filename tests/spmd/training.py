"""Several training steps on simulated ranks, which keep their own parts in between, beside those of one device."""

import numpy as np

from p2smt.tensor.comparison import split
from p2smt.tensor.expression import SourceKind
from p2smt.tensor.frame import whole
from p2smt.tensor.interpreter import run
from p2smt.tensor.layout import Partial
from p2smt.tensor.meaning import Part
from p2smt.tensor.program import versions
from p2smt.tensor.reals import Reals

KEPT = (SourceKind.PARAMETER, SourceKind.STATE)


def apart(program, single, steps=3, seed=0):
    """What differs first, as text, or None; in float64, with other samples in every step. Every version has to move."""
    rng, meaning = np.random.default_rng(seed), Reals(seed)
    sources = {source.name: source for source in program.sources}
    kept = {source.name: _beginning(source, rng) for source in single.sources if source.kind in KEPT}
    ranks = {name: split(sources[name], array, program, meaning) for name, array in kept.items()}
    ours, theirs = versions(program), versions(single)
    for step in range(1, steps + 1):
        batch = {source.name: _given(source, step, meaning) for source in single.sources if source.kind not in KEPT}
        expected = run(single, {name: (_one(array),) for name, array in (kept | batch).items()}, meaning, step)
        given = {name: split(sources[name], array, program, meaning) for name, array in batch.items()}
        made = run(program, ranks | given, meaning, step)
        for output in program.outputs:
            parts = made[output.name]
            if any(isinstance(placed.layout, Partial) for placed in output.layouts):
                parts = (_one(sum(part.array for part in parts)),)
            if not _is_split(parts, expected[output.name][0].array):
                return f"output {output.name} in step {step}"
        for name, version in theirs.items():
            new = expected[version][0].array
            if not _is_split(made[ours[name]], new):
                return f"{name} after step {step}"
            if np.array_equal(new, kept[name]):
                return f"{name} does not move in step {step}"
            kept[name], ranks[name] = new, made[ours[name]]
    return None


def _beginning(source, rng):
    return np.zeros(source.shape) if source.kind is SourceKind.STATE else rng.normal(0, 0.5, source.shape)


def _given(source, step, meaning):
    if source.kind is SourceKind.CONSTANT:
        return np.full(source.shape, float(source.value))
    return np.array(float(step)) if source.name == "step" else meaning.random(source.shape, source.dtype)


def _one(array):
    return Part(np.asarray(array), whole(np.shape(array)))


def _is_split(parts, expected):
    """Whether every part is that of the whole, which is finite, and all are all of it."""
    covered = np.zeros(expected.shape, dtype=bool)
    for part in parts:
        at = tuple(slice(interval.start, interval.stop) for interval in part.intervals)
        if part.array.shape != expected[at].shape or not np.allclose(part.array, expected[at], 1e-8, 1e-10):
            return False
        covered[at] = True
    return bool(covered.all() and np.isfinite(expected).all())
