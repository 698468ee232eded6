"""The page of log keys: two persons sign for a further key."""

import pytest

from compliance.signatures.log_keys import log_key_approvals
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.log.rotate_log_key import rotate_key
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader
from tests.casino_in_play import NOW
from tests.compliance.trail.logs import CLERK, KEY, OTHER_KEY, write

PAGE = "/admin/log-keys/"
KEY_ID = "ab" * 32
FORM = {"key_id": KEY_ID, "reason": "yearly"}


@pytest.mark.django_db
class TestThePage:
    def test_takes_one_signature_of_each_of_two_persons(self) -> None:
        """Then the command accepts the key."""
        compliance, administrator = (reader(person(r)) for r in ("compliance", "administrator"))

        compliance.post(PAGE, FORM)
        compliance.post(PAGE, FORM)

        assert len(log_key_approvals()[KEY_ID]) == 1
        assert "Another person must do so too" in plain(compliance, PAGE)
        assert "Awaiting a second signature" in plain(administrator, PAGE)
        administrator.post(PAGE, FORM)
        words = plain(administrator, PAGE)
        assert f"{KEY_ID} Signed by two persons" in words
        assert "yearly" in words

    def test_names_a_key_that_nobody_signed(self) -> None:
        """The first one needs no signature."""
        write(1)
        append_and_rotate()

        words = plain(reader(person("auditor")), PAGE)

        assert words.index("In force, not signed 2") < words.index("In force 1")

    @pytest.mark.parametrize("changed", [{"key_id": "ab"}, {"key_id": "AB" * 32}, {"reason": ""}])
    def test_refuses_anything_else(self, changed: dict[str, str]) -> None:
        """The form names the field."""
        answer = reader(person("compliance")).post(PAGE, {**FORM, **changed})

        assert "field-error" in answer.content.decode()
        assert log_key_approvals() == {}


def append_and_rotate() -> None:
    """A log of two keys."""
    append_to_log(KEY, now=NOW)
    rotate_key(KEY, OTHER_KEY, at=NOW, actor=CLERK)
