"""What torch's operations do besides giving results is read from their schemas, and asked of the operations."""

import torch
from looped import looped
from torch._C import DispatchKey
from torch._dispatch.python import enable_python_dispatcher
from torch.nn import functional

from p2smt.frontend.torch_graph.effects import EffectKind, effects, without_copying, without_writing
from p2smt.frontend.torch_graph.kernels import CHECKED, own_kernels
from p2smt.frontend.torch_graph.lines import Lines
from p2smt.frontend.torch_graph.lowering.random_numbers import RANDOM_NUMBERS
from p2smt.frontend.torch_graph.node import HANDLERS

ATEN = torch.ops.aten
RANDOM = {"native_dropout", "_scaled_dot_product_flash_attention_for_cpu", *RANDOM_NUMBERS}
"""The random operations that a program has, by counter-based numbers; attention without its dropout alone."""
AS_THEY_ARE = {
    "_native_batch_norm_legit": "its statistics are results in the form that is recorded",
    "native_batch_norm": "the same",
}
STATISTICS = {
    "_native_batch_norm_legit.default": True,
    "native_batch_norm.default": True,
    "cudnn_batch_norm.default": True,
    "miopen_batch_norm.default": True,
    "_batch_norm_with_update.default": True,
    "batch_norm_update_stats.default": True,
    "batch_norm_gather_stats.default": True,
    "batch_norm_gather_stats_with_counts.default": True,
    "_batch_norm_no_update.default": False,
    "_batch_norm_with_update_functional.default": False,
    "_native_batch_norm_legit_functional.default": False,
    "_native_batch_norm_legit_no_training.default": False,
    "native_batch_norm_backward.default": False,
    "batch_norm_backward.default": False,
    "cudnn_batch_norm_backward.default": False,
    "miopen_batch_norm_backward.default": False,
}
"""Whether an operation writes the running statistics that it is given."""


def overloads(name):
    packet = getattr(ATEN, name, None)
    return [] if packet is None else [getattr(packet, overload) for overload in packet.overloads()]


def kind(operation):
    return effects(operation, (), {}).kind


def test_operations_that_are_lowered_draw_no_random_numbers_but_those_that_programs_have():
    random = {name for name in HANDLERS for each in overloads(name) if kind(each) is EffectKind.RANDOM}
    assert random <= RANDOM, sorted(random - RANDOM)


def test_operations_that_are_lowered_write_nothing():
    """Overloads with `out` are written down as those without."""
    for name in HANDLERS:
        for each in overloads(name):
            first = each._schema.arguments[:1]
            is_out = any(argument.is_out for argument in each._schema.arguments)
            if kind(each) is EffectKind.WRITES and not is_out and str(first[0].type) == "Tensor":
                assert name in AS_THEY_ARE, each


def test_who_writes_running_statistics_is_known():
    names = [name for name in dir(ATEN) if "batch_norm" in name]
    takers = [each for name in {*names, *(key.partition(".")[0] for key in STATISTICS)} for each in overloads(name)]
    found = {
        str(each).removeprefix("aten."): "running_mean" in effects(each, (), {}).written
        for each in takers
        if any(argument.name == "running_mean" for argument in each._schema.arguments)
        and each._schema.overload_name in ("", "default")
        and not each.has_kernel_for_dispatch_key(DispatchKey.CompositeImplicitAutograd)
    }
    assert {name: writes for name, writes in found.items() if STATISTICS.get(name) != writes} == {}


def test_in_evaluation_running_statistics_are_read():
    arguments = (None, None, None, None, None, False, 0.1, 1e-5)
    assert effects(ATEN.native_batch_norm.default, arguments, {}).written == ()


@looped(
    ("operation", "form"),
    [
        (ATEN.mul_.Tensor, ATEN.mul.Tensor),
        (ATEN.mul.out, ATEN.mul.Tensor),
        (ATEN.copy_.default, ATEN.copy.default),
        (ATEN.max.dim_max, ATEN.max.dim),
        (ATEN.pow_.Scalar, ATEN.pow.Tensor_Scalar),
        (ATEN.t_.default, ATEN.t.default),
        (ATEN.arange.start_out, None),
        (ATEN.normal_.default, None),
        (ATEN.rrelu_with_noise.default, None),
        (ATEN.record_stream.default, None),
    ],
)
def test_what_writes_is_written_down_as_what_gives_the_same(operation, form):
    assert without_writing(operation) is form


def test_copies_of_views_are_the_views():
    assert without_copying(ATEN.split_with_sizes_copy.default) is ATEN.split_with_sizes.default
    assert without_copying(ATEN._to_copy.default) is ATEN._to_copy.default


def lists(scalar):
    """Arguments of the operations on lists, by their schemas."""
    generator = torch.Generator().manual_seed(2)
    return [torch.rand(3, 2, generator=generator, dtype=torch.float64) + scalar for _ in range(2)]


MADE = {
    "Tensor[]": lists,
    "Scalar": lambda _: 2.0,
    "Scalar[]": lambda _: [2.0, 3.0],
    "Tensor": lambda _: torch.tensor(2.0, dtype=torch.float64),
}


def test_operations_on_lists_are_those_on_their_members():
    """Each that torch has is compared with what is made of it, or is refused."""
    from p2smt.frontend.torch_ranks.foreach import each
    from p2smt.frontend.torch_ranks.unfollowed import UnfollowedError

    compared = 0
    for name in (
        "abs",
        "add",
        "addcdiv",
        "addcmul",
        "clamp_max",
        "clamp_min",
        "copy",
        "div",
        "exp",
        "lerp",
        "log",
        "maximum",
        "minimum",
        "mul",
        "neg",
        "norm",
        "pow",
        "reciprocal",
        "rsqrt",
        "sign",
        "sqrt",
        "sub",
        "tanh",
        "zero",
    ):
        for operation in (*overloads(f"_foreach_{name}"), *overloads(f"_foreach_{name}_")):
            schema = operation._schema
            if any(argument.is_out for argument in schema.arguments):
                continue
            kinds = [_type(argument) for argument in schema.arguments if not argument.has_default_value()]
            if not set(kinds) <= MADE.keys():
                continue
            ours, theirs = ([MADE[each](index) for index, each in enumerate(kinds)] for _ in range(2))
            try:
                made = each(operation, ours, {})
            except UnfollowedError:
                continue
            expected = operation(*theirs)
            for one, other in zip(made or ours[0], expected or theirs[0], strict=True):
                torch.testing.assert_close(one, other)
            compared += 1
    assert compared >= 60


def _type(argument):
    text = str(argument.type)
    names = {"List[Tensor]": "Tensor[]", "number": "Scalar", "List[number]": "Scalar[]", "Tensor": "Tensor"}
    return names.get(text, text)


CALLS = {
    "aten::native_batch_norm": lambda x: functional.batch_norm(x, torch.zeros(4), torch.ones(4), training=True),
    "aten::dropout": lambda x: (torch.manual_seed(3), functional.dropout(x, 0.25))[1],
    "aten::hardshrink": lambda x: functional.hardshrink(x, 0.5),
    "aten::softshrink": lambda x: functional.softshrink(x, 0.5),
    "aten::matmul": lambda x: torch.stack([x, x]) @ x.t(),
    "aten::one_hot": lambda x: functional.one_hot(x.abs().long(), 5) * x.unsqueeze(-1),
}
"""cuDNN's batch norm is called on GPUs alone."""


def test_decompositions_that_are_taken_give_what_the_kernels_give():
    assert set(CALLS) == {*CHECKED} - {"aten::cudnn_batch_norm"}
    x = torch.tensor([[-1.5, 0.5, 0.0, 2.0], [0.25, -0.5, 1.0, -3.0], [2.5, 1.0, -1.0, 0.5]])
    for name, call in CALLS.items():
        results = []
        for decomposed in (False, True):
            given = x.clone().requires_grad_()
            if decomposed:
                with enable_python_dispatcher():
                    made = call(given)
            else:
                made = call(given)
            (gradient,) = torch.autograd.grad((made * torch.arange(made.numel()).view(made.shape)).sum(), given)
            results.append((made, gradient))
        torch.testing.assert_close(*results, msg=name)


def test_all_other_decompositions_are_put_aside_and_come_back():
    key = DispatchKey.CompositeImplicitAutograd
    before = dict(ATEN.lstm.input.py_kernels)
    with own_kernels(Lines()):
        assert key not in ATEN.lstm.input.py_kernels
        assert key in ATEN.matmul.default.py_kernels
    assert dict(ATEN.lstm.input.py_kernels) == before
