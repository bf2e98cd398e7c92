"""Types of StableHLO: `tensor<4x8xf32>`, tuples, and lists of types in signatures.

Recursive descent over MLIR's grammar of types (MLIR language reference; Aho, Lam, Sethi and Ullman, "Compilers", 2006,
section 4.4):
    type = "tensor" "<" { size "x" } element ">" | "tuple" "<" type { "," type } ">",    list = type | "(" types ")".
Complexity: linear in the text.

Example: `(tensor<4xf32>, tensor<f32>) -> tensor<4xf32>` has two parameters and one result.
"""

from p2smt.frontend.xla.hlo_types import MOST_DEPTH, check_shape, size_of
from p2smt.frontend.xla.ssa import HloShape, Type
from p2smt.frontend.xla.words import Words


def mlir_type(words: Words, depth: int = 0) -> Type:
    """Parse the next type; raises VerifyError with the line.

    >>> str(mlir_type(Words(["tensor", "<", "4x8xf32", ">"])))
    'f32[4,8]'
    """
    name = words.take("a type")
    if name == "tuple" and depth < MOST_DEPTH:
        words.expect("<")
        types: list[Type] = []
        while not words.accept(">"):
            if types:
                words.expect(",")
            types.append(mlir_type(words, depth + 1))
        return tuple(types)
    if name != "tensor":
        words.fail(f"type {name[:60]!r} is not supported; supported are tensor<4x8xf32> and tuples of such")
    words.expect("<")
    inside = words.take("a shape")
    *sizes, kind = inside.split("x")
    if words.peek() != ">":
        words.fail(
            f"tensor<{inside[:60]} {words.peek()[:60]}; sizes are whole numbers, and nothing follows the element type"
        )
    words.expect(">")
    shape = HloShape(kind[:20], tuple(size_of(words, size) for size in sizes))
    check_shape(words, shape)
    return shape


def type_list(words: Words) -> tuple[Type, ...]:
    """One type, several with commas, or any number in parentheses; attributes after a type are skipped."""
    enclosed = words.accept("(")
    types: list[Type] = []
    while not (enclosed and words.accept(")")):
        if types:
            words.expect(",")
        types.append(mlir_type(words))
        if enclosed and words.peek() == "{":
            words.balanced()
        if not enclosed and words.peek() != ",":
            break
    return tuple(types)


def result_types(words: Words) -> tuple[Type, ...]:
    """Result types of a function or operation: one type, or several in parentheses."""
    return type_list(words) if words.peek() == "(" else (mlir_type(words),)


def parameters(words: Words, said: "list[tuple[str, ...]] | None" = None) -> tuple[tuple[str, Type], ...]:
    """Parse `(%arg0: tensor<4xf32> {...}, %arg1: tensor<f32>)`; attribute words are appended to `said`."""
    words.expect("(")
    found: dict[str, Type] = {}
    while not words.accept(")"):
        if found:
            words.expect(",")
        name = words.take("a parameter")
        words.expect(":")
        if name in found or not name.startswith("%"):
            words.fail(f"{name[:60]!r} does not name exactly one parameter")
        found[name] = mlir_type(words)
        before = words.taken
        for part in ("{", "loc"):
            if words.peek() == part:
                skip(words)
        if said is not None:
            said.append(words.since(before))
    return tuple(found.items())


def skip(words: Words) -> None:
    """Skip a dictionary of attributes, or `loc(...)`."""
    if words.accept("loc") or words.peek() == "{":
        words.balanced()
