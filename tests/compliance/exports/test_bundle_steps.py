"""Steps of a bundle: two signatures, sending, the regulator's answer."""

from datetime import date
from hashlib import sha256
from typing import Any, Final

import pytest
from django.db import DatabaseError, transaction

from compliance.exports.bundle_status import Stage, stage_of, steps_of
from compliance.exports.models import Bundle, BundleStep
from compliance.exports.services.bundle_steps import (
    AlreadySigned,
    BundleSuperseded,
    MissingText,
    answer_bundle,
    send_bundle,
    set_bundle_aside,
    sign_bundle,
)
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from compliance.trail.steps import PersonRequired, StaleState, WrongStatus
from payouts.evidence import File, InvalidEvidence
from payouts.regulator_letters import Letter
from tests.casino_in_play import NOW
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO

pytestmark = pytest.mark.django_db

LETTER: Final = Letter("PEC 12/2026", date(2026, 11, 22), "")


def made(number: int = 1, *, supersedes: Bundle | None = None) -> Bundle:
    """A new bundle."""
    before = None if number == 1 else bytes(32)
    content: dict[str, Any] = {
        "manifest_digest": bytes(32),
        "previous_digest": before,
        "size": 1,
        "built_at": NOW,
    }
    return Bundle.objects.create(number=number, day=NOW.date(), supersedes=supersedes, **content)


def stage(number: int = 1) -> Stage:
    """The stage of the bundle."""
    return stage_of(steps_of([Bundle.objects.get(number=number)])[number])


def approved() -> Bundle:
    """A bundle with two signatures."""
    bundle = made()
    sign_bundle(number=1, seen=0, at=NOW, actor=GIULIA)
    sign_bundle(number=1, seen=1, at=NOW, actor=LORENZO)
    return bundle


def sent() -> Bundle:
    """A sent bundle."""
    bundle = approved()
    send_bundle(number=1, seen=2, letter=LETTER, at=NOW, actor=LORENZO)
    return bundle


class TestTheWayOfABundle:
    def test_goes_by_two_signatures_to_the_regulator_and_back(self) -> None:
        """Each step is recorded with its actor, and a file by its digest alone."""
        made()
        assert stage() is Stage.BUILT
        assert sign_bundle(number=1, seen=0, note="looked", at=NOW, actor=GIULIA) is Stage.SIGNED
        assert sign_bundle(number=1, seen=1, at=NOW, actor=LORENZO) is Stage.APPROVED
        send_bundle(number=1, seen=2, letter=LETTER, at=NOW, actor=LORENZO)
        assert stage() is Stage.SENT
        receipt = File("receipt.pdf", b"%PDF-1.7 protocol 9")
        answer_bundle(
            number=1, seen=3, is_received=True, letter=LETTER, file=receipt, at=NOW, actor=LORENZO
        )

        assert stage() is Stage.RECEIVED
        step = BundleStep.objects.get(action="received")
        assert bytes(step.content or b"") == receipt.content
        records = AuditRecord.objects.filter(subject="bundle:1").order_by("id")
        assert list(records.values_list("action", "actor")) == [
            ("BUNDLE_SIGNED", GIULIA.name),
            ("BUNDLE_SIGNED", LORENZO.name),
            ("BUNDLE_SENT", LORENZO.name),
            ("BUNDLE_RECEIVED", LORENZO.name),
        ]
        manifest = bytes(32).hex()
        assert [record.details for record in records[2:]] == [
            {"step": 3, "manifest": manifest, "reference": "PEC 12/2026", "on_day": "2026-11-22"},
            {
                "step": 4,
                "manifest": manifest,
                "reference": "PEC 12/2026",
                "on_day": "2026-11-22",
                "file_name": "receipt.pdf",
                "content_type": "application/pdf",
                "sha256": sha256(receipt.content).hexdigest(),
            },
        ]

    def test_is_refused_and_sent_again(self) -> None:
        """With another letter."""
        sent()
        with pytest.raises(MissingText, match="what the regulator said"):
            answer_bundle(number=1, seen=3, is_received=False, letter=LETTER, at=NOW, actor=LORENZO)
        letter = LETTER._replace(note="The schema is another one.")
        answer_bundle(number=1, seen=3, is_received=False, letter=letter, at=NOW, actor=LORENZO)
        assert stage() is Stage.REFUSED

        send_bundle(number=1, seen=4, letter=LETTER, at=NOW, actor=LORENZO)

        assert stage() is Stage.SENT

    def test_ends_when_it_is_set_aside(self) -> None:
        """With a reason; its number is not reused."""
        made()
        with pytest.raises(MissingText):
            set_bundle_aside(number=1, seen=0, note=" ", at=NOW, actor=GIULIA)
        set_bundle_aside(number=1, seen=0, note="requested by mistake", at=NOW, actor=GIULIA)

        assert stage() is Stage.SET_ASIDE
        with pytest.raises(WrongStatus, match="found set_aside; needed built or signed"):
            sign_bundle(number=1, seen=1, at=NOW, actor=LORENZO)


class TestARefusal:
    def test_of_a_second_signature_by_the_same_person(self) -> None:
        """Under another account of the same name, too."""
        made()
        sign_bundle(number=1, seen=0, at=NOW, actor=GIULIA)

        for actor in (GIULIA, Actor(GIULIA.name.upper(), 99)):
            with pytest.raises(AlreadySigned, match="needed two persons"):
                sign_bundle(number=1, seen=1, at=NOW, actor=actor)
        assert stage() is Stage.SIGNED

    def test_of_an_outdated_step(self) -> None:
        """Another person signed meanwhile."""
        made()
        sign_bundle(number=1, seen=0, at=NOW, actor=GIULIA)

        with pytest.raises(StaleState) as refusal:
            sign_bundle(number=1, seen=0, at=NOW, actor=LORENZO)
        assert refusal.value.latest.actor == GIULIA.name

    def test_of_sending_with_one_signature(self) -> None:
        """Two are needed."""
        made()
        sign_bundle(number=1, seen=0, at=NOW, actor=GIULIA)

        with pytest.raises(WrongStatus, match="found signed; needed approved"):
            send_bundle(number=1, seen=1, letter=LETTER, at=NOW, actor=LORENZO)

    def test_of_a_superseded_bundle(self) -> None:
        """Only an answer to an earlier letter is stored."""
        bundle = sent()
        made(2, supersedes=bundle)
        with pytest.raises(BundleSuperseded, match="found bundle 2 in its place"):
            send_bundle(number=1, seen=3, letter=LETTER, at=NOW, actor=LORENZO)

        answer_bundle(number=1, seen=3, is_received=True, letter=LETTER, at=NOW, actor=LORENZO)
        assert stage() is Stage.RECEIVED

    def test_of_a_letter_without_its_reference_and_of_a_file_of_no_kind(self) -> None:
        """Nothing is written."""
        approved()
        with pytest.raises(MissingText):
            send_bundle(number=1, seen=2, letter=Letter(" ", NOW.date(), ""), at=NOW, actor=LORENZO)
        send_bundle(number=1, seen=2, letter=LETTER, at=NOW, actor=LORENZO)
        with pytest.raises(InvalidEvidence):
            answer_bundle(
                number=1,
                seen=3,
                is_received=True,
                letter=LETTER,
                file=File("x.exe", b"MZ"),
                at=NOW,
                actor=LORENZO,
            )
        assert stage() is Stage.SENT

    def test_of_a_program(self) -> None:
        """An account is required."""
        made()
        with pytest.raises(PersonRequired):
            sign_bundle(number=1, seen=0, at=NOW, actor=Actor("nightly export"))


class TestTheDatabase:
    """It refuses direct inserts."""

    def _add(self, sequence: int, action: str, user: int) -> None:
        fields = {"note": "n", "reference": "r", "on_day": NOW.date()}
        BundleStep.objects.create(
            bundle_id=1,
            sequence=sequence,
            action=action,
            at=NOW,
            actor=f"user {user}",
            actor_user_id=user,
            **fields,
        )

    @pytest.mark.parametrize(
        ("steps", "message"),
        [
            ([("signed", 1), ("signed", 1)], "bundle_signed_once_by_each"),
            ([("signed", 1), ("sent", 2)], "does not have two signatures"),
            ([("sent", 2)], "does not have two signatures"),
            ([("signed", 1), ("signed", 2), ("received", 2)], "received does not follow signed"),
            ([("signed", 1), ("signed", 2), ("set_aside", 2), ("sent", 2)], "sent does not follow"),
        ],
    )
    def test_refuses(self, steps: list[tuple[str, int]], message: str) -> None:
        """The last of these steps."""
        made()
        for sequence, (action, user) in enumerate(steps[:-1], start=1):
            self._add(sequence, action, user)
        action, user = steps[-1]

        with pytest.raises(DatabaseError, match=message), transaction.atomic():
            self._add(len(steps), action, user)

    @pytest.mark.parametrize("action", ["set_aside", "sent"])
    def test_refuses_a_step_that_does_not_say_why_or_where(self, action: str) -> None:
        """A reason, or the reference and the day of a letter."""
        approved()
        with pytest.raises(DatabaseError, match="says_why_or_where"), transaction.atomic():
            BundleStep.objects.create(
                bundle_id=1, sequence=3, action=action, at=NOW, actor="x", actor_user_id=1
            )
