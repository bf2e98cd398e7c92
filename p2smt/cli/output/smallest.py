"""The smallest plan that shows a mistake, as text, JSON and a plan file."""

from collections.abc import Iterator
from dataclasses import asdict

from p2smt.cli.output.document import Document
from p2smt.frontend.plan_text import verification_plan_text
from p2smt.verify.counter_example import OF_SHAPE, CounterExample
from p2smt.verify.goal import payload
from p2smt.verify.plan import VerificationPlan
from p2smt.verify.plan_verdict import PlanRule
from p2smt.wording import first_few, listed, number_text

_MOST_LISTED = 16


def smallest_text(plan: VerificationPlan, small: CounterExample) -> str:
    """Return the lines on the smallest example that follow the verdict."""
    return "\n    ".join([f"  smallest: {_size(plan, small)}", *_numbers(small)])


def smallest_document(small: CounterExample) -> Document:
    """Return the JSON entry of the smallest example; its devices and chunks are numbered as in the small plan."""
    example = small.mistake.example
    return {
        "devices": small.devices,
        "chunks": small.chunks,
        "proved": small.proved,
        "message": small.mistake.message,
        "plan": verification_plan_text(small.plan),
        "example": None if example is None else asdict(example),
    }


def smallest_file(plan: VerificationPlan, small: CounterExample, path: str) -> str:
    """Return a plan file whose comments state the expected verdict; `path` is the file of the whole plan."""
    expected = [
        f"The mistake of {path}: {_size(plan, small)}.",
        f"p2smt verify says of this file: invalid: {small.mistake.rule}",
        small.mistake.message,
        *_numbers(small),
    ]
    lines = ("".join(sign if sign.isprintable() else " " for sign in line) for line in expected)
    return "".join(f"# {line}\n" for line in lines) + verification_plan_text(small.plan)


def _size(plan: VerificationPlan, small: CounterExample) -> str:
    if small.mistake.rule in OF_SHAPE:
        groups = [group for step in small.plan.steps for group in step.groups]
        word = "groups" if len(groups) > 1 else "group"
        alone = f"{word} {', '.join(map(listed, groups))}"
        return f"the same mistake shows in step {small.mistake.place.step} with {alone} alone"
    devices, chunks, of = len(small.devices), len(small.chunks), payload(plan.goal).length
    if (devices, chunks) == (plan.devices, of):
        return f"no part {'of the plan' if small.proved else 'that was tried'} shows the same mistake"
    return (
        f"the same mistake shows on {devices} of {plan.devices} devices ({first_few(small.devices, _MOST_LISTED)}) "
        f"and {chunks} of {of} chunks ({first_few(small.chunks, _MOST_LISTED)})"
        f"{'' if small.proved else ', maybe on fewer'}"
    )


def _numbers(small: CounterExample) -> Iterator[str]:
    """Yield the example's inputs, and the results that show the mistake."""
    place, example = small.mistake.place, small.mistake.example
    same = all(numbers == tuple(range(len(numbers))) for numbers in (small.devices, small.source, small.target))
    counted = "" if same else "counting these from 0, "
    if small.mistake.rule in OF_SHAPE:
        return
    if small.mistake.rule is PlanRule.UNDEFINED:
        yield f"contributions: any; {counted}chunk {place.chunk} of device {place.device} is undefined at the end"
    elif example is not None:
        given = (
            f"device {d} contributes {number_text(number)} to chunk {c}"
            for (d, c), number in example.contributions.items()
        )
        got, wanted = number_text(example.got), number_text(example.wanted)
        yield (
            f"contributions: {counted}{', '.join(given)}, all else 0; "
            f"device {example.device} ends with {got} in chunk {example.at} instead of {wanted}"
        )
