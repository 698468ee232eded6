"""No address is a server error, with any parameters."""

import re
from typing import Final

import pytest
from django.contrib.auth.models import User
from django.test import Client

from casino.backoffice.site.body_limits import OF_A_VISITOR
from compliance.trail.models import AuditRecord
from rounds.models import ConflictingDocument, Customer, QuarantinedDocument, Round, Table
from tests.casino.backoffice.conftest import allow_everything, page_of
from tests.casino.backoffice.site.invalid_addresses import NONSENSE
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, lines

_QUICK: Final = {"beyond a bigint", "NUL", "half as long"}
"""The others are slow proofs."""
LISTS = {
    "/admin/": ["q"],
    "/admin/rounds/round/": ["q", "table", "status", "from", "to", "before", "after"],
    "/admin/rounds/queuedround/": ["before", "after"],
    "/admin/rounds/quarantineddocument/": ["before", "after"],
    "/admin/rounds/conflictingdocument/": ["before", "after"],
    "/admin/rounds/table/": ["before", "after"],
    "/admin/board/": ["from", "to", "days", "wall"],
    "/admin/rounds/customer/": ["pseudonym", "before", "after"],
    "/admin/payouts/account/": ["kind", "customer", "before", "after"],
    "/admin/payouts/reconcilerun/": ["before", "after"],
    "/admin/trail/auditrecord/": ["subject", "before", "after"],
    "/admin/stuck/": ["kind", "whose", "before", "after"],
    "/admin/tables/new/": ["code"],
    "/admin/readings/": ["sheet"],
    "/admin/rule-sets/": ["any"],
    "/admin/people/": ["q", "role", "which"],
}
ADDRESSES = [(page, name) for page, names in LISTS.items() for name in names]


@pytest.fixture
def everybody(supervisor: Client) -> Client:
    """A browser with every permission; exceptions are raised."""
    allow_everything(User.objects.get())
    open_table()
    ingest(lines(baccarat_round("r-1"), baccarat_round("r-1", session="M2"), "no document"))
    settle()
    return supervisor


def requested(text: str) -> str:
    """The text percent-encoded, unless it is already."""
    return text if re.fullmatch(r"(%[0-9A-F]{2})+", text) else "".join(map(_encoded, text))


def _encoded(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode())


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(text, id=name, marks=[] if name in _QUICK else [pytest.mark.slow])
        for name, text in NONSENSE.items()
    ],
)
class TestNonsense:
    @pytest.mark.slow
    def test_in_any_parameter_of_a_list_is_no_error(self, everybody: Client, text: str) -> None:
        """Invalid filters and keys are ignored or find nothing."""
        answers = {
            (page, name): everybody.get(f"{page}?{name}={requested(text)}").status_code
            for page, name in ADDRESSES
        }

        assert {at: status for at, status in answers.items() if status not in {200, 302}} == {}

    def test_for_the_number_of_a_bet_shows_the_round(self, everybody: Client, text: str) -> None:
        """With the first page of bets."""
        page = everybody.get(f"{page_of('r-1')}?bets_after={requested(text)}")

        assert (page.status_code, page.content.decode().count('<tr class="bet" id=')) == (200, 3)

    @pytest.mark.slow
    def test_for_the_id_of_a_row_is_no_error(self, everybody: Client, text: str) -> None:
        """A redirect or 404."""
        pages = [page for page in LISTS if page.count("/") == 4]

        answers = {
            page: everybody.get(f"{page}{requested(text)}/change/").status_code for page in pages
        }
        answers["rule set"] = everybody.get(f"/admin/rule-sets/{requested(text)}/").status_code
        for stuck in ("round", "conflict", "document", "task", requested(text)):
            answers[stuck] = everybody.get(f"/admin/stuck/{stuck}/{requested(text)}/").status_code

        assert {at: status for at, status in answers.items() if status not in {302, 404}} == {}

    def test_in_the_login_is_no_error(self, client: Client, db: None, text: str) -> None:
        """A wrong name gets the usual message; redirects never leave the site.

        Each form has the text twice; a form too large for an anonymous visitor is refused unread.
        """
        answer = client.post(
            f"/admin/login/?next={requested(text)}", {"username": text, "password": text}
        )
        language = client.post("/i18n/setlang/", {"language": text, "next": text})

        is_too_large = 2 * len(text) > OF_A_VISITOR
        expected = (413, 413) if is_too_large else (200, 302)
        assert (answer.status_code, language.status_code) == expected


class TestEveryPageThatIsListed:
    def test_opens(self, everybody: Client) -> None:
        """One row of each kind; a user's leads to the person's page."""
        rows = {
            "rounds/round": Round.objects.get().pk,
            "rounds/quarantineddocument": QuarantinedDocument.objects.get().pk,
            "rounds/conflictingdocument": ConflictingDocument.objects.get().pk,
            "rounds/customer": Customer.objects.order_by("pk")[0].pk,
            "rounds/table": Table.objects.get().pk,
            "trail/auditrecord": AuditRecord.objects.order_by("pk")[0].pk,
        }

        answers = {
            kind: everybody.get(f"/admin/{kind}/{key}/change/").status_code
            for kind, key in rows.items()
        }

        assert answers == dict.fromkeys(rows, 200)
        assert everybody.get(f"/admin/people/{User.objects.get().pk}/").status_code == 200
