"""Published training runs, from the table that `scripts/judge_jobs.py` reads, as settings to be priced.

Columns are those of the table of public jobs: sizes of the model, the split, the device, measured seconds. What the
columns leave open is taken from names: gated feed-forward parts, gpt-oss's windows, the network of two clusters.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf, nan
from pathlib import Path

from p2smt.errors import ProblemError
from p2smt.job.step.cluster import StepCluster, usual_cluster, usual_clusters
from p2smt.job.step.constants import CONSTANTS, Constants
from p2smt.job.step.setting import Setting
from p2smt.job.step.traits import FIRST_MEGATRON, FIRST_MEGATRON_BF16, TRAITS, Traits
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
"""Sources whose machines are not the usual ones: device, and bytes/s of a device between machines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedRun:
    """A row: what ran, how long a step took, and the bytes that the fullest device held (None: not published)."""

    name: str
    source: str
    framework: str
    setting: Setting
    seconds: float
    memory: float | None
    complete: bool

    @property
    def group(self) -> tuple[str, str, str]:
        """Device, precision and framework: what one correction is for."""
        return self.setting.cluster.name, str(self.setting.precision), self.framework

    @property
    def is_plain(self) -> bool:
        """True for a dense model in 16 bits."""
        return self.setting.transformer.experts is None and self.setting.precision is not Precision.FP8


def read_published(
    path: Path, constants: Constants = CONSTANTS, left_out: dict[str, str] | None = None
) -> Iterator[PublishedRun]:
    """The rows that say a model's sizes and a measured step or throughput.

    A row that cannot be read (an unknown device or number format, a cell that is no count, more parts than devices)
    raises ProblemError, or goes into `left_out` by name with the reason. A missing column, a file that is no table and
    a table without rows always raise it. OSError for a file that cannot be read.
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
                raise ValueError(f"no {', '.join(missing)}")
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
    """The runs that count: those whose column `judge` says yes, or `every` one; ProblemError where there is none."""
    runs = [run for run in read_published(path, left_out=left_out) if run.complete or every]
    if not runs:
        raise ProblemError(
            f"{path} has no row that counts, {len(left_out)} cannot be read; say yes in the column judge, or give --all"
        )
    return runs


def _device(text: str) -> str:
    """The usual name of a device.

    >>> _device("H100-SXM5-80GB"), _device("A100 40GB"), _device("GB200")
    ('H100', 'A100-40', 'GB200')
    """
    if text in usual_clusters():
        return text
    found = _DEVICE.search(text.upper())
    name = found.group() if found else text
    return {"A100": "A100-40" if "40" in text else "A100-80", "V100": "V100-32"}.get(name, name)


def _precision(text: str) -> Precision:
    """The number format of products; raises ValueError for one that is not priced."""
    for precision, names in _PRECISIONS.items():
        if any(name in text.lower() for name in names):
            return precision
    raise ValueError(f"precision {text or '(empty)'} is not priced")


def _recompute(text: str) -> Recompute:
    if "full" in text.lower():
        return Recompute.FULL
    return Recompute.SELECTIVE if "select" in text.lower() else Recompute.NONE


def _seconds(row: Row, tokens: int) -> float:
    """Seconds of a step, from its throughput where they are not given."""
    if step := _number(row, "measured_step_s"):
        return step
    rate = _number(row, "tokens_per_s_per_gpu") * _number(row, "gpus")
    if not rate:
        raise ValueError("no measured_step_s, nor tokens_per_s_per_gpu")
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
    """The number of a cell, which has to be finite and not below zero."""
    if row[column] in _EMPTY:
        return otherwise
    try:
        number = float(row[column].replace(",", ""))
    except ValueError:
        number = nan
    if not 0 <= number < inf:
        raise ValueError(f"{column} is {row[column]}; give a number from 0 on")
    return number


def _whole(row: Row, column: str, otherwise: float = 0.0) -> int:
    number = _number(row, column, otherwise)
    if not number.is_integer():
        raise ValueError(f"{column} is {row[column]}; give a whole number")
    return int(number)


def _count(row: Row, column: str) -> int:
    """The number of a cell, at least 1; 1 where it is empty."""
    number = _whole(row, column, 1.0)
    if not number:
        raise ValueError(f"{column} is {row[column]}; give a number from 1 on")
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
        raise ValueError(f"tp {tp} x pp {pp} x cp {cp} are more than {row['gpus']} devices")
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
    if "Megatron" in framework:
        return TRAITS[Framework.MEGATRON]
    return TRAITS[Framework.TORCHTITAN]
