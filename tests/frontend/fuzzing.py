"""A process of its own that reads and verifies broken files: `python fuzzing.py SEED COUNT FOLDER`; prints JSON.

It ends with the first exception that is no message to the user, or when a file takes more than LIMIT_S on a processor;
that file stays in the folder.
"""

import faulthandler
import json
import signal
import sys
from collections import Counter
from pathlib import Path
from random import Random

LIMIT_S = 20


def main(seed, count, folder):
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from frontend.mutations import mutated

    from p2smt.errors import P2Error
    from p2smt.frontend.importers import read_any
    from p2smt.verify.check import verify
    from p2smt.verify.plan_verdict import plan_word

    faulthandler.register(signal.SIGPROF, chain=True)  # where it was, and then the end
    random, outcomes = Random(seed), Counter()
    plans = Path(__file__).parents[1] / "plans"
    corpus = [(path.suffix, path.read_bytes()) for path in sorted(plans.iterdir()) if path.suffix != ".py"]
    corpus += [(".json", path.read_bytes()) for path in sorted(folder.glob("*.json"))]
    for number in range(count):
        suffix, data = mutated(corpus, random)
        path = folder / f"{seed}-{number}{suffix}"
        path.write_bytes(data)
        signal.setitimer(signal.ITIMER_PROF, LIMIT_S)
        try:
            outcomes[plan_word(verify(read_any(path)))] += 1
        except P2Error as error:
            outcomes[type(error).__name__ if "\n" not in str(error) else f"several lines: {error}"] += 1
        assert path.read_bytes() == data
        path.unlink()
    signal.setitimer(signal.ITIMER_PROF, 0)
    print(json.dumps({"outcomes": outcomes, "peak": _peak()}))


def _peak() -> int:
    """The most bytes that this process held; getrusage would count the one that started it, too."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return 1024 * int(status.partition("VmHWM:")[2].split()[0])


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
