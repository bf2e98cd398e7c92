"""Solvers of the joint problem: choices with costs, and links between them. They know nothing of programs.

`problem.py` defines the problem. Exact engines are elimination (`elimination.py`), HiGHS (`ilp.py`) and exhaustive
search (`brute.py`); `solving.py` picks one by the memory it needs. `message_passing.py` computes lower bounds for
problems that none of them can solve. Results come with a certificate, which `certificate_check.py` verifies with
code of its own.
"""
