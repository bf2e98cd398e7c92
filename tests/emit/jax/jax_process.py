"""Emitted JAX files in a process of their own, where p2smt cannot be imported."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


def python(arguments: Sequence[str], devices: int, folder: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a Python file on so many host devices, where p2smt cannot be imported; 0 devices: as the file wants it.

    What is compiled runs once, so little is optimised: that takes longer than all the rest.
    """
    (folder / "p2smt.py").write_text("raise ImportError('the emitted file imports p2smt')\n", encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "XLA_FLAGS")}
    environment |= {"JAX_PLATFORMS": "cpu", "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    flags = ["backend_optimization_level=0", "llvm_disable_expensive_passes=true"]
    if devices:
        flags.append(f"force_host_platform_device_count={devices}")
    environment["XLA_FLAGS"] = " ".join(f"--xla_{flag}" for flag in flags)
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done
