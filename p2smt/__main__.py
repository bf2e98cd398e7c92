"""`python -m p2smt`, the same as the `p2smt` command."""

from p2smt.cli.main import main

main()
