"""Published training runs, from the table that `scripts/judge_jobs.py` reads, as settings to be priced.

Columns are those of the table of public jobs: sizes of the model, the split, the device, measured seconds. What the
columns leave open is taken from names: gated feed-forward parts, gpt-oss's windows, the network of two clusters.
"""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from p2smt.errors import ProblemError
from p2smt.job.step.cluster import Cluster, usual_cluster, usual_clusters
from p2smt.job.step.constants import CONSTANTS, Constants
from p2smt.job.step.setting import Setting
from p2smt.job.step.traits import FIRST_MEGATRON, FIRST_MEGATRON_BF16, TRAITS, Traits
from p2smt.problem.transformer.model import Experts, Transformer, Zero
from p2smt.problem.transformer.split import Framework, Precision, Recompute, Split

Row = dict[str, str]

_NEEDED = ("layers", "hidden", "seq", "gpu", "gpus", "global_batch")
_EMPTY = ("", "unknown", "n/a", "-")
_DEVICE = re.compile("GB300|GB200|B300|B200|H200|H100|H800|A800|MI300X|A100|V100")
_PRECISIONS = {
    Precision.FP8: ("fp8", "float8"),
    Precision.BF16: ("bf16", "bfloat16"),
    Precision.FP16: ("fp16", "float16"),
}
_GATED = re.compile("llama|qwen|mixtral|deepseek|oss|mistral|gemma")
_NETWORKS = (("bigscience", "", 6.25e9), ("fms-fsdp", "A100", 6.25e9))
"""Source, device and bytes/s of a device between machines where the machines are not the usual ones: Jean Zay (four
100 Gb/s cards for eight devices), and machines with 400 Gb/s in all."""


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

    A row that cannot be read (an unknown device or number format, a cell that is not a number, more parts than devices)
    raises ProblemError, or goes into `left_out` by name with the reason. A missing column always raises it.
    """
    with path.open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), start=2):
            try:
                missing = [name for name in _NEEDED if row[name] in _EMPTY]
                if missing:
                    raise ValueError(f"no {', '.join(missing)}")
                yield _published(row, constants)
            except (KeyError, ValueError, ProblemError) as mistake:
                if left_out is None or isinstance(mistake, KeyError):
                    raise ProblemError(
                        f"{path}, line {number}: {mistake!r}; columns are those of public_jobs.csv"
                    ) from mistake
                left_out[row["id"]] = str(mistake)


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
    if row["measured_step_s"] not in _EMPTY:
        return float(row["measured_step_s"])
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
    return float(row[column].replace(",", "")) if row[column] not in _EMPTY else otherwise


def _whole(row: Row, column: str, otherwise: float = 0.0) -> int:
    return round(_number(row, column, otherwise))


def _transformer(row: Row) -> Transformer:
    hidden = _whole(row, "hidden")
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
        layers=_whole(row, "layers"),
        hidden=hidden,
        ffn=ffn,
        heads=heads,
        kv_heads=_whole(row, "kv_heads") or heads,
        head_size=_whole(row, "head_dim") or hidden // heads,
        vocabulary=_whole(row, "vocab", 50000),
        sequence=_whole(row, "seq"),
        batch=_whole(row, "global_batch"),
        gated=bool(_GATED.search(model)) or ffn != 4 * hidden,
        experts=experts,
        window=128 if "oss" in model else 0,
        full_every=2 if "oss" in model else 1,
    )


def _split(row: Row) -> Split:
    tp, pp, cp = (_whole(row, name, 1) for name in ("tp", "pp", "cp"))
    dp = _whole(row, "gpus") // (tp * pp * cp)
    if dp < 1:
        raise ValueError(f"tp {tp} x pp {pp} x cp {cp} are more than {row['gpus']} devices")
    return Split(
        tp=tp,
        pp=pp,
        cp=cp,
        dp=dp,
        ep=_whole(row, "ep", 1),
        etp=_whole(row, "etp", 1),
        chunks=_whole(row, "vp", 1),
        replicate=max(1, _whole(row, "dp_replicate", 1)) if row["zero"] == "3" else 1,
        zero=Zero(_whole(row, "zero", 1)),
        micro_batch=_whole(row, "micro_batch", 1),
        recompute=_recompute(row["recompute"]),
        sequence_parallel=row["sequence_parallel"] == "yes" and tp > 1,
    )


def _cluster(row: Row) -> Cluster:
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
