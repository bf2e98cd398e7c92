"""Measured times in, fitted bandwidths and latencies out.

Logs of nccl-tests: `nccl_text.py` finds device lists, headings and rows in a text, whatever launchers and pages put
around them; `nccl_rows.py` holds rows to size / time = algbw, which also tells milliseconds from microseconds;
`nccl_which.py` and `nccl_ranks.py` hold the test and the number of ranks to busbw / algbw, which is 2(n-1)/n, (n-1)/n
or 1. Where lines of the device list are missing, that ratio says how many ranks there were, and they are taken to fill
machine by machine.

Tables of other benchmarks, and of nccl-tests with columns cut away, are read by their headings (`heading.py`,
`benchmark_text.py`); a command above a table tells how many ranks it had (`launching.py`) where nothing else does.

`table_fit.py` fits bandwidths and one factor of all latencies to rows from 1 MiB on, the largest messages counting
most, once for each of the algorithms that may have carried all-reduces (`carrying.py`), and takes the best. Memory,
launch and links that no table loads keep their values. `small_messages.py` then fits latencies and launch to small
messages, with NCCL's protocols, where these explain them. `doubts.py` names what makes a fit doubtful;
`measured_from` says from where the figures hold.
"""
