"""How large a plan may be to be checked device by device and chunk by chunk."""

from collections.abc import Mapping

from p2smt.errors import VerifyError

MAX_FILE_BYTES = 16_000_000
MAX_DEVICES = 4096
MAX_CELLS = 2**22
MAX_STEPS = 65_536


def check_size(devices: int, buffers: Mapping[str, int], steps: int) -> None:
    """Raise VerifyError for more devices, chunks or steps than are checked; lengths of `buffers` are chunks."""
    if not 1 <= devices <= MAX_DEVICES:
        raise VerifyError(f"{devices} devices; a plan has 1 to {MAX_DEVICES}")
    if steps > MAX_STEPS:
        raise VerifyError(f"{steps} steps; a plan has at most {MAX_STEPS}")
    if devices * sum(buffers.values()) > MAX_CELLS:
        raise VerifyError(f"{devices} devices with {sum(buffers.values())} chunks each; at most {MAX_CELLS} in all")
