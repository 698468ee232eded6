"""Evidence that was chosen stays chosen when the form is shown again with an error."""

import pytest
from playwright.sync_api import FilePayload, Page

from payouts.cases.models import CaseEvidence
from tests.casino.backoffice.cases.case_tabs import play
from tests.documents import baccarat_round
from tests.query_in_thread import query_in_thread

_FORM = "/admin/cases/malfunction/"
_PHOTO: FilePayload = {
    "name": "shuffler.png",
    "mimeType": "image/png",
    "buffer": b"\x89PNG\r\n\x1a\n what was seen",
}
_KEPT = """
    new Promise((resolve) => {
      const opening = indexedDB.open("sabot-files", 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore("choices");
      opening.onsuccess = () => {
        const all = opening.result.transaction("choices").objectStore("choices").getAll();
        all.onsuccess = () => { opening.result.close(); resolve(all.result); };
      };
    })
"""
_SEALED = f"""
    {_KEPT}.then((kept) => kept.flatMap((choice) => choice.files)
      .map((file) => new TextDecoder().decode(file.sealed)))
"""
_CHOSEN = "[...document.querySelector('[name=evidence]').files].map((file) => file.name)"


def report(tab: Page, reference: str) -> None:
    """Sends the form about this round."""
    tab.fill("[name=references]", reference)
    tab.select_option("[name=reason]", "shuffler")
    tab.fill("[name=text]", "The shuffler stood still.")
    tab.click("text=Open the case and preview the effect")


@pytest.mark.slow
def test_evidence_is_chosen_again_and_stored_with_the_case(
    tabs: tuple[Page, Page], address: str
) -> None:
    """Encrypted in between, and gone from the browser afterwards."""
    giulia, _lorenzo = tabs
    play(baccarat_round("r-1"))
    giulia.goto(f"{address}{_FORM}")
    giulia.set_input_files("[name=evidence]", [_PHOTO])
    giulia.wait_for_function(f"() => {_KEPT}.then((kept) => kept.length === 1)")
    [sealed] = giulia.evaluate(_SEALED)

    report(giulia, "r-unknown")
    giulia.wait_for_selector("text=Round not found: r-unknown.")
    giulia.wait_for_function(f"() => {_CHOSEN}.length === 1")
    chosen = giulia.evaluate(_CHOSEN)
    report(giulia, "r-1")
    giulia.wait_for_selector("text=Case opened.")

    assert "what was seen" not in sealed
    assert chosen == ["shuffler.png"]
    [file] = query_in_thread(lambda: list(CaseEvidence.objects.all()))
    assert (file.name, bytes(file.content)) == ("shuffler.png", _PHOTO["buffer"])
    giulia.wait_for_function(f"() => {_KEPT}.then((kept) => kept.length === 0)")


@pytest.mark.slow
def test_files_of_a_form_that_was_left_are_not_chosen_again(
    tabs: tuple[Page, Page], address: str
) -> None:
    """The next page deletes them."""
    giulia, _lorenzo = tabs
    giulia.goto(f"{address}{_FORM}")
    giulia.set_input_files("[name=evidence]", [_PHOTO])
    giulia.wait_for_function(f"() => {_KEPT}.then((kept) => kept.length === 1)")

    giulia.goto(f"{address}{_FORM}")
    giulia.wait_for_function(f"() => {_KEPT}.then((kept) => kept.length === 0)")

    assert giulia.evaluate(_CHOSEN) == []
