"""Complex numbers, as in rotary embeddings, lowered to pairs of real tensors, because programs lack complex types.

Linear operations apply to both parts. A product is (a + bi)(c + di) = (ac - bd) + (ad + bc)i.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from p2smt.frontend.torch_graph.aten_call import DTYPES, AtenCall, Complex, Handler, Lowered, Result
from p2smt.frontend.torch_graph.emission import Emission, number
from p2smt.frontend.torch_graph.graph import Argument, Meta, Reference
from p2smt.frontend.torch_graph.lowering.contractions import CONTRACTIONS
from p2smt.frontend.torch_graph.lowering.formula import Formula
from p2smt.frontend.torch_graph.lowering.moves import joined_along, selected
from p2smt.frontend.torch_graph.view import View, with_one
from p2smt.tensor.dtype import DType

_PARTS = {"complex64": "float32", "complex128": "float64", "complex32": "float16"}
_LINEAR = frozenset(
    (
        "view",
        "_unsafe_view",
        "reshape",
        "expand",
        "unsqueeze",
        "squeeze",
        "slice",
        "select",
        "transpose",
        "permute",
        "t",
        "clone",
        "alias",
        "detach",
        "contiguous",
        "sum",
        "neg",
        "cat",
        "stack",
        "index",
        "index_select",
        "slice_backward",
        "select_backward",
        "unbind",
        "split",
        "repeat",
        "zeros_like",
        "zeros",
        "new_zeros",
        "slice_scatter",
        "select_scatter",
        "copy",
        "mean",
        "roll",
        "flip",
        "flatten",
        "unflatten",
    )
)


def is_complex(call: AtenCall) -> bool:
    """True if an operand or a result is complex."""
    results = [each for each in call.node.results if each is not None]
    return any(each.dtype in _PARTS for each in results) or any(
        isinstance(call.memory.results.get(each), Complex) for each in call.references()
    )


def lowered_complex(emission: Emission, call: AtenCall, name: str, handler: Handler | None) -> Lowered:
    """Return the results of a call with complex numbers.

    CaptureError for nonlinear functions other than *, / and exp.
    """
    if name in _KNOWN:
        return _KNOWN[name](emission, call)
    if handler is None or name not in _LINEAR:
        raise call.refused("its operands are complex; only products, sums and moves of complex numbers are supported")
    real, imaginary = (_listed(handler(emission, _part(call, position))) for position in (0, 1))
    pairs = zip(real, imaginary, strict=True)
    return [Complex(*pair) if isinstance(pair[0], View) and isinstance(pair[1], View) else None for pair in pairs]  # type: ignore[arg-type]


def _listed(results: Lowered) -> list[Result]:
    return list(results) if isinstance(results, Sequence) else [results]


def _part(call: AtenCall, position: int) -> AtenCall:
    """Return the call with its complex operands replaced by their real or imaginary parts."""
    memory = replace(call.memory, results=dict(call.memory.results), elements={})
    for each in call.references():
        found = memory.results.get(each)
        if isinstance(found, Complex):
            memory.results[each] = (found.real, found.imaginary)[position]
        elif isinstance(found, View) and position:
            memory.results[each] = replace(number(0), dtype=found.dtype).repeated(found.shape)
    metas = [
        None if each is None else Meta(each.shape, _PARTS.get(each.dtype, each.dtype)) for each in call.node.results
    ]
    return AtenCall(replace(call.node, results=metas), memory)


def _operand(call: AtenCall, position: int) -> Complex:
    argument: Argument = call.argument(position)
    found = call.memory.results.get(argument) if isinstance(argument, Reference) else None
    if isinstance(found, Complex):
        return found
    if isinstance(argument, str):  # complex numbers have no other form there
        written = complex(argument)
        return Complex(number(written.real), number(written.imag))
    return Complex(call.view(position), number(0))


def _formula(emission: Emission, call: AtenCall) -> Formula:
    meta = call.node.results[0]
    assert meta is not None
    return Formula(emission, DTYPES[_PARTS.get(meta.dtype, meta.dtype)], meta.shape)


def _product(emission: Emission, call: AtenCall) -> Complex:
    made, (left, right) = _formula(emission, call), (_operand(call, 0), _operand(call, 1))
    real = made.of("sub", made.of("mul", left.real, right.real), made.of("mul", left.imaginary, right.imaginary))
    cross = made.of("add", made.of("mul", left.real, right.imaginary), made.of("mul", left.imaginary, right.real))
    return Complex(real, cross.repeated(call.shape))


def _added(operation: str) -> Callable[[Emission, AtenCall], Complex]:
    """Return a handler for a sum or difference; a real operand affects the real part only."""

    def lowered(emission: Emission, call: AtenCall) -> Complex:
        made, (left, right) = _formula(emission, call), (_operand(call, 0), _operand(call, 1))
        alpha = call.real(2, "alpha", 1.0)
        pairs = ((left.real, right.real), (left.imaginary, right.imaginary))
        real, imaginary = (made.of(operation, first, made.of("mul", second, alpha)) for first, second in pairs)
        return Complex(real, imaginary)

    return lowered


def _quotient(emission: Emission, call: AtenCall) -> Complex:
    """Return the quotient: the product with c - di, divided by c^2 + d^2."""
    made, (left, right) = _formula(emission, call), (_operand(call, 0), _operand(call, 1))
    size = made.of("add", made.of("mul", right.real, right.real), made.of("mul", right.imaginary, right.imaginary))
    real = made.of("add", made.of("mul", left.real, right.real), made.of("mul", left.imaginary, right.imaginary))
    cross = made.of("sub", made.of("mul", left.imaginary, right.real), made.of("mul", left.real, right.imaginary))
    return Complex(made.of("div", real, size), made.of("div", cross, size))


def _exponential(emission: Emission, call: AtenCall) -> Complex:
    """Return exp(a + bi) = exp(a) (cos b + i sin b)."""
    made, found = _formula(emission, call), _operand(call, 0)
    size = made.of("exp", found.real)
    return Complex(*(made.of("mul", size, made.of(name, found.imaginary)) for name in ("cos", "sin")))


def _matrix_product(operation: Handler) -> Callable[[Emission, AtenCall], Complex]:
    """Return a handler for a complex matrix product, as four real matrix products."""

    def lowered(emission: Emission, call: AtenCall) -> Complex:
        made, (left, right) = _formula(emission, call), (_operand(call, 0), _operand(call, 1))

        def of(first: View, second: View) -> View:
            found = operation(emission, _with_operands(call, first, second))
            assert isinstance(found, View)
            return found

        real = made.of("sub", of(left.real, right.real), of(left.imaginary, right.imaginary))
        return Complex(real, made.of("add", of(left.real, right.imaginary), of(left.imaginary, right.real)))

    return lowered


def _with_operands(call: AtenCall, *views: View) -> AtenCall:
    """Return the call with real matrices as operands."""
    memory, references = replace(call.memory, results=dict(call.memory.results), elements={}), []
    for position, view in enumerate(views):
        reference = Reference(f"{call.node.name}.part{position}")
        shape = call.operands()[position].shape if not view.sizes else view.shape
        memory.results[reference] = _real_elements_of(view, shape)
        references.append(reference)
    metas = [None if each is None else Meta(each.shape, _PARTS[each.dtype]) for each in call.node.results]
    return AtenCall(replace(call.node, results=metas, arguments=[*references]), memory)


def _real_elements_of(view: View, shape: tuple[int, ...]) -> View:
    return replace(view, dtype=view.dtype or DType.F32).repeated(shape)


def _polar(emission: Emission, call: AtenCall) -> Complex:
    made, size, angle = _formula(emission, call), call.view(0), call.view(1)
    return Complex(made.of("mul", size, made.of("cos", angle)), made.of("mul", size, made.of("sin", angle)))


def _complex(emission: Emission, call: AtenCall) -> Complex:
    return Complex(call.view(0), call.view(1))


def _of_pairs(emission: Emission, call: AtenCall) -> Complex:
    view = call.view(0)
    return Complex(*(selected(emission, view, len(view.shape) - 1, at) for at in (0, 1)))


def _as_pairs(emission: Emission, call: AtenCall) -> View:
    found, shape = _operand(call, 0), call.shape[:-1]
    parts = [with_one(_real_elements(emission, each, shape), len(shape)) for each in (found.real, found.imaginary)]
    return joined_along(emission, parts, len(shape))


def _real_elements(emission: Emission, view: View, shape: tuple[int, ...]) -> View:
    """Return a real or imaginary part as a tensor, even if it is a number."""
    return replace(view, dtype=view.dtype or DType.F32).repeated(shape)


def _size(emission: Emission, call: AtenCall) -> View:
    made, found = _formula(emission, call), _operand(call, 0)
    squares = [made.of("mul", each, each) for each in (found.real, found.imaginary)]
    return made.of("sqrt", made.of("add", *squares))


def _direction(emission: Emission, call: AtenCall) -> Complex:
    """Return a complex number divided by its absolute value; 0 for 0."""
    made, found, size = _formula(emission, call), _operand(call, 0), _size(emission, call)
    safe = made.of("where", made.of("eq", size, 0), 1, size)
    return Complex(made.of("div", found.real, safe), made.of("div", found.imaginary, safe))


def _conjugate(emission: Emission, call: AtenCall) -> Complex:
    found = _operand(call, 0)
    return Complex(found.real, _formula(emission, call).of("neg", found.imaginary))


def _same(emission: Emission, call: AtenCall) -> Complex:
    return _operand(call, 0)


def _converted(emission: Emission, call: AtenCall) -> Lowered:
    meta = call.node.results[0]
    assert meta is not None
    return _operand(call, 0) if meta.dtype in _PARTS else _operand(call, 0).real


_KNOWN: Mapping[str, Callable[[Emission, AtenCall], Lowered]] = {
    "add": _added("add"),
    "sub": _added("sub"),
    "mul": _product,
    "div": _quotient,
    "exp": _exponential,
    **{name: _matrix_product(CONTRACTIONS[name]) for name in ("mm", "bmm")},
    "polar": _polar,
    "complex": _complex,
    "view_as_complex": _of_pairs,
    "view_as_real": _as_pairs,
    **dict.fromkeys(("conj", "_conj", "conj_physical", "_conj_physical"), _conjugate),
    "resolve_conj": _same,
    "resolve_neg": _same,
    "abs": _size,
    "sgn": _direction,
    "_to_copy": _converted,
    "real": lambda emission, call: _operand(call, 0).real,
    "imag": lambda emission, call: _operand(call, 0).imaginary,
}
