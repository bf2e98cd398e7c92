"""Every operation's calls, taken from the campaign's patterns, and values that its declared properties are tried on."""

from itertools import product

import torch
from scripts.loading import script_module
from tiers import sample

from p2smt.tensor.operations import OPERATIONS

computed = script_module("torch_meanings").computed
PATTERNS = script_module("broken_programs").patterns()


def fits(name, pattern, values):
    try:
        OPERATIONS[name].signature(pattern.shapes, values)
    except ValueError:
        return False
    return True


def calls(name):
    """Calls of an operation: a pattern and attributes that fit its shapes; of a cast to every type."""
    every = [
        (pattern, values)
        for pattern in PATTERNS[name]
        for values in product(*pattern.attributes)
        if fits(name, pattern, values)
    ]
    return every if name == "cast" else sample(every, 3)


SETS = ("signed", "grid", "whole", "ties", "infinite")


def values(kind, shape, dtype, generator):
    """Finite numbers of both signs, few different ones, whole ones, all the same, infinite ones."""
    if dtype in ("i64", "bool"):
        return torch.randint(0, 2 if dtype == "bool" else 5, shape, generator=generator).double()
    drawn = torch.rand(shape, generator=generator, dtype=torch.float64) * 6 - 3
    match kind:
        case "grid":
            return torch.round(drawn * 2) / 2
        case "whole":
            return torch.round(drawn * 2)
        case "ties":
            return torch.full(shape, float(torch.round(drawn.flatten()[0])), dtype=torch.float64)
        case "infinite":
            return torch.where(drawn > 2, torch.inf, torch.where(drawn < -2, -torch.inf, drawn))
        case _:
            return drawn


def drawn(kind, pattern, seed):
    generator = torch.Generator().manual_seed(seed)
    types = pattern.types or ("f32",) * len(pattern.shapes)
    return [values(kind, shape, dtype, generator) for shape, dtype in zip(pattern.shapes, types, strict=True)]


def alike(left, right):
    """Equal where both are finite; of sums of infinite numbers nothing is claimed."""
    known = left.isfinite() & right.isfinite()
    return left.shape == right.shape and bool((torch.isclose(left, right, 1e-8, 1e-8) | ~known | (left == right)).all())
