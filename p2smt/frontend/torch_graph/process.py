"""The tracing process for training steps, separate so that the user's code cannot affect its parent."""

import gc
import os
import sys
import warnings

import msgspec

from p2smt.frontend.torch_graph.graph import TraceRequest

_GARBAGE = 200_000
"""Allocations between garbage collections, raised because torch and traced objects stay alive."""


def main() -> None:
    """Read a request from stdin, trace, write the answer to what stdout was; stdout itself becomes stderr."""
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    request = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=TraceRequest)
    warnings.simplefilter("ignore")
    gc.disable()
    from p2smt.frontend.torch_graph.trace import answer_to

    gc.freeze()
    gc.set_threshold(_GARBAGE)
    gc.enable()
    answer.write(msgspec.msgpack.encode(answer_to(request)))
    answer.close()


if __name__ == "__main__":
    main()
