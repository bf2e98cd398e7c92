"""Contractions: sums of products. A convolution contracts channels; its spatial labels are blocked."""

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from p2smt.problem.system.device_model import OperationKind
from p2smt.tensor.checks import positive, rank_is, same, whole_number
from p2smt.tensor.frame import Attributes, Frame
from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.operation import Array, Kind, Operation, Parameter, ParameterKind
from p2smt.tensor.operations.padding import padded
from p2smt.tensor.signature import Blocked, Label, LabelKind, ParallelLabel, Reduced, Shape, Signature, dims, linear

LETTERS = "abcdefghijklmnopqrstuvwxyz"
ADDED = Reduced(ReductionOp.SUM)


def _spec(text: str, shapes: Sequence[Shape]) -> tuple[list[list[str]], list[str]]:
    sources, arrow, target = text.partition("->")
    operands = [source.split() for source in sources.split(",")]
    if not arrow or "," in target:
        raise ValueError(f"einsum {text!r} must have the form 'b m k, k n -> b m n'")
    same(len(operands), len(shapes), "operands of an einsum and of its call")
    for names, shape in zip(operands, shapes, strict=True):
        rank_is(shape, len(names), f"the operand {' '.join(names)!r}")
    for names in (*operands, target.split()):
        if len(set(names)) < len(names):
            raise ValueError(f"{' '.join(names)!r} has a label twice; use each label once")
    return operands, target.split()


def einsum_signature(text: str, shapes: Sequence[Shape]) -> Signature:
    """Return the signature of an einsum: labels absent from the result are summed; linear in each operand."""
    operands, result = _spec(text, shapes)
    sizes: dict[str, int] = {}
    for names, shape in zip(operands, shapes, strict=True):
        for name, length in zip(names, shape, strict=True):
            same(sizes.setdefault(name, length), length, f"lengths of {name}")
    if unknown := [name for name in result if name not in sizes]:
        raise ValueError(f"no operand has the label {unknown[0]!r}")
    labels = tuple(Label(name, size, ParallelLabel() if name in result else ADDED) for name, size in sizes.items())
    return Signature(labels, tuple(map(dims, operands)), dims(result), linear(*range(len(shapes))))


def einsum(text: str, arrays: Sequence[Array]) -> Array:
    """Compute the einsum of arrays; its labels may be whole words."""
    sources, _, target = text.partition("->")
    words = sorted(set(text.replace("->", " ").replace(",", " ").split()))
    # numpy takes single letters, so each word gets one; sorted, for a text that does not depend on
    # hashing.
    letter = dict(zip(words, LETTERS + LETTERS.upper(), strict=False))
    short = ",".join("".join(letter[word] for word in source.split()) for source in sources.split(","))
    result: Array = np.einsum(f"{short}->{''.join(letter[word] for word in target.split())}", *arrays)
    return result


def _einsum_text(shapes: Sequence[Shape], attributes: Attributes) -> str:
    text = str(attributes[0])
    if len(set(text.replace("->", " ").replace(",", " ").split())) > 2 * len(LETTERS):
        raise ValueError(f"an einsum has at most {2 * len(LETTERS)} labels")
    return text


def _matmul_text(shapes: Sequence[Shape], attributes: Attributes) -> str:
    left, right = (len(shape) for shape in shapes)
    if left < 2 or right < 2 or right not in (2, left):
        raise ValueError(
            f"matmul of tensors with {left} and {right} dimensions; the second must have 2, or as many as the first"
        )
    batch = " ".join(LETTERS[: left - 2])
    return f"{batch} m2 k2, {batch if right > 2 else ''} k2 n2 -> {batch} m2 n2"


def _linear_text(shapes: Sequence[Shape], attributes: Attributes) -> str:
    rank_is(shapes[1], 2, "the weight of a linear")
    if not shapes[0]:
        raise ValueError("linear needs an input with at least one dimension")
    batch = " ".join(LETTERS[: len(shapes[0]) - 1])
    return f"{batch} k2, n2 k2 -> {batch} n2"


def _contraction(
    name: str,
    operands: int | None,
    text: Callable[[Sequence[Shape], Attributes], str],
    torch: str,
    parameters: tuple[Parameter, ...] = (),
    emitted: str = "{torch}({operands})",
) -> Operation:
    def signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
        return einsum_signature(text(shapes, attributes), shapes)

    def meaning(arrays: Sequence[Array], frame: Frame) -> Array:
        return einsum(text([array.shape for array in arrays], frame.attributes), arrays)

    return Operation(
        name=name,
        kind=Kind.CONTRACT,
        operands=operands,
        signature=signature,
        numpy=meaning,
        torch=torch,
        emitted=emitted,
        parameters=parameters,
        exact=True,
        flops=2,
    )


def convolving(
    name: str,
    signature: Callable[[Sequence[Shape], Attributes], Signature],
    numpy: Callable[[Sequence[Array], Frame], Array],
    torch: str,
    parameters: tuple[Parameter, ...],
    emitted: str,
    kernel: OperationKind,
) -> Operation:
    """Return a convolution; flops leave out input positions, which result and kernel positions determine."""
    return Operation(
        name=name,
        kind=Kind.CONTRACT,
        operands=2,
        signature=signature,
        numpy=numpy,
        torch=torch,
        emitted=emitted,
        parameters=parameters,
        exact=True,
        flops=2,
        uncounted=frozenset({"h", "w"}),
        kernel=kernel,
    )


def windows(shape: Shape, kernel: Shape, attributes: Attributes) -> Shape:
    """Return the number of kernel positions in each dimension of padded space."""
    stride, padding, dilation = sliding(attributes)
    positive((stride, padding + 1, dilation))
    spans = [(dilation * (k - 1)) + 1 for k in kernel]
    if padding > max(*shape, *spans):
        raise ValueError(f"padding {padding} is larger than both the input {list(shape)} and the kernel's span {spans}")
    lengths = tuple((n + (2 * padding) - span) // stride + 1 for n, span in zip(shape, spans, strict=True))
    if min(lengths) < 1:
        apart = f" with elements {dilation} apart" if dilation > 1 else ""
        raise ValueError(f"the kernel {list(kernel)}{apart} does not fit into {list(shape)} padded by {padding}")
    return lengths


def _labels(kinds: dict[str, LabelKind], operands: Sequence[str], shapes: Sequence[Shape]) -> tuple[Label, ...]:
    sizes: dict[str, int] = {}
    for names, shape in zip(operands, shapes, strict=True):
        for name, length in zip(names.split(), shape, strict=True):
            same(sizes.setdefault(name, length), length, f"lengths of {name}")
    return tuple(Label(name, size, kinds.get(name, Blocked())) for name, size in sizes.items())


def convolution(operands: tuple[str, str], result: str, kinds: dict[str, LabelKind], shapes: list[Shape]) -> Signature:
    """Return the signature of a convolution, linear in both operands; labels not in `kinds` are blocked."""
    labels = _labels(kinds, (*operands, result), shapes)
    sources = tuple(dims(names.split()) for names in operands)
    return Signature(labels, sources, dims(result.split()), linear(0, 1))


def _forward(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    x, weight = shapes
    rank_is(x, 4, "the input of a convolution")
    rank_is(weight, 4, "its weight")
    space = windows(x[2:], weight[2:], attributes)
    kinds: dict[str, LabelKind] = {"n": ParallelLabel(), "o": ParallelLabel(), "c": ADDED}
    return convolution(("n c h w", "o c kh kw"), "n o oh ow", kinds, [x, weight, (x[0], weight[0], *space)])


def _input_backward(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    gradient, weight = shapes
    rank_is(gradient, 4, "the gradient of a convolution")
    rank_is(weight, 4, "its weight")
    space = positive(attributes[:2])
    same(windows(space, weight[2:], attributes), gradient[2:], "positions of the kernel and of the gradient")
    kinds: dict[str, LabelKind] = {"n": ParallelLabel(), "c": ParallelLabel(), "o": ADDED}
    return convolution(
        ("n o oh ow", "o c kh kw"), "n c h w", kinds, [gradient, weight, (gradient[0], weight[1], *space)]
    )


def _weight_backward(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    gradient, x = shapes
    rank_is(gradient, 4, "the gradient of a convolution")
    rank_is(x, 4, "its input")
    kernel = positive(attributes[:2])
    same(windows(x[2:], kernel, attributes), gradient[2:], "positions of the kernel and of the gradient")
    kinds: dict[str, LabelKind] = {"o": ParallelLabel(), "c": ParallelLabel(), "n": ADDED}
    return convolution(("n o oh ow", "n c h w"), "o c kh kw", kinds, [gradient, x, (gradient[1], x[1], *kernel)])


def elements_of_kernel(x: Array, kernel: Shape, space: Shape, frame: Frame) -> list[tuple[tuple[int, int], Array]]:
    """Return, for each kernel element, the elements of the padded input that it multiplies."""
    stride, _, dilation = sliding(frame.attributes)
    found = []
    for i, j in product(range(kernel[0]), range(kernel[1])):
        rows, columns = (
            slice(at * dilation, (at * dilation) + ((count - 1) * stride) + 1, stride)
            for at, count in zip((i, j), space, strict=True)
        )
        found.append(((i, j), x[..., rows, columns]))
    return found


def padding_around(x: Array, padding: int) -> Array:
    """Pad the last two dimensions with zeros."""
    return padded(x, [*[(0, 0)] * (x.ndim - 2), (padding, padding), (padding, padding)])


def sliding(attributes: Attributes) -> tuple[int, int, int]:
    """Return stride, padding and dilation."""
    stride, padding, dilation = (whole_number(attribute) for attribute in attributes[-3:])
    return stride, padding, dilation


def _conv2d(arrays: Sequence[Array], frame: Frame) -> Array:
    x, weight = arrays
    _, padding, _ = sliding(frame.attributes)
    result: Array = np.zeros((x.shape[0], weight.shape[0], *frame.shape[2:]), dtype=x.dtype)
    # A loop over kernel elements with a matrix product each: far fewer steps than a loop over
    # space, and it works on arrays of Python integers.
    for (i, j), patch in elements_of_kernel(padding_around(x, padding), weight.shape[2:], frame.shape[2:], frame):
        result = result + np.einsum("nchw,oc->nohw", patch, weight[:, :, i, j])
    return result


def _conv2d_input(arrays: Sequence[Array], frame: Frame) -> Array:
    gradient, weight = arrays
    _, padding, _ = sliding(frame.attributes)
    height, width = frame.shape[2:]
    result: Array = np.zeros(
        (gradient.shape[0], weight.shape[1], height + (2 * padding), width + (2 * padding)), dtype=gradient.dtype
    )
    for (i, j), patch in elements_of_kernel(result, weight.shape[2:], gradient.shape[2:], frame):
        patch[...] += np.einsum("nohw,oc->nchw", gradient, weight[:, :, i, j])
    return result[:, :, padding : padding + height, padding : padding + width]


def _conv2d_weight(arrays: Sequence[Array], frame: Frame) -> Array:
    gradient, x = arrays
    _, padding, _ = sliding(frame.attributes)
    result: Array = np.zeros((gradient.shape[1], x.shape[1], *frame.shape[2:]), dtype=x.dtype)
    for (i, j), patch in elements_of_kernel(padding_around(x, padding), frame.shape[2:], gradient.shape[2:], frame):
        result[:, :, i, j] = np.einsum("nohw,nchw->oc", gradient, patch)
    return result


SLIDING = (
    Parameter("stride", ParameterKind.WHOLE, 1),
    Parameter("padding", ParameterKind.WHOLE, 0),
    Parameter("dilation", ParameterKind.WHOLE, 1),
)
SPACE = (Parameter("height", ParameterKind.WHOLE, length=True), Parameter("width", ParameterKind.WHOLE, length=True))

CONTRACTIONS = (
    _contraction(
        "einsum",
        None,
        _einsum_text,
        "torch.einsum",
        (Parameter("labels", ParameterKind.TEXT),),
        "{torch}({labels}, {operands})",
    ),
    _contraction("matmul", 2, _matmul_text, "torch.matmul"),
    _contraction("linear", 2, _linear_text, "torch.nn.functional.linear"),
    convolving(
        "conv2d",
        _forward,
        _conv2d,
        "torch.nn.functional.conv2d",
        SLIDING,
        "conv2d({0}, {1}, {stride}, {padding}, {dilation}, {shape})",
        OperationKind.CONVOLUTION,
    ),
    convolving(
        "conv2d_input_backward",
        _input_backward,
        _conv2d_input,
        "torch.nn.grad.conv2d_input",
        (*SPACE, *SLIDING),
        "conv2d_input({shape}, {1}, {0}, {stride}, {padding}, {dilation})",
        OperationKind.CONVOLUTION_INPUT,
    ),
    convolving(
        "conv2d_weight_backward",
        _weight_backward,
        _conv2d_weight,
        "torch.nn.grad.conv2d_weight",
        (*SPACE, *SLIDING),
        "conv2d_weight({1}, {shape}, {0}, {stride}, {padding}, {dilation})",
        OperationKind.CONVOLUTION_WEIGHT,
    ),
)
