"""What no reader of HTML and XML shows as it is becomes a sign that all show."""

import unicodedata

from p2smt.report.content.text import printable


def test_what_xml_forbids_and_what_turns_writing_around_is_replaced_and_nothing_else():
    """Every character of the basic plane: control characters, halves of pairs, non-characters, marks of direction."""
    turning = {"\u061c", "\u200e", "\u200f", *map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A)))}
    for number in range(0x10000):
        sign = chr(number)
        kept = sign in "\t\n\r"
        bad = unicodedata.category(sign) in ("Cc", "Cs") or 0xFDD0 <= number <= 0xFDEF or number >= 0xFFFE
        assert printable(sign) == ("�" if (bad or sign in turning) and not kept else sign), hex(number)
