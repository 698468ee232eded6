"""The demo deals by multiplier weights that two of its users approved."""

from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import Settings

from casino.devserver.demo import (
    make_people,
    make_signing_keys,
    put_weights_in_force,
    sign_rule_sets,
)
from compliance.certification.models import WeightSet
from compliance.certification.queries import weights_in_force
from compliance.certification.services.set_weights import approve_weights, set_weights
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from rounds.gaming_day import ROME
from rounds.models import Round
from rounds.rules.catalogue import RULE_SETS
from rounds.services.put_rules_in_force import put_rules_in_force
from rounds.services.sign_rules import unsigned_rule_sets
from rounds.simulation.weights import weights_documents
from tests.casino.devserver.demo_casino import deal_demo
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.rounds.rules.dealing import MEGA_FIRE_BLAZE, QUANTUM

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _folder(settings: Settings, tmp_path: Path) -> None:
    settings.VAR_DIR, settings.SOFTWARE_KEYS = tmp_path, True
    settings.DECISION_DELAY = timedelta(0)


@pytest.fixture
def now() -> datetime:
    """When the test begins: the log dates what it takes by the real clock."""
    return timezone.now()


@pytest.fixture
def today(now: datetime) -> date:
    """The gaming day of the test."""
    return now.astimezone(ROME).date()


@pytest.fixture
def people(tmp_path: Path, now: datetime) -> None:
    """The users, with keys in files."""
    make_people(passwords_file=tmp_path / "passwords.json", at=now)
    make_signing_keys(at=now)


class TestTheDemo:
    def test_has_weights_in_force_on_every_day_that_it_deals(self) -> None:
        """From the first round on."""
        deal_demo(rounds=60)

        days = {
            opened.astimezone(ROME).date()
            for opened in Round.objects.values_list("opened_at", flat=True)
        }
        assert days
        for day in days:
            for rules, content in weights_documents().items():
                in_force = weights_in_force(rules, on=day)
                assert in_force is not None
                assert in_force.content == content

    @pytest.mark.slow
    def test_leaves_weights_alone_where_the_feed_was_dealt_before(self, tmp_path: Path) -> None:
        """Rounds of an older demo were dealt by other weights."""
        deal_demo(rounds=5)
        feed = tmp_path / "demo" / "demo-feed.ndjson"
        content = feed.read_bytes()
        before = WeightSet.objects.count()

        deal_demo(rounds=5)

        assert feed.read_bytes() == content
        assert WeightSet.objects.count() == before == len(weights_documents())


@pytest.mark.usefixtures("people")
def test_the_rule_sets_of_a_new_demo_are_signed(now: datetime) -> None:
    """*Today* has no alert."""
    put_rules_in_force(at=now, actor=Actor("release"))
    assert unsigned_rule_sets() == list(RULE_SETS)

    sign_rule_sets(at=now)
    sign_rule_sets(at=now)

    assert unsigned_rule_sets() == []


@pytest.mark.usefixtures("people")
class TestTheWeights:
    def test_are_set_by_one_person_and_approved_by_another(
        self, now: datetime, today: date
    ) -> None:
        """Both are recorded."""
        put_weights_in_force(day=today, at=now)

        for rules in (QUANTUM, MEGA_FIRE_BLAZE):
            weights = weights_in_force(rules, on=today)
            assert weights is not None
            assert weights.actor == "Lorenzo Ferri"
            assert weights.approval.actor == "Giulia Marchetti"
            records = AuditRecord.objects.filter(subject=f"rules:{rules}").order_by("pk")
            assert [record.action for record in records] == [
                "BONUS_WEIGHTS_SET",
                "BONUS_WEIGHTS_APPROVED",
            ]

    def test_are_put_in_force_once(self, now: datetime, today: date) -> None:
        """An interrupted `make run` can be repeated."""
        put_weights_in_force(day=today, at=now)
        put_weights_in_force(day=today, at=now + timedelta(minutes=1))

        assert WeightSet.objects.count() == len(weights_documents())

    def test_are_none_while_the_keys_do_not_sign(self, now: datetime, today: date) -> None:
        """They are approved, and the decision delay has not ended."""
        put_weights_in_force(day=today, at=now - timedelta(days=1))

        assert not WeightSet.objects.exists()

    def test_do_not_replace_other_weights(self, now: datetime, today: date) -> None:
        """Weights in force stay."""
        content = weights_documents()[QUANTUM].replace("370", "371")
        own = set_weights(content=content, in_force_from=today, reason="x", at=now, actor=GIULIA)
        approve_weights(weights_id=own.pk, at=now, actor=LORENZO)

        put_weights_in_force(day=today, at=now)

        assert weights_in_force(QUANTUM, on=today) == own
        assert weights_in_force(MEGA_FIRE_BLAZE, on=today) is not None
