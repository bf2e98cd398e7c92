"""Reasons why a statement has no layout."""

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """The violated layout rule; every refusal names one."""

    LOOKS_ACROSS = "the operation looks across a dimension that is cut"
    LENGTH_ONE = "a dimension of length 1 that is repeated cannot be cut"
    NOT_LEADING = "a view can keep a cut on the leading dimension of those that it joins only"
    INSIDE_BLOCK = "a view needs cuts at multiples of what the other dimensions hold"
    CUT_DIFFERENTLY = "the operands are cut at different points"
    UNLIKE_CUTS = "the operands are cut along different dimensions"
    WHOLE_BESIDE_CUT = "an operand is whole where the other is cut"
    PARTIAL_AND_SLICED = "one operand is a summand, another is cut"
    PARTIAL_AND_WHOLE = "an operand that is no summand would be counted once per rank"
    PARTIAL_TIMES_PARTIAL = "a product of sums is not the sum of the products"
    NOT_DISTRIBUTIVE = "the operation of summands is not a summand of the operation"
    PARTIAL_KINDS = "summands of different reductions do not combine"
    LOCAL = "a value of each rank's own meets one that is cut, summed or on one rank"
    ON_RANK = "a value of one rank meets one of another rank, or one that is cut, summed or local"
    NOT_PARTIAL = "only summands can be reduced"
    OTHER_REDUCTION = "the summands are of another reduction"
    NOT_SLICED = "only what is cut can be gathered, exchanged or cut anew"
    OTHER_DIMENSION = "it is cut along another dimension"
    NOT_REPLICATED = "only what every rank has whole can be cut or kept"
    CUT_FURTHER = "another axis cuts the same dimension after this one; gather that first"
    WRONG_SIZES = "the blocks do not add up to what is cut, or are not one per rank"
    NOT_ON_RANK = "it is not on the rank that sends it"
    NO_NEXT = "the last rank has no next one"
    UPDATE_LAYOUT = "the new version of a state is stored in the layout of the old one"
    OUTPUT_LAYOUT = "an output is a summand or each rank's own only where that is declared"
    MIXED_PARTIALS = "a tensor cannot be summed over one axis and a maximum over another"
    OTHER_VALUE = "its value is not that of one device, however the parts of the ranks are put together"
    UNMET = "the calls of the ranks do not meet"
    RACE = "what a call reads or writes is touched while it is at work"
    NO_DIMENSION = "the tensor has no such dimension"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal: the violated rule, and the values that violate it."""

    reason: Reason
    detail: str

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}"
