"""Merge a ReduceScatter and the AllGather that follows it into one AllReduce.

    s = reduce_scatter(x, d);  y = all_gather(s, d)   ->   y = all_reduce(x)     if nothing else reads s
A gather of the scattered sum is the sum, and the library's AllReduce takes no longer than the two calls.
Complexity: one pass over the statements.
Reference: Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in MPICH", 2005 (an
all-reduce as these two steps).

Example: a gradient that is scattered, and gathered again at once, is all-reduced.
"""

from collections import Counter
from dataclasses import replace

from p2smt.tensor.conversion import AllGather, AllReduce, ReduceScatter
from p2smt.tensor.expression import Convert, Read, Statement
from p2smt.tensor.program import Program, versions


def with_whole_sums(program: Program) -> Program:
    """Return the program in which each ReduceScatter that only a matching AllGather reads becomes an AllReduce.

    The search prefers the pair if it is faster for a single tensor; with buckets, fewer calls may be faster. The result
    is the same.
    """
    reads = Counter(each.name for each in program.expressions() if isinstance(each, Read))
    observed = {each.name for each in program.outputs} | set(versions(program).values())
    scattered = {each.name: each.expression for each in program.statements if each.name not in observed}
    whole: dict[str, Statement] = {}
    for gather in program.statements:
        match gather.expression:
            case Convert(AllGather(dim), Read(name), axis) if reads[name] == 1 and name in scattered:
                match scattered[name]:
                    case Convert(ReduceScatter(cut, _, reduction), operand, other) if (cut, other) == (dim, axis):
                        whole[name] = Statement(gather.name, Convert(AllReduce(reduction), operand, axis))
                    case _:
                        pass
            case _:
                pass
    made = {each.name for each in whole.values()}
    kept = (whole.get(each.name, each) for each in program.statements if each.name not in made)
    return replace(program, statements=tuple(kept))
