"""The solver's program constraints for any arrangement of devices: by the level algebra, or by state matrices."""

from collections.abc import Iterator

from p2smt.problem.system.tree import Tree
from p2smt.reduction.rules.choices import ProgramCode
from p2smt.reduction.rules.level_rules import LevelRules
from p2smt.reduction.rules.matrix_rules import MatrixRules
from p2smt.reduction.rules.programs import unrolled
from p2smt.smt.terms import Term


def unrolled_on(tree: Tree | None, code: ProgramCode) -> Iterator[tuple[str, list[Term]]]:
    """Yield the constraints of `unrolled`.

    `tree` is the tree of a group's devices if units are irregular, else None.
    """
    if tree is None:
        return unrolled(LevelRules(code.language), code)
    return unrolled(MatrixRules(code.language, tree), code)
