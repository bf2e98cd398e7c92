"""Operations on lists of tensors (`_foreach_mul_`), run as the same operation on each member, in order.

This is what torch's CPU kernels do, and its GPU kernels too if the lists' memory does not overlap. Lists of
tensors or numbers are split, other arguments are passed to every member.
"""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch._ops import OpOverload

from p2smt.frontend.torch_graph.effects import named
from p2smt.frontend.torch_ranks.unfollowed import UnfollowedError

PREFIX = "_foreach_"
_BY_NAME = {"addcmul": "value", "addcdiv": "value"}
"""The keyword of the last argument in the single-tensor form of an operation."""
_OTHERWISE = ("max",)
"""Operations whose single-tensor form has another name."""


def is_foreach(operation: OpOverload) -> bool:
    """True for an operation on lists of tensors."""
    return operation.namespace == "aten" and operation.overloadpacket.__name__.startswith(PREFIX)


def each(operation: OpOverload, arguments: Sequence[object], keywords: Mapping[str, object]) -> list[object] | None:
    """Call the operation on each member; return a list of results, or None if it writes in place.

    UnfollowedError for operations that are not known to match their single-tensor form.
    """
    schema = operation._schema
    name = operation.overloadpacket.__name__.removeprefix(PREFIX)
    given = named(operation, arguments, keywords)
    if any(argument.is_out for argument in schema.arguments):
        raise UnfollowedError(f"{operation} writes into a list, which is not supported; drop out=")
    lists = {each.name for each in schema.arguments if str(each.type).startswith("List[")}
    count = len(_listed(given["self"] if "self" in lists else given["exponent"]))
    results = []
    for position in range(count):
        row = {key: _listed(value)[position] if key in lists else value for key, value in given.items()}
        results.append(_one(operation, name, row))
    return None if name.endswith("_") else results


def _listed(value: object) -> Sequence[object]:
    assert isinstance(value, list | tuple)
    return value


def _one(operation: OpOverload, name: str, row: Mapping[str, object]) -> object:
    base = name.removesuffix("_")
    if base == "norm":
        return torch.ops.aten.linalg_vector_norm.default(
            row["self"], row.get("ord", 2), None, False, dtype=row.get("dtype")
        )
    if base in ("maximum", "minimum") and not isinstance(list(row.values())[1], torch.Tensor):
        name = name.replace("maximum", "clamp_min").replace("minimum", "clamp_max")
    packet = getattr(torch.ops.aten, name, None)
    if packet is None or (operation._schema.overload_name == "Tensor" and base in _BY_NAME):
        raise UnfollowedError(f"{operation} is not supported; call it for each tensor of the list")
    by_name = {each.name for each in operation._schema.arguments if each.kwarg_only}
    positional = [value for key, value in row.items() if key not in by_name]
    named_ones = {key: value for key, value in row.items() if key in by_name}
    if base in _BY_NAME and len(positional) == 4:
        named_ones[_BY_NAME[base]] = positional.pop()
    called: Callable[..., object] = packet
    return called(*positional, **named_ones)
