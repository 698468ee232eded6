"""Authentication: expired, revoked, rotated, foreign and invented tokens."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from casino.api.authentication import FAILURES_PER_MINUTE
from casino.integrations.issue_key import NewKey, issue_key
from casino.integrations.models import ApiKey, KeySecret, KeyUse
from casino.integrations.revoke_key import revoke_key
from casino.integrations.rotate_key import LONGEST_OVERLAP, rotate_key
from casino.integrations.scopes import OF_PROGRAMS
from casino.integrations.tokens import new_token
from compliance.trail.actor import Actor
from compliance.trail.steps import StaleState
from rounds.field_errors import InvalidField
from tests.casino.api.api_client import (
    ADMINISTRATOR,
    HERE,
    TOKENS,
    Program,
    issued,
    json_of,
    slug_of,
)
from tests.casino_in_play import open_table

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("customer")]

ASK = {"customer": "p-1"}


def status(token: str, address: str = HERE) -> tuple[int, str]:
    """The status of a call with a token, and its kind of problem."""
    answer = Program(token, address=address).post(TOKENS, ASK)
    return answer.status_code, "" if answer.status_code == 201 else slug_of(answer)


class TestAToken:
    def test_is_stored_only_as_a_digest(self) -> None:
        """Only the SHA-256 of the 256 random bits is stored."""
        issued_key = issued()

        assert issued_key.token.encode() not in bytes(KeySecret.objects.get().digest)
        assert len(bytes(KeySecret.objects.get().digest)) == 32
        assert status(issued_key.token) == (201, "")

    @pytest.mark.parametrize("text", ["", "nope", "sabot_live_x_y", "\u00e9" * 20])
    def test_that_is_invalid_is_refused(self, text: str) -> None:
        """Any text that is not a token is answered 401 ``key-unknown``."""
        answer = Program("").post(
            TOKENS, ASK, Authorization=f"Bearer {text}".encode().decode("latin-1")
        )

        assert (answer.status_code, slug_of(answer)) == (401, "key-unknown")

    def test_has_the_same_answer_for_known_and_unknown_keys(self) -> None:
        """A wrong secret gets the same answer whether or not its key exists."""
        real, none = new_token(issued().key.handle), new_token("xxxxxxxxxxxx")

        answers = [Program(token.text).post(TOKENS, ASK) for token in (real, none)]

        first, second = ({**json_of(answer), "instance": ""} for answer in answers)
        assert first == second
        assert first["status"] == 401

    def test_of_another_scheme_is_refused(self) -> None:
        """A valid token sent as Basic is answered 401."""
        issued_key = issued()

        answer = Program("").post(TOKENS, ASK, Authorization=f"Basic {issued_key.token}")

        assert (answer.status_code, slug_of(answer)) == (401, "key-unknown")
        assert issued_key.token not in answer.content.decode()

    def test_expires(self) -> None:
        """A token is refused from its expiry on."""
        now = timezone.now()
        issued_key = issued(at=now - timedelta(hours=2), expires_at=now - timedelta(seconds=1))

        assert status(issued_key.token) == (401, "key-expired")

    def test_ends_with_the_revocation_of_its_key(self) -> None:
        """The next call after the revocation is answered 401."""
        issued_key = issued()
        before = status(issued_key.token)

        revoke_key(key_id=issued_key.key.pk, reason="lost", at=timezone.now(), actor=ADMINISTRATOR)

        assert (before, status(issued_key.token)) == ((201, ""), (401, "key-revoked"))

    def test_of_a_customer_ends_with_the_key_that_issued_it(self) -> None:
        """A customer's token is limited to its key's tables and lifetime, and ends with it."""
        now, table = timezone.now(), open_table().code
        requested = NewKey("customer_service", "Service", [scope.value for scope in OF_PROGRAMS])
        soon = now + timedelta(minutes=5)
        bound = requested._replace(tables=[table], expires_at=soon)
        service = issue_key(new=bound, at=now, actor=ADMINISTRATOR)
        token = json_of(Program(service.token).post(TOKENS, ASK))["token"]
        before = status(token)
        key = ApiKey.objects.get(customer="p-1")

        revoke_key(key_id=service.key.pk, reason="lost", at=now, actor=ADMINISTRATOR)

        assert (before, status(token)) == ((403, "scope-missing"), (401, "key-revoked"))
        assert (key.tables, key.expires_at) == ([table], soon)

    @pytest.mark.parametrize(
        ("address", "expected"),
        [
            ("192.0.2.200", (201, "")),
            ("::ffff:192.0.2.200", (201, "")),
            ("198.51.100.9", (201, "")),
            ("198.51.100.10", (403, "address-not-allowed")),
            ("2001:db8::7", (403, "address-not-allowed")),
        ],
    )
    def test_works_from_the_addresses_on_its_list(
        self, address: str, expected: tuple[int, str]
    ) -> None:
        """The list may contain networks and single addresses."""
        issued_key = issued(networks=["192.0.2.0/24", "198.51.100.9"])

        assert status(issued_key.token, address) == expected

    def test_counts_proxies_as_the_login_does(self, settings: Settings) -> None:
        """X-Forwarded-For is trusted from configured proxies only."""
        issued_key = issued(networks=["192.0.2.0/24"])
        outside = Program(issued_key.token, address="198.51.100.1")

        unbelieved = outside.post(TOKENS, ASK, X_Forwarded_For="192.0.2.7")
        settings.TRUSTED_PROXIES = 1
        believed = outside.post(TOKENS, ASK, X_Forwarded_For="10.0.0.1, 192.0.2.7")

        assert (unbelieved.status_code, believed.status_code) == (403, 201)


class TestRotation:
    def test_keeps_the_earlier_secret_valid_during_the_overlap(self) -> None:
        """Both secrets work during the overlap, then only the new one."""
        now = timezone.now()
        issued_key = issued(at=now - timedelta(days=2))
        then = now - timedelta(hours=2)

        working = rotate_key(
            key_id=issued_key.key.pk, seen=1, overlap=timedelta(days=1), at=now, actor=ADMINISTRATOR
        )
        over = issued(at=then - timedelta(days=1))
        rotated = rotate_key(
            key_id=over.key.pk, seen=1, overlap=timedelta(hours=1), at=then, actor=ADMINISTRATOR
        )

        assert [status(issued_key.token) for issued_key in (issued_key, working)] == [(201, "")] * 2
        assert status(over.token) == (401, "key-expired")
        assert status(rotated.token) == (201, "")

    def test_without_overlap_ends_every_earlier_secret(self) -> None:
        """A rotation without overlap also ends overlaps of earlier rotations."""
        now = timezone.now()
        first = issued()
        second = rotate_key(
            key_id=first.key.pk, seen=1, overlap=LONGEST_OVERLAP, at=now, actor=ADMINISTRATOR
        )
        third = rotate_key(
            key_id=first.key.pk, seen=2, overlap=timedelta(), at=now, actor=ADMINISTRATOR
        )

        assert [status(issued_key.token)[0] for issued_key in (first, second, third)] == [
            401,
            401,
            201,
        ]

    @pytest.mark.parametrize("overlap", [timedelta(seconds=-1), timedelta(days=31)])
    def test_has_a_longest_overlap(self, overlap: timedelta) -> None:
        """The overlap is at most thirty days."""
        with pytest.raises(InvalidField, match="overlap"):
            rotate_key(
                key_id=issued().key.pk,
                seen=1,
                overlap=overlap,
                at=timezone.now(),
                actor=ADMINISTRATOR,
            )

    def test_of_a_revoked_key_is_refused(self) -> None:
        """A revoked key cannot be rotated."""
        key = issued().key
        revoke_key(key_id=key.pk, reason="lost", at=timezone.now(), actor=ADMINISTRATOR)

        with pytest.raises(StaleState):
            rotate_key(
                key_id=key.pk, seen=1, overlap=timedelta(), at=timezone.now(), actor=ADMINISTRATOR
            )


class TestTheLastUse:
    def test_is_recorded_once_a_minute(self) -> None:
        """Time and address are updated at most once a minute."""
        issued_key = issued()
        status(issued_key.token)
        first = KeyUse.objects.get()
        status(issued_key.token, "198.51.100.1")
        again = KeyUse.objects.get()

        KeyUse.objects.update(used_at=first.used_at - timedelta(minutes=1))
        status(issued_key.token, "198.51.100.1")

        assert (again.used_at, again.address) == (first.used_at, HERE)
        assert KeyUse.objects.get().address == "198.51.100.1"


class TestRepeatedFailures:
    def test_are_throttled_by_address(self) -> None:
        """Repeated failures from one address are answered 429; other addresses are not affected."""
        issued_key = issued()
        listened = 0
        while (answer := Program("nope").post(TOKENS, ASK)).status_code == 401:
            listened += 1  # calls come back while we call: one a second

        assert (answer.status_code, slug_of(answer)) == (429, "throttled")
        assert FAILURES_PER_MINUTE <= listened < 2 * FAILURES_PER_MINUTE
        assert int(answer.headers["Retry-After"]) >= 1
        assert status(issued_key.token) == (201, "")


class TestANewKey:
    @pytest.mark.parametrize(
        ("change", "field"),
        [
            ({"kind": "customer"}, "kind"),
            ({"owner": " "}, "owner"),
            ({"scopes": []}, "scopes"),
            ({"scopes": ["rounds:read", "all"]}, "scopes"),
            ({"networks": ["192.0.2.7/24"]}, "networks"),
            ({"tables": ["bac-1", "bac-9"]}, "tables"),
            ({"calls_per_minute": 0}, "calls_per_minute"),
            ({"expires_at": timezone.now() - timedelta(days=1)}, "expires_at"),
        ],
    )
    def test_is_refused_with_the_field_that_is_wrong(
        self, change: dict[str, Any], field: str
    ) -> None:
        """The error names the field, the value found and the value needed."""
        open_table()
        right = NewKey("studio", "Live Studio", ["rounds:write"], tables=["bac-1"])

        with pytest.raises(InvalidField) as refusal:
            issue_key(new=right._replace(**change), at=timezone.now(), actor=Actor("x", 1))

        assert refusal.value.field == field
