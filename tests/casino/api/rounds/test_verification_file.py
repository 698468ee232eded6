"""The verification file of a round by the API: for a customer's token, and for other programs."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from tests.casino.api.api_client import Program, customer_token, slug_of
from tests.casino.api.studio import ROUNDS, studio
from tests.casino.verification_page import write_page
from tests.compliance.trail.logs import append

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("settled_round")]
_FILE = f"{ROUNDS}/r-1/verification-file"


@pytest.fixture(autouse=True)
def page_file(settings: Settings, tmp_path: Path) -> Path:
    """The page of this installation."""
    settings.VERIFICATION_PAGE = write_page(tmp_path)
    return Path(settings.VERIFICATION_PAGE)


def _file_in(content: bytes) -> dict[str, Any]:
    [text] = re.findall(r"^before<script[^>]*>(.*)</script>after$", content.decode())
    return json.loads(text)  # type: ignore[no-any-return]


class TestTheFile:
    def test_of_a_customers_token_has_their_bets_alone(self) -> None:
        """The page is downloaded, not shown on the address of the API."""
        append()

        answer = Program(customer_token("p-2")).get(_FILE)

        assert answer["Content-Type"] == "text/html; charset=utf-8"
        assert answer["Content-Disposition"] == 'attachment; filename="verification-r-1.html"'
        file = _file_in(answer.content)
        assert file["customer"] == "p-2"
        assert [bet["id"] for bet in file["document"]["bets"]] == ["b2"]
        assert "p-1" not in json.dumps(file)

    def test_of_another_program_has_all_bets_or_those_of_a_customer(self) -> None:
        """As all that it reads."""
        append()
        program = studio()

        whole = _file_in(program.get(_FILE).content)
        part = _file_in(program.get(f"{_FILE}?customer=p-2").content)

        assert (whole["customer"], len(whole["document"]["bets"])) == (None, 3)
        assert part["customer"] == "p-2"

    def test_waits_for_the_log(self) -> None:
        """With the time after which to ask again."""
        answer = studio().get(_FILE)

        assert (answer.status_code, slug_of(answer)) == (409, "not-in-log")
        assert answer["Retry-After"] == "2"

    def test_is_not_there_without_its_page(self, page_file: Path) -> None:
        """The problem says what is missing."""
        page_file.unlink()
        append()

        answer = studio().get(_FILE)

        assert (answer.status_code, slug_of(answer)) == (404, "no-verification-page")
