"""Text of a Triton kernel for elementwise lines, and of the line that launches it."""

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from p2smt.emit.torch.program.lines import WIDTH, broken
from p2smt.emit.torch.program.names import PythonNames
from p2smt.emit.torch.program.value import Value
from p2smt.schedule.emission.elementwise import SORTS, Sort, Translator
from p2smt.schedule.emission.spaces import Space

_RESERVED = (
    "position",
    "inside",
    "wide",
    "real",
    "block",
    "count",
    "tl",
    "triton",
    "elements",
    "next_word",
    "random_word",
    "divided",
    "root",
    "larger",
    "smaller",
    "sign",
    "index",
    "hyperbolic_tangent",
    "normal_share",
    "normal_density",
)
_REDUCED = {
    "torch.sum": ("sum", "0", "sum"),
    "largest": ("max", 'float("-inf")', "amax"),
    "smallest": ("min", 'float("inf")', "amin"),
}
REDUCTIONS = tuple(_REDUCED)


@dataclass(frozen=True, slots=True)
class KernelReduction:
    """A reduction of all elements in a kernel: its name, its function, and its operand."""

    name: str
    function: str
    operand: ast.expr


@dataclass(frozen=True, slots=True)
class WrittenKernel:
    """A kernel's text, the names assigned by its launch line, in order, and that line's right side."""

    text: str
    names: tuple[str, ...]
    call: str


class KernelText:
    """Writes one kernel over an index space: add statements, then stores, then call `made`."""

    def __init__(self, name: str, table: Mapping[str, Value], space: Space) -> None:
        self._name = name
        self._names = PythonNames((*_RESERVED, name))
        self._rank = len(space)
        self._translator = Translator(table, self._tensor, self._number, self._index, self._name_long)
        self._indices = [self._names.fresh(f"index_{dimension}") for dimension in range(self._rank)]
        self._lengths = [self._names.fresh(f"length_{dimension}") for dimension in range(self._rank)]
        self._pointers: dict[str, str] = {}
        self._known: dict[str, str] = {}
        self._overwritten: dict[str, str] = {}
        self._table = table
        self._numbers: dict[str, tuple[str, bool]] = {}
        self._loads: list[str] = []
        self._lines: list[str] = []
        self._stores: list[str] = []
        self._partials: dict[str, str] = {}

    def _index(self, dimension: int) -> str:
        return self._indices[dimension]

    def _tensor(self, name: str) -> str:
        """Return a tensor's element, loaded unless the kernel has computed it."""
        if name not in self._known:
            pointer, local = self._pointer(name), self._names.fresh(name)
            if name in self._overwritten:
                self._lines.append(
                    f"{local} = {self._overwritten[name]}.to({pointer}.dtype.element_ty){self._wide(name)}"
                )
            else:
                self._loads.append(f"{local} = tl.load({pointer}, inside, 0){self._wide(name)}")
            self._known[name] = local
        return self._known[name]

    def _wide(self, name: str) -> str:
        """Return the conversion of a tensor's element to the type used for computing."""
        dtype = self._table[name].dtype
        assert dtype is not None
        if SORTS[dtype] is Sort.FLOAT:
            return ".to(wide)"
        return ".to(tl.int64)" if SORTS[dtype] is Sort.WHOLE else ""

    def _pointer(self, name: str) -> str:
        if name not in self._pointers:
            self._pointers[name] = self._names.fresh(f"{name}_at")
        return self._pointers[name]

    def _places(self, pointers: Sequence[str]) -> list[str]:
        """Return lines that move each pointer to the current element."""
        return [
            f"{pointer} += {index} * {pointer}_by_{dimension}"
            for pointer in pointers
            for dimension, index in enumerate(self._indices)
        ]

    def _name_long(self, text: str) -> str:
        return self._named("value", text)

    def _number(self, text: str, whole: bool) -> str:
        if text not in self._numbers:
            self._numbers[text] = self._names.fresh(text if text.isidentifier() else "number"), whole
        return self._numbers[text][0]

    def assign(self, name: str, node: ast.expr) -> None:
        """Add a statement that assigns an expression to a name."""
        self._known[name] = self._named(name, self._translator.term(node).text)

    def _named(self, name: str, text: str) -> str:
        if text.isidentifier():
            return text
        local = self._names.fresh(name)
        self._lines.append(f"{local} = {text}")
        return local

    def overwrite(self, name: str, node: ast.expr) -> None:
        """Add a statement that overwrites a tensor. Later reads see the rounded value."""
        term = self._translator.term(node)
        pointer = self._pointer(name)
        text = self._named(f"{name}_new", term.text)
        self._stores.append(f"tl.store({pointer}, {text}, inside)")
        self._overwritten[name] = text
        self._known.pop(name, None)

    def reduce(self, reduced: KernelReduction) -> None:
        """Add a store of a block's partial reduction."""
        term = self._translator.term(reduced.operand)
        pointer = self._names.fresh(f"{reduced.name}_at")
        function, neutral, _ = _REDUCED[reduced.function]
        text = f"tl.{function}(tl.where(inside, {self._translator.wide(term)}, {neutral}))"
        self._stores.append(f"tl.store({pointer} + tl.program_id(0), {text})")
        self._partials[reduced.name] = pointer

    def made(self, wanted: Mapping[str, str], words: str) -> WrittenKernel:
        """Return the kernel that stores the values `wanted` (type texts by name) and partial reductions."""
        partials = [*self._partials.values()]
        results = [self._names.fresh(f"{name}_at") for name in wanted]
        self._stores += [
            f"tl.store({pointer}, {self._known[name]}, inside)" for name, pointer in zip(wanted, results, strict=True)
        ]
        given = [*self._pointers]
        pointers = [*self._pointers.values(), *results]
        text = self._text(pointers, partials, words)
        names = (*wanted, *self._partials)
        return WrittenKernel(text, names, self._call(given, wanted, len(partials)))

    def _text(self, pointers: Sequence[str], partials: Sequence[str], words: str) -> str:
        strides = [f"{pointer}_by_{dimension}" for pointer in pointers for dimension in range(self._rank)]
        numbers = [f"{name}: tl.{'int64' if whole else 'float64'}" for name, whole in self._numbers.values()]
        types = [f"{name}: tl.constexpr" for name in ("wide", "real", "block")]
        parameters = [*pointers, *partials, *strides, "count", *self._lengths, *numbers, *types]
        lines = ["position = tl.program_id(0).to(tl.int64) * block + tl.arange(0, block)", "inside = position < count"]
        lines += self._found_indices()
        lines += [
            f"{name} = tl.full((), {name}, {'tl.int64' if whole else 'wide'})" for name, whole in self._numbers.values()
        ]
        lines += [*self._places(pointers), *self._loads, *self._lines, *self._stores]
        return (
            "\n".join(
                [
                    "@triton.jit",
                    _head(self._name, parameters),
                    f'    """{words}"""',
                    *(broken(f"    {line}") for line in lines),
                ]
            )
            + "\n"
        )

    def _found_indices(self) -> list[str]:
        """Return lines that compute an element's index in every dimension from its linear position."""
        if self._rank == 1:
            return [f"{self._indices[0]} = position"]
        # Mixed radix, last dimension first; the quotient left at the end is the first index.
        found, rest = [], "position"
        for dimension in range(self._rank - 1, 0, -1):
            found.append(f"{self._indices[dimension]} = {rest} % {self._lengths[dimension]}")
            before = rest
            rest = self._names.fresh("rest")
            found.append(f"{rest} = {before} // {self._lengths[dimension]}")
        return [*found[:-1], found[-1].replace(rest, self._indices[0], 1)]

    def _call(self, given: Sequence[str], wanted: Mapping[str, str], partials: int) -> str:
        parts = [self._name, "at", _row(given)]
        if self._numbers:
            parts.append(_row(self._numbers))
        if wanted:
            parts.append(f"made={_row(wanted.values())}")
        if partials:
            parts.append(f"partials={partials}")
        return f"elements({', '.join(parts)})"


def total(function: str, partial: str) -> str:
    """Return the text that combines the partial results of all blocks."""
    return f"{partial}.{_REDUCED[function][2]}()"


def _row(texts: Iterable[str]) -> str:
    listed = [*texts]
    return f"({', '.join(listed)}{',' if len(listed) == 1 else ''})"


def _head(name: str, parameters: Sequence[str]) -> str:
    listed = ", ".join(parameters)
    if len(line := f"def {name}({listed}):") <= WIDTH:
        return line
    inside = f"    {listed}" if len(listed) + 4 <= WIDTH else "\n".join(f"    {each}," for each in parameters)
    return f"def {name}(\n{inside}\n):"
