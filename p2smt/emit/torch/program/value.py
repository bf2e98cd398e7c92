"""Expressions of a program in emitted code."""

from collections import Counter
from dataclasses import dataclass

from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import SourceKind
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.program import Program
from p2smt.tensor.signature import Shape

FLOATS = (DType.F16, DType.BF16, DType.F32, DType.F64)
TORCH_TYPES = {
    DType.F16: "torch.float16",
    DType.BF16: "torch.bfloat16",
    DType.F32: "torch.float32",
    DType.F64: "torch.float64",
    DType.I32: "torch.int32",
    DType.I64: "torch.int64",
    DType.BOOL: "torch.bool",
}


def real_type(program: Program) -> DType:
    """Return the type of the program's floating-point numbers: that of most of its parameters, states and inputs."""
    types = Counter(source.dtype for source in program.sources if source.kind is not SourceKind.SCALAR)
    floats = [dtype for dtype, _ in types.most_common() if dtype in FLOATS]
    return floats[0] if floats else DType.F32


def type_text(dtype: DType, real: DType) -> str:
    """Return a type in emitted code; the program's floating-point type is a variable there, so that it can change."""
    return "at.real" if dtype is real else TORCH_TYPES[dtype]


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A rank's shard of a tensor, as Python text.

    `shape` is the shape of the whole tensor. `dtype` is the type of torch's tensor; None for a Python number.
    `is_atom`: it needs no parentheses beside an operator; `is_name`: it is a name. `along`: it is the result of a
    conversion along this axis, in which all ranks of the axis take part, also those without a result. `chunked`: it is
    a chunk of the rank's shard, along this dimension. `in_place`: an equivalent expression with in-place operations on
    the first tensor; "" if there is none. `takes_bias`: adding a bias is part of the same call (`biases.py`).
    """

    text: str
    layouts: Layouts
    shape: Shape = ()
    dtype: DType | None = None
    is_atom: bool = True
    is_name: bool = False
    along: int | None = None
    chunked: int | None = None
    in_place: str = ""
    takes_bias: bool = False

    @property
    def operand(self) -> str:
        """The text as an operand, in parentheses unless it is an atom."""
        return self.text if self.is_atom else f"({self.text})"

    @property
    def is_float(self) -> bool:
        """True for a floating-point tensor."""
        return self.dtype in FLOATS

    @property
    def is_truth(self) -> bool:
        """True for a boolean tensor."""
        return self.dtype is DType.BOOL

    @property
    def stays(self) -> bool:
        """True if the value needs no name, or a name would make it another tensor."""
        return self.is_name or bool(self.in_place) or self.takes_bias
