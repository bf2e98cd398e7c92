"""Types of HLO: `f32[4,8]{1,0}`, and tuples of them.

Recursive descent over the grammar of XLA's `hlo_parser.cc`, with one token of look-ahead (Aho, Lam, Sethi and Ullman,
"Compilers", 2006, section 4.4):
    type = "(" [ type { "," type } ] ")" | element "[" sizes "]" [ layout ],    layout = "{" order [ ":" tiles ] "}".
Complexity: linear in the text.

Example: `(f32[2]{0}, s32[])` is a tuple of a vector and a scalar.
"""

from p2smt.frontend.xla.ssa import MOST_ELEMENTS, HloShape, Type
from p2smt.frontend.xla.words import Words, number

MOST_DEPTH = 8
MOST_DIMS = 32


def hlo_type(words: Words, depth: int = 0) -> Type:
    """Parse the next type; raises VerifyError with the line.

    >>> str(hlo_type(Words(["f32", "[", "4", ",", "8", "]", "{", "0", ",", "1", "}"])))
    'f32[4,8]'
    """
    if depth > MOST_DEPTH:
        words.fail(f"tuples nested deeper than {MOST_DEPTH}")
    if words.accept("("):
        types: list[Type] = []
        while not words.accept(")"):
            if types:
                words.expect(",")
            types.append(hlo_type(words, depth + 1))
        return tuple(types)
    kind = words.take("a type")
    words.expect("[")
    dims: list[int] = []
    while not words.accept("]") and len(dims) <= MOST_DIMS:
        if dims:
            words.expect(",")
        dims.append(size_of(words, words.take("a dimension")))
    shape = HloShape(kind[:20], tuple(dims), _layout(words))
    check_shape(words, shape)
    return shape


def size_of(words: Words, word: str) -> int:
    """Return a dimension's size, which must be static."""
    size = number(word, MOST_ELEMENTS)
    if size is None:
        words.fail(f"dimension {word[:60]!r}; sizes have to be whole numbers, known before the program runs")
    return size


def check_shape(words: Words, shape: HloShape) -> None:
    """Raise VerifyError, with the line, for a shape with no elements, or with too many elements or dimensions."""
    if len(shape.dims) > MOST_DIMS or not 1 <= shape.size <= MOST_ELEMENTS:
        words.fail(f"{str(shape)[:80]}: a tensor has 1 to 2^48 elements and at most {MOST_DIMS} dimensions")


def _layout(words: Words) -> tuple[int, ...]:
    """The optional layout after a type: `{1,0}` or `{1,0:T(8,128)}`."""
    if words.peek() != "{" or not (words.peek(1) in ("}", ":") or words.peek(1).isdigit()):
        return ()
    inside = words.balanced()[1:-1]
    order = inside[: inside.index(":")] if ":" in inside else inside
    axes = [number(word, MOST_DIMS) for word in order[::2]]
    return tuple(axis for axis in axes if axis is not None)
