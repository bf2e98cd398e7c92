"""Tracing of a step for another device on the CPU, where every operation has a single form.

Fake tensors take no memory, so nothing is moved: a fake tensor for a parameter on `cuda` or `meta` claims to be
on the CPU. Code that asks for its device by name gets the CPU. Autocast for CUDA follows CUDA's rules: the
operations of `_IN_FLOAT32` are computed in float32, where the CPU's autocast would keep the smaller type
(https://docs.pytorch.org/docs/stable/amp.html, "CUDA Ops that can autocast to float32").
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import torch
from torch.amp.autocast_mode import autocast
from torch.overrides import TorchFunctionMode

from p2smt.errors import CaptureError

_HERE = torch.device("cpu")
_IN_FLOAT32 = frozenset(
    (
        "__pow__",
        "__rdiv__",
        "__rpow__",
        "__rtruediv__",
        "acos",
        "asin",
        "binary_cross_entropy_with_logits",
        "cosh",
        "cosine_embedding_loss",
        "cdist",
        "cosine_similarity",
        "cross_entropy",
        "cumprod",
        "cumsum",
        "dist",
        "erfinv",
        "exp",
        "expm1",
        "group_norm",
        "hinge_embedding_loss",
        "kl_div",
        "l1_loss",
        "layer_norm",
        "log",
        "log10",
        "log_softmax",
        "log1p",
        "log2",
        "margin_ranking_loss",
        "mse_loss",
        "multilabel_margin_loss",
        "multi_margin_loss",
        "nll_loss",
        "norm",
        "normalize",
        "pdist",
        "poisson_nll_loss",
        "pow",
        "prod",
        "reciprocal",
        "rsqrt",
        "sinh",
        "smooth_l1_loss",
        "soft_margin_loss",
        "softmax",
        "softmin",
        "softplus",
        "sum",
        "renorm",
        "tan",
        "triplet_margin_loss",
    )
)
_SMALL = (torch.float16, torch.bfloat16)


def stand_in(tensor: torch.Tensor) -> torch.Tensor:
    """A tensor on the CPU with the same shape, strides and type; no elements are read."""
    return torch.empty_strided(tensor.size(), tensor.stride(), dtype=tensor.dtype, device=_HERE)


@contextmanager
def without_loss_scaling() -> Iterator[None]:
    """A context in which GradScaler.scale raises, because unscaling and skipped steps are not captured."""
    before = torch.amp.GradScaler.scale

    def refused(*_: object) -> object:
        raise CaptureError(
            "GradScaler.scale is not supported, because a step neither unscales gradients nor skips updates; "
            "return the plain loss, and train in bfloat16 (torch.autocast with "
            'dtype=torch.bfloat16, or precision="bf16"), which needs no scaling'
        )

    torch.amp.GradScaler.scale = refused  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        torch.amp.GradScaler.scale = before  # type: ignore[method-assign]


@contextmanager
def traced_as_on_cpu(device: torch.device) -> Iterator[None]:
    """A context in which work for this device is done on the CPU."""
    if device.type == "cpu":
        yield
        return
    with _Elsewhere(device.type), _autocast_here(device.type):
        yield


class _Elsewhere(TorchFunctionMode):
    """A mode that replaces device arguments of functions by the CPU."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self._kind = kind

    def __torch_function__(
        self,
        func: Callable[..., object],
        types: object,
        args: Sequence[object] = (),
        kwargs: dict[str, object] | None = None,
    ) -> object:
        named = dict(kwargs or {})
        name = getattr(func, "__name__", "")
        if name == self._kind and args and isinstance(args[0], torch.Tensor):  # x.cuda()
            return args[0]
        if self._is_there(named.get("device")):
            named["device"] = _HERE
        if name in ("to", "new_empty", "new_zeros", "new_ones", "new_full", "new_tensor"):
            args = [_HERE if self._is_there(each) else each for each in args]
        if name in _IN_FLOAT32 and torch.is_autocast_enabled("cpu"):
            args = [each.float() if isinstance(each, torch.Tensor) and each.dtype in _SMALL else each for each in args]
        return func(*args, **named)

    def _is_there(self, device: object) -> bool:
        if isinstance(device, torch.device):
            return device.type == self._kind
        return isinstance(device, int | str) and str(device).partition(":")[0] == self._kind


@contextmanager
def _autocast_here(kind: str) -> Iterator[None]:
    """A context in which autocast for this kind of device works on the CPU, with that device's default type."""
    before = autocast.__init__

    def begin(
        self: autocast,
        device_type: str,
        dtype: torch.dtype | None = None,
        enabled: bool = True,
        cache_enabled: bool | None = None,
    ) -> None:
        if device_type == kind:
            dtype = torch.get_autocast_dtype(kind) if dtype is None else dtype
            device_type = "cpu"
        before(self, device_type, dtype, enabled, cache_enabled)

    autocast.__init__ = begin  # type: ignore[method-assign]
    try:
        yield
    finally:
        autocast.__init__ = before  # type: ignore[method-assign]
