"""Reasons for refusing operations, each with a workaround."""

from collections.abc import Mapping

_OTHERWISE = "write it with operations that are known, or compute it outside the step and pass it in the batch"
_WAYS_OUT: Mapping[str, str] = {
    "sparse": "use a dense matrix, index_add along the edges, or embeddings with sparse=False",
    "linalg": "cholesky, solve, inv, det, slogdet and matrix_exp are known; compute others outside the step",
    "nested": "pad to one length, and use a mask",
    "quantize": "train in floating point, and quantize the result",
    "multinomial": "draw outside the step, and pass what was drawn in the batch",
}
WITHOUT_CONDITION = "write the loop without the condition: an empty selection computes nothing either"
_DECIDED = "use torch.where or weights of 0 and 1, as a one-hot mask of experts, or decide outside the step"
_OF_VALUES: Mapping[str, str] = {
    "aten.nonzero": "use torch.where(mask, x, 0) in the place of x[mask], and divide sums by mask.sum()",
    "aten.masked_select": "use torch.where(mask, x, 0) in the place of x[mask], and divide sums by mask.sum()",
    "Tensor.numpy": "do outside the step what numpy does (such as a matching), and pass the result in the batch",
    "aten._local_scalar_dense": f"{_DECIDED}; where layers are left out by chance, set layerdrop to 0; "
    "where a count may be 0, divide by count.clamp(min=1)",
}


def lacking(name: str) -> str:
    """Return the reason for refusing an operation that has no handler."""
    kind = next((each for each in _WAYS_OUT if each in name), "")
    return f"the language of tensor programs has no such operation; {_WAYS_OUT.get(kind, _OTHERWISE)}"


def depends_on_values(operation: str) -> str:
    """Return the reason for refusing an operation whose result, or its shape, depends on unknown elements."""
    way_out = _OF_VALUES.get(operation) or _OF_VALUES.get(operation.rpartition(".")[0], _DECIDED)
    return f"it depends on the values of tensors, which have none while a step is captured; {way_out}"
