"""RMS norm traced as a single operation, whether called by name or written out.

torch decomposes `rms_norm` (Zhang and Sennrich, 2019) on CPUs, and many models write it out themselves:

    x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps), cast, times a weight

During capture, both become `p2smt::rms_norm`, an operator with its own backward pass. The written form is recognised
online: every tensor of it is tagged with its form (a square, its mean, the mean plus eps, the reciprocal root, the
normalised x), and the product that completes the pattern is replaced by one operation on the original x. The operations
that led to it stay recorded, and are removed as dead code.

Validity: a tag holds as long as neither the tensor nor its source is written in place, gradients flow from one to the
other, and no hook observes a gradient between them. Cost: one lookup per call of torch. Casts in between are dropped,
because programs do not round.

Example: with `v = x.pow(2).mean(-1, keepdim=True)` made under `no_grad`, `x * torch.rsqrt(v + eps)` stays in parts: the
gradient of the operation has a term through v, which PyTorch leaves out.
"""

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, auto
from math import prod

import torch
from torch._subclasses.functional_tensor import FunctionalTensor
from torch.autograd import forward_ad
from torch.library import define, register_autograd, register_fake
from torch.overrides import TorchFunctionMode
from torch.utils.weak import WeakIdKeyDictionary

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.calls import seen_by

define("p2smt::rms_norm", "(Tensor x, Tensor? weight, float eps) -> Tensor")
define("p2smt::rms_norm_backward", "(Tensor gradient, Tensor x, Tensor? weight, float eps) -> (Tensor, Tensor)")


def _result(x: torch.Tensor, *_: object) -> torch.Tensor:
    return torch.empty_like(x)  # has the strides of x, as a product has: views of it depend on them


def _gradients(gradient: torch.Tensor, x: torch.Tensor, *_: object) -> tuple[torch.Tensor, torch.Tensor]:
    return x.new_empty(x.shape), x.new_empty(x.shape[-1:])


def _keep(ctx: torch.autograd.function.FunctionCtx, inputs: tuple[object, ...], output: torch.Tensor) -> None:
    x, weight, eps = inputs
    ctx.save_for_backward(x, weight)  # type: ignore[arg-type]
    ctx.eps = eps  # type: ignore[attr-defined]


def _backward(ctx: torch.autograd.function.BackwardCFunction, gradient: torch.Tensor) -> tuple[object, ...]:
    """Return the gradients; composed of basic operations if the backward pass is itself differentiated."""
    saved: tuple[torch.Tensor | None, ...] = ctx.saved_tensors
    x, weight = saved
    assert x is not None
    eps = ctx.eps  # type: ignore[attr-defined]
    if not torch.is_grad_enabled():
        slope, of_weight = torch.ops.p2smt.rms_norm_backward(gradient, x, weight, eps)
        return slope, None if weight is None else of_weight, None
    scale = torch.rsqrt((x * x).mean(-1, keepdim=True) + eps)
    y, given = x * scale, gradient if weight is None else gradient * weight
    slope = (given - y * (given * y).mean(-1, keepdim=True)) * scale
    rows = tuple(range(x.dim() - 1))
    return slope, None if weight is None else (gradient * y).sum(rows) if rows else gradient * y, None


register_fake("p2smt::rms_norm", _result)
register_fake("p2smt::rms_norm_backward", _gradients)
register_autograd("p2smt::rms_norm", _backward, setup_context=_keep)


class _Form(Enum):
    """The forms of a tensor as an expression in its source x."""

    SQUARE = auto()
    MEAN_SQUARE = auto()
    SHIFTED = auto()
    ROOT = auto()
    INVERSE_ROOT = auto()
    NORMALISED = auto()
    CAST = auto()


@dataclass(frozen=True, slots=True)
class _Origin:
    """The form of a tensor, its source x, and the version counters of both."""

    form: _Form
    x: torch.Tensor
    writes: tuple[int, int]
    eps: float = 0.0


def _writes(x: torch.Tensor) -> int:
    if not isinstance(x, FunctionalTensor):
        return x._version
    # not `_version`, which counts neither what is written through `.data` nor a storage that `set_` exchanges
    return int(torch._functionalize_mutation_counter(x.elem) + torch._functionalize_storage_changed_counter(x.elem))


@contextmanager
def whole_rms_norm() -> Iterator[None]:
    """A context in which RMS norm is traced as one operation, whichever way it is written."""
    with seen_by(_Calls()):
        yield


_CASTS = ("to", "float", "double", "half", "bfloat16", "type", "type_as")
_PRODUCTS = ("mul", "multiply", "__mul__", "__rmul__")
_QUOTIENTS = ("div", "divide", "true_divide", "__truediv__", "__div__")
_HOOKS = ("register_hook", "retain_grad")


class _Calls(TorchFunctionMode):
    """A mode that matches calls against the written-out form of RMS norm."""

    def __init__(self) -> None:
        super().__init__()
        self._origins: MutableMapping[torch.Tensor, _Origin] = WeakIdKeyDictionary()
        # the x of forms that are complete, and whether a weighted one is among them
        self._replaced: MutableMapping[torch.Tensor, bool] = WeakIdKeyDictionary()

    def __torch_function__(
        self,
        func: Callable[..., object],
        types: object,
        args: Sequence[object] = (),
        kwargs: Mapping[str, object] | None = None,
    ) -> object:
        given = kwargs or {}
        name = getattr(func, "__name__", "")
        if name in _HOOKS and isinstance(args[0], torch.Tensor):
            self._hooked(args[0])
        made = func(*args, **given)
        if not isinstance(made, torch.Tensor) or is_transformed():
            return made
        if name == "rms_norm":
            return _called(made, *args, **given)  # type: ignore[arg-type]
        return self._followed(name, args, given, made)

    def _hooked(self, x: torch.Tensor) -> None:
        """Forget all tags of this tensor's source: hooks need the intermediates' gradients as in PyTorch."""
        origin = self._origins.get(x)
        if origin is None:
            return
        if origin.x in self._replaced and (origin.form is not _Form.NORMALISED or self._replaced[origin.x]):
            raise CaptureError(
                "a hook is registered there on an intermediate tensor of an RMS norm, which became one "
                "operation; register it on the norm's input or result"
            )
        for each in [each for each, other in self._origins.items() if other.x is origin.x]:
            del self._origins[each]

    def _followed(
        self, name: str, args: Sequence[object], kwargs: Mapping[str, object], made: torch.Tensor
    ) -> torch.Tensor:
        """Return the result, or the fused operation if the call completes the pattern."""
        match args:
            case (torch.Tensor() as x,) if not kwargs:
                self._unary(name, x, made)
            case (torch.Tensor() as x, *_) if name in _CASTS:
                self._remember(_Form.CAST, x, made)
            case (torch.Tensor() as x, *dims) if name == "mean":
                if self._is(x, _Form.SQUARE) and _is_of_rows(x, *dims, **kwargs):
                    self._next(_Form.MEAN_SQUARE, x, made)
            case (torch.Tensor() as x, int() | float() as number) if not kwargs:
                self._with_number(name, x, number, made)
            case (int() | float() as number, torch.Tensor() as x) if name == "add" and not kwargs:
                self._with_number(name, x, number, made)
            case (torch.Tensor() as left, torch.Tensor() as right) if not kwargs:
                return self._of_two(name, left, right, made)
            case _:
                pass
        return made

    def _unary(self, name: str, x: torch.Tensor, made: torch.Tensor) -> None:
        if name in _CASTS:
            self._remember(_Form.CAST, x, made)
        elif name == "square":
            self._remember(_Form.SQUARE, x, made)
        elif name == "rsqrt" and self._is(x, _Form.SHIFTED):
            self._next(_Form.INVERSE_ROOT, x, made)
        elif name == "sqrt" and self._is(x, _Form.SHIFTED):
            self._next(_Form.ROOT, x, made)
        elif name == "reciprocal" and self._is(x, _Form.ROOT):
            self._next(_Form.INVERSE_ROOT, x, made)

    def _with_number(self, name: str, x: torch.Tensor, number: float, made: torch.Tensor) -> None:
        if name in ("pow", "__pow__"):
            if number == 2:
                self._remember(_Form.SQUARE, x, made)
            elif abs(number) == 0.5 and self._is(x, _Form.SHIFTED):
                self._next(_Form.ROOT if number > 0 else _Form.INVERSE_ROOT, x, made)
        elif name in ("add", "__add__", "__radd__") and self._is(x, _Form.MEAN_SQUARE):
            self._next(_Form.SHIFTED, x, made, float(number))
        elif name in ("__rdiv__", "__rtruediv__") and number == 1 and self._is(x, _Form.ROOT):
            self._next(_Form.INVERSE_ROOT, x, made)

    def _of_two(self, name: str, left: torch.Tensor, right: torch.Tensor, made: torch.Tensor) -> torch.Tensor:
        if name in _PRODUCTS and left is right:
            self._remember(_Form.SQUARE, left, made)
        elif name in _PRODUCTS:
            for one, other in ((left, right), (right, left)):
                if self._is(other, _Form.INVERSE_ROOT) and self._is_source(one, other):
                    return self._normalised(one, other, made)
                if self._is(other, _Form.NORMALISED) and one.shape == other.shape[-1:]:
                    return self._weighted(one, other, made)
        elif name in _QUOTIENTS and self._is(right, _Form.ROOT) and self._is_source(left, right):
            return self._normalised(left, right, made)
        return made

    def _normalised(self, x: torch.Tensor, root: torch.Tensor, made: torch.Tensor) -> torch.Tensor:
        origin = self._origins[root]
        whole = _operation(self._typed(x, made.dtype), None, origin.eps)
        for each in (origin.x, self._uncast(origin.x)):
            self._replaced.setdefault(each, False)
        self._remember(_Form.NORMALISED, x, whole, origin.eps)
        return whole

    def _weighted(self, weight: torch.Tensor, normalised: torch.Tensor, made: torch.Tensor) -> torch.Tensor:
        origin = self._origins[normalised]
        self._replaced[origin.x] = True
        return _operation(self._typed(origin.x, made.dtype), weight.to(made.dtype), origin.eps)

    def _typed(self, x: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
        """Return x in this element type: x itself, the tensor that x was cast from, or a cast."""
        source = self._uncast(x)
        return source if source.dtype is dtype else x.to(dtype)

    def _uncast(self, x: torch.Tensor) -> torch.Tensor:
        while (origin := self._current(x)) is not None and origin.form is _Form.CAST:
            x = origin.x
        return x

    def _is_source(self, x: torch.Tensor, root: torch.Tensor) -> bool:
        return self._uncast(x) is self._uncast(self._origins[root].x)

    def _is(self, x: torch.Tensor, form: _Form) -> bool:
        origin = self._current(x)
        return origin is not None and origin.form is form

    def _current(self, x: torch.Tensor) -> _Origin | None:
        origin = self._origins.get(x)
        if origin is None or origin.writes != (_writes(x), _writes(origin.x)):
            return None
        # where one of the two is cut off, as by `no_grad` or `detach_`, the operation would have another gradient
        is_joined = x.requires_grad == origin.x.requires_grad or not torch.is_grad_enabled()
        return origin if is_joined else None

    def _next(self, form: _Form, before: torch.Tensor, made: torch.Tensor, eps: float | None = None) -> None:
        """Tag the result of an operation on a tagged tensor."""
        origin = self._origins[before]
        self._remember(form, origin.x, made, origin.eps if eps is None else eps)

    def _remember(self, form: _Form, x: torch.Tensor, made: torch.Tensor, eps: float = 0.0) -> None:
        if made is x or not x.is_floating_point() or not made.is_floating_point():
            return
        before = self._current(x)
        if form is _Form.CAST and before is not None and before.form is not _Form.CAST:
            form, x, eps = before.form, before.x, before.eps
        self._origins[made] = _Origin(form, x, (_writes(made), _writes(x)), eps)


def is_transformed() -> bool:
    """Return True inside vmap, grad and forward-mode differentiation, which have no rules for the operation."""
    return torch._C._functorch.peek_interpreter_stack() is not None or forward_ad._current_level >= 0


def _is_of_rows(x: torch.Tensor, dim: object = None, keepdim: object = False, **others: object) -> bool:
    """True for a mean over the last dimension that keeps it."""
    dims = list(dim) if isinstance(dim, list | tuple) else [dim]
    return bool(keepdim) and not others and dims in ([-1], [x.dim() - 1])


def _called(
    made: torch.Tensor,
    input: torch.Tensor,
    normalized_shape: Sequence[int],
    weight: torch.Tensor | None = None,
    eps: float | None = None,
) -> torch.Tensor:
    """Return the result of torch's `rms_norm`, fused; parameters are named as in torch."""
    if 0 in made.shape or not made.is_floating_point():
        return made
    if eps is None:
        eps = torch.finfo(torch.float64 if input.dtype is torch.float64 else torch.float32).eps
    x, count = input.to(made.dtype), len(normalized_shape)
    row = prod(normalized_shape)
    weight = None if weight is None else weight.to(made.dtype).reshape(row)
    if count == 1:
        return _operation(x, weight, eps)
    return _operation(x.reshape(*x.shape[: x.dim() - count], row), weight, eps).reshape(x.shape)


def _operation(x: torch.Tensor, weight: torch.Tensor | None, eps: float) -> torch.Tensor:
    whole: torch.Tensor = torch.ops.p2smt.rms_norm(x, weight, eps)
    return whole
