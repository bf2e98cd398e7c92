"""Expressions as a kernel has them, worked out with numbers."""

import ast
from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import pytest

from p2smt.emit.torch.program.value import Value
from p2smt.schedule.emission.elementwise import Translator
from p2smt.tensor.dtype import DType
from p2smt.tensor.layout import Replicated, Sliced

PLACES, WHOLE = (7, 5), Replicated()


def indices_in(words):
    """The indices that are mixed into words; the first one is a number."""
    return words if isinstance(words, tuple) else ()


def dropout(shape, share, starts, layout=WHOLE):
    """What bits are made of for the element at PLACES of a kernel: (global indices, the least word that is kept)."""
    x = Value(text="x", layouts=(layout,), shape=shape, dtype=DType.F32, is_name=True)
    known = {"r0": SimpleNamespace(start=100), "r1": SimpleNamespace(start=200)}
    known |= {f"index{-dimension}": place for dimension, place in zip((-2, -1), PLACES, strict=True)}
    numbers, kept = {}, []

    def named(text):
        if text.startswith("next_word"):
            value = eval(text, {"next_word": lambda words, index: (*indices_in(words), index)}, known)
        else:
            rows, columns = (eval(each, {}, known) for each in text.partition("random_word(")[2].split(", ")[:2])
            known["element"] = (*indices_in(rows), *columns, "element")
            kept.append(int(text.partition(">= ")[2].partition(")")[0]))
            value = 1
        known[f"named{len(known)}"] = value
        return f"named{len(known) - 1}"

    def number(text, whole):
        if text.startswith("dropout_key"):
            return "key"
        known[f"number{len(numbers)}"] = numbers[text] = eval(text, {}, known)
        return f"number{len(numbers) - 1}"

    translator = Translator({"x": x}, lambda name: name, number, lambda dimension: f"index{-dimension}", named)
    term = translator.term(ast.parse(f"dropped(x, {share}, 3, step, ({', '.join(starts)},))", mode="eval").body)
    assert len(term.space) == len(shape)
    return known["element"][:-1], *kept


@pytest.mark.parametrize("shape", [(6, 4), (1, 4), (6, 1), (1, 1)], ids=str)
def test_bits_of_dropout_are_those_of_the_global_index_and_of_what_is_repeated_its_one_elements(shape):
    for starts in product(("0", "8", "r0.start"), ("0", "9", "r1.start")):
        begun = (eval(each, {"r0": SimpleNamespace(start=100), "r1": SimpleNamespace(start=200)}) for each in starts)
        expected = tuple(
            start + place * (length > 1) for start, place, length in zip(begun, PLACES, shape, strict=True)
        )
        assert dropout(shape, 0.5, starts)[0] == expected


def test_a_dimension_that_is_cut_is_not_repeated_though_it_has_one_element():
    indices, _ = dropout((1, 4), 0.5, ("r0.start", "0"), Sliced(0, (0, 1)))
    assert indices == (100 + PLACES[0], PLACES[1])


def test_dropout_keeps_a_word_just_where_its_number_is_no_smaller_than_the_share():
    """The word w is the number w / 2^32; shares are what floating-point numbers are, between two words too."""
    for share in (0.0, 0.1, 0.2, 0.25, 0.3, 1 / 3, 0.5, 0.7, 0.9, 2.0**-32, 2.0**-54, 1e-17, 1 - 2.0**-53):
        _, least = dropout((6, 4), repr(share), ("0", "0"))
        assert Fraction(least, 2**32) >= Fraction(share)
        assert least == 0 or Fraction(least - 1, 2**32) < Fraction(share)
