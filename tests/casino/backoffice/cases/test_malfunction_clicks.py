"""A malfunction of thirty rounds, from the phone call to its execution, in few clicks."""

import pytest
from playwright.sync_api import Page

from payouts.cases.models import CaseRun, CaseStep
from payouts.settlement.models import Settlement
from tests.casino.backoffice.cases.case_tabs import play
from tests.casino.backoffice.cases.conftest import code_on_phone_of
from tests.documents import baccarat_round
from tests.processes import Worker, wait_until
from tests.query_in_thread import query_in_thread

_ROUNDS = 30
_FEWER_THAN = 12
_COUNT_EACH = """addEventListener("click", (event) => {
    if (event.isTrusted) sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1;
}, true)"""


class Hand:
    """What one person's hand does; fields of a form are reached with Tab and typed into."""

    def __init__(self, tab: Page) -> None:
        self.tab, self._choices = tab, 0
        tab.context.add_init_script(_COUNT_EACH)
        tab.reload()

    @property
    def clicks(self) -> int:
        """So far; the tab keeps them, because a click often leaves its page."""
        return int(self.tab.evaluate("sessionStorage.clicks ?? 0")) + self._choices

    def choose(self, field: str, value: str) -> None:
        """An entry of a list: one click opens it, the value is typed."""
        self.tab.select_option(field, value)
        self._choices += 1


@pytest.mark.slow
@pytest.mark.parametrize("broker", ["valkey"], indirect=True)
def test_takes_fewer_than_twelve_clicks_and_two_signatures(
    tabs: tuple[Page, Page], address: str, worker: Worker
) -> None:
    """Clicks on links, buttons, lists and boxes, of both persons together, from *Today* on."""
    giulia, lorenzo = map(Hand, tabs)
    play(*[baccarat_round(f"r-{number}") for number in range(_ROUNDS)])

    giulia.tab.goto(f"{address}/admin/")
    giulia.tab.click("nav >> text=Cases")
    giulia.tab.click("text=Report a malfunction")
    giulia.choose("[name=table]", "bac-1")
    giulia.tab.fill("[name=first]", "2026-11-21T22:10:00")
    giulia.tab.fill("[name=last]", "2026-11-21T22:12:00")
    giulia.choose("[name=reason]", "shuffler")
    giulia.tab.fill("[name=text]", "The shuffler gave the same shoe twice.")
    giulia.tab.click("text=Open the case and preview the effect")
    giulia.tab.wait_for_selector(f"text={_ROUNDS} rounds")
    giulia.tab.fill("[name=note] >> nth=0", "All of them were dealt from it.")
    giulia.tab.click("button:has-text('Propose')")
    giulia.tab.wait_for_selector("text=Proposal recorded.")

    lorenzo.tab.goto(f"{address}/admin/")
    lorenzo.tab.click("text=Review and sign")
    lorenzo.tab.check("[name=read]")
    lorenzo.tab.fill("form:has([name=read]) [name=note]", "Seen on the video, too.")
    if lorenzo.tab.locator("form:has([name=read]) [name=code]").count():
        lorenzo.tab.fill("[name=code]", code_on_phone_of("lorenzo"))
    lorenzo.tab.click("text=Sign and execute")
    finished = CaseRun.objects.exclude(finished_at=None)
    wait_until(lambda: query_in_thread(finished.exists), what="the case is executed")

    assert (giulia.clicks, lorenzo.clicks) == (6, 3)
    assert giulia.clicks + lorenzo.clicks < _FEWER_THAN
    signed = query_in_thread(lambda: set(CaseStep.objects.values_list("actor_user_id", flat=True)))
    assert len(signed) == 2
    void = Settlement.objects.filter(kind="void")
    assert query_in_thread(void.count) == _ROUNDS
