"""The register of readings and the rule sets."""

import hashlib
import html
import re

import pytest
from django.test import Client

from compliance.trail.actor import Actor
from rounds.models import EarlierRuleSet
from rounds.rules.ambiguities.register import REGISTER
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.rule_set import RuleSet
from rounds.services.put_rules_in_force import put_rules_in_force
from tests.casino.backoffice.conftest import page_of, person
from tests.casino.backoffice.page_reader import plain
from tests.casino.backoffice.page_source import page_html
from tests.casino_in_play import NOW, ingest, open_table
from tests.documents import baccarat_round, lines

READINGS = "/admin/readings/"
QUANTUM = f"{READINGS}?sheet=QB"
RULES = "/admin/rule-sets/"


def reader(client: Client, role: str) -> Client:
    """A browser of a person in a role, in English."""
    client.force_login(person(role))
    client.cookies["django_language"] = "en"
    return client


def entry_of(page: str, key: str) -> str:
    """The HTML of one entry."""
    start = page.index(f'id="{key}"')
    return page[start : page.index("</article>", start)]


def day_of(rules: RuleSet) -> str:
    """The day from which a rule set is in force, in English."""
    return f"{rules.in_force_from.day} {rules.in_force_from:%b %Y}"


@pytest.mark.usefixtures("db")
class TestTheRegister:
    @pytest.mark.parametrize("role", ["compliance", "auditor", "supervisor", "payments"])
    def test_is_open_to_roles_that_see_rounds(self, client: Client, role: str) -> None:
        """Explanations link to it."""
        browser = reader(client, role)

        pages = [browser.get(address) for address in (READINGS, RULES, f"{RULES}baccarat/1/")]

        assert [page.status_code for page in pages] == [200, 200, 200]

    def test_has_each_reading_under_its_sheet(self, client: Client) -> None:
        """Those of several sheets come first, under none."""
        page = page_html(reader(client, "compliance").get(READINGS, {"sheet": "all"}))
        group = re.compile(r'id="group-(\w+)"|<article[^>]* id="([^"]+)"')
        sheet, found = "", {}
        for begun, key in group.findall(page):
            sheet = begun or sheet
            if key:
                found[key] = sheet

        assert found == {
            key: point.sheets[0] if len(point.sheets) == 1 else "shared"
            for key, point in REGISTER.items()
        }

    def test_is_closed_to_roles_that_see_no_rounds(self, client: Client) -> None:
        """Administrators are answered 403, anonymous users are sent to the login."""
        unknown = client.get(READINGS)
        administrator = reader(client, "administrator").get(READINGS)

        assert unknown.status_code == 302
        assert "/admin/login/" in unknown.headers["Location"]
        assert administrator.status_code == 403

    def test_shows_every_entry_once_under_an_anchor_of_its_own(self, supervisor: Client) -> None:
        """Explanations link to the anchors."""
        page = page_html(supervisor.get(READINGS, {"sheet": "all"}))

        shown = re.findall(r'<article class="panel reading" id="([^"]+)"', page)
        assert sorted(shown) == sorted(REGISTER)

    def test_marks_the_adopted_reading_and_says_why(self, supervisor: Client) -> None:
        """[QB] says both; the dealer draws."""
        entry = entry_of(page_html(supervisor.get(QUANTUM)), "soft-seventeen")

        adopted = entry[entry.index("is-adopted") :].split("</li>")[0]
        assert "The dealer draws" in adopted
        assert entry.count("Adopted") == 1
        assert "The dealer stands" in entry
        assert "[QB] Regole di gioco" in entry
        assert "is the specific one" in entry

    def test_names_the_rules_that_rest_on_an_entry(self, supervisor: Client) -> None:
        """Each rule with its game, or the game as a whole."""
        page = page_html(supervisor.get(READINGS, {"sheet": "all"}))

        tie = entry_of(page, "tie-nine-for-one")
        off_line = entry_of(page, "off-line-hand")
        assert '<a href="/admin/rule-sets/baccarat/1/#tie">Tie: 8:1</a>' in tie
        assert off_line.count("the game as a whole") == 2

    def test_is_shown_in_parts(self, supervisor: Client) -> None:
        """One a sheet, shared entries first; without a known sheet that of blackjack."""
        quantum = page_html(supervisor.get(QUANTUM))
        first = page_html(supervisor.get(READINGS))
        unknown = page_html(supervisor.get(READINGS, {"sheet": "<script>"}))

        assert 'id="soft-seventeen"' in quantum
        assert 'id="straight-ace"' in quantum
        assert 'id="tie-nine-for-one"' not in quantum
        assert '<a href="?sheet=QB" aria-current="page">' in quantum
        assert '<a href="?sheet=BJ" aria-current="page">' in first
        assert '<a href="?sheet=BJ" aria-current="page">' in unknown

    def test_speaks_italian(self, supervisor: Client) -> None:
        """In Italian."""
        supervisor.cookies["django_language"] = "it"

        entry = entry_of(page_html(supervisor.get(QUANTUM)), "soft-seventeen")

        assert "Il 17 soft del banco" in entry
        assert "Adottata" in entry


class TestARuleSet:
    def test_is_listed_with_the_day_from_which_it_is_in_force(self, supervisor: Client) -> None:
        """Old versions stay listed."""
        page = page_html(supervisor.get(RULES))

        assert re.findall(r'class="open" href="/admin/rule-sets/([^"]+)/"', page) == [*RULE_SETS]
        assert all(f"<td>{day_of(rules)}</td>" in page for rules in RULE_SETS.values())

    def test_shows_each_rule_with_its_heading_and_its_readings(self, supervisor: Client) -> None:
        """The tie pays 8:1 by the reading of "9 for 1"."""
        page = page_html(supervisor.get(f"{RULES}baccarat/1/"))

        tie = page[page.index('<li id="tie"') :].split("</li>")[0]
        assert "[BAC] Regole del baccarat" in tie
        assert 'href="/admin/readings/?sheet=BAC#tie-nine-for-one"' in tie
        assert 'href="/admin/readings/?sheet=BAC#baccarat-decks"' in page

    def test_shows_the_text_that_its_digest_is_of(self, supervisor: Client) -> None:
        """sha256sum of the text gives the digest."""
        page = supervisor.get(f"{RULES}quantum-blackjack/1/").content.decode()

        shown = re.findall(r'<pre[^>]*id="definition">(.*?)</pre>', page, re.DOTALL)
        text = html.unescape(shown[0])
        assert "hits_soft_17: yes" in text
        assert f"<code>{hashlib.sha256(text.encode()).hexdigest()}</code>" in page_html(page)
        assert "released" in page

    def test_is_linked_from_its_rounds_with_the_digest_that_they_arrived_under(
        self, supervisor: Client
    ) -> None:
        """The digest is shown short, and whole on click."""
        open_table()
        ingest(lines(baccarat_round("r-1")))

        page = page_html(supervisor.get(page_of("r-1")))

        assert '<a class="plain" href="/admin/rule-sets/baccarat/1/">baccarat/1</a>' in page
        assert f"<code>{RULE_SETS['baccarat/1'].digest.hex()}</code>" in page

    @pytest.mark.slow
    def test_is_signed_by_compliance(self, supervisor: Client) -> None:
        """*Today* names those that nobody signed."""
        put_rules_in_force(at=NOW, actor=Actor("release"))
        compliance = reader(Client(), "compliance")
        today = plain(compliance, "/admin/")
        assert f"Rule sets in force that nobody signed {' , '.join(RULE_SETS)}" in today
        assert "Their rounds wait, and are not paid, until compliance signs." in today
        assert "its rounds wait" in plain(compliance, f"{RULES}baccarat/1/")
        assert plain(compliance, RULES).count("Not signed") == len(RULE_SETS)
        assert "Sign rule set" not in plain(supervisor, f"{RULES}baccarat/1/")

        for name in RULE_SETS:
            compliance.post(f"{RULES}{name}/sign/")
        compliance.post(f"{RULES}baccarat/1/sign/")

        words = plain(compliance, f"{RULES}baccarat/1/")
        assert "has been signed in the meantime" in words
        assert "signed by" in words
        assert "Not signed" not in plain(compliance, RULES)
        assert "nobody signed" not in plain(compliance, "/admin/")

    def test_from_before_signatures_wait_for_none(self, supervisor: Client) -> None:
        """*Today* names those that do; the page of the others does not say so."""
        put_rules_in_force(at=NOW, actor=Actor("release"))
        EarlierRuleSet.objects.create(digest=RULE_SETS["baccarat/1"].digest)

        waiting = ", ".join(name for name in RULE_SETS if name != "baccarat/1")
        assert f"until compliance signs: {waiting}" in plain(supervisor, "/admin/")
        assert "its rounds wait" not in plain(supervisor, f"{RULES}baccarat/1/")

    def test_that_does_not_exist_is_not_found(self, supervisor: Client) -> None:
        """404."""
        assert supervisor.get(f"{RULES}blackjack/99/").status_code == 404
