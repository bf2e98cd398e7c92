"""Compiles all kernels of emitted files for a GPU that is not there; runs in a process of its own, without p2smt.

Prints how many kernels there are, how many of them are unlike but for their names, in how many ways these were
compiled, and the errors.
"""

import ast
import importlib.util
import inspect
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

WAYS = [
    ("fp32", tl.float32, tl.float32, None),
    ("bf16", tl.float32, tl.bfloat16, 1),
    ("fp64", tl.float64, tl.float64, 16),
]
"""Types of tensors, and what whole numbers are known to be: nothing, 1, or divisible by 16."""


def source(kernel, element, wide, real, known):
    """A kernel as it is compiled for tensors of a type."""
    signature, constants, attributes = {}, {}, {}
    for number, (name, parameter) in enumerate(inspect.signature(kernel.fn).parameters.items()):
        kind = parameter.annotation
        if kind is tl.constexpr:
            signature[name] = "constexpr"
            constants[number,] = {"wide": wide, "real": real, "block": 1024, "ranks": 4}[name]
        elif kind is not inspect.Parameter.empty:
            signature[name] = {"fp64": "fp64", "int64": "i64"}[kind.name]
        elif name in ("rank", "summands", "shares"):
            signature[name] = "i32"
        elif name in ("peers", "cuts"):
            signature[name] = "*i64"
        elif "_by_" in name or name == "count" or name.startswith("length_"):
            signature[name] = "constexpr" if known == 1 else "i32"
            if known == 1:
                constants[number,] = 1
            elif known == 16:
                attributes[number,] = [["tt.divisibility", 16]]
        else:
            signature[name] = f"*{'fp32' if name.endswith('_blocks_at') and element == 'bf16' else element}"
    return ASTSource(kernel, signature, constants, attributes)


def body(kernel):
    """What a kernel does, under whatever name."""
    return kernel.src.partition("(")[2].replace(ast.get_docstring(ast.parse(kernel.src).body[0]), "")


def is_started(names):
    """Whether a function is a kernel, and not called by one: it has a count of elements, or where slices begin."""
    return "wide" in names and ("count" in names or "cuts" in names)


def main(paths, few=None):
    """All kernels in every way, or of each file those of some names, each in one of the ways, in turn."""
    kernels, compiled, known, tried, errors = 0, 0, set(), set(), []
    for number, path in enumerate(paths):
        spec = importlib.util.spec_from_file_location(f"emitted{number}", path)
        module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for name, kernel in vars(module).items():
            if isinstance(kernel, triton.JITFunction) and is_started(kernel.arg_names):
                kernels += 1
                if body(kernel) in known:
                    continue
                known.add(body(kernel))
                if few is not None and name not in few[number]:
                    continue
                compiled += 1
                for way in WAYS if few is None else [WAYS[compiled % len(WAYS)]]:
                    tried.add(way[0])
                    try:
                        made = triton.compile(source(kernel, *way), target=GPUTarget("cuda", 80, 32))
                        assert "ptx" in made.asm
                    except Exception as error:  # every one is told
                        errors.append(f"{path} {name} {way[0]}: {error!r}")
    print(kernels, len(known), len(tried), *errors, sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
