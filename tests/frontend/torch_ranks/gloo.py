"""SPMD functions on four real processes and gloo, beside the numpy meaning of the program for one device."""

import inspect
import json
import os
import runpy
import tempfile
from pathlib import Path

import numpy as np

from p2smt.frontend.torch_ranks.annotations import layouts_of
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import ProgramAxis, SourceKind
from p2smt.tensor.frame import whole
from p2smt.tensor.interpreter import run
from p2smt.tensor.meaning import Part
from p2smt.tensor.placing import part_of, resolved
from p2smt.tensor.program import Program, versions
from p2smt.tensor.ranks.comparison import within_domains
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.verification.values import WideReals

RANKS = 4


def values_agree(path, programs, count=RANKS):
    """Whether what each function gives, and what it leaves in its parameters, is the program's value on every rank."""
    from forked_torch import SERVER

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "programs.json").write_text(json.dumps(programs), encoding="utf-8")
        everywhere = os.environ | {"FUNCTIONS": str(path), "OMP_NUM_THREADS": "1", "RANKS": str(count)}
        environments = [everywhere | {"RANK": str(rank)} for rank in range(count)]
        ended = SERVER.run(__file__, folder=folder, environments=environments, timeout=120)
        assert ended.codes == [0] * count, ended.err.decode()[-2000:]
        ranks = [json.loads((Path(folder) / f"{rank}.json").read_text(encoding="utf-8")) for rank in range(count)]
    return {name: all(rank[name] for rank in ranks) for name in programs}


def _agrees(function, name, program, rank):
    """One rank's."""
    import torch

    axes = (
        (ProgramAxis("data", 2), ProgramAxis("model", 2))
        if "both" in name
        else (ProgramAxis("ranks", int(os.environ["RANKS"])),)
    )
    has_gradients = versions(program) or program.outputs[0].name == "g"
    trained = {each.name for each in program.sources if each.kind is SourceKind.PARAMETER and has_gradients}
    indices = {each.name for each in program.sources if each.dtype is DType.I64}
    empty = Program(name="", mesh=axes, sources=(), statements=(), outputs=())
    meaning = WideReals(3)
    drawn = {each.name: meaning.random(each.shape, each.dtype) for each in program.sources}
    arrays = within_domains(drawn, program, {})
    expected = run(program, {key: (Part(each, whole(each.shape)),) for key, each in arrays.items()}, meaning)
    parameters = inspect.signature(function).parameters
    placed = {key: layouts_of(key, each.annotation) for key, each in parameters.items()}
    mine, tensors = {}, {}
    for key, array in arrays.items():
        mine[key] = part_of(resolved(placed[key], empty, array.shape), axes, array.shape, rank)
        tensor = torch.tensor(_cut(array, mine[key])).requires_grad_(key in trained)
        tensors[key] = tensor.long() if key in indices else tensor
    with torch.set_grad_enabled(bool(trained)):
        given = function(**tensors)
    given = given.to_local() if hasattr(given, "to_local") else given
    given = given.wait() if hasattr(given, "wait") else given
    same = _fits(given.detach().numpy(), expected[program.outputs[0].name][0].array)
    for key, version in versions(program).items():
        new = _cut(expected[version][0].array, mine[key])
        same &= bool(np.allclose(tensors[key].detach().numpy(), new, rtol=1e-9))
    return same


def _cut(array, part):
    return array[tuple(slice(each.start, each.stop) for each in part)]


def _fits(ours, whole_value):
    """Whether it is the whole value, or this rank's block of one dimension."""
    import torch.distributed as dist

    if ours.shape == whole_value.shape:
        return bool(np.allclose(ours, whole_value, rtol=1e-9))
    (dim,) = (dim for dim, sizes in enumerate(zip(ours.shape, whole_value.shape, strict=True)) if len({*sizes}) > 1)
    length = ours.shape[dim]
    blocks = whole_value.shape[dim] // length
    start = dist.get_rank() // (dist.get_world_size() // blocks) * length
    return bool(np.allclose(ours, whole_value.take(range(start, start + length), dim), rtol=1e-9))


def main():
    """One rank, in the folder with the programs; what it found is left there."""
    import torch.distributed as dist

    rank = int(os.environ["RANK"])
    programs = json.loads(Path("programs.json").read_text(encoding="utf-8"))
    dist.init_process_group(
        "gloo", init_method=f"file://{os.getcwd()}/store", rank=rank, world_size=int(os.environ["RANKS"])
    )
    functions = runpy.run_path(os.environ["FUNCTIONS"])
    found = {name: _agrees(functions[name], name, parse_program(text), rank) for name, text in programs.items()}
    Path(f"{rank}.json").write_text(json.dumps(found), encoding="utf-8")
    dist.barrier()


if __name__ == "__main__":
    main()
