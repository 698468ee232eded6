"""Two persons decide about money in two Chromium browsers, with a real worker."""

from itertools import product

import pytest
from playwright.sync_api import Page

from payouts.cases.models import Case, CaseRun, CaseWork
from payouts.settlement.models import Settlement
from tests.books import assert_books_are_right
from tests.casino.backoffice.cases.case_tabs import play, sign
from tests.documents import baccarat_round, held_baccarat_round
from tests.payouts.settlement.resettlement_scenarios import balance, stored
from tests.processes import Worker, wait_until
from tests.query_in_thread import query_in_thread

_ROUNDS = 200
_CUT = (
    "[...document.querySelectorAll('html, .scroll, .panel')]"
    ".filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.className)"
)


def page_of(reference: str) -> str:
    """The id of a round in addresses."""
    return str(query_in_thread(lambda: stored(reference).pk))


@pytest.mark.slow
@pytest.mark.parametrize("broker", ["valkey"], indirect=True)
def test_a_held_round_is_corrected_signed_and_settled(
    tabs: tuple[Page, Page], address: str, worker: Worker
) -> None:
    """A surplus card is removed: corrected, previewed, approved, settled."""
    giulia, lorenzo = tabs
    play(held_baccarat_round("r-1"))

    giulia.goto(f"{address}/admin/rounds/round/?status=held")
    giulia.click("a.code")
    giulia.click("text=Correct from the video")
    assert giulia.locator(".pick-card.is-fault [name=number]").input_value() == "5"
    assert not giulia.is_visible("text=Which card?")
    giulia.check("[name=change][value=not_dealt]")
    assert giulia.locator("[name=number]:checked").input_value() == "5"
    assert not giulia.is_visible(".deck-grid")
    giulia.click("text=Apply and preview the effect")
    giulia.wait_for_selector("text=The corrected round complies with the rules.")
    giulia.select_option("[name=reason]", "card-not-in-play")
    giulia.fill("[name=text]", "The third card never left the shoe.")
    giulia.click("text=Propose the correction")
    giulia.wait_for_selector("text=A second person must decide")
    assert not giulia.locator("text=Sign and execute").count()

    lorenzo.goto(f"{address}/admin/")
    lorenzo.click("text=Review and sign")
    sign(lorenzo)
    lorenzo.wait_for_selector("text=1 of 1")  # the page loads again by itself until then

    lorenzo.goto(f"{address}/admin/rounds/round/{page_of('r-1')}/change/")
    assert lorenzo.locator("h1 ~ .badge").all_inner_texts() == ["Settled", "Ruling by two persons"]
    assert lorenzo.locator("[data-step]").count() == 4
    assert "25.00" in lorenzo.inner_text("[data-field=paid]")


@pytest.mark.slow
@pytest.mark.timeout(900)  # it is killed while it executes 200 remedies, on a slow machine too
@pytest.mark.parametrize("broker", ["valkey"], indirect=True)
def test_a_window_of_200_rounds_is_refunded_although_the_worker_is_killed(
    tabs: tuple[Page, Page], address: str, worker: Worker
) -> None:
    """Each round once, before the kill or by the next worker."""
    giulia, lorenzo = tabs
    feed = play(*[baccarat_round(f"r-{number}") for number in range(_ROUNDS)])

    giulia.goto(f"{address}/admin/cases/malfunction/")
    giulia.select_option("[name=table]", "bac-1")
    giulia.fill("[name=first]", "2026-11-21T22:10:00")
    giulia.fill("[name=last]", "2026-11-21T22:12:00")
    giulia.select_option("[name=reason]", "shuffler")
    giulia.fill("[name=text]", "The shuffler gave the same shoe twice.")
    giulia.click("text=Open the case and preview the effect")
    giulia.wait_for_selector("text=200 rounds")
    giulia.fill("[name=note] >> nth=0", "All of them were dealt from it.")
    giulia.click("button:has-text('Propose')")
    giulia.wait_for_selector("text=Proposal recorded. A second person must approve it.")

    lorenzo.goto(giulia.url)
    sign(lorenzo)
    done, finished = (
        CaseWork.objects.exclude(done_at=None),
        CaseRun.objects.exclude(finished_at=None),
    )
    wait_until(lambda: query_in_thread(done.count) > 0, what="the worker begins")
    worker.kill()
    before = query_in_thread(done.count)
    worker.start()
    wait_until(lambda: query_in_thread(finished.exists), what="the case is executed")

    assert 0 < before < _ROUNDS, "killed when nothing, or everything, was done"
    lorenzo.wait_for_selector(f"text={_ROUNDS} of {_ROUNDS}")
    void, later = Settlement.objects.filter(kind="void"), Settlement.objects.filter(sequence__gt=2)
    assert (query_in_thread(void.count), query_in_thread(later.count)) == (_ROUNDS, 0)
    assert query_in_thread(lambda: balance("customer", "p-1")) == 240_000
    query_in_thread(lambda: assert_books_are_right(feed))


@pytest.mark.slow
def test_the_proposer_cannot_sign(tabs: tuple[Page, Page], address: str) -> None:
    """Not even by sending Lorenzo's form with an own code."""
    giulia, lorenzo = tabs
    play(baccarat_round("r-1"))
    giulia.goto(f"{address}/admin/cases/malfunction/?rounds=r-1")
    giulia.select_option("[name=reason]", "shuffler")
    giulia.fill("[name=text]", "Twice the same shoe.")
    giulia.click("text=Open the case and preview the effect")
    giulia.fill("[name=note] >> nth=0", "Seen.")
    giulia.click("button:has-text('Propose')")
    giulia.wait_for_selector("text=Proposal recorded.")
    lorenzo.goto(giulia.url)
    form = lorenzo.inner_html("form:has([name=read])")
    action = lorenzo.get_attribute("form:has([name=read])", "action")

    giulia.evaluate(
        """([form, action, token]) => {
            const forged = document.createElement("form");
            forged.method = "post"; forged.action = action; forged.innerHTML = form;
            forged.querySelector("[name=csrfmiddlewaretoken]").value = token;
            forged.querySelector("[name=read]").checked = true;
            forged.querySelector("[name=note]").value = "I agree with myself.";
            document.body.append(forged); forged.submit();
        }""",
        [form, action, giulia.input_value("[name=csrfmiddlewaretoken] >> nth=0")],
    )

    giulia.wait_for_selector(
        "text=The person who opened the case or proposed the remedy cannot decide"
    )
    assert not query_in_thread(CaseRun.objects.exists)


@pytest.mark.slow
def test_no_page_is_cut(tabs: tuple[Page, Page], address: str) -> None:
    """No element overflows on a tablet, in both languages."""
    giulia, _lorenzo = tabs
    play(baccarat_round("r-1"), held_baccarat_round("r-2"))
    giulia.goto(f"{address}/admin/cases/malfunction/?rounds=r-1")
    giulia.select_option("[name=reason]", "shuffler")
    giulia.fill("[name=text]", "Twice the same shoe.")
    giulia.click(".form-foot button")
    giulia.wait_for_selector(".figures")

    settled, held = page_of("r-1"), page_of("r-2")
    pages = (
        f"cases/{query_in_thread(Case.objects.get).pk}/",
        "cases/?which=all",
        "cases/malfunction/",
        "cases/credit/",
        f"cases/correct/{held}/",
        f"cases/release/{held}/",
        f"cases/refund/{settled}/",
        f"rounds/round/{held}/change/",
    )
    cut = []
    for language, width, page in product(("it", "en"), (820, 1440), pages):
        giulia.context.add_cookies([{"name": "django_language", "value": language, "url": address}])
        giulia.set_viewport_size({"width": width, "height": 900})
        giulia.goto(f"{address}/admin/{page}")
        cut += [(language, width, page, element) for element in giulia.evaluate(_CUT)]

    assert cut == []
