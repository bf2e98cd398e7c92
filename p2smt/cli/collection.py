"""Commands that make millions of small values without cycles look for cycles less often."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def rare_collections() -> Iterator[None]:
    """The garbage collector looks at what is new after 200,000 values, not 700; then as it was before.

    A quarter of the time of a search over a captured model goes into these looks, which find nothing.
    """
    before = gc.get_threshold()
    gc.set_threshold(200_000, 50, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)
