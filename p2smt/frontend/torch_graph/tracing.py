"""Contexts in which torch and libraries do what they can trace."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch._subclasses.functional_tensor import FunctionalTensor
from torch.distributions import Distribution


@contextmanager
def without_fused_cells() -> Iterator[None]:
    """A context in which recurrent layers run cell by cell instead of as one call of oneDNN."""
    before = torch._C._get_mkldnn_enabled()
    torch._C._set_mkldnn_enabled(False)
    try:
        yield
    finally:
        torch._C._set_mkldnn_enabled(before)


@contextmanager
def as_tracers_do() -> Iterator[None]:
    """A context in which libraries detect tracing, compiled functions run uncompiled, and value checks are off.

    Checks of tensor values have no result, but could raise an error on fake tensors.
    """
    library = sys.modules.get("transformers.utils.import_utils")
    before = getattr(library, "is_fake_tensor", None)
    checks, validates = torch._check_tensor_all_with, Distribution._validate_args
    try:
        if before is not None:
            vars(library)["is_fake_tensor"] = lambda each: isinstance(each, FunctionalTensor) or before(each)
        torch._check_tensor_all_with = lambda *_, **__: None
        Distribution._validate_args = False
        with torch.compiler.set_stance("force_eager"):
            yield
    finally:
        torch._check_tensor_all_with, Distribution._validate_args = checks, validates
        if before is not None:
            vars(library)["is_fake_tensor"] = before
