"""Rule sets in force are recorded."""

from dataclasses import replace
from importlib import import_module
from io import StringIO
from typing import Final

import pytest
from django.core.management import call_command
from django.db import connection

from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from rounds.models import EarlierRuleSet
from rounds.rules.catalogue import RULE_SETS, catalogue_of
from rounds.services.put_rules_in_force import put_rules_in_force
from tests.casino_in_play import NOW

pytestmark = pytest.mark.django_db

BY: Final = Actor("Lorenzo Ferri", 3)


class TestRuleSets:
    def test_are_recorded_once(self) -> None:
        """With their digests."""
        assert put_rules_in_force(at=NOW, actor=BY) == list(RULE_SETS)
        assert put_rules_in_force(at=NOW, actor=BY) == []

        record = AuditRecord.objects.get(subject="rules:baccarat/1")
        assert (record.action, record.actor) == ("RULES_PUT_IN_FORCE", BY.name)
        assert record.details == {
            "digest": RULE_SETS["baccarat/1"].digest.hex(),
            "before": None,
            "in_force_from": "2026-01-01",
            "sheet": "BAC",
        }

    def test_that_differ_under_the_same_name_are_recorded(self) -> None:
        """With the former digest."""
        put_rules_in_force(at=NOW, actor=BY)
        other = replace(RULE_SETS["baccarat/1"], decks=6)

        assert put_rules_in_force(at=NOW, actor=BY, catalogue=catalogue_of(other)) == ["baccarat/1"]
        last = AuditRecord.objects.filter(subject="rules:baccarat/1").order_by("id").last()
        assert last is not None
        assert last.details["before"] == RULE_SETS["baccarat/1"].digest.hex()
        assert last.details["digest"] == other.digest.hex()

    def test_that_were_recorded_before_settlement_waited_are_listed(self) -> None:
        """They settle without a signature, as before the migration."""
        put_rules_in_force(at=NOW, actor=BY)

        migration = import_module("rounds.migrations.0027_earlier_rule_sets").Migration
        with connection.cursor() as cursor:
            cursor.execute(migration.operations[-1].sql)

        listed = {bytes(row.digest) for row in EarlierRuleSet.objects.all()}
        assert listed == {rules.digest for rules in RULE_SETS.values()}

    def test_are_put_in_force_by_a_command(self) -> None:
        """As a release does."""
        output = StringIO()
        call_command("put_rules_in_force", stdout=output)
        call_command("put_rules_in_force", "--by", "Elena", stdout=output)

        assert output.getvalue().splitlines() == [
            f"in force: {', '.join(RULE_SETS)}",
            "in force: no new rule sets",
        ]
