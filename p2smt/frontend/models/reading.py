"""A model by name or from a file: `llama-70b`, `config.json`, `my.toml`."""

from dataclasses import replace
from pathlib import Path

import msgspec

from p2smt.errors import ProblemError
from p2smt.frontend.models.huggingface import parse_config
from p2smt.problem.system.file import parse_tables
from p2smt.problem.transformer.file import TransformerEntry, described
from p2smt.problem.transformer.model import Transformer
from p2smt.problem.transformer.named import named_model
from p2smt.problem.typed import STDIN, convert_checked, read_bounded

_MOST_BYTES = 1_000_000


class ModelFile(msgspec.Struct, frozen=True):
    """A TOML file with a `[transformer]` table, such as a job file; other tables are ignored."""

    transformer: TransformerEntry


def read_model(model: str, batch: int, sequence: int | None = None, micro_batch: int = 1) -> Transformer:
    """Return the model with this name, or the one in a .json or .toml file; raises ProblemError if there is none."""
    if model != STDIN and not model.endswith((".json", ".toml")):
        return named_model(model, batch, sequence, micro_batch)
    try:
        text = read_bounded(Path(model), _MOST_BYTES, ProblemError).decode("utf-8-sig")
    except (ProblemError, UnicodeDecodeError) as mistake:
        raise ProblemError(
            f"model {model}: {mistake}; give a config.json, a TOML with [transformer], or a name"
        ) from mistake
    if model.endswith(".json") or (model == STDIN and text.lstrip().startswith("{")):
        return parse_config(text, model, batch, sequence, micro_batch)
    return _from_toml(text, model, batch, sequence, micro_batch)


def _from_toml(text: str, place: str, batch: int, sequence: int | None, micro_batch: int) -> Transformer:
    tables = parse_tables(text, place)
    if "transformer" not in tables:
        raise ProblemError(f"{place} has no [transformer] table; `p2smt example dense-70b` shows one")
    given = tables["transformer"]
    table = {"batch": batch, **given} if isinstance(given, dict) else given
    entry = convert_checked({"transformer": table}, ModelFile, place, ProblemError).transformer
    found = described(entry)
    return replace(found, batch=batch, micro_batch=micro_batch, sequence=sequence or found.sequence)
