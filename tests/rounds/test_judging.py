"""Rule inputs of stored rounds give the same verdict as the whole document."""

import re
from pathlib import Path
from typing import Final

import pytest

from rounds.models import Customer, Round
from rounds.queries import stored_rounds
from rounds.rule_inputs import rounds_to_judge
from rounds.rules.catalogue import rule_set
from tests.casino_in_play import ingest, open_table
from tests.documents import baccarat_round, lines

pytestmark = pytest.mark.django_db

GOLDEN: Final = Path(__file__).parents[1] / "golden"


@pytest.mark.parametrize("game", ["baccarat", "blackjack", "mega-fire-blaze", "quantum", "zappit"])
def test_every_golden_round_is_judged_as_by_its_whole_facts(game: str) -> None:
    """Without bet ids and with numbered customers."""
    feed = (GOLDEN / f"{game}.ndjson").read_bytes()
    rounds = re.findall(rb'"table":"([^"]+)","rules":"([^"]+)"', feed)
    for code, rules in sorted(set(rounds)):
        open_table(code.decode(), rules.decode())
    ingest(feed.splitlines())
    ids = list(Round.objects.values_list("id", flat=True))

    whole = {stored.id: stored for stored in stored_rounds(ids)}
    to_judge = rounds_to_judge(ids)

    assert [stored.id for stored in to_judge] == list(whole)
    assert len(to_judge) > 60
    for stored in to_judge:
        facts = whole[stored.id]
        judge = rule_set(facts.dealt.rules).judge
        assert judge(stored.dealt, stored.shoe_before, stored.limits) == judge(
            facts.dealt, facts.shoe_before, facts.limits
        )
        assert stored.rules_digest == facts.rules_digest


def test_bets_name_their_customers_by_id() -> None:
    """Two bets of p-1 and one of p-2: in the order of the bets."""
    open_table()
    document = baccarat_round("r-1")
    first = document["bets"][0]
    players = ("p-1", "p-2", "p-1")
    document["bets"] = [
        {**first, "id": f"b{number}", "player": player, "kind": kind}
        for number, (player, kind) in enumerate(
            zip(players, ("player", "player", "tie"), strict=True)
        )
    ]
    ingest(lines(document))

    [stored] = rounds_to_judge([Round.objects.get().id])

    ids = {customer.pseudonym: customer.id for customer in Customer.objects.all()}
    assert list(stored.customers) == [ids[player] for player in players]
    assert [bet.player for bet in stored.dealt.bets] == [str(ids[player]) for player in players]
