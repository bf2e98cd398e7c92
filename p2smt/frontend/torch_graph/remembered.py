"""Tensors in function caches (`functools.lru_cache`), which must not enter or leave a capture.

Example: a model caches a table of relative positions for each size. A table cached before is not part of the
traced step, and a table cached during tracing is a fake tensor, useless to later callers.
"""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import _lru_cache_wrapper
from weakref import ProxyTypes

import torch


@contextmanager
def nothing_remembered() -> Iterator[None]:
    """A context around which caches that hold tensors are emptied, so that functions compute their results again."""
    caches, modules = _caches(), len(sys.modules)
    _empty(caches)
    try:
        yield
    finally:
        _empty(caches if len(sys.modules) == modules else _caches())  # modules that were imported inside have others


def _caches() -> "list[_lru_cache_wrapper[object]]":
    """Return all cached functions; finding them takes about 40 ms."""
    # not isinstance, which asks a weak proxy for the class of its object, and that may be gone
    return [each for each in gc.get_objects() if type(each) is _lru_cache_wrapper]


def _empty(caches: "list[_lru_cache_wrapper[object]]") -> None:
    for each in caches:
        # get_referents reads a cache's results without calling the function or counting as a hit.
        if each.cache_info().currsize and any(map(_has_tensors, gc.get_referents(each))):
            each.cache_clear()


def _has_tensors(held: object) -> bool:
    """Return True for a tensor or an object that contains one; an unbounded cache refers to a dict of its results."""
    if isinstance(held, ProxyTypes):
        return False
    if isinstance(held, dict):
        return any(map(_has_tensors, held.values()))
    return isinstance(held, torch.Tensor) or (isinstance(held, tuple | list) and any(map(_has_tensors, held)))
