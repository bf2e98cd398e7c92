"""Steps as PyTorch does them, beside what the captured program computes."""

import inspect

import numpy as np
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils._python_dispatch import TorchDispatchMode

from p2smt.frontend.torch_graph.joint import fake_tensors
from p2smt.frontend.torch_graph.lowering.random_numbers import SECOND
from p2smt.frontend.torch_graph.program import program_of
from p2smt.frontend.torch_graph.training import graph_of, training_of
from p2smt.tensor.expression import SourceKind
from p2smt.tensor.frame import whole
from p2smt.tensor.interpreter import run
from p2smt.tensor.meaning import Part
from p2smt.tensor.operations.random import bits, fractions, least_kept
from p2smt.tensor.program import versions
from p2smt.tensor.reals import Reals


def _normal(first, second):
    return np.sqrt(-2 * np.log(1 - first)) * np.cos(2 * np.pi * second)


def _whole(first, low, high):
    return np.floor(low + first * (high - low)) if high > low else low


def _tensor(each):
    return each.detach().double().numpy() if isinstance(each, torch.Tensor) else each


def _draws():
    aten = torch.ops.aten
    normal = lambda u, v, *_, **__: _normal(u, v)  # noqa: E731
    plain = lambda u, v, *_, **__: u  # noqa: E731
    return {
        aten.rand.default: plain,
        aten.rand_like.default: plain,
        aten.randn.default: normal,
        aten.randn_like.default: normal,
        aten.normal_.default: lambda u, v, x, mean=0.0, std=1.0, **_: mean + std * _normal(u, v),
        aten.normal.Tensor_Tensor: lambda u, v, mean, std, **_: _tensor(mean) + _tensor(std) * _normal(u, v),
        aten.normal.Tensor_float: lambda u, v, mean, std=1.0, **_: _tensor(mean) + std * _normal(u, v),
        aten.normal.float_Tensor: lambda u, v, mean, std, **_: mean + _tensor(std) * _normal(u, v),
        aten.uniform_.default: lambda u, v, x, low=0.0, high=1.0, **_: low + (high - low) * u,
        aten.exponential_.default: lambda u, v, x, rate=1.0, **_: -np.log(1 - u) / rate,
        aten.randint.default: lambda u, v, high, size, **_: _whole(u, 0, high),
        aten.randint.low: lambda u, v, low, high, size, **_: _whole(u, low, high),
        aten.randint_like.default: lambda u, v, x, high, **_: _whole(u, 0, high),
        aten.randint_like.low_dtype: lambda u, v, x, low, high, **_: _whole(u, low, high),
        aten.randperm.default: lambda u, v, n, **_: np.argsort(-u, kind="stable"),
        aten.bernoulli.default: lambda u, v, chance, **_: u < _tensor(chance),
    }


DRAWS = _draws()


class CounterBits(TorchDispatchMode):
    """Random numbers are those of the language's counter-based bits; calls are numbered from 1 in every step.

    The state of random numbers is the number of calls, which checkpointing sets back.
    """

    def __init__(self, step):
        super().__init__()
        self._step = step
        self._calls = 0

    def __enter__(self):
        self._before = torch.get_rng_state, torch.set_rng_state
        torch.get_rng_state, torch.set_rng_state = lambda: self._calls, self._set
        return super().__enter__()

    def __exit__(self, *args):
        torch.get_rng_state, torch.set_rng_state = self._before
        return super().__exit__(*args)

    def _set(self, calls):
        self._calls = calls

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func is torch.ops.aten.bernoulli_.float and 0 < (args[1] if len(args) > 1 else 0.5) < 1:
            self._calls += 1
            words = bits(self._calls, self._step, whole(tuple(args[0].shape)))
            kept = words.astype(np.uint32).view(np.int32) >= least_kept(1 - (args[1] if len(args) > 1 else 0.5))
            return args[0].copy_(torch.from_numpy(kept))
        if (draw := DRAWS.get(func)) is not None:
            self._calls += 1
            return self._drawn(draw, func, args, kwargs or {})
        return func(*args, **(kwargs or {}))

    def _drawn(self, draw, func, args, kwargs):
        """Numbers of the language's distributions in the place of torch's; `func` says shape and type alone."""
        like = func(*args, **kwargs)
        seeds = self._calls, self._calls + SECOND
        first, second = (fractions(bits(seed, self._step, whole(tuple(like.shape)))) for seed in seeds)
        with torch.utils._python_dispatch._disable_current_modes():
            numbers = draw(first, second, *args, **kwargs)
            made = torch.as_tensor(numbers, dtype=torch.float64).reshape(like.shape).to(like.dtype)
        return args[0].copy_(made) if func._schema.name.endswith("_") else made


def captured(function, name="step"):
    """The program of what a function gives."""
    with fake_tensors() as mode:
        return program_of(graph_of(name, training_of(function()), mode))


def real(function, seed=0):
    """The same with elements: parameters and batch in float64, no parameter zero, so that every gradient is felt."""
    training = training_of(function())
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in training.module.parameters():
            parameter.copy_(0.3 * torch.randn(parameter.shape, generator=generator, dtype=parameter.dtype))
    return training


def loss_of(training):
    """The loss, which takes the batch by name if it can."""
    try:
        inspect.signature(training.loss).bind(training.module, **training.batch)
    except TypeError:
        return training.loss(training.module, *training.batch.values())
    return training.loss(training.module, **training.batch)


def _legible(name):
    return name if name[0].isalpha() else f"m.{name}"


def _given(program, training, states, step):
    values = {_legible(name): parameter for name, parameter in training.module.named_parameters()}
    values |= {_legible(name): buffer for name, buffer in training.module.named_buffers()}
    values |= {_legible(name): tensor for name, tensor in training.batch.items()}
    arrays = {name: np.array(value.detach().double().numpy()) for name, value in values.items()}
    arrays |= states
    arrays["step"] = np.array(float(step))
    given = {}
    for source in program.sources:
        array = arrays.get(
            source.name, np.full(source.shape, source.value if source.kind is SourceKind.CONSTANT else 0.0)
        )
        given[source.name] = (Part(array.reshape(source.shape), whole(source.shape)),)
    return given


def apart(ours, theirs, least=1e-9):
    """The largest difference, relative to the largest element, or to `least` if that is more."""
    theirs = theirs.detach().double().numpy()
    assert ours.shape == theirs.shape, (ours.shape, theirs.shape)
    if not np.array_equal(np.isfinite(ours), np.isfinite(theirs)):
        return np.inf
    finite = np.isfinite(theirs)
    if not finite.any():
        return 0.0
    size = np.abs(theirs[finite]).max()
    return float(np.abs(ours[finite] - theirs[finite]).max() / max(size, least))


def part_of(name):
    return name.split(".")[:2][-1]


def least_of(gradients):
    """Where a gradient cancels to rounding: a hundredth of the largest in the same part of the module."""
    largest = {}
    for name, gradient in gradients.items():
        largest[part_of(name)] = max(largest.get(part_of(name), 1e-7), float(gradient.abs().max()) / 100)
    return largest


def compared(function, program, steps=3, seed=0):
    """How far loss, gradients and new versions are apart, at worst, over some steps; both begin at the same."""
    training = real(function, seed)
    states, worst = {}, 0.0
    new = versions(program)
    for step in range(1, steps + 1):
        ours = run(program, _given(program, training, states, step), Reals(), step)
        named = {_legible(name): value for name, value in training.module.named_parameters()}
        trained = {name: value for name, value in named.items() if value.requires_grad}
        for parameter in trained.values():
            parameter.grad = None
        with CounterBits(step), sdpa_kernel(SDPBackend.MATH):
            loss = loss_of(training)
            loss.backward()
        grads = [parameter.grad for parameter in trained.values()]
        worst = max(worst, apart(ours["loss"][0].array, loss))
        least = least_of(
            {name: gradient for name, gradient in zip(trained, grads, strict=True) if gradient is not None}
        )
        for (name, parameter), gradient in zip(trained.items(), grads, strict=True):
            parameter.grad = gradient
            if gradient is not None and f"gradient.{name}" in ours:
                worst = max(worst, apart(ours[f"gradient.{name}"][0].array, gradient, least[part_of(name)]))
        before = {name: value.detach().clone() for name, value in named.items()}
        if training.max_norm is not None:
            torch.nn.utils.clip_grad_norm_(training.module.parameters(), training.max_norm)
        if training.optimizer is not None:
            training.optimizer.step()
        values = named | {_legible(name): value for name, value in training.module.named_buffers()}
        for name, value in values.items():
            if name in new:
                worst = max(worst, apart(ours[new[name]][0].array, value))
            elif name in before:
                worst = max(worst, apart(before[name].double().numpy(), value))
        states = {name: ours[version][0].array for name, version in new.items() if name not in values}
    return worst
