"""Every form of the site needs a second factor of the last minutes, or says why not."""

from typing import Final
from urllib.parse import urlsplit

import pytest
from django.contrib import admin
from django.contrib.auth.models import User

from casino.access.models import LoginFailure
from casino.backoffice.signatures.signing import PREPARES
from casino.backoffice.site.read_only_admin import ReadOnlyAdmin
from compliance.trail.models import AuditRecord
from tests.casino.backoffice.conftest import allow_everything, person
from tests.casino.backoffice.people.people import browser_of
from tests.casino.backoffice.second_factors import code_of, wrong_code
from tests.casino.backoffice.security.posting_views import posting_views, route_of
from tests.casino.backoffice.security.test_page_permissions import address
from tests.casino_in_play import ingest, open_table, settle
from tests.compliance.trail.audit_records import audit_records
from tests.documents import baccarat_round, lines

pytestmark = pytest.mark.django_db

CONFIRM: Final = "/admin/security/confirm/"
LIST: Final = "/admin/rounds/round/"
PAGE: Final = "http://testserver/admin/cases/"

OWN_FIELD: Final = frozenset(
    """
    add_person approve_access change_access change_details close_account reject_access
    hand_to_directory take_from_directory
    unlock_account enrol_passkey enrol_phone new_recovery_codes remove_factor
    register_signing_key approve_case reject_case resume_cases uphold_dispute reject_dispute
    change_password approve_studio_key propose_studio_key revoke_studio_key allow_unsigned_rounds
    propose_unsigned_rounds require_signatures close_day close_empty_days issue_key
    integrity_stops revoke_key rotate_key approve_weights weights ask_certificate sign_bundle
    upload_feed begin_connection disconnect_single_sign_on
    """.split()  # noqa: SIM905  a list that is read
)
"""Forms with a field for the code, or that confirm before they are shown."""

GUARDED: Final = frozenset(
    """
    log_keys propose_log_gap confirm_log_gap decide_signing_key open_malfunction open_credit
    correct_round release_round refund_bets propose_case refer_case answer_case
    withdraw_case set_term close_dispute outside_answer reopen_dispute make_replay_link
    make_verification_file
    sign_rules register_table change_table limit_stakes resume_table holds lift_hold
    add_reason change_reason list_import release_upload tax_rates resend_dead_letter
    ping_webhook resume_webhook issue_dossier ask_export export_day export_again
    set_bundle_aside send_bundle answer_bundle end_own_session archive
    """.split()  # noqa: SIM905  a list that is read
)
"""Forms that lead to the page of confirmation, by ``step_up``."""

NO_STEP_UP: Final = {
    "password_step": "it is the login",
    "second_step": "it is the second factor",
    "begin_single_sign_on": "it is the login",
    "receive_assertion": "it is the login, and has no session",
    "confirm": "it is the second factor",
    "end_session": "takes access away, which must be quick",
    "revoke_replay_link": "takes access away, which must be quick",
    "suspend_table": "stops play, which must be quick; it is signed",
    "send_list": "changes nothing until list_import confirms it",
    "add_evidence": "adds a file to a case, which decides nothing",
    "add_dispute_file": "adds a file to a dispute, which decides nothing",
    "add_video": "adds a link to a round, which decides nothing",
    "share_file": "shows a customer a file of their own dispute",
    "open_dispute": "records what a customer said, and decides nothing",
    "take_dispute": "says who works on a dispute",
    "ask_customer": "a message in a dispute",
    "answer_dispute": "a message in a dispute",
    "escalate_dispute": "passes a dispute to those who decide",
    "write_comment": "comments decide nothing",
    "withdraw_comment": "comments decide nothing",
    "assign_held_rounds": "says who works on it",
    "assign_stuck_work": "says who works on it",
    "stuck_together": "says who works on it, or tries it again",
    "retry_stuck_work": "tries again what the workers do anyway",
    "resolve_stuck_work": "a note on an anomaly; money moves by a case",
    "reconcile_now": "starts the check that runs every night",
    "impact_analyses": "starts a computation, which decides nothing",
    "acknowledge_notices": "one's own account",
    "mark_notifications_read": "one's own account",
    "notification_settings": "one's own account",
    "open_notification": "one's own account",
    "save_view": "one's own account",
    "remove_view": "one's own account",
    "change_tour": "one's own account",
    "drafts": "one's own account",
}
"""Forms that need none, and why."""


class TestEveryForm:
    def test_needs_a_second_factor_or_says_why_not(self) -> None:
        """A new form fails here until it is in one of the two sets."""
        found = posting_views()

        asking = {name for name, asks in found.items() if asks}
        others = {name for name, asks in found.items() if not asks}
        assert asking == OWN_FIELD | GUARDED
        assert others == set(NO_STEP_UP)

    def test_of_the_admin_only_shows(self) -> None:
        """Its own forms are refused (``test_page_permissions.py``): no model is edited there."""
        editable = [
            model.__name__
            for model, view in admin.site._registry.items()
            if not isinstance(view, ReadOnlyAdmin)
        ]

        assert editable == []


@pytest.fixture
def someone() -> User:
    """A person with a phone who may do everything that any role may."""
    open_table()
    ingest(lines(baccarat_round("r-1"), baccarat_round("r-1", session="M2"), "no document"))
    settle()
    User.objects.create_user("other")
    supervisor = person("supervisor")
    allow_everything(supervisor)
    return supervisor


def place_of(name: str) -> str:
    """The address of a form."""
    return address(route_of(name))


class TestAGuardedForm:
    def test_does_nothing_in_a_session_that_is_not_confirmed(self, someone: User) -> None:
        """Each of them leads to the confirmation, and back to the page of the form."""
        desk = browser_of(someone)
        before = AuditRecord.objects.count()

        answers = {
            name: urlsplit(desk.post(place_of(name), headers={"Referer": PAGE})["Location"])
            for name in GUARDED
        }

        assert {answer.path for answer in answers.values()} == {CONFIRM}
        assert {answer.query for answer in answers.values()} == {"next=%2Fadmin%2Fcases%2F"}
        assert AuditRecord.objects.count() == before

    def test_is_sent_by_a_confirmed_session(self, someone: User) -> None:
        """Its own page answers again."""
        desk = browser_of(someone)
        desk.post(CONFIRM, {"code": code_of(someone)})

        answer = desk.post(place_of("open_credit"), {})

        assert answer.status_code == 200
        assert answer.request["PATH_INFO"] == place_of("open_credit")

    def test_takes_a_code_with_it(self, someone: User) -> None:
        """As programs and forms with a field send it; a wrong one is counted."""
        desk = browser_of(someone)

        refused = desk.post(place_of("open_credit"), {"code": wrong_code(someone)})
        counted = LoginFailure.objects.count()
        answer = desk.post(place_of("open_credit"), {"code": code_of(someone)})

        assert (refused.status_code, counted, answer.status_code) == (302, 1, 200)

    def test_that_is_signed_leads_there_as_well(self, someone: User) -> None:
        """The script gets no text to sign and sends the form; nothing is said twice."""
        desk = browser_of(someone)

        prepared = desk.post(place_of("open_credit"), {}, headers={PREPARES: "prepare"})
        page = desk.post(place_of("open_credit"), {}, follow=True).content.decode()

        assert prepared.json() == {}
        assert page.count("Confirm your identity first.") == 1

    def test_is_shown_without_a_second_factor(self, someone: User) -> None:
        """Only sending it needs one."""
        assert browser_of(someone).get(place_of("open_credit")).status_code == 200


class TestAFileOfAList:
    def test_needs_a_second_factor(self, someone: User) -> None:
        """All customers with their bets: what a thief with a session would take first."""
        desk = browser_of(someone)

        answer = desk.get(f"{LIST}?format=csv")

        assert answer["Location"] == f"{CONFIRM}?next=%2Fadmin%2Frounds%2Fround%2F%3Fformat%3Dcsv"
        assert audit_records("LIST_DOWNLOADED") == []
        desk.post(CONFIRM, {"code": code_of(someone)})
        assert desk.get(f"{LIST}?format=csv")["Content-Type"].startswith("text/csv")

    def test_that_a_worker_has_made_needs_one_too(self, someone: User) -> None:
        """Also one of one's own that is not there."""
        assert browser_of(someone).get("/admin/lists/files/1/")["Location"].startswith(CONFIRM)

    def test_asks_auditors_as_well(self) -> None:
        """Although every page of theirs is recorded."""
        answer = browser_of(person("auditor")).get(f"{LIST}?format=csv")

        assert answer["Location"].startswith(CONFIRM)
