"""Tensors in caches of functions (`functools.lru_cache`), which must not enter or leave a capture.

A table of relative positions, say, that a model makes once for each size: a real one is no part of the step that is
traced, and one that was traced has no elements for whoever calls the function next.
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
    """A context before and after which caches with tensors are emptied, so that functions compute anew."""
    caches, modules = _caches(), len(sys.modules)
    _empty(caches)
    try:
        yield
    finally:
        _empty(caches if len(sys.modules) == modules else _caches())  # modules that were imported inside have others


def _caches() -> "list[_lru_cache_wrapper[object]]":
    """All cached functions; finding them takes some 40 ms."""
    # not isinstance, which asks a weak proxy for the class of its object, and that may be gone
    return [each for each in gc.get_objects() if type(each) is _lru_cache_wrapper]


def _empty(caches: "list[_lru_cache_wrapper[object]]") -> None:
    for each in caches:
        # get_referents reads a cache's results without calling the function or counting as a hit.
        if each.cache_info().currsize and any(map(_has_tensors, gc.get_referents(each))):
            each.cache_clear()


def _has_tensors(held: object) -> bool:
    """True for a tensor or an object that contains one; an unbounded cache refers to a mapping of its results."""
    if isinstance(held, ProxyTypes):
        return False
    if isinstance(held, dict):
        return any(map(_has_tensors, held.values()))
    return isinstance(held, torch.Tensor) or (isinstance(held, tuple | list) and any(map(_has_tensors, held)))
