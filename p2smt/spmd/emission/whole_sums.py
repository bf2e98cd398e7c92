"""ReduceScatters that are followed by an AllGather, merged into one AllReduce."""

from collections import Counter
from dataclasses import replace

from p2smt.tensor.conversion import AllGather, AllReduce, ReduceScatter
from p2smt.tensor.program import Convert, Program, Read, Statement, versions


def with_whole_sums(program: Program) -> Program:
    """The program in which a ReduceScatter that nothing but an AllGather of the same cut reads is one AllReduce.

    A search takes the two where they are faster for a tensor alone; in buckets fewer calls may be. What is computed is
    the same.
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
