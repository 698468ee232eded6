"""The pages in Chromium: login, finding a round, its payouts, its replay."""

import pytest
from playwright.sync_api import Page

from tests.casino.backoffice.site.browser_tabs import log_in, open_round


@pytest.mark.slow
def test_a_supervisor_finds_a_round_by_its_code_and_deals_it_again(
    page: Page, address: str
) -> None:
    """b1 pays 30.00; in the replay the hole card is turned last."""
    log_in(page, address)
    page.keyboard.press("Control+k")
    page.keyboard.type("#21:10:10")
    page.keyboard.press("Enter")

    page.wait_for_selector("h1:has-text('Round #21:10:10')")
    assert page.inner_text("[data-field=paid]") == "€43.00"
    assert page.inner_text("[data-hand='1a'] [data-total-of]") == "21"

    page.click("button[data-go=first]")
    assert page.locator(".slot.is-undealt").count() == 7
    for _card in range(4):
        page.keyboard.press("ArrowRight")
    assert page.locator(".slot.is-undealt").count() == 3
    assert page.locator("[data-hand='D'] .slot.is-hidden").count() == 1
    assert page.inner_text("[data-hand='D'] [data-total-of]") == "soft 11"
    assert "Card 4 of 7" in page.inner_text(".caption")

    page.click("[data-step='7']")
    assert page.locator(".slot.is-hidden").count() == 0
    assert page.inner_text("[data-hand='D'] [data-total-of]") == "soft 18"
    page.keyboard.press("ArrowLeft")
    assert "Card 6 of 7" in page.inner_text(".caption")

    page.click("button.expand >> nth=0")
    assert page.locator("tr.explanation:visible").count() == 1
    assert "[BJ] Vincite" in page.inner_text("tr.explanation:visible")


@pytest.mark.slow
def test_a_round_shows_what_it_paid_without_scrolling_sideways(page: Page, address: str) -> None:
    """The last column fits from a tablet in portrait on."""
    open_round(page, address)

    for width in (820, 1024, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.reload()
        page.wait_for_selector("h1:has-text('Round #21:10:10')")
        cut = page.evaluate(
            "[...document.querySelectorAll('html, .scroll, .table-layout')]"
            ".filter((each) => each.scrollWidth > each.clientWidth + 1)"
            ".map((each) => each.className)"
        )
        assert cut == [], width


@pytest.mark.slow
def test_a_list_on_a_phone_names_each_value(page: Page, address: str) -> None:
    """Rows become blocks where the table is too wide, and rows again where it fits."""
    log_in(page, address)
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(f"{address}/admin/rounds/round/")

    row = page.locator("table.is-narrow tbody tr >> nth=0")
    for column, value in (("Table", "bj-7"), ("Status", "Settled")):
        cell = row.locator(f"[data-column={column}]")
        assert value in cell.inner_text()
        box = cell.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 390, column

    page.set_viewport_size({"width": 1440, "height": 900})
    page.wait_for_selector("table.rows:not(.is-narrow)")


@pytest.mark.slow
def test_a_printed_round_has_every_reason_and_no_controls(page: Page, address: str) -> None:
    """Reasons are opened for printing and closed afterwards."""
    open_round(page, address)

    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    printed = page.locator("tr.explanation:visible").count()
    menus = page.locator("#nav-sidebar:visible, .topbar:visible, .transport:visible").count()
    controls = page.locator(
        ".button:visible, .panel form:visible, h2:text('Actions'):visible"
    ).count()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")

    assert (printed, menus, controls) == (2, 0, 0)
    assert page.locator("tr.explanation:visible").count() == 0


@pytest.mark.slow
def test_the_names_of_values_in_blocks_are_written_alike(page: Page, address: str) -> None:
    """On a phone: those of codes as well; and the headings that sort are one band."""
    log_in(page, address)
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(f"{address}/admin/rounds/round/")
    page.wait_for_selector("table.is-narrow")

    fonts, colours = page.evaluate(
        """() => {
          const cells = [...document.querySelectorAll(".is-narrow tbody [data-column]")];
          const band = document.querySelector(".is-narrow > thead > tr");
          return [
            [...new Set(cells.map((cell) => getComputedStyle(cell, "::before").font))],
            [band, band.querySelector("th:has(a)")].map((x) => getComputedStyle(x).backgroundColor),
          ];
        }"""
    )

    assert len(fonts) == 1
    assert colours[0] == colours[1]


@pytest.mark.slow
def test_a_long_hint_in_a_field_ends_with_an_ellipsis(page: Page, address: str) -> None:
    """That of the search of rounds is longer than its field; what is typed is not shortened."""
    log_in(page, address)
    page.goto(f"{address}/admin/rounds/round/")
    overflow = "field => getComputedStyle(field).textOverflow"

    assert page.eval_on_selector("#id_q", overflow) == "ellipsis"
    page.fill("#id_q", "bj-7")
    assert page.eval_on_selector("#id_q", overflow) == "clip"


@pytest.mark.slow
def test_the_settings_of_notifications_fit_a_phone(page: Page, address: str) -> None:
    """Their titles wrap, and the heading of the boxes is one line."""
    log_in(page, address)
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(f"{address}/admin/notifications/settings/")

    outside, lines = page.evaluate(
        """() => {
          const table = document.querySelector(".channels");
          const inside = table.parentElement.getBoundingClientRect().right;
          const heading = document.createRange();
          heading.selectNodeContents(table.querySelector("thead th:nth-child(2)"));
          return [table.getBoundingClientRect().right - inside, heading.getClientRects().length];
        }"""
    )

    assert outside <= 0
    assert lines == 1
