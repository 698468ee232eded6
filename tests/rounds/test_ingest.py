"""Ingest stores facts once, however often they are delivered."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError

from compliance.trail.models import AuditRecord
from rounds.models import (
    Bet,
    ConflictingDocument,
    QuarantinedDocument,
    QueuedRound,
    Round,
    ShoeOpening,
)
from rounds.queries import stored_rounds
from rounds.services.sort_documents import SortedBatch
from rounds.services.store import store_documents
from tests.casino_in_play import ingest, open_table
from tests.documents import baccarat_bet, baccarat_round, lines, shoe

pytestmark = pytest.mark.django_db

# Longer than an entry of PostgreSQL's indexes, also after its compression.
INCOMPRESSIBLE = "".join(hashlib.sha256(b"%d" % number).hexdigest() for number in range(300))


class TestARound:
    def test_is_stored_with_its_cards_in_dealing_order_and_its_bets(self) -> None:
        """All facts of the feed can be read back."""
        open_table()

        ingest(lines(baccarat_round("r-1")))

        [stored] = stored_rounds(Round.objects.values_list("id", flat=True))
        assert stored.dealt.cards == (("P", "4S"), ("B", "7H"), ("P", "5D"), ("B", "TC"))
        assert [(b.id, b.player, b.stake_cents) for b in stored.dealt.bets] == [
            ("b1", "p-1", 1000),
            ("b2", "p-2", 1000),
            ("b3", "p-1", 200),
        ]

    def test_waits_in_the_queue_for_its_settlement(self) -> None:
        """The queue is a table."""
        open_table()

        ingest(lines(baccarat_round("r-1")))

        assert QueuedRound.objects.get().round.reference == "r-1"

    def test_has_an_audit_record_with_actor_and_line(self) -> None:
        """Issue 1, item 7: an audit record with actor and time in the same transaction."""
        open_table()

        ingest(lines("", baccarat_round("r-1")), source="night.ndjson")

        record = AuditRecord.objects.get(subject="round:r-1")
        assert (record.action, record.actor) == ("ROUND_RECEIVED", "studio")
        assert (record.details["source"], record.details["line"]) == ("night.ndjson", 2)


class TestTheSameRoundAgain:
    def test_with_the_same_content_changes_nothing(self) -> None:
        """Key order, white space and stated defaults do not matter."""
        open_table()
        first = baccarat_round("r-1")
        again = dict(reversed(first.items()))
        again["bets"] = [{**bet, "funding": "cash", "raised": "0.00"} for bet in first["bets"]]

        ingest(lines(first))
        tally = ingest(lines(again))

        assert (tally.rounds, tally.known, tally.conflicts) == (0, 1, 0)
        assert (Round.objects.count(), Bet.objects.count()) == (1, 3)

    def test_with_other_content_is_refused_and_both_are_kept(self) -> None:
        """The other document is stored as a conflict."""
        open_table()
        other = baccarat_round("r-1", bets=[baccarat_bet("b1", "player", "99.00")])

        ingest(lines(baccarat_round("r-1")))
        tally = ingest(lines(other, other))

        assert (tally.rounds, tally.conflicts) == (0, 2)
        conflict = ConflictingDocument.objects.get()
        assert conflict.round.reference == "r-1"
        assert b"99.00" in bytes(conflict.content)
        assert list(Bet.objects.values_list("stake_cents", flat=True)) == [1000, 1000, 200]


class TestAFailureOfTheDatabase:
    @pytest.mark.parametrize("rounds", [1, 2])
    def test_is_not_blamed_on_a_document(
        self, rounds: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A lost connection or a deadlock: who sent the batch sends it again."""
        open_table()
        stored: list[int] = []

        def fail_once(batch: SortedBatch, **options: Any) -> None:
            stored.append(len(batch.arrivals))
            if len(stored) == 1:
                raise OperationalError("server closed the connection unexpectedly")
            store_documents(batch, **options)

        monkeypatch.setattr("rounds.services.ingest.store_documents", fail_once)
        feed = lines(*(baccarat_round(f"r-{number}") for number in range(rounds)))

        with pytest.raises(OperationalError, match="closed the connection"):
            ingest(feed)

        assert stored == [rounds]
        assert not QuarantinedDocument.objects.exists()


class TestARejectedDocument:
    def test_is_quarantined_and_does_not_stop_the_feed(self) -> None:
        """With line, field and reason (issue 1, item 5)."""
        open_table()
        wrong = baccarat_round("r-2", bets=[baccarat_bet("b1", "player", "-1.00")])

        tally = ingest(lines(baccarat_round("r-1"), wrong, baccarat_round("r-3")))

        assert (tally.rounds, tally.quarantined) == (2, 1)
        quarantined = QuarantinedDocument.objects.get()
        assert (quarantined.line, quarantined.round_reference) == (2, "r-2")
        assert "stake" in quarantined.field
        assert "-1.00" in quarantined.found

    def test_of_an_unknown_table_names_the_table(self) -> None:
        """Tables have to be registered."""
        tally = ingest(lines(baccarat_round("r-1", table="bac-9")))

        quarantined = QuarantinedDocument.objects.get()
        assert tally.quarantined == 1
        assert (quarantined.field, quarantined.found) == ("table", '"bac-9"')

    def test_is_taken_once_its_table_is_registered(self) -> None:
        """The same feed again is accepted."""
        feed = lines(baccarat_round("r-1"))
        ingest(feed)
        open_table()

        tally = ingest(feed)

        assert tally.rounds == 1

    def test_is_quarantined_once_for_repeated_feeds(self) -> None:
        """A repeated feed adds no copy."""
        open_table()

        for _ in range(3):
            ingest(lines("{broken"))

        assert QuarantinedDocument.objects.count() == 1

    @pytest.mark.parametrize("pseudonym", ["p-\x00", INCOMPRESSIBLE], ids=["zero", "long"])
    def test_that_postgresql_cannot_store_leaves_the_others_in(self, pseudonym: str) -> None:
        """NUL characters and names too long for an index."""
        open_table()
        odd = baccarat_round("r-2", bets=[baccarat_bet("b1", "tie", "1.00", player=pseudonym)])

        tally = ingest(lines(baccarat_round("r-1"), odd, baccarat_round("r-3")))

        assert (tally.rounds, tally.quarantined) == (2, 1)
        assert QuarantinedDocument.objects.get().round_reference == "r-2"


class TestTheNameOfAFeed:
    def test_may_be_long(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """As long as names of files are; of a longer one than is stored its end is kept."""
        feed = tmp_path / f"{'long ' * 40}.ndjson"
        feed.write_bytes(b"no document")

        call_command("ingest", str(feed))

        source = QuarantinedDocument.objects.get().source
        assert feed.name.endswith(source)
        assert AuditRecord.objects.get(action="DOCUMENT_QUARANTINED").subject == f"feed:{source}"

    def test_that_is_chosen_is_refused_if_it_is_too_long(self) -> None:
        """It says what is needed."""
        with pytest.raises(CommandError, match="--source: found 116 characters; needed at most 11"):
            call_command("ingest", "-", source="x" * 116)


class TestAShoe:
    def test_is_followed_from_its_opening_through_its_rounds(self) -> None:
        """Six burnt and four dealt: ten drawn, five of them seen."""
        open_table()
        first = baccarat_round("r-1", shoe={"id": "s-1", "drawn": 6})
        second = baccarat_round("r-2", shoe={"id": "s-1", "drawn": 10})

        ingest(lines(shoe("s-1"), first))
        ingest(lines(second))

        item, two = stored_rounds(Round.objects.values_list("id", flat=True))
        assert item.shoe_before is not None
        assert two.shoe_before is not None
        assert (item.shoe_before.position, sum(item.shoe_before.seen)) == (6, 1)
        assert (two.shoe_before.position, sum(two.shoe_before.seen)) == (10, 5)

    def test_announced_again_alike_changes_nothing(self) -> None:
        """It is known."""
        open_table()

        ingest(lines(shoe("s-1")))
        tally = ingest(lines(shoe("s-1")))

        assert (tally.shoes, tally.known) == (0, 1)
        assert ShoeOpening.objects.count() == 1

    def test_announced_again_with_other_content_starts_again(self) -> None:
        """Contract, detail 36."""
        open_table()
        first = baccarat_round("r-1", shoe={"id": "s-1", "drawn": 6})
        second = baccarat_round("r-2", shoe={"id": "s-1", "drawn": 2})

        ingest(lines(shoe("s-1"), first, shoe("s-1", burnt=["AH"], burnt_face_down=1), second))

        _, two = stored_rounds(Round.objects.values_list("id", flat=True))
        assert two.shoe_before is not None
        assert two.shoe_before.position == 2
