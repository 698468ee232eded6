"""Reading DER (ITU-T X.690), the encoding of keys, certificates and signatures."""

from typing import Final, NamedTuple

INTEGER, OCTETS, NULL, OID = 0x02, 0x04, 0x05, 0x06
BITS, SEQUENCE, SET = 0x03, 0x30, 0x31
IN_CONTEXT: Final = 0xA0
"""Of a constructed element [0]; [1] is one more, and so on."""
_LONG: Final = 0x80
_MORE_TAG: Final = 0x1F


class BadEncoding(ValueError):
    """The octets are not DER of the needed form."""


class Element(NamedTuple):
    """One element: its tag, what it contains, and all of its octets."""

    tag: int
    content: bytes
    whole: bytes

    def parts(self, *tags: int) -> "list[Element]":
        """What it contains; the first ones have these tags. Raises BadEncoding."""
        found = elements(self.content)
        if [part.tag for part in found[: len(tags)]] != [*tags]:
            raise BadEncoding(f"found the tags {[part.tag for part in found]}; needed {[*tags]}")
        return found

    @property
    def number(self) -> int:
        """The value of an integer, which is not negative and has no needless octet."""
        octets = self.content
        if self.tag != INTEGER or not octets or octets[0] & _LONG:
            raise BadEncoding("found no integer from 0")
        if len(octets) > 1 and octets[0] == 0 and not octets[1] & _LONG:
            raise BadEncoding("found an integer with a needless octet")
        return int.from_bytes(octets, "big")


def elements(octets: bytes) -> list[Element]:
    """The elements that follow each other. Raises BadEncoding."""
    found, place = [], 0
    while place < len(octets):
        header, length = _header(octets[place : place + 10])
        end = place + header + length
        if end > len(octets):
            raise BadEncoding(f"found {len(octets) - place} octets; needed {header + length}")
        content = octets[place + header : end]
        found.append(Element(octets[place], content, octets[place:end]))
        place = end
    return found


def element(octets: bytes, tag: int) -> Element:
    """The only element, of this tag. Raises BadEncoding."""
    found = elements(octets)
    if len(found) != 1 or found[0].tag != tag:
        raise BadEncoding(f"found the tags {[part.tag for part in found]}; needed {tag}")
    return found[0]


def _header(octets: bytes) -> tuple[int, int]:
    """How long the tag with its length is, and what follows."""
    if len(octets) < 2 or octets[0] & _MORE_TAG == _MORE_TAG:  # noqa: PLR2004  tag and length
        raise BadEncoding("found no tag of one octet with a length")
    if octets[1] < _LONG:
        return 2, octets[1]
    places = octets[1] - _LONG
    length = int.from_bytes(octets[2 : 2 + places], "big")
    if not 0 < places <= len(octets) - 2 or length < max(_LONG, 1 << 8 * (places - 1)):
        raise BadEncoding("found a length in another form than the shortest")
    return 2 + places, length
