"""Models by name, with their published sizes: `llama-70b`."""

import re
import tomllib
from functools import cache
from importlib import resources

import msgspec

from p2smt.errors import ProblemError
from p2smt.problem.transformer.file import (
    ExpertsEntry,
    TransformerEntry,
    described,
)
from p2smt.problem.transformer.model import Biases, Latent, Transformer, Vision
from p2smt.problem.typed import convert_checked
from p2smt.wording import did_you_mean

_LEAST_BATCH = 1024


class ModelEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One `[[model]]` table: a name, the source of its data, and the sizes that define the model.

    `parameters` is the published count: all digits, or text such as "175B" if it was published rounded. `also` are
    other names, of versions with the same sizes.
    """

    name: str
    title: str
    parameters: int | str
    source: str
    also: tuple[str, ...] = ()
    layers: int
    hidden: int
    ffn: int
    heads: int
    kv_heads: int
    vocabulary: int
    sequence: int
    gated: bool = True
    biases: bool = False
    tied: bool = False
    positions: int = 0
    head_size: int | None = None
    attention_biases: Biases = Biases.NONE
    qk_norm: bool = False
    sinks: bool = False
    norms: int = 2
    window: int = 0
    full_every: int = 1
    experts: ExpertsEntry | None = None
    latent: Latent | None = None
    vision: Vision | None = None

    def transformer(self, batch: int, sequence: int | None, micro_batch: int) -> Transformer:
        """Return the model, trained with `batch` sequences per step; `sequence` defaults to the published length.

        Raises ProblemError for another length of an image model.
        """
        if self.vision is not None and sequence not in (None, self.sequence):
            raise ProblemError(
                f"sequence {sequence} is given, but {self.title} has {self.sequence} tokens per image; "
                "leave the sequence out"
            )
        own = msgspec.structs.asdict(self)
        entry = TransformerEntry(
            **{key: own[key] for key in TransformerEntry.__struct_fields__ if key in own and key != "sequence"},
            sequence=self.sequence if sequence is None else sequence,
            batch=batch,
            micro_batch=micro_batch,
        )
        return described(entry)


class _ModelsFile(msgspec.Struct, frozen=True):
    model: tuple[ModelEntry, ...]


@cache
def named_models() -> dict[str, ModelEntry]:
    """Return the models by name, in the order of the table."""
    text = resources.files("p2smt.problem.transformer").joinpath("models.toml").read_text(encoding="utf-8")
    entries = convert_checked(tomllib.loads(text), _ModelsFile, "models.toml", ProblemError)
    return {entry.name: entry for entry in entries.model}


def usual_batch(devices: int, micro_batch: int = 1) -> int:
    """Return the default number of sequences per step: the first multiple of `devices * micro_batch` from 1024 on.

    >>> usual_batch(64), usual_batch(96)
    (1024, 1056)
    """
    together = devices * micro_batch
    return -(-_LEAST_BATCH // together) * together


def named_model(name: str, batch: int, sequence: int | None = None, micro_batch: int = 1) -> Transformer:
    """Return a model in the table, trained with `batch` sequences per step.

    `sequence` defaults to the published length. The name may be spelled as on the Hub, or as the title; case,
    punctuation and the organisation are ignored. Raises ProblemError for an unknown name. Sizes are not
    checked.

    >>> named_model("llama-70b", 1024).layers, named_model("meta-llama/Llama-3.1-70B", 1024).layers
    (80, 80)
    """
    models = named_models()
    spelled = {_spelling(text): entry for entry in models.values() for text in (entry.title, entry.name, *entry.also)}
    entry = spelled.get(_spelling(name))
    if entry is None:
        known = ", ".join(models)
        near = did_you_mean(_spelling(name), spelled, lambda spelling: spelled[spelling].name)
        raise ProblemError(f"model {name[:80]!r} is unknown; choose one of {known}{near}")
    return entry.transformer(batch, sequence, micro_batch)


def _spelling(name: str) -> str:
    """Return the letters and digits of a name, without organisation, parentheses, and what it was tuned for.

    The slash in ViT-B/16 is not followed by letters, so it does not separate an organisation.
    """
    whole = name.lower().partition("(")[0]
    own = whole.rpartition("/")[2]
    letters = re.sub(r"[^a-z0-9]", "", own if re.search("[a-z]", own) else whole)
    return re.sub("(instruct|chat|base|hf)$", "", letters)
