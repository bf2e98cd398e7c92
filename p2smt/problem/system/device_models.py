"""The device models of a system, and the method by which computing is priced on it."""

from p2smt.errors import ProblemError
from p2smt.problem.system.device_model import DeviceModel
from p2smt.problem.system.device_model_entries import device_model
from p2smt.problem.system.devices import ComputingMethod
from p2smt.problem.system.network import System

DEFAULT_MODEL = "a100"
"""Device assumed for systems that name none, such as bare levels; answers that price computing say so."""


def device_models(system: System) -> tuple[DeviceModel, ...]:
    """Return the model of every kind of devices, in the system's order; one model if there are no kinds.

    Raises ProblemError if neither a kind nor the system has a model.

    >>> from p2smt.problem.system.text import find_system
    >>> [model.name for model in device_models(find_system("mixed-29"))]
    ['a100', 'v100', 't4', 'p100', 'rtx3090']
    >>> [model.name for model in device_models(find_system("node:2,gpu:4"))]
    ['a100']
    """
    if not system.kinds:
        return (system.device or device_model(DEFAULT_MODEL),)
    models = [kind.model or system.device for kind in system.kinds]
    missing = next((kind.name for kind, model in zip(system.kinds, models, strict=True) if model is None), None)
    if missing is not None:
        raise ProblemError(f'kind {missing} has no device model; give model = "h100", or computing = "speeds"')
    return tuple([model for model in models if model is not None])


def computing_of(system: System) -> ComputingMethod:
    """Return the pricing method of computing: the system's own, or by default rooflines if all models are known.

    The default is by speeds if a kind has no model, or if the system has cost weights.

    >>> from p2smt.problem.system.text import find_system
    >>> [str(computing_of(find_system(text))) for text in ("dgx-h100", "2x4", "hap-p100", "lab:2x2@0.5/0.25")]
    ['roofline', 'roofline', 'speeds', 'speeds']
    """
    if system.computing is not None:
        return system.computing
    if system.effort is not None or any(kind.model is None for kind in system.kinds):
        return ComputingMethod.SPEEDS
    return ComputingMethod.ROOFLINE


def computing_text(system: System, speed: float | None = None) -> str:
    """Return the line on the pricing of computing: by a given speed, by rooflines, or by speeds of kinds.

    >>> from p2smt.problem.system.text import find_system
    >>> computing_text(find_system("dgx-h100"))
    'roofline of h100 (peak 67 Tflop/s in float32, 989 in bfloat16; 3350 GB/s)'
    >>> computing_text(find_system("dgx-h100"), 2e13)
    'operations at 20 Tflop/s; memory and launches take no time'
    """
    if speed is not None:
        return f"operations at {speed / 1e12:.4g} Tflop/s; memory and launches take no time"
    if computing_of(system) is ComputingMethod.ROOFLINE:
        return f"roofline of {assumed_devices(system)}"
    kinds = ", ".join(f"{kind.name} {kind.speed / 1e12:.4g} Tflop/s" for kind in system.kinds)
    weighed = " and what kinds of operations count as" if system.effort is not None else ""
    return f"operations at the speeds of {kinds or 'its devices'}{weighed}"


def assumed_devices(system: System) -> str:
    """Return the devices assumed by roofline prices, with their main parameters, for the head of an answer."""
    texts = []
    for model in dict.fromkeys(device_models(system)):
        peaks = dict(model.peaks)
        short = "bfloat16" if "bfloat16" in peaks else "float16" if "float16" in peaks else None
        more = f", {peaks[short] / 1e12:.4g} in {short}" if short else ""
        peak = f"peak {peaks['float32'] / 1e12:.4g} Tflop/s in float32{more}"
        texts.append(f"{model.name} ({peak}; {model.bandwidth / 1e9:.4g} GB/s)")
    known = system.device is not None or system.kinds
    return ", ".join(texts) + ("" if known else ", assumed: the system names no device")
