"""What else writes into the payload: nothing that is not followed is taken for nothing."""

import pytest
from frontend.torch_function.tracing import verdict
from looped import looped

from p2smt.verify.verdict import Proved, Unknown

OTHER = "other = torch.ones(8)\n"
WRITTEN = {
    "a product": OTHER + "torch.mul(other, 2.0, out=tensor)",
    "a sum": OTHER + "torch.add(other, other, out=tensor)",
    "joined": OTHER + "torch.cat([other[:4], other[4:]], out=tensor)",
    "a negative": OTHER + "torch.neg(other, out=tensor)",
    "a sum along a dimension": "torch.sum(torch.ones(2, tensor.numel()), dim=[0], out=tensor)",
    "what is not known": "torch.exp(torch.ones(8), out=tensor)",
    "chance": "torch.rand(tensor.shape, out=tensor)",
    "chance in place": "tensor.normal_()",
    "the members of a list": "torch._foreach_mul([tensor], 2.0)\ntorch._foreach_exp_([tensor])",
    "a list into another": "torch.ops.aten._foreach_mul.Scalar_out([tensor], 2.0, out=[torch.empty_like(tensor)])",
    "statistics": OTHER + "torch.nn.functional.batch_norm(other[None].repeat(2, 1), tensor, other, training=True)",
    "a list of outs": OTHER + "torch.split_with_sizes_copy(other, [tensor.numel()], out=[tensor])",
}


@looped("name", WRITTEN)
def test_what_is_written_over_the_sum_is_seen(tmp_path, name):
    found = verdict(tmp_path, f"dist.all_reduce(tensor)\n{WRITTEN[name]}", elements=8)
    assert isinstance(found, Unknown), found


@pytest.mark.parametrize(
    "out",
    ["torch.mul(tensor, 1.0, out=torch.empty(8))", "torch.ones(8, out=other)", "torch.add(other, other, out=other)"],
)
def test_what_is_written_elsewhere_does_no_harm(tmp_path, out):
    assert isinstance(verdict(tmp_path, f"dist.all_reduce(tensor)\n{OTHER}{out}", elements=8), Proved)
