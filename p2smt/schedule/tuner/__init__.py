"""Breadth-first search over schedules: every schedule reachable by the moves up to a depth, each proved, each once.

A node is a program with its schedule; an edge is a transform (`moves.py`) that was proved to preserve its meaning.
Equal programs are recognised by a canonical form (`canonical.py`), so the search space is a graph rather than a
tree.

Pruning keeps the answer (the `top` fastest schedules) exact:
    bound     a schedule whose lower bound (`bound.py`) exceeds the time of the top-th fastest is not extended;
    sleep     two overlaps without a common stage commute: only one of the two orders is explored (sleep sets;
              Godefroid, "Partial-order methods for the verification of concurrent systems", 1996).
Complexity: O(moves^depth) schedules in the worst case; `MOST_SCHEDULES` and a deadline end the search, and the answer
then reports what was not tried.

Example: depth 2 from `y = relu(AllReduce(x))`. Split turns the AllReduce into a ReduceScatter and an AllGather;
then reorder moves the AllGather after relu, which computes on slices, and overlap runs both in chunks.
"""
