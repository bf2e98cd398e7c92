"""Solvers of the joint problem: choices with costs, and links between them. They know nothing of programs.

`problem.py` is what they are given. Exact are elimination (`elimination.py`), HiGHS (`ilp.py`) and trying everything
(`brute.py`); `solving.py` takes one by memory. `message_passing.py` bounds what none can solve. What they claim is a
certificate, which `certificate_check.py` accepts without their code.
"""
