"""Parser of program text; every error names line and column, the expected input, and the nearest known name.

Method: recursive descent, line by line (Aho, Lam, Sethi and Ullman, "Compilers", 2006, section 4.4), with names
declared before their use:
    program = "program" name { "mesh" axes | "size" sizes | source | statement | "output" name [ layout ] }
    source  = kind name ":" type "[" lengths "]" { layout },    statement = name "=" expression
`expressions.py` has the grammar of expressions. Shapes are checked while a statement is read, so an error names the
place.
Complexity: linear in the text.

Example: `y = matmul(x, w)` behind `input x : f32[4, 8]` and `parameter w : f32[8, 2]` is a statement of shape [4, 2].
"""

from collections.abc import Callable
from math import isfinite, prod

from p2smt.errors import ProgramError
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call, Convert, Expression, Output, ProgramAxis, Source, SourceKind, Statement
from p2smt.tensor.program import Program
from p2smt.tensor.shapes import MAX_ELEMENTS, Whole, whole_of
from p2smt.tensor.text.cursor import MAX_NUMBER, Cursor, nearest
from p2smt.tensor.text.expressions import ExpressionReader
from p2smt.tensor.text.layouts import MAX_RANK, MAX_RANKS, read_layouts
from p2smt.tensor.text.lexer import Token, Word

MAX_STATEMENTS = 50_000
MAX_LEVELS = 150
_LINES = ("program", "mesh", "size", "input", "parameter", "state", "scalar", "constant", "output")


def parse_program(text: str) -> Program:
    """Parse a program. ProgramError if the text is malformed or exceeds the size limits."""
    return _Parser(text).program()


class _Parser:
    def __init__(self, text: str) -> None:
        self._cursor = Cursor(text)
        self._name = ""
        self._sizes: dict[str, int] = {}
        self._mesh: list[ProgramAxis] = []
        self._sources: list[Source] = []
        self._statements: list[Statement] = []
        self._outputs: list[Output] = []
        self._known: dict[str, Whole] = {}
        self._reader = ExpressionReader(self._cursor, self._known, self._sizes)

    def program(self) -> Program:
        while not self._cursor.ended:
            if self._cursor.peek().token is Token.LINE:
                self._cursor.take()
                continue
            word = self._cursor.name(f"a name or one of {', '.join(_LINES)}")
            if not self._name and word.text != "program":
                raise self._cursor.error("a program begins with its name; write: program NAME", word)
            if self._cursor.peek().text == "=" and self._cursor.peek().token is Token.SIGN:
                self._statement(word)
            else:
                self._line(word)
            self._cursor.end_line()
        if not self._name:
            raise ProgramError("line 1, column 1: a program begins with its name; write: program NAME")
        return self._checked()

    def _checked(self) -> Program:
        if not self._outputs:
            raise ProgramError(f"program {self._name} has no output; add a line: output NAME")
        return Program(
            name=self._name,
            sizes=tuple(self._sizes.items()),
            mesh=tuple(self._mesh),
            sources=tuple(self._sources),
            statements=tuple(self._statements),
            outputs=tuple(self._outputs),
        )

    def _line(self, word: Word) -> None:
        lines: dict[str, Callable[[], None]] = {
            "program": self._program_line,
            "mesh": self._mesh_line,
            "size": self._size_line,
            "scalar": self._scalar_line,
            "output": self._output_line,
        }
        if word.text in lines:
            lines[word.text]()
        elif word.text in tuple(SourceKind):
            self._source_line(SourceKind(word.text))
        else:
            hint = nearest(word.text, _LINES)
            raise self._cursor.error(f"expected '=' after a name, or one of {', '.join(_LINES)}{hint}", word)

    def _program_line(self) -> None:
        word = self._cursor.name("the program's name")
        if self._name:
            raise self._cursor.error("a file holds one program; give the second one its own file", word)
        self._name = word.text

    def _mesh_line(self) -> None:
        while True:
            word = self._cursor.name("an axis")
            if any(axis.name == word.text for axis in self._mesh) or word.text == "sizes":
                raise self._cursor.error(
                    f"the axis {word.text!r} already exists, or its name is reserved; choose another name", word
                )
            self._cursor.expect("=")
            self._mesh.append(ProgramAxis(word.text, self._cursor.whole("the ranks of an axis", 1, MAX_RANKS)))
            if prod(axis.size for axis in self._mesh) > MAX_RANKS:
                raise self._cursor.error(f"the mesh has more than {MAX_RANKS} ranks, the limit", word)
            if not self._cursor.skips(","):
                return

    def _size_line(self) -> None:
        while True:
            word = self._new("a size")
            self._cursor.expect("=")
            self._sizes[word.text] = self._cursor.whole("a size", 1)
            if not self._cursor.skips(","):
                return

    def _new(self, what: str) -> Word:
        word = self._cursor.name(f"the name of {what}")
        if word.text in self._known or word.text in self._sizes or word.text == "ranks":
            raise self._cursor.error(
                f"{word.text!r} is already defined or reserved; choose another name, for an updated value too", word
            )
        return word

    def _scalar_line(self) -> None:
        while True:
            word = self._new("a scalar")
            dtype = self._dtype() if self._cursor.skips(":") else DType.F32
            self._add(Source(kind=SourceKind.SCALAR, name=word.text, dtype=dtype))
            if not self._cursor.skips(","):
                return

    def _source_line(self, kind: SourceKind) -> None:
        word = self._new(f"a {kind}")
        self._cursor.expect(":")
        dtype = self._dtype()
        names, shape = self._shape()
        layouts = read_layouts(self._cursor)
        value = 0.0
        if kind is SourceKind.CONSTANT:
            self._cursor.expect("=")
            value = self._constant()
        self._add(
            Source(kind=kind, name=word.text, dtype=dtype, shape=shape, names=names, layouts=layouts, value=value)
        )

    def _constant(self) -> float:
        sign = -1.0 if self._cursor.skips("-") else 1.0
        word = self._cursor.take()
        if word.token is not Token.NUMBER or len(word.text) > 30:
            raise self._cursor.error(f"expected the value of the constant, found {word}", word)
        value = float(word.text)
        if not isfinite(value):
            raise self._cursor.error(f"{word.text} is not a finite number", word)
        return sign * value

    def _add(self, source: Source) -> None:
        self._sources.append(source)
        self._known[source.name] = Whole(source.shape, source.dtype)

    def _dtype(self) -> DType:
        word = self._cursor.name("a type of elements")
        if word.text not in tuple(DType):
            raise self._cursor.error(f"{word.text!r} is none of {', '.join(DType)}", word)
        return DType(word.text)

    def _shape(self) -> tuple[tuple[str, ...], tuple[int, ...]]:
        names: list[str] = []
        shape: list[int] = []
        elements = 1
        self._cursor.expect("[")
        while not self._cursor.skips("]"):
            if shape:
                self._cursor.expect(",")
            name, length = self._length()
            names.append(name)
            shape.append(length)
            elements *= length
            if elements > MAX_ELEMENTS or len(shape) > MAX_RANK:
                raise self._cursor.error(f"the tensor has more than {MAX_RANK} dimensions or 2^62 elements, the limits")
        return tuple(names), tuple(shape)

    def _length(self) -> tuple[str, int]:
        if self._cursor.peek().token is not Token.NAME:
            return "", self._cursor.whole("a length", 1, MAX_NUMBER)
        word = self._cursor.take()
        if self._cursor.skips("="):
            if word.text in self._sizes:
                raise self._cursor.error(f"{word.text!r} is already a size; choose another name", word)
            return word.text, self._cursor.whole("a length", 1, MAX_NUMBER)
        if word.text not in self._sizes:
            hint = nearest(word.text, self._sizes)
            raise self._cursor.error(f"{word.text!r} is not a size; write it as: size {word.text} = 8{hint}", word)
        return word.text, self._sizes[word.text]

    def _output_line(self) -> None:
        word = self._cursor.name("an output")
        if word.text not in self._known:
            hint = nearest(word.text, self._known)
            raise self._cursor.error(
                f"{word.text!r} is not defined before this line{hint or '; define it above'}", word
            )
        if any(output.name == word.text for output in self._outputs):
            raise self._cursor.error(f"{word.text!r} is already an output; name it once", word)
        self._outputs.append(Output(word.text, read_layouts(self._cursor)))

    def _statement(self, word: Word) -> None:
        if word.text in self._known or word.text in self._sizes or word.text == "ranks":
            raise self._cursor.error(
                f"{word.text!r} is already defined or reserved; choose another name, for an updated value too", word
            )
        self._cursor.expect("=")
        expression = self._reader.read()
        if len(self._statements) >= MAX_STATEMENTS or _levels(expression) > MAX_LEVELS:
            raise self._cursor.error(
                f"the program has more than {MAX_STATEMENTS} statements, or one of more than {MAX_LEVELS} "
                "levels; these are the limits",
                word,
            )
        try:
            self._known[word.text] = whole_of(expression, self._known)
        except ProgramError as cause:
            raise self._cursor.error(str(cause), word) from cause
        self._statements.append(Statement(word.text, expression))


def _levels(expression: Expression) -> int:
    deepest, waiting = 0, [(expression, 1)]
    while waiting:
        part, level = waiting.pop()
        deepest = max(deepest, level)
        match part:
            case Call(_, operands):
                waiting += [(operand, level + 1) for operand in operands]
            case Convert(_, operand):
                waiting.append((operand, level + 1))
            case _:
                pass
    return deepest
