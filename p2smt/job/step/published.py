"""Read published training runs from the table of `scripts/judge_jobs.py`, as settings to be priced.

The table has columns for the model's sizes, the split, the device, and measured seconds. What it leaves open is
derived from names: gated feed-forward layers, the attention windows of gpt-oss, and the networks of two
clusters.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf, nan
from pathlib import Path

from p2smt.errors import ProblemError
from p2smt.job.step.cluster import StepCluster, usual_cluster, usual_clusters
from p2smt.job.step.constants import CONSTANTS, Constants
from p2smt.job.step.correction import framework_name
from p2smt.job.step.setting import Setting
from p2smt.job.step.traits import FIRST_MEGATRON, FIRST_MEGATRON_BF16, MEGATRON_BRIDGE_BENCHMARK, TRAITS, Traits
from p2smt.problem.csv_table import CsvTable, Row
from p2smt.problem.transformer.model import Experts, Transformer, Zero
from p2smt.problem.transformer.split import Framework, Precision, Recompute, Split

_NEEDED = ("layers", "hidden", "seq", "gpu", "gpus", "global_batch")
_EMPTY = ("", "unknown", "n/a", "-")
_TABLE = "its columns have to be those of tests/job/step/public_jobs.csv"
_DEVICE = re.compile("GB300|GB200|B300|B200|H200|H100|H800|A800|MI300X|A100|V100")
_PRECISIONS = {
    Precision.FP8: ("fp8", "float8"),
    Precision.BF16: ("bf16", "bfloat16"),
    Precision.FP16: ("fp16", "float16"),
}
_GATED = re.compile("llama|qwen|mixtral|deepseek|oss|mistral|gemma")
_NETWORKS = (("bigscience", "", 6.25e9), ("fms-fsdp", "A100", 6.25e9))
"""Sources with unusual machines: the source, the device, and a device's bytes/s between machines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedRun:
    """A published run: its setting, the step's seconds, and the peak bytes on any device (None if not published)."""

    name: str
    source: str
    framework: str
    setting: Setting
    seconds: float
    memory: float | None
    complete: bool

    @property
    def group(self) -> tuple[str, str, str]:
        """The device, precision and framework, which share a correction factor."""
        return self.setting.cluster.name, str(self.setting.precision), self.framework

    @property
    def kept_group(self) -> tuple[str, str, str]:
        """The group whose factor is kept in `corrections.toml`, where models with experts stand apart."""
        device, precision, framework = self.group
        return device, precision, framework_name(framework, experts=self.setting.transformer.experts is not None)

    @property
    def is_plain(self) -> bool:
        """True for a dense model in 16 bits."""
        return self.setting.transformer.experts is None and self.setting.precision is not Precision.FP8


def read_published(
    path: Path, constants: Constants = CONSTANTS, left_out: dict[str, str] | None = None
) -> Iterator[PublishedRun]:
    """Yield the rows that give a model's sizes and a measured step time or throughput.

    A row that cannot be read (unknown device or number format, a malformed count, more parts than devices)
    raises ProblemError, or is added with the reason to `left_out`, if given. A missing column, a file that is
    not a table, and an empty table always raise ProblemError. OSError is raised for an unreadable file.
    """
    try:
        table = CsvTable(path.read_text(encoding="utf-8"), str(path), ProblemError)
    except UnicodeDecodeError as cause:
        raise ProblemError(f"{path} is not UTF-8 text; {_TABLE}") from cause
    number = 0
    for number, row in table.rows():
        try:
            missing = [name for name in _NEEDED if row[name] in _EMPTY]
            if missing:
                raise ValueError(f"the cell is empty: {', '.join(missing)}")
            yield _published(row, constants)
        except KeyError as column:
            raise ProblemError(f"{path} has no column {column.args[0]!r}; {_TABLE}") from column
        except (ValueError, ProblemError) as mistake:
            if left_out is None:
                raise ProblemError(f"{path}, line {number}: {mistake}; {_TABLE}") from mistake
            left_out[row["id"]] = str(mistake)
    if not number:
        raise ProblemError(f"{path} has no rows; {_TABLE}")


def judged_runs(path: Path, left_out: dict[str, str], *, every: bool) -> list[PublishedRun]:
    """Return the runs with "yes" in column `judge`, or all if `every`. Raises ProblemError if there are none."""
    runs = [run for run in read_published(path, left_out=left_out) if run.complete or every]
    if not runs:
        raise ProblemError(
            f"{path} has no rows to judge, and {len(left_out)} cannot be read; write yes in the column "
            "judge, or give --all"
        )
    return runs


def _device(text: str) -> str:
    """Return the canonical name of a device.

    >>> _device("H100-SXM5-80GB"), _device("A100 40GB"), _device("GB200")
    ('H100', 'A100-40', 'GB200')
    """
    if text in usual_clusters():
        return text
    found = _DEVICE.search(text.upper())
    name = found.group() if found else text
    return {"A100": "A100-40" if "40" in text else "A100-80", "V100": "V100-32"}.get(name, name)


def _precision(text: str) -> Precision:
    """Return the number format of products. Raises ValueError for one that cannot be priced."""
    for precision, names in _PRECISIONS.items():
        if any(name in text.lower() for name in names):
            return precision
    raise ValueError(f"precision {text or '(empty)'} is not supported")


def _recompute(text: str) -> Recompute:
    if "full" in text.lower():
        return Recompute.FULL
    return Recompute.SELECTIVE if "select" in text.lower() else Recompute.NONE


def _seconds(row: Row, tokens: int) -> float:
    """Return the seconds of a step, derived from its throughput if they are not given."""
    if step := _number(row, "measured_step_s"):
        return step
    rate = _number(row, "tokens_per_s_per_gpu") * _number(row, "gpus")
    if not rate:
        raise ValueError("there is neither measured_step_s nor tokens_per_s_per_gpu; give one of them")
    return tokens / rate


def _published(row: Row, constants: Constants) -> PublishedRun:
    precision, transformer = _precision(row["precision"]), _transformer(row)
    setting = Setting(
        transformer=transformer,
        split=_split(row),
        cluster=_cluster(row),
        traits=_traits(row["framework"], precision, row["gpu"]),
        precision=precision,
        constants=constants,
    )
    return PublishedRun(
        name=row["id"],
        source=row["source"],
        framework=row["framework"],
        setting=setting,
        seconds=_seconds(row, transformer.batch * transformer.sequence),
        memory=_number(row, "memory_gib_max") * 2**30 or None,
        complete=row["judge"] == "yes",
    )


def _number(row: Row, column: str, otherwise: float = 0.0) -> float:
    """Return the number in a cell, which must be finite and not negative; `otherwise` for an empty cell."""
    if row[column] in _EMPTY:
        return otherwise
    try:
        number = float(row[column].replace(",", ""))
    except ValueError:
        number = nan
    if not 0 <= number < inf:
        raise ValueError(f"{column} is {row[column]}; give a number of at least 0")
    return number


def _whole(row: Row, column: str, otherwise: float = 0.0) -> int:
    number = _number(row, column, otherwise)
    if not number.is_integer():
        raise ValueError(f"{column} is {row[column]}; give a whole number")
    return int(number)


def _count(row: Row, column: str) -> int:
    """Return the count in a cell, which must be at least 1; 1 for an empty cell."""
    number = _whole(row, column, 1.0)
    if not number:
        raise ValueError(f"{column} is {row[column]}; give a number of at least 1")
    return number


def _transformer(row: Row) -> Transformer:
    hidden = _count(row, "hidden")
    heads = _whole(row, "heads") or max(1, hidden // 128)
    ffn = _whole(row, "ffn") or 4 * hidden
    model = row["model"].lower()
    experts = None
    if _whole(row, "experts"):
        experts = Experts(
            count=_whole(row, "experts"),
            per_token=_whole(row, "experts_per_token", 1),
            ffn=_whole(row, "moe_ffn") or ffn,
            shared=_whole(row, "shared_experts"),
            dense_first=_whole(row, "dense_layers_first"),
        )
    return Transformer(
        layers=_count(row, "layers"),
        hidden=hidden,
        ffn=ffn,
        heads=heads,
        kv_heads=_whole(row, "kv_heads") or heads,
        head_size=_whole(row, "head_dim") or hidden // heads,
        vocabulary=_whole(row, "vocab", 50000),
        sequence=_count(row, "seq"),
        batch=_count(row, "global_batch"),
        gated=bool(_GATED.search(model)) or ffn != 4 * hidden,
        experts=experts,
        window=128 if "oss" in model else 0,
        full_every=2 if "oss" in model else 1,
    )


def _split(row: Row) -> Split:
    tp, pp, cp = (_count(row, name) for name in ("tp", "pp", "cp"))
    dp = _whole(row, "gpus") // (tp * pp * cp)
    if dp < 1:
        raise ValueError(f"tp {tp} x pp {pp} x cp {cp} need more than {row['gpus']} devices; correct gpus or the split")
    return Split(
        tp=tp,
        pp=pp,
        cp=cp,
        dp=dp,
        ep=_count(row, "ep"),
        etp=_count(row, "etp"),
        chunks=_count(row, "vp"),
        replicate=max(1, _whole(row, "dp_replicate", 1)) if row["zero"] == "3" else 1,
        zero=Zero(_whole(row, "zero", 1)),
        micro_batch=_count(row, "micro_batch"),
        recompute=_recompute(row["recompute"]),
        sequence_parallel=row["sequence_parallel"] == "yes" and tp > 1,
    )


def _cluster(row: Row) -> StepCluster:
    cluster = usual_cluster(_device(row["gpu"]), _whole(row, "gpus"))
    for source, device, card in _NETWORKS:
        if source in row["source"] and row["gpu"].startswith(device):
            return replace(cluster, card=card)
    return cluster


def _traits(framework: str, precision: Precision, device: str) -> Traits:
    if framework in ("Megatron-LM", "Megatron-DeepSpeed") and device[0] in "VA":
        return FIRST_MEGATRON_BF16 if precision is Precision.BF16 else FIRST_MEGATRON
    if "Megatron-Bridge" in framework:
        return MEGATRON_BRIDGE_BENCHMARK
    if "Megatron" in framework:
        return TRAITS[Framework.MEGATRON]
    return TRAITS[Framework.TORCHTITAN]
