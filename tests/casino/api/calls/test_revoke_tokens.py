"""A program revokes the token of one customer (issue 21)."""

from typing import Any

import pytest

from compliance.trail.models import AuditRecord
from tests.casino.api.api_client import TOKENS, Program, a_customer, issued, json_of, slug_of
from tests.casino.api.studio import studio

pytestmark = pytest.mark.django_db

ME = "/api/v1/me"


def token_by(program: Program, customer: str = "p-1") -> Any:
    """A token that the program has issued."""
    return json_of(program.post(TOKENS, {"customer": customer}))


class TestARevokedToken:
    def test_is_refused_from_the_next_call(self) -> None:
        """Tokens of others, also of the same customer, stay valid."""
        a_customer("p-1")
        program = studio()
        token, other = token_by(program), token_by(program)
        before = Program(token["token"]).get(ME)

        answer = program.call("DELETE", f"{TOKENS}/{token['id']}")

        after = Program(token["token"]).get(ME)
        assert before.status_code == 200
        assert (answer.status_code, answer.content) == (204, b"")
        assert (after.status_code, slug_of(after)) == (401, "key-revoked")
        assert Program(other["token"]).get(ME).status_code == 200

    def test_is_on_record_once(self) -> None:
        """The program that revoked it; again changes nothing."""
        a_customer("p-1")
        program = studio(owner="Customer service")
        token = token_by(program)

        answers = [program.call("DELETE", f"{TOKENS}/{token['id']}") for _ in range(2)]

        record = AuditRecord.objects.get(action="API_KEY_REVOKED")
        assert [answer.status_code for answer in answers] == [204, 204]
        assert record.subject == f"key:{token['id']}"
        assert record.actor.startswith("Customer service (key ")

    @pytest.mark.parametrize("name", ["another", "the key", "none", "a%00b"])
    def test_was_issued_by_the_key(self, name: str) -> None:
        """Tokens of other keys, keys, unknown and impossible ids are answered alike: 404."""
        a_customer("p-1")
        key = issued()
        other = token_by(studio())
        handle = {"another": other["id"], "the key": key.key.handle}.get(name, name)

        answer = Program(key.token).call("DELETE", f"{TOKENS}/{handle}")

        assert (answer.status_code, slug_of(answer)) == (404, "not-found")
        assert Program(other["token"]).get(ME).status_code == 200
        assert Program(key.token).get(ME).status_code == 200
