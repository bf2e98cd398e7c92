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


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenPart:
    """A function that a kernel calls for a block of elements, and what it is called with, in order.

    `values` are elements that the kernel has, `tensors` are read or overwritten, `wanted` stored, `numbers` computed
    outside, each with whether it is whole. It returns the block's `reduced` values.
    """

    name: str
    text: str
    values: tuple[str, ...]
    tensors: tuple[str, ...]
    wanted: tuple[str, ...]
    numbers: tuple[tuple[str, bool], ...]
    reduced: tuple[KernelReduction, ...]


class KernelText:
    """Writes one kernel over an index space: add statements, then stores, then call `made`.

    With `part` it is a function that a kernel calls for each block of elements; that has the elements of `values`.
    """

    def __init__(self, name: str, table: Mapping[str, Value], space: Space, values: Iterable[str] = ()) -> None:
        self._name = name
        self._names = PythonNames((*_RESERVED, name))
        self._rank = len(space)
        self._translator = Translator(table, self._tensor, self._number, self._index, self._name_long)
        self._indices = [self._names.fresh(f"index_{dimension}") for dimension in range(self._rank)]
        self._lengths = [self._names.fresh(f"length_{dimension}") for dimension in range(self._rank)]
        self._pointers: dict[str, str] = {}
        self._values = {value: self._names.fresh(value) for value in values}
        self._known: dict[str, str] = dict(self._values)
        self._overwritten: dict[str, str] = {}
        self._table = table
        self._numbers: dict[str, tuple[str, bool]] = {}
        self._loads: list[str] = []
        self._lines: list[str] = []
        self._stores: list[str] = []
        self._reduced: list[tuple[KernelReduction, str]] = []

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
        """Add a block's partial reduction."""
        term = self._translator.term(reduced.operand)
        function, neutral, _ = _REDUCED[reduced.function]
        text = f"tl.{function}(tl.where(inside, {self._translator.wide(term)}, {neutral}))"
        self._reduced.append((reduced, text))

    def made(self, wanted: Mapping[str, str], words: str) -> WrittenKernel:
        """Return the kernel that stores the values `wanted` (type texts by name) and partial reductions."""
        partials = [self._names.fresh(f"{reduced.name}_at") for reduced, _ in self._reduced]
        for pointer, (_, text) in zip(partials, self._reduced, strict=True):
            self._stores.append(f"tl.store({pointer} + tl.program_id(0), {text})")
        given = [*self._pointers]
        pointers = [*self._pointers.values(), *self._stored(wanted)]
        lines = ["position = tl.program_id(0).to(tl.int64) * block + tl.arange(0, block)", "inside = position < count"]
        parameters = [*pointers, *partials, *self._strides(pointers), "count", *self._lengths]
        text = self._text(parameters, [*lines, *self._body(pointers)], ("wide", "real", "block"), words)
        names = (*wanted, *(reduced.name for reduced, _ in self._reduced))
        return WrittenKernel(text, names, self._call(given, wanted, len(partials)))

    def part(self, wanted: Sequence[str], words: str) -> WrittenPart:
        """Return the function that stores the values `wanted` and returns partial reductions."""
        given = tuple(self._pointers)
        pointers = [*self._pointers.values(), *self._stored(wanted)]
        ended = [f"return {', '.join(text for _, text in self._reduced)}"] if self._reduced else []
        parameters = [*self._values.values(), *pointers, *self._strides(pointers), "position", "inside", *self._lengths]
        text = self._text(parameters, [*self._body(pointers), *ended], ("wide", "real"), words)
        return WrittenPart(
            name=self._name,
            text=text,
            values=tuple(self._values),
            tensors=given,
            wanted=tuple(wanted),
            numbers=tuple((text, whole) for text, (_, whole) in self._numbers.items()),
            reduced=tuple(reduced for reduced, _ in self._reduced),
        )

    def _stored(self, wanted: Iterable[str]) -> list[str]:
        """Add the stores of values; return the pointers to which they go."""
        results = [self._names.fresh(f"{name}_at") for name in wanted]
        self._stores += [
            f"tl.store({pointer}, {self._known[name]}, inside)" for name, pointer in zip(wanted, results, strict=True)
        ]
        return results

    def _strides(self, pointers: Sequence[str]) -> list[str]:
        return [f"{pointer}_by_{dimension}" for pointer in pointers for dimension in range(self._rank)]

    def _body(self, pointers: Sequence[str]) -> list[str]:
        """Return the lines behind those that say which elements are computed."""
        numbers = [
            f"{name} = tl.full((), {name}, {'tl.int64' if whole else 'wide'})" for name, whole in self._numbers.values()
        ]
        indices = index_lines(self._names, self._indices, self._lengths)
        return [*indices, *numbers, *self._places(pointers), *self._loads, *self._lines, *self._stores]

    def _text(self, parameters: Sequence[str], lines: Sequence[str], types: Sequence[str], words: str) -> str:
        numbers = [f"{name}: {number_type(whole)}" for name, whole in self._numbers.values()]
        return function_text(
            self._name, [*parameters, *numbers, *(f"{name}: tl.constexpr" for name in types)], lines, words
        )

    def _call(self, given: Sequence[str], wanted: Mapping[str, str], partials: int) -> str:
        parts = [self._name, "at", row(given)]
        if self._numbers:
            parts.append(row(self._numbers))
        if wanted:
            parts.append(f"made={row(wanted.values())}")
        if partials:
            parts.append(f"partials={partials}")
        return f"elements({', '.join(parts)})"


def index_lines(names: PythonNames, indices: Sequence[str], lengths: Sequence[str]) -> list[str]:
    """Return lines that compute an element's index in every dimension from its linear position."""
    if len(indices) == 1:
        return [f"{indices[0]} = position"]
    # Mixed radix, last dimension first; the quotient left at the end is the first index.
    found, rest = [], "position"
    for dimension in range(len(indices) - 1, 0, -1):
        found.append(f"{indices[dimension]} = {rest} % {lengths[dimension]}")
        before = rest
        rest = names.fresh("rest")
        found.append(f"{rest} = {before} // {lengths[dimension]}")
    return [*found[:-1], found[-1].replace(rest, indices[0], 1)]


def number_type(whole: bool) -> str:
    """Return the type in which a number is passed to a kernel."""
    return f"tl.{'int64' if whole else 'float64'}"


def function_text(name: str, parameters: Sequence[str], lines: Iterable[str], words: str) -> str:
    """Return a function of Triton's."""
    body = (broken(f"    {line}") for line in lines)
    return "\n".join(["@triton.jit", _head(name, parameters), f'    """{words}"""', *body]) + "\n"


def total(function: str, partial: str) -> str:
    """Return the text that combines the partial results of all blocks."""
    return f"{partial}.{_REDUCED[function][2]}()"


def row(texts: Iterable[str]) -> str:
    """Return the text of a tuple."""
    listed = [*texts]
    return f"({', '.join(listed)}{',' if len(listed) == 1 else ''})"


def _head(name: str, parameters: Sequence[str]) -> str:
    listed = ", ".join(parameters)
    if len(line := f"def {name}({listed}):") <= WIDTH:
        return line
    inside = f"    {listed}" if len(listed) + 4 <= WIDTH else "\n".join(f"    {each}," for each in parameters)
    return f"def {name}(\n{inside}\n):"
