"""The pages of reconciliations: list, differences, and starting a run."""

import re
from datetime import date

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from payouts.reconciliation.models import ReconcileRun
from payouts.reconciliation.reconcile import EVERYTHING, Scope, begin_reconciliation, work_on_part
from rounds.models import Round
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_source import page_text
from tests.casino_in_play import NOW
from tests.payouts.reconciliation.five_games import AUDITOR, reconciled, tamper
from tests.payouts.reconciliation.four_rounds import P1, R1, play_small
from tests.payouts.settlement.resettlement_scenarios import stored

LIST = "/admin/payouts/reconcilerun/"
NOW_ADDRESS = "/admin/reconciliations/now/"


@pytest.fixture
def auditor(fresh_casino: str, client: Client) -> Client:
    """A browser of an auditor, in English."""
    play_small()
    client.force_login(person("auditor"))
    client.cookies["django_language"] = "en"
    return client


def page_of_run(run: ReconcileRun) -> str:
    """The address of a run's page."""
    return f"{LIST}{run.pk}/change/"


class TestTheList:
    def test_shows_every_run_with_its_outcome(self, auditor: Client) -> None:
        """Of everything, of days, of a round; two agree and one differs."""
        reconciled()
        reconciled(Scope(first_day=date(2026, 11, 21), last_day=date(2026, 11, 22)))
        tamper(f"UPDATE rounds_round SET cards[1] = 'P 4H' WHERE id = {R1}")
        reconciled(Scope(round_id=stored("r-1").pk))

        page = auditor.get(LIST)

        words = page_text(page.content.split(b"<table")[1])
        assert words.count("No differences") == 2
        assert words.count("Differences found") == 1
        assert "from 21 Nov 2026 to 22 Nov 2026" in words
        assert f"/admin/rounds/round/{stored('r-1').pk}/change/" in page.content.decode()
        assert "http-equiv" not in page.content.decode()

    def test_loads_again_while_a_run_goes_on(self, auditor: Client) -> None:
        """Two of five parts are done."""
        run = begin_reconciliation(scope=EVERYTHING, at=NOW, actor=AUDITOR)
        for _ in range(2):
            work_on_part(run.pk, now=timezone.now)

        pages = [auditor.get(address).content for address in (LIST, page_of_run(run))]

        for page in pages:
            assert '<meta http-equiv="refresh" content="2">' in page.decode()
        assert "40&nbsp;%" in page_text(pages[0])
        assert "In progress" in page_text(pages[0])
        assert "0 / 1" in page_text(pages[1])

    def test_is_visible_to_roles_that_see_money(self, auditor: Client) -> None:
        """Administrators are answered 403."""
        for role, status in (("payments", 200), ("administrator", 403)):
            auditor.force_login(person(role))

            assert auditor.get(LIST).status_code == status


class TestTheRun:
    def test_links_each_difference(self, auditor: Client) -> None:
        """A changed card of r-1, and a surplus cent of p-1."""
        tamper(
            f"UPDATE rounds_round SET cards[1] = 'P 4H' WHERE id = {R1}",
            f"UPDATE payouts_account SET balance_cents = 1 WHERE id = 8 AND customer_id = {P1}",
        )

        page = auditor.get(page_of_run(reconciled())).content

        words = page_text(page)
        assert "Balance account 8 · Customer · Cash · p-1 amount 0.01 amount 0.00" in words
        assert "Facts of the round round r-1 digest 6dc9·393b·27af digest 54ea·0639·4738" in words
        assert f"/admin/rounds/round/{stored('r-1').pk}/change/" in page.decode()
        assert "/admin/payouts/account/8/change/" in page.decode()

    def test_speaks_italian(self, auditor: Client) -> None:
        """In the words of the other pages."""
        auditor.cookies["django_language"] = "it"
        tamper("UPDATE payouts_account SET balance_cents = 1 WHERE id = 8")

        words = page_text(auditor.get(page_of_run(reconciled())).content)

        assert "Saldo conto 8 · Cliente · Contante · p-1 importo 0,01 importo 0,00" in words
        assert "Conti dei clienti" in words

    def test_names_deleted_rows(self, auditor: Client) -> None:
        """Deleted rounds and accounts have no link."""
        tamper(
            f"DELETE FROM rounds_bet WHERE round_id = {R1}",
            "DELETE FROM rounds_round WHERE reference = 'r-1'",
            "DELETE FROM payouts_account WHERE kind = 'receivable'",
        )

        words = page_text(auditor.get(page_of_run(reconciled())).content)

        assert "Rows of an unknown round" in words
        assert "account 10 no account amount \N{MINUS SIGN}13.00" in words

    def test_is_paginated(self, auditor: Client) -> None:
        """Fifty differences per page, each once."""
        tamper(
            "UPDATE rounds_round SET cards = '{}'", "UPDATE payouts_transfer SET posted_at = now()"
        )
        run = reconciled()
        part = run.parts.filter(kind="rounds").get()
        first = part.found.first()
        assert first is not None
        type(first).objects.bulk_create(
            type(first)(
                part=part,
                kind="zero_sum",
                about={"asset": "cash"},
                found={"cents": cents},
                expected={"cents": 0},
            )
            for cents in range(101, 161)
        )

        page, seen = auditor.get(page_of_run(run)).content.decode(), set[str]()
        while older := re.search(r'href="(\?before=[0-9]+)"', page):
            seen |= set(re.findall(r"amount (1\.[0-9]{2})", page))
            page = auditor.get(page_of_run(run) + older[1]).content.decode()
        seen |= set(re.findall(r"amount (1\.[0-9]{2})", page))

        assert len(seen) == 60

    def test_says_that_all_agrees(self, auditor: Client) -> None:
        """With the numbers of checked rows."""
        words = page_text(auditor.get(page_of_run(reconciled())).content)

        assert "All checks passed." in words
        assert "Rounds 4 Bets 12 Transfers 17 Accounts 6 Audit records 10" in words


class TestToday:
    @pytest.mark.slow
    def test_says_that_the_books_do_not_agree_until_they_do(self, auditor: Client) -> None:
        """The latest finished run of everything counts."""
        assert "The books do not balance" not in page_text(auditor.get("/admin/").content)
        tamper("UPDATE payouts_account SET balance_cents = 1 WHERE id = 8")
        differing = reconciled()
        reconciled(Scope(round_id=stored("r-1").pk))

        wrong = auditor.get("/admin/").content
        tamper("UPDATE payouts_account SET balance_cents = 0 WHERE id = 8")
        begun = begin_reconciliation(scope=EVERYTHING, at=NOW, actor=AUDITOR)
        still_wrong = auditor.get("/admin/").content
        reconciled()
        right = auditor.get("/admin/").content

        assert re.search(r"The reconciliation of .{5,20} found 2 differences\.", page_text(wrong))
        assert page_of_run(differing) in wrong.decode()
        assert "The books do not balance" in page_text(still_wrong)
        assert begun.pk > differing.pk
        assert "The books do not balance" not in page_text(right)


class TestTheButton:
    def test_begins_a_run_of_everything_once(self, auditor: Client) -> None:
        """A second click leads to the running one."""
        answers = [auditor.post(NOW_ADDRESS, follow=True) for _ in range(2)]

        run = ReconcileRun.objects.get()
        assert run.is_of_everything
        assert run.actor == User.objects.get(username="auditor").get_username()
        assert run.parts.count() == 5
        assert [answer.redirect_chain[-1][0] for answer in answers] == [page_of_run(run)] * 2
        assert "A reconciliation is already running." in page_text(answers[1].content)

    @pytest.mark.parametrize(
        ("is_reached", "words"),
        [(True, "Reconciliation started."), (False, "Processing starts as soon as it is back.")],
    )
    def test_says_whether_a_worker_was_woken(
        self, auditor: Client, monkeypatch: pytest.MonkeyPatch, is_reached: bool, words: str
    ) -> None:
        """Without the broker the run begins later."""
        monkeypatch.setattr("payouts.tasks.notify_workers", lambda _task: is_reached)

        answer = auditor.post(NOW_ADDRESS, follow=True)

        assert words in page_text(answer.content)

    def test_is_for_compliance_and_auditors(self, auditor: Client) -> None:
        """Other roles are refused, and GET is not allowed."""
        assert "Reconcile now" in page_text(auditor.get(LIST).content)
        assert auditor.get(NOW_ADDRESS).status_code == 405
        for role, may in (("compliance", True), ("supervisor", False), ("payments", False)):
            auditor.force_login(person(role))

            assert ("Reconcile now" in page_text(auditor.get(LIST).content)) == may
            if not may:
                assert auditor.post(NOW_ADDRESS).status_code == 403
        assert not ReconcileRun.objects.exists()
        assert Round.objects.count() == 4
