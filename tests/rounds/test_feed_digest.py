"""The digest of a document depends on its content alone."""

import json
from hashlib import sha256

from hypothesis import example, given
from hypothesis import strategies as st

from rounds.feed import (
    content_digest,
    parse_line,
)
from tests.rounds.feed_documents import PLAIN, SHOE, document
from tests.rounds.rules.dealing import (
    BLACKJACK,
    MEGA_FIRE_BLAZE,
    QUANTUM,
    bet,
    bonus,
    dealt,
)


class TestTheDigest:
    """Equal content has equal digests."""

    def test_does_not_depend_on_key_order_white_space_or_defaults(self) -> None:
        """Nor on trailing decimals."""
        plain = document()
        (only,) = plain["bets"]
        other = dict(reversed(plain.items()))
        other["bets"] = [
            only | {"stake": "10", "raised": "0", "placed_at": "2026-11-21T10:00:05.000Z"}
        ]

        digests = {content_digest(parse_line(json.dumps(output, indent=indent).replace("\n", " ")))
                   for output, indent in ((plain, None), (other, 2))}  # fmt: skip

        assert len(digests) == 1

    def test_does_not_depend_on_the_order_of_multipliers_and_specials(self) -> None:
        """Objects are unordered."""
        specials = (("1", "star", "10"), ("2", "boost", "2"))
        rounds = [
            dealt("", rules=MEGA_FIRE_BLAZE, bonus=bonus("mini", "8", specials=some))
            for some in (specials, specials[::-1])
        ]
        cards = (("2S", "5"), ("3S", "5"))
        rounds += [dealt("", rules=QUANTUM, multipliers=some) for some in (cards, cards[::-1])]

        digests = [content_digest(round_) for round_ in rounds]

        assert digests[0] == digests[1] != digests[2] == digests[3]

    def test_changes_with_every_field(self) -> None:
        """One cent, one card, one millisecond, one shoe."""
        plain = PLAIN[BLACKJACK]
        others = [
            plain._replace(bets=(bet(stake=1001),)),
            plain._replace(cards=plain.cards[:-1]),
            plain._replace(cards=plain.cards[::-1]),
            plain._replace(ended_at=plain.ended_at + 1),
            plain._replace(malfunction=True),
        ]

        digests = {content_digest(variant) for variant in [plain, *others]}

        assert len(digests) == 6

    @example("plain", 0)
    @example('"\\', 2**80)
    @example("\x00\x1f\x7f", -1)
    @example("\ud800", 1)
    @given(st.text(), st.integers())
    def test_is_that_of_json_in_ascii(self, text: str, number: int) -> None:
        """Whatever the text, and however fast it is written."""
        round_ = PLAIN[BLACKJACK]._replace(session=text, drawn=number, location=text)

        written = json.dumps(round_, separators=(",", ":")).encode("ascii")
        assert content_digest(round_) == sha256(b"round/1\n" + written).digest()

    def test_is_a_sha_256(self) -> None:
        """Digests of shoes and rounds differ."""
        assert len(content_digest(SHOE)) == len(content_digest(PLAIN[BLACKJACK])) == 32
        assert content_digest(SHOE) != content_digest(SHOE._replace(burnt_face_down=4))
