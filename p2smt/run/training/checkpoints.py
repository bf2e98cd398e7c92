"""Checkpoints of a sharded training in torch's formats, unsharded or as each rank's shards, with strict checks."""

from collections.abc import Mapping
from typing import NotRequired, TypedDict, cast

import torch
from torch import nn
from torch.distributed.checkpoint.state_dict_loader import load
from torch.distributed.checkpoint.state_dict_saver import save

from p2smt.run.training.emitted_step import EMA, EmittedStep, State, StepSource, Tensors
from p2smt.run.training.folders import check_folder
from p2smt.run.training.groups import Moments, ParameterGroups
from p2smt.run.training.pieces import Piece

_PARTS = ("module", "optimizer", "step", "ema")
_DIFFERENCE = "_difference"
"""Suffix of the names of states that are stored as differences from their initial values."""
_OTHER = "it belongs to another model"
_WRAPPED = "it belongs to a wrapper such as DistributedDataParallel: take model.module.state_dict()"


class Checkpoint(TypedDict):
    """Unsharded tensors: torch's state_dicts of module and optimizer, the step number, and moving averages."""

    module: Tensors
    optimizer: dict[str, object]
    step: int
    ema: NotRequired[Tensors]


class Checkpoints:
    """Reads and writes the checkpoints of a step, under the module's names."""

    def __init__(self, step: EmittedStep, emitted: StepSource, module: nn.Module, groups: ParameterGroups) -> None:
        self._step, self._emitted, self._groups = step, emitted, groups
        self.names = {key: name for name, key in emitted.keys.items()}
        self._known = frozenset(module.state_dict())
        self._tensors = frozenset(
            name
            for name, _ in (
                *module.named_parameters(remove_duplicate=False),
                *module.named_buffers(remove_duplicate=False),
            )
        )
        self._keys = {name: tuple(keys) for name, keys in step.step.keys.items()}

    @property
    def wanted(self) -> dict[str, list[str]]:
        """The optimizer's states, by the module's parameter names."""
        found: dict[str, list[str]] = {}
        for name, key in self._step.states():
            if key != EMA:
                found.setdefault(self._key(name), []).append(self._in_torch(name, key))
        return found

    def _in_torch(self, name: str, key: str) -> str:
        """Return torch's name of a state."""
        return key.removesuffix(_DIFFERENCE) if f"{name}.{key}" in self._emitted.offsets else key

    def whole(self) -> Checkpoint:
        """Return the unsharded checkpoint in host memory."""
        state = self._step.step.state_dict()
        module = cast("Tensors", state["module"])
        moments: Moments = {}
        averages: Tensors = {}
        kept = {(self._key(name), key) for name, key in self._step.states()}
        for name, own in cast("dict[str, Tensors]", state["optimizer"]).items():
            key = self._key(name)
            if EMA in own:
                averages[key] = own[EMA]
            offsets = {one: self._emitted.offsets.get(f"{self.names.get(key, key)}.{one}", 0.0) for one in own}
            moments[key] = {
                self._in_torch(self.names.get(key, key), one): each + offsets[one] if offsets[one] else each
                for one, each in own.items()
                if one != EMA and (key, one) in kept
            }
        number = self._step.step.number
        made: Checkpoint = {
            "module": {key: each for name, each in module.items() if (key := self._key(name)) in self._known},
            "optimizer": self._groups.in_torch(moments, number),
            "step": number,
        }
        if averages:
            made["ema"] = averages
        return made

    def averages(self) -> Tensors:
        """Return the moving averages of parameters. Raises ValueError if none are kept."""
        found = {
            self._key(name): self._step.whole(f"{name}.{key}").to("cpu", copy=True)
            for name, key in self._step.states()
            if key == EMA
        }
        if not found:
            raise ValueError("this training keeps no moving averages; give p2smt.shard(..., ema=0.999)")
        return found

    def whole_module(self) -> Tensors:
        """Return the unsharded parameters and buffers on the device; tied tensors appear under all their names."""
        whole = {name: self._step.whole(name) for name in self._keys}
        return {key: whole[name] for key, name in self.trained().items()} | self.untrained()

    def trained(self) -> dict[str, str]:
        """Map the module's names of parameters and buffers to the step's; tied tensors share one of the step's."""
        found = {self._key(key): name for name, keys in self._step.step.keys.items() for key in keys}
        return {key: name for key, name in found.items() if key in self._tensors}

    def untrained(self) -> Tensors:
        """Return the parameters and buffers that the step does not know, unsharded on every rank's device."""
        device = self._step.step.ranks.device
        others = cast("Tensors", getattr(self._step.step, "others", {}))
        return {key: each.to(device) for key, each in others.items() if key in self._tensors}

    def load(self, state: State) -> None:
        """Continue from a checkpoint.

        Raises KeyError or ValueError, leaving everything unchanged, if it does not fit.
        """
        parts = self._parts(state)
        module, optimizer = parts["module"], parts.get("optimizer", {})
        assert isinstance(module, Mapping)
        assert isinstance(optimizer, Mapping)
        self._check_module(module)
        moments, counted = self._moments(optimizer)
        step = parts.get("step", counted)
        assert isinstance(step, int)
        if counted and step != counted:
            raise ValueError(f"this checkpoint has step {step}, but its optimizer has taken {counted} steps")
        if "ema" in parts and not self._emitted.has_average:
            raise KeyError(
                "the checkpoint has moving averages, and this training keeps none: give p2smt.shard(..., "
                "ema=0.999), or leave 'ema' out of what is loaded"
            )
        averages = parts.get("ema", module)
        assert isinstance(averages, Mapping)
        missing = {key: self._step.whole(name).cpu() for key, name in self.names.items() if key not in module}
        named = {self.names.get(key, key): each for key, each in (*module.items(), *missing.items())}
        own: dict[str, dict[str, object]] = {self.names.get(key, key): dict(each) for key, each in moments.items()}
        # States that start at an offset are kept as differences from it (`offsets`).
        for full, offset in self._emitted.offsets.items():
            name, _, key = full.rpartition(".")
            if name in own:
                begun = cast("torch.Tensor", own[name].pop(key.removesuffix(_DIFFERENCE)))
                own[name][key] = begun - offset
        for name, key in self._step.states():
            if key == EMA:
                if self._key(name) not in averages:
                    raise KeyError(f"the checkpoint lacks the moving average of {self._key(name)}")
                own.setdefault(name, {})[EMA] = averages[self._key(name)]
        # Not strict: names were checked above, and a bare module leaves the optimizer out.
        self._step.step.load_state_dict({"module": named, "optimizer": own, "step": step}, strict=False)
        self._groups.take(cast("list[dict[str, object]]", optimizer.get("param_groups", self._groups.settings())))
        self._tie()

    def _parts(self, state: State) -> State:
        """Return the checkpoint's parts by name.

        A bare module state_dict has no optimizer or step, which start anew.
        """
        if "model" in state and "module" not in state:
            state = {"module" if key == "model" else key: each for key, each in state.items()}
        if not isinstance(state.get("module"), Mapping):
            return {"module": state}
        if unknown := sorted(state.keys() - {*_PARTS}):
            raise KeyError(f"a checkpoint has no {unknown[0]!r}; it has {', '.join(_PARTS)}: give these alone")
        return state

    def _check_module(self, module: State) -> None:
        if unknown := sorted(module.keys() - self._known):
            is_wrapped = all(each.startswith("module.") for each in unknown)
            why = _WRAPPED if is_wrapped else _OTHER
            raise KeyError(f"the module has no {unknown[0]}, which this checkpoint has: {why}")
        if missing := sorted(self._known - module.keys()):
            raise KeyError(f"the checkpoint lacks {missing[0]}: {_OTHER}")
        for keys in self._keys.values():
            tied = [cast("torch.Tensor", module[key]) for name in keys if (key := self._key(name)) in module]
            if any(not torch.equal(tied[0].cpu(), each.cpu()) for each in tied[1:]):
                raise ValueError(
                    f"{' and '.join(map(self._key, keys))} are one shared parameter, but differ in this checkpoint"
                )

    def _moments(self, optimizer: State) -> tuple[Moments, int]:
        """Return the optimizer's states by parameter name, and its number of steps.

        The input has torch's format, or maps parameter names to states already.
        """
        wanted = self.wanted
        if "param_groups" in optimizer or "state" in optimizer:
            return self._groups.out_of_torch(optimizer, wanted)
        moments = {key: dict(cast("Tensors", each)) for key, each in optimizer.items()}
        for key, own in moments.items():
            if unknown := sorted(own.keys() - set(wanted.get(key, ()))):
                raise KeyError(f"the step keeps no {unknown[0]} of {key}, which this checkpoint has: {_OTHER}")
        for key, states in wanted.items():
            if moments and (missing := sorted(set(states) - moments.get(key, {}).keys())):
                raise KeyError(f"the checkpoint lacks {missing[0]} of {key}, which the optimizer keeps")
        return moments, 0

    def _tie(self) -> None:
        """Restore ties: all names of one parameter share a tensor again, however the checkpoint stored them."""
        step = self._step.step
        step.keys = {name: list(keys) for name, keys in self._keys.items()}
        others = cast("Tensors", getattr(step, "others", {}))
        for key in {key for keys in self._keys.values() for key in keys} & others.keys():
            del others[key]

    def save(self, path: str) -> None:
        """Write this rank's shards; every rank must call it."""
        step, groups = torch.tensor(self._step.step.number), self._groups.settings()
        save({**self._pieces(), "step": step, "groups": groups}, checkpoint_id=path)

    def read(self, path: str) -> None:
        """Read this rank's shards, whatever sharding wrote them.

        Raises KeyError or ValueError if the folder does not fit.
        """
        check_folder(path, self._saved())
        asked = {**self._pieces(), "step": torch.tensor(0), "groups": self._groups.settings()}
        load(asked, checkpoint_id=path)
        self._step.step.number = int(cast("torch.Tensor", asked["step"]))
        self._groups.take(cast("list[dict[str, object]]", asked["groups"]))

    def _saved(self) -> dict[str, tuple[int, ...]]:
        """Return the names and unsharded shapes that a folder must contain."""
        step = self._step
        module = {f"module.{self._key(name)}": step.tensors[name].shape for name in self._keys}
        return module | {
            f"optimizer.{self._key(name)}.{key}": step.tensors[f"{name}.{key}"].shape for name, key in step.states()
        }

    def _pieces(self) -> dict[str, dict[str, torch.Tensor]]:
        """Return this rank's shards of parameters, buffers and states, by name."""
        module = {self._key(name): piece for name in self._keys if (piece := self._piece(name)) is not None}
        states = {
            f"{self._key(name)}.{key}": piece
            for name, key in self._step.states()
            if (piece := self._piece(f"{name}.{key}")) is not None
        }
        return {"module": module, "optimizer": states}

    def _piece(self, name: str) -> torch.Tensor | None:
        held = self._step.step.held[name]
        tensor = self._step.tensors[name]
        if tensor.summed:
            raise ValueError(
                f"{self._key(name)} is stored as partial values, which sharded checkpoints cannot hold; use "
                "state_dict()"
            )
        if held is None or not held.numel():
            return None
        return Piece.of(held, tensor.shape, self._step.interval(name)[0])

    def _key(self, name: str) -> str:
        return self._emitted.keys.get(name, name)
