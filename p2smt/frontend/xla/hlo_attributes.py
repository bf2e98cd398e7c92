"""Attributes of HLO's instructions: dimensions, ranges, called computations."""

from p2smt.errors import VerifyError
from p2smt.frontend.xla.sharding import shared_out
from p2smt.frontend.xla.ssa import Product
from p2smt.frontend.xla.words import Words, listed, signed
from p2smt.verify.limits import MAX_STEPS

_CALLEES = ("to_apply", "calls", "condition", "body", "true_computation", "false_computation")


def dims(attributes: dict[str, tuple[str, ...]]) -> tuple[int, ...]:
    """The dimensions in an instruction's attributes."""
    words = attributes.get("dimensions") or attributes.get("iota_dimension") or ()
    return () if not words else listed(Words(words if words[0] == "{" else ("{", *words, "}")), "{", "}", MAX_STEPS)


def ranges(attributes: dict[str, tuple[str, ...]]) -> tuple[tuple[int, int, int], ...]:
    """Parse `slice={[0:4], [0:8:2]}` to (start, limit, stride), `padding=0_4x1_1_0` to (low, high, interior)."""
    cut = "".join(attributes.get("slice", ())).strip("{}").replace("[", "").replace("]", "")
    pad = "".join(attributes.get("padding", ()))
    found: list[tuple[int, int, int]] = []
    for one in cut.split(",") if cut else pad.split("x") if pad else ():
        numbers = [signed(word) for word in one.split(":" if cut else "_")]
        if len(numbers) not in (2, 3) or None in numbers:
            raise VerifyError(f"expected two or three numbers of a slice or padding, found {one[:60]!r}")
        low, high, *rest = (number or 0 for number in numbers)
        found.append((low, high, rest[0] if rest else int(bool(cut))))
    return tuple(found)


def callees(attributes: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the computations that an instruction calls: condition before body, branches in order."""
    branches = attributes.get("branch_computations", ())
    if branches:
        return tuple(word.removeprefix("%") for word in branches if word not in ("{", "}", ","))
    return tuple("".join(attributes[name]).removeprefix("%") for name in _CALLEES if name in attributes)


def product(attributes: dict[str, tuple[str, ...]]) -> Product:
    """Parse `lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}`."""

    def both(kind: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        left, right = (attributes.get(f"{side}_{kind}_dims", ("{", "}")) for side in ("lhs", "rhs"))
        return listed(Words(left), "{", "}", MAX_STEPS), listed(Words(right), "{", "}", MAX_STEPS)

    return Product(both("batch"), both("contracting"))


def user_name(attributes: dict[str, tuple[str, ...]]) -> str:
    """Return a parameter's user-given name from metadata; empty if it is not an identifier."""
    words = attributes.get("metadata", ())
    name = words[words.index("op_name") + 2].strip('"') if "op_name" in words[:-2] else ""
    return name if name.isidentifier() else ""


def shared(words: tuple[str, ...], name: str) -> tuple[str, ...]:
    """Return the shardings of values in the frontend attribute `name`."""
    return shared_out((words[words.index(name) + 2],)) if name in words[:-2] else ()
