"""Attributes of StableHLO's operations: numbers, lists, ranges and constants, in all their notations."""

from p2smt.errors import VerifyError
from p2smt.frontend.xla.known import from_bytes
from p2smt.frontend.xla.mlir_operation import MlirOperation
from p2smt.frontend.xla.ssa import HloShape, Product
from p2smt.frontend.xla.words import Words, signed, whole
from p2smt.verify.limits import MAX_STEPS

_DIMS = (
    "scatter_dimension",
    "all_gather_dim",
    "split_dimension",
    "concat_dimension",
    "iota_dimension",
    "dim",
    "dimension",
)
_SEVERAL = ("dims", "broadcast_dimensions", "dimensions", "permutation")
_THREE = (
    ("start_indices", "limit_indices", "strides"),
    ("low", "high", "interior"),
    ("edge_padding_low", "edge_padding_high", "interior_padding"),
)


def values(one: MlirOperation) -> tuple[str, ...]:
    """Return the numbers of `dense<[[1, 2]]> : tensor<1x2xi32>`, or of `dense<"0x...">`, as words."""
    if one.name != "stablehlo.constant":
        return ()
    value = one.attributes.get("value", ())
    value = value[: value.index(":")] if ":" in value else value
    if value[:2] != ("dense", "<"):
        raise VerifyError(f"a constant that begins with {' '.join(value[:2])[:60]}; only dense<...> is supported")
    kind = one.types[0].kind if len(one.types) == 1 and isinstance(one.types[0], HloShape) else ""
    if len(value) == 4 and value[2].startswith('"'):
        return from_bytes(value[2], kind)
    return value[2:-1]


def direction(words: tuple[str, ...]) -> str:
    """Return the direction in `LT`, or in `#stablehlo<comparison_direction LT>`."""
    return "" if not words else words[0] if len(words) == 1 else words[-2]


def dims(one: MlirOperation) -> tuple[int, ...]:
    """Return the dimensions in an operation's attribute, given singly or as a list."""
    named = tuple(whole_number(one.attributes[name]) for name in _DIMS if name in one.attributes)
    if named:
        return named
    several = next((one.attributes[name] for name in _SEVERAL if name in one.attributes), None)
    return () if several is None else tuple(_several(several))


def ranges(one: MlirOperation) -> tuple[tuple[int, int, int], ...]:
    """Return slice or padding ranges per dimension, from `[0:4, 0:8:2]` or from three lists."""
    for names in _THREE:
        if all(name in one.attributes for name in names):
            low, high, between = (_several(one.attributes[name]) for name in names)
            return tuple(zip(low, high, between, strict=True)) if len(low) == len(high) == len(between) else ()
    text = "".join(one.attributes.get("ranges", ())).strip("[]")
    found: list[tuple[int, int, int]] = []
    for part in text.split(",") if text else ():
        start, _, rest = part.partition(":")
        limit, _, stride = rest.partition(":")
        found.append((_integer(start), _integer(limit), _integer(stride or "1")))
    return tuple(found)


def product(one: MlirOperation) -> Product | None:
    """Parse `batching_dims = [0] x [0], contracting_dims = [2] x [1]`, or its `#stablehlo.dot<...>` form."""
    name = one.name.removeprefix("stablehlo.")
    if name == "dot":
        return None
    words = one.attributes.get("product") or one.attributes.get("dot_dimension_numbers", ())
    if name != "dot_general" or not words:
        return None
    generic = "dot_dimension_numbers" in one.attributes
    found = []
    for kind in ("batching", "contracting"):
        if generic:
            sides = [_behind(words, f"{side}_{kind}_dimensions") for side in ("lhs", "rhs")]
        else:
            sides = [_behind(words, f"{kind}_dims"), _behind(words, f"{kind}_dims", second=True)]
        found.append((sides[0], sides[1]))
    return Product(*found)


def _behind(words: tuple[str, ...], name: str, *, second: bool = False) -> tuple[int, ...]:
    """Return the list after `name =`, or after the `x` that follows it; empty if the name is missing."""
    if name not in words:
        return ()
    left = Words(words[words.index(name) + 2 :])
    listed = left.balanced()
    if second:
        left.expect("x")
        listed = left.balanced()
    return tuple(_several(listed))


def _several(words: tuple[str, ...]) -> list[int]:
    """Parse `[1, 0]`, `array<i64: 1, 0>` or `dense<[1, 0]>`."""
    inside = words[words.index(":") + 1 :] if words[:1] == ("array",) and ":" in words else words
    if words[:1] in (("array",), ("dense",)):
        inside = inside[: inside.index(">")] if ">" in inside else inside
    skipped = ("[", "]", ",", "dense", "<", ">", "array", "i64")
    return [_integer(word) for word in inside if word not in skipped]


def _integer(word: str) -> int:
    value = signed(word)
    if value is None:
        raise VerifyError(f"{word[:60]!r} is not a whole number")
    return value


def whole_number(words: tuple[str, ...]) -> int:
    """Return the integer in `2 : i64`."""
    return whole(Words(words), MAX_STEPS)


def channel(words: tuple[str, ...]) -> bool:
    """Return True if `#stablehlo.channel_handle<handle = 1, type = 1>` has a nonzero handle."""
    at = words.index("handle") + 2 if "handle" in words else len(words)
    return at < len(words) and words[at].strip("-0") != ""
