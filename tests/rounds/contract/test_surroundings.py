"""Contract, "A round": dealer, shift, location and video, by which nothing is settled."""

from typing import Any, Final

import pytest

from rounds.feed import content_digest, document_of, parse_document
from rounds.models import Round
from rounds.queries import facts_of
from rounds.rules.facts import Round as Facts
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.rounds.contract.by_hand import BAC, BJ, MFB, QB, ZAP, bet, coup, result
from tests.rounds.feed_documents import document, error_of

SHA256: Final = "9F86D081" * 8
SURROUNDINGS: Final[dict[str, Any]] = {
    "dealer": "d-17",
    "shift": "evening",
    "location": "Riga",
    "video": {"ref": "recordings/bj-7.mp4", "sha256": SHA256},
}


def parsed(**fields: Any) -> Facts:
    """The facts of a blackjack round with these fields."""
    facts = parse_document(document(**fields))
    assert isinstance(facts, Facts)
    return facts


class TestTheSurroundings:
    @pytest.mark.parametrize("rules", [BJ, MFB, QB, BAC, ZAP])
    def test_change_no_result(self, rules: str) -> None:
        """Of any game."""
        item = coup("b1", "tie") if rules == BAC else bet("b1")

        without = result("P:4S B:7H P:5D B:TC", item, rules=rules)
        given = result("P:4S B:7H P:5D B:TC", item, rules=rules, **SURROUNDINGS)

        assert given == without
        assert given["status"] != "rejected"

    def test_are_facts(self) -> None:
        """The digest of a video is kept in lower case, and written so."""
        facts = parsed(**SURROUNDINGS)

        video = {"ref": "recordings/bj-7.mp4", "sha256": SHA256.lower()}
        assert document_of(facts) == document(**SURROUNDINGS | {"video": video})

    @pytest.mark.parametrize("field", ["dealer", "shift", "location"])
    @pytest.mark.parametrize("text", ["", "é" * 64])
    def test_are_texts_of_at_most_64_characters(self, field: str, text: str) -> None:
        """Characters, not octets."""
        assert getattr(parsed(**{field: text}), field) == text

    @pytest.mark.parametrize("field", ["dealer", "shift", "location"])
    @pytest.mark.parametrize("value", ["x" * 65, "\0", "\ud800", 7, None, ["d"]])
    def test_are_rejected_otherwise(self, field: str, value: object) -> None:
        """Naming the field."""
        error = error_of(document(**{field: value}))

        assert (error.field, error.needed) == (field, "text of at most 64 characters")

    @pytest.mark.parametrize(
        ("video", "field"),
        [
            ("recordings/bj-7.mp4", "video"),
            ({"ref": "a"}, "video.sha256"),
            ({"sha256": SHA256}, "video.ref"),
            ({"ref": "", "sha256": SHA256}, "video.ref"),
            ({"ref": "a", "sha256": SHA256[1:]}, "video.sha256"),
            ({"ref": "a", "sha256": "G" * 64}, "video.sha256"),
            ({"ref": "a", "sha256": SHA256, "length": 1}, "video.length"),
        ],
    )
    def test_have_a_reference_and_a_digest_of_the_video(self, video: object, field: str) -> None:
        """And nothing else."""
        assert error_of(document(video=video)).field == field


class TestTheDigest:
    def test_of_a_round_without_them_is_that_of_earlier_releases(self) -> None:
        """Computed for this document before the fields were known."""
        assert content_digest(parsed()).hex() == (
            "c07cd33a2405efd7394b9402e85a72be570538df22c240078c7a4861f0d1a52b"
        )

    def test_covers_each_of_them(self) -> None:
        """A round that is delivered with another dealer is another document."""
        digests = {content_digest(parsed(**{name: given})) for name, given in SURROUNDINGS.items()}

        assert len(digests | {content_digest(parsed())}) == len(SURROUNDINGS) + 1


@pytest.mark.django_db
def test_the_surroundings_are_stored_and_read_back() -> None:
    """As delivered; the round is settled."""
    open_table()
    ingest(lines(baccarat_round("r-1", **SURROUNDINGS), baccarat_round("r-2")))
    settle()

    with_them, without = map(facts_of, Round.objects.order_by("reference"))

    assert with_them[-4:] == ("d-17", "evening", "Riga", ("recordings/bj-7.mp4", SHA256.lower()))
    assert without[-4:] == (None, None, None, None)
