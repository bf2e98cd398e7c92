"""Tables are one if they agree everywhere; nothing else is known of their totals."""

from p2smt.smt.answer import Sat, Unsat
from p2smt.smt.solver import Logic, Solver
from p2smt.smt.tables import agreement, chosen, index, owned, same, table, total, value
from p2smt.smt.terms import implies, neg

HERE, RANK = index("here"), index("rank")


def ask(left, right, claim, lemmas=()):
    terms = [*agreement(left, right, [HERE]), *lemmas, neg(claim)]
    return Solver("tables", terms, Logic.FUNCTIONS).ask()


def of(name, function):
    return table(name, [], lambda at: value(function, at))


def test_totals_of_tables_that_agree_are_one():
    left, right = of("left", "x"), of("right", "x")
    assert isinstance(ask(left, right, same(total("sum", left), total("sum", right))), Unsat)


def test_totals_of_others_need_not_be():
    left, right = of("left", "x"), of("right", "y")
    assert isinstance(ask(left, right, same(total("sum", left), total("sum", right))), Sat)


def test_totals_of_different_kinds_need_not_be():
    left, right = of("left", "x"), of("right", "x")
    assert isinstance(ask(left, right, same(total("sum", left), total("largest", right))), Sat)


def test_an_owner_has_its_own_and_what_others_have_is_unknown():
    mine = table("mine", [], lambda at: chosen(owned("owner", at[0], RANK), value("x", at), value("beyond", at)))
    every = of("every", "x")
    claim = same(total("sum", mine), total("sum", every))
    assert isinstance(ask(mine, every, claim), Sat)
    assert isinstance(ask(mine, every, claim, [owned("owner", HERE, RANK)]), Unsat)
    claim = implies(owned("owner", HERE, RANK), same(mine.body([HERE]), value("x", [HERE])))
    assert isinstance(ask(mine, every, claim), Unsat)
