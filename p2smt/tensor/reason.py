"""Reasons why a statement has no layout."""

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """The violated layout rule; every refusal names one."""

    LOOKS_ACROSS = "the operation combines elements along a sliced dimension"
    LENGTH_ONE = "a broadcast dimension of length 1 cannot be sliced"
    NOT_LEADING = "a view keeps a slicing only on the leading one of the dimensions that it joins"
    INSIDE_BLOCK = "a view needs slices at multiples of the number of elements in the other dimensions"
    CUT_DIFFERENTLY = "the operands are sliced into different sizes"
    UNLIKE_CUTS = "the operands are sliced along different dimensions"
    WHOLE_BESIDE_CUT = "one operand is replicated where the other is sliced"
    PARTIAL_AND_SLICED = "one operand is partial, another is sliced"
    PARTIAL_AND_WHOLE = "an operand that is not partial would be counted once per rank"
    PARTIAL_TIMES_PARTIAL = "a product of sums is not the sum of the products"
    NOT_DISTRIBUTIVE = "the operation does not distribute over a sum of partial values"
    PARTIAL_KINDS = "partial values of different reductions do not combine"
    LOCAL = "a local value is combined with one that is sliced, partial or on one rank"
    ON_RANK = "a value on one rank is combined with one that is on another rank, sliced, partial or local"
    NOT_PARTIAL = "only partial values can be reduced"
    OTHER_REDUCTION = "the partial values belong to another reduction"
    NOT_SLICED = "only a sliced tensor can be gathered, exchanged or sliced differently"
    OTHER_DIMENSION = "it is sliced along another dimension"
    NOT_REPLICATED = "only a replicated tensor can be sliced, or kept on one rank"
    CUT_FURTHER = "a later axis slices the same dimension; gather along that axis first"
    WRONG_SIZES = "the block sizes do not add up to the length, or are not one per rank"
    NOT_ON_RANK = "it is not on the rank that sends it"
    NO_NEXT = "the last rank has no next rank"
    UPDATE_LAYOUT = "a new version of a state needs the layout of the old one"
    OUTPUT_LAYOUT = "an output may be partial or local only where its declaration says so"
    MIXED_PARTIALS = "a tensor cannot be partial with different reductions on two axes"
    OTHER_VALUE = "its value differs from that on one device, however the parts of the ranks are put together"
    UNMET = "the collective calls of the ranks do not match"
    RACE = "memory that an asynchronous call reads or writes is accessed before the call is done"
    NO_DIMENSION = "the tensor has no such dimension"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal: the violated rule, and the values that violate it."""

    reason: Reason
    detail: str

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}"
