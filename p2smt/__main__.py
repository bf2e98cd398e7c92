"""The `p2smt` command, and `python -m p2smt`; until the command line hears Ctrl-C, it ends the process in silence."""

import signal

if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from p2smt.cli.main import main

if __name__ == "__main__":
    main()
