"""Judge small tensor programs with a change by `verify_program` and by PyTorch on wide sets of values; print JSON.

A verdict is false if it is "right" and PyTorch gives different values on some set, or if it is "wrong" and PyTorch
gives the same on all sets of many rounds. Values are positive, of both signs, on a grid with zeros and ties, whole,
counted from 1, wide, large, and infinite here and there; every round is another training step. Exponentials are of 300
at most, since beyond 700 float64 has none. Among large and infinite values only finite results are compared. "Right"
speaks of real numbers: where an infinite input makes some value of a program no number, a difference is listed as
`outside`, not as false. Needs torch. Exit code 1 if a verdict is false.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

import torch
from broken_programs import Pair, pairs, patterns
from torch import Tensor
from torch_meanings import computed

from p2smt.errors import ProgramError
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call, Convert, Expression, Number, Ranks, Read
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.printer import print_program
from p2smt.tensor.program import Program
from p2smt.tensor.shapes import wholes
from p2smt.tensor.verification.check import verify_program
from p2smt.tensor.verification.erasure import erased
from p2smt.verify.verdict import Proved, Refuted, Unknown

OUTSIDE = "infinite inputs of which a program makes no numbers"
BEYOND_THE_CLAIM = f"right, which does not speak of {OUTSIDE}"
MANY = 20
"""Rounds of all sets before a "wrong" is called false."""
TOLERANCE = 1e-6


def drawn(kind: str, shape: tuple[int, ...], dtype: DType, random: Random, largest: float) -> Tensor:
    """Values of a kind; whole numbers are indices, and some that are not."""
    count = torch.Size(shape).numel()
    match dtype:
        case DType.BOOL:
            values = [float(random.random() < 0.5) for _ in range(count)]
        case DType.I32 | DType.I64:
            values = [float(random.choice([*range(7), -1, -100])) for _ in range(count)]
        case DType.F16 | DType.BF16 | DType.F32 | DType.F64:
            values = [_REAL[kind](random, largest) for _ in range(count)]
    return torch.tensor(values, dtype=torch.float64).reshape(shape)


_REAL: dict[str, Callable[[Random, float], float]] = {
    "positive": lambda random, _: random.uniform(0.2, 0.9),
    "signed": lambda random, _: random.uniform(-4, 4),
    "grid": lambda random, _: random.randint(-4, 4) / 2,
    "whole": lambda random, _: float(random.randint(-6, 6)),
    "counted": lambda random, _: float(random.randint(1, 9)),
    "wide": lambda random, _: random.uniform(-70, 70),
    "large": lambda random, largest: random.choice([-1, 1]) * 10 ** random.uniform(2, largest),
    "infinite": lambda random, _: random.choice([-1.0, 0.0, 0.5, 2.0, torch.inf, -torch.inf]),
}
SETS = tuple(_REAL)


def value(expression: Expression, known: dict[str, Tensor], step: int, unreal: list[bool]) -> Tensor:
    """What PyTorch makes of an expression; `unreal` gets whether each part of it has an element that is no number."""
    match expression:
        case Read(name):
            return known[name]
        case Number(number):
            return torch.tensor(float(number), dtype=torch.float64)
        case Call(operation, operands, attributes):
            found = computed(operation, [value(each, known, step, unreal) for each in operands], attributes, step)
            unreal.append(bool(found.isnan().any()))
            return found
        case Convert() | Ranks():
            raise AssertionError("a program for one device")


def result(program: Program, given: dict[str, Tensor], step: int, unreal: list[bool]) -> Tensor:
    """The output of a program for one device."""
    known = dict(given)
    for statement in program.statements:
        known[statement.name] = value(statement.expression, known, step, unreal)
    return known["y"]


def differs(program: Program, single: Program, rounds: int, seed: int) -> str:
    """The kind of values on which PyTorch gives something else for the one than for the other; empty if none.

    OUTSIDE where all that differ are infinite ones of which a program makes no numbers.
    """
    bare = erased(program)
    mine, other = wholes(bare)["y"], wholes(single)["y"]
    if mine.shape != other.shape or mine.dtype is not other.dtype:
        return "type"
    random = Random(seed)
    calls = {part.operation for each in (bare, single) for part in each.expressions() if isinstance(part, Call)}
    largest = 2.5 if calls & {"exp"} else 6
    outside = ""
    for number in range(rounds):
        for kind in SETS:
            given = {each.name: drawn(kind, each.shape, each.dtype, random, largest) for each in single.sources}
            step = number + 1
            unreal: list[bool] = []
            if _alike(kind, result(bare, given, step, unreal), result(single, given, step, unreal)):
                continue
            if kind != "infinite" or not any(unreal):
                return kind
            outside = OUTSIDE
    return outside


def _alike(kind: str, left: Tensor, right: Tensor) -> bool:
    if left.shape != right.shape:
        return False
    finite = left.isfinite() & right.isfinite()
    near = torch.isclose(left, right, TOLERANCE, TOLERANCE)
    if kind in ("large", "infinite"):
        return bool((near | ~finite).all())
    return bool((near | (left == right) | (left.isnan() & right.isnan())).all())


def judged(pair: Pair, seed: int) -> tuple[str, str]:
    """The verdict, and what is false about it; empty if nothing."""
    try:
        verdict = verify_program(pair.program, pair.single)
    except ProgramError as error:
        return "refused", f"crash: {error}"
    match verdict:
        case Proved():
            kind = differs(pair.program, pair.single, 4, seed)
            if kind == OUTSIDE:
                return "right", BEYOND_THE_CLAIM
            return "right", kind and f"right, but PyTorch differs on {kind} values"
        case Refuted():
            alike = differs(pair.program, pair.single, MANY, seed) in ("", OUTSIDE)
            return "wrong", "wrong, but PyTorch gives the same" if alike else ""
        case Unknown():
            return "not proved", ""


def run(count: int, seed: int) -> dict[str, object]:
    """The campaign: verdicts by change and by operation, and every false one with both programs."""
    verdicts: Counter[str] = Counter()
    changes: dict[str, Counter[str]] = {}
    operations: dict[str, Counter[str]] = {}
    false: list[dict[str, str]] = []
    outside: list[dict[str, str]] = []
    begun = time.monotonic()
    for number, pair in enumerate(_progress(pairs(count, seed))):
        verdict, wrong = judged(pair, seed + number)
        verdicts[verdict] += 1
        changes.setdefault(pair.change, Counter())[verdict] += 1
        operations.setdefault(pair.operation, Counter())[verdict] += 1
        if wrong:
            texts = print_program(pair.program), print_program(pair.single)
            listed = outside if wrong == BEYOND_THE_CLAIM else false
            listed.append({"what": wrong, "change": pair.change, "program": texts[0], "single": texts[1]})
    return {
        "programs": count,
        "seed": seed,
        "seconds": round(time.monotonic() - begun, 1),
        "verdicts": dict(verdicts),
        "not_proved_share": round(verdicts["not proved"] / max(count, 1), 4),
        "operations_without_a_pair": sorted(set(OPERATIONS) - set(operations)),
        "false": false,
        "outside": outside,
        "by_change": {name: dict(found) for name, found in sorted(changes.items())},
        "by_operation": {name: dict(found) for name, found in sorted(operations.items())},
    }


def _progress(found: list[Pair]) -> Iterator[Pair]:
    for number, pair in enumerate(found):
        if number % 100 == 0 and sys.stderr.isatty():
            print(f"\r{number} of {len(found)} programs", end="", file=sys.stderr, flush=True)
        yield pair


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=3 * 1000, help="how many pairs")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    assert all(patterns().values()), "an operation has no calls in broken_programs.py"
    found = run(asked.programs, asked.seed)
    print(json.dumps(found, indent=1))
    return 1 if found["false"] else 0


if __name__ == "__main__":
    sys.exit(main())
