"""The lines of a fused all-reduce: its two collectives, and what is computed between them."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from p2smt.schedule.emission.kernel_text import KernelReduction, total
from p2smt.schedule.emission.kernels import Element
from p2smt.schedule.emission.parsed_lines import ParsedLine

_REDUCE = "all_reduce"
_OPERATIONS = {"torch.sum": "dist.ReduceOp.SUM", "largest": "dist.ReduceOp.MAX", "smallest": "dist.ReduceOp.MIN"}


class NotFusedError(Exception):
    """A group cannot be one kernel; the reason completes "it cannot be one kernel: "."""


@dataclass(frozen=True, slots=True)
class ChainEnds:
    """The collectives of a chain: what is scattered, and the axis, dimension and interval of both."""

    scattered: ParsedLine
    gathered: ParsedLine
    summands: str
    operand: ast.expr
    axis: str
    cut: int
    part: str


@dataclass(slots=True)
class ChainPart:
    """Lines between two meetings of all blocks, and the names of their reductions once they are of all ranks."""

    elements: list[Element] = field(default_factory=list)
    ends: dict[str, str] = field(default_factory=dict)

    @property
    def made(self) -> set[str]:
        """The names that the part assigns or overwrites."""
        return {element.line.target for element in self.elements}


def only_call(read: Sequence[ParsedLine], function: str) -> int:
    """Return the number of the one line that calls a collective."""
    found = [
        number
        for number, line in enumerate(read)
        if isinstance(line.node, ast.Call) and ast.unparse(line.node.func).startswith(function)
    ]
    if len(found) != 1:
        raise NotFusedError(f"it has {len(found)} lines that are a {function}, not one")
    return found[0]


def summed_over_ranks(line: ParsedLine, part: ChainPart, axis: str) -> KernelReduction | None:
    """Return the reduction of a part that a line makes one of all ranks along the axis; None if there is none."""
    match line.node:
        case ast.Call(ast.Name(name), [ast.Name(operand), along, *operation]) if name == _REDUCE:
            pass
        case _:
            return None
    for element in part.elements:
        if element.line.target != operand or len(element.reduced) != 1 or ast.unparse(along) != axis:
            continue
        (reduced,) = element.reduced
        wanted = _OPERATIONS[reduced.function]
        if [ast.unparse(each) for each in operation] in ([wanted], [] if reduced.function == "torch.sum" else [wanted]):
            return reduced if _is_plain(element, reduced) else None
    return None


def _is_plain(element: Element, reduced: KernelReduction) -> bool:
    """True if a line is a reduction and nothing else."""
    ended = ast.unparse(element.node)
    return ended.startswith(f"{total(reduced.function, reduced.name)}.to(") and ended.count("(") <= 3
