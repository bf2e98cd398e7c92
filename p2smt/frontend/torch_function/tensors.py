"""Tensor operations of a rank, traced below autograd as copies, additions and divisions of buffer parts."""

from collections.abc import Sequence

import torch
from torch._ops import OpOverload
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map

from p2smt.frontend.torch_function.arithmetic import tensors_in
from p2smt.frontend.torch_function.functional import NAMESPACE, Functional
from p2smt.frontend.torch_function.operations import EACH, MOVES, OPERATIONS, SOURCELESS, each, move
from p2smt.frontend.torch_function.recorder import Recorder, TraceError
from p2smt.frontend.torch_graph.effects import effects, named

_Args = tuple[object, ...]
FOLLOWED = "only sums, copies and divisions by a number are supported"


class TracingMode(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """A dispatch mode that runs every operation on placeholder data and reports its effect on the payload."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._recorder = recorder
        self._functional = Functional(recorder)

    def plain(self, value: object) -> object:
        """Return the result, after waiting for it if it is an AsyncCollectiveTensor."""
        return self._functional.plain(value)

    def __torch_dispatch__(
        self,
        func: OpOverload,
        types: Sequence[type],
        args: tuple[object, ...] = (),
        kwargs: dict[str, object] | None = None,
    ) -> object:
        kwargs, name, recorder = kwargs or {}, func.overloadpacket.__name__, self._recorder
        if types:
            args, kwargs = tree_map(self._functional.plain, (args, kwargs))
        if func.namespace == NAMESPACE and not name.startswith("_"):
            return self._functional.operation(name)(*args, **kwargs)
        self._check_written(func, args, kwargs)
        result = func(*args, **kwargs)
        if name in OPERATIONS:
            OPERATIONS[name](recorder, args, kwargs, result)
        elif name.startswith(EACH) and name.removeprefix(EACH) in OPERATIONS:
            each(OPERATIONS[name.removeprefix(EACH)], recorder, args, kwargs, result)
        elif any(recorder.known(tensor) for tensor in tensors_in((args, kwargs))):
            if name in MOVES:
                move(func, recorder, args, kwargs, result)
            elif func.namespace != NAMESPACE and not _views(args, result):
                raise TraceError(f"{name} on the payload is not supported; {FOLLOWED}")
        return result

    def _check_written(self, func: OpOverload, args: _Args, kwargs: dict[str, object]) -> None:
        """Raise TraceError if an extra output (`out=`, statistics) is the payload while no input is."""
        recorder, given = self._recorder, named(func, args, kwargs)
        written = {each for each in effects(func, args, kwargs).written if func._schema.arguments[0].name != each}
        if not any(recorder.known(tensor) for each in written for tensor in tensors_in(given.get(each))):
            return
        name = func.overloadpacket.__name__
        read = [value for each, value in given.items() if each not in written]
        sourceless = name in SOURCELESS or any(recorder.known(tensor) for tensor in tensors_in(read))
        if not sourceless or name.startswith(EACH):
            raise TraceError(f"{name} writes values into the payload that do not come from it; {FOLLOWED}")


def _views(args: _Args, result: object) -> bool:
    """Return True if the call only makes views of its first argument, without writing or reinterpreting bits."""
    first, outputs = args[0] if args else None, tensors_in(result)
    if not isinstance(first, torch.Tensor):
        return False
    storage = first.untyped_storage()._cdata
    same = all(out is not first and out.untyped_storage()._cdata == storage for out in outputs)
    if same and any(out.dtype != first.dtype for out in outputs):
        raise TraceError(f"the bits of the payload are reinterpreted as {outputs[0].dtype}, which is not supported")
    return bool(outputs) and same
