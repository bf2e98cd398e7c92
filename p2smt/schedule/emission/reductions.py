"""Reductions over all elements in the expressions of emitted lines."""

import ast

from p2smt.schedule.emission.elementwise import NotElementwiseError, Sort, Translator
from p2smt.schedule.emission.kernel_text import REDUCTIONS, KernelReduction, total
from p2smt.schedule.emission.spaces import Space, together
from p2smt.schedule.emission.writer import ScheduleWriter


class ReductionExtractor(ast.NodeTransformer):
    """Extracts full reductions from an expression, and replaces each by the combination of its partial results."""

    def __init__(self, target: str, translator: Translator, writer: ScheduleWriter, dtype: str) -> None:
        self._target = target
        self._translator = translator
        self._writer = writer
        self._dtype = dtype
        self.reduced: list[KernelReduction] = []
        self.space: Space = ()

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Return the call, or the combination of partial results if it is a reduction."""
        match node:
            case ast.Call(function, [operand, ast.Tuple(dims), ast.Constant(bool(kept))]):
                name = ast.unparse(function)
            case _:
                self.generic_visit(node)
                return node
        if name not in REDUCTIONS:
            raise NotElementwiseError(name)
        term = self._translator.term(operand)
        if len(dims) != len(term.space) or term.sort is not Sort.FLOAT or not dims:
            raise NotElementwiseError(f"{name} over some dimensions")
        space = together((self.space, term.space)) if self.reduced else term.space
        if space != term.space:
            raise NotElementwiseError(f"{name} of tensors that cannot be broadcast together")
        self.space = term.space
        partial = self._writer.names.fresh(f"{self._target}_blocks")
        self.reduced.append(KernelReduction(partial, name, operand))
        shape = f".view({', '.join(['1'] * len(dims))})" if kept else ""
        ended = ast.parse(f"{total(name, partial)}.to({self._dtype}){shape}", mode="eval").body
        assert isinstance(ended, ast.Call)
        return ended
