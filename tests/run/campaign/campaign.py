"""Trainings of models in all their shardings on real ranks, beside PyTorch's on one device.

PYTHONPATH=tests python tests/run/campaign/campaign.py [MODEL ...] prints a line for each: how far losses, parameters
and states are apart at most after 20 steps, in float64 and float32.
"""

import argparse
import copy
import sys
from collections.abc import Iterator, Sequence
from math import inf
from pathlib import Path
from typing import NamedTuple

import torch
from run.campaign.campaign_rank import digest
from run.campaign.models import MODELS, program, trained
from run.campaign.shardings import BY_PROGRAMS, CLUSTERS, MESH, shardings

from p2smt.emit.torch.program.source import emit_program
from p2smt.run.local.calls import CallRanks
from p2smt.run.rank.message import Seat
from p2smt.tensor.placing import world

RANK = str(Path(__file__).with_name("campaign_rank.py"))
LIMIT_S, STEPS = 600.0, 20
REALS = {"float64": torch.float64, "float32": torch.float32}
TYPES = tuple(REALS.values())
LOSS = {torch.float64: 1e-10, torch.float32: 2e-6}
"""How far losses may be apart, relative to their size."""
KEPT = {torch.float64: 1e-10, torch.float32: 2e-3}
"""How far parameters and states may be apart after the last step, relative to the largest element or 1.

In float32 Adam moves a parameter whose gradient is zero but for rounding by up to its learning rate in each step.
"""


class Deviation(NamedTuple):
    """How far a training is from one device's; whether its checkpoint has the same bits elsewhere, ranks the same."""

    model: str
    where: str
    sharding: str
    real: torch.dtype
    losses: float
    parameters: float
    states: float
    bits: bool

    @property
    def is_right(self) -> bool:
        """Whether it is within what a type allows."""
        kept = max(self.parameters, self.states)
        return self.bits and self.losses <= LOSS[self.real] and kept <= KEPT[self.real]


def deviations(
    model: str,
    where: str,
    steps: int = STEPS,
    types: Sequence[torch.dtype] = TYPES,
    names: Sequence[str] = (),
    shares: Sequence[str] = (),
) -> Iterator[Deviation]:
    """Of a model in its shardings on a cluster, all or those whose names begin so; each is read by the next of them."""
    made = shardings(program(model), where, shares)
    some = [each for each in made if not names or each.name.startswith(tuple(names))]
    with CallRanks([Seat()] * world(some[0].program.mesh), timeout_s=LIMIT_S) as ranks:
        paths = []
        for number, each in enumerate(some):
            path = ranks.folder / f"step{number}.py"
            path.write_text(emit_program(each.program, each.ways, programs=each.programs), encoding="utf-8")
            paths.append(str(path))
        for real in types:
            alone = trained(model, steps, real)
            for number, each in enumerate(some):
                other = paths[(number + 1) % len(paths)]
                answers = ranks.call(
                    RANK, "trains", paths[number], other, alone.state, alone.batches, real, timeout_s=LIMIT_S
                )
                yield Deviation(model, where, each.name, real, *_apart(paths[number], alone, answers))


def _apart(path, alone, answers):
    """Losses, parameters, states, bits."""
    checkpoint = answers[0][1]
    step = _module(path)["Step"]
    expected = step.from_torch(alone.module, alone.optimizer)
    losses = max(
        abs(mine - theirs) / max(abs(theirs), 1e-3)
        for found, *_ in answers
        for mine, theirs in zip(found, alone.losses, strict=True)
    )
    parameters = _largest(checkpoint["module"], expected["module"])
    pairs = ((many, expected["optimizer"][name]) for name, many in checkpoint["optimizer"].items())
    states = max((_largest(mine, theirs) for mine, theirs in pairs), default=0.0)
    module, optimizer = copy.deepcopy((alone.module, alone.optimizer))
    step.into_torch(checkpoint, module, optimizer)
    plain = {**step.from_torch(module, optimizer), "step": checkpoint["step"]}
    same = len({mine for *_, mine, _ in answers}) == 1 and all(again for *_, again in answers)
    return losses, parameters, states, same and digest(plain) == digest(checkpoint)


def _largest(found, expected):
    """The largest difference of tensors of the same names, relative to 1 or more; infinite where names differ."""
    if found.keys() != expected.keys():
        return inf
    pairs = [(each, expected[name]) for name, each in found.items()]
    return max(float((mine - theirs).abs().max() / theirs.abs().max().clamp(min=1)) for mine, theirs in pairs)


def _module(path):
    names = {"__name__": "emitted"}
    exec(compile(Path(path).read_text(encoding="utf-8"), path, "exec"), names)
    return names


def main() -> int:
    """Print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL", help=f"of {', '.join(MODELS)} [all]")
    parser.add_argument("--on", nargs="*", default=[*CLUSTERS, *BY_PROGRAMS, MESH], metavar="CLUSTER", help="[all]")
    parser.add_argument("--only", nargs="*", default=[], metavar="SHARDING", help="what their names begin with [all]")
    parser.add_argument("--real", nargs="*", choices=REALS, default=[*REALS], help="numbers [both]")
    given = parser.parse_args()
    types = [REALS[each] for each in given.real]
    wrong = 0
    for where in given.on:
        for model in given.models or MODELS:
            for each in deviations(model, where, types=types, names=given.only):
                wrong += not each.is_right
                print(
                    f"{each.model:9} {each.where:14} {each.sharding:49} {str(each.real)[6:]} losses {each.losses:.1e} "
                    f"parameters {each.parameters:.1e} states {each.states:.1e}"
                    f"{'' if each.bits else ' bits differ'}{'' if each.is_right else ' *'}",
                    flush=True,
                )
    print(f"{wrong} of these are further from one device than allowed")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
