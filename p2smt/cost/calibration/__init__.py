"""Calibration: fits bandwidths and latencies of a system to measured times.

Logs of nccl-tests: `nccl_text.py` finds device lists, headings and rows in a text, whatever launchers and web pages add
around them. `nccl_rows.py` checks rows against size / time = algbw, which also distinguishes milliseconds from
microseconds. `nccl_which.py` and `nccl_ranks.py` check the test and the number of ranks against busbw / algbw, which is
2(n-1)/n, (n-1)/n or 1. If lines of the device list are missing, that ratio determines the number of ranks, and ranks
are assumed to fill machine after machine.

Tables of other benchmarks, and of nccl-tests with columns removed, are read by their headings (`heading.py`,
`benchmark_text.py`); if nothing else states the number of ranks, a command above the table does (`launching.py`).

`table_fit.py` fits bandwidths and one factor of all latencies to rows from 1 MiB on, with the highest weight on the
largest messages, once for each algorithm that may have carried the all-reduces (`carrying.py`), and uses the best fit.
Memory, launch, and links that no table loads keep their values. `small_messages.py` then fits latencies and launch to
small messages, with NCCL's protocols, if these explain them. `doubts.py` lists reasons to doubt a fit; `measured_from`
is the smallest payload for which the parameters hold.
"""
