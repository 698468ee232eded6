"""``manage.py replay --explain`` and ``--letter``, and the texts of steps in each language."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

from rounds.explanations.sentences import sentence
from rounds.feed import document_of
from rounds.rules.cards import Total
from rounds.rules.explained.explanation import (
    HALVES,
    THE_HAND,
    BetName,
    Cards,
    CellValues,
    ExactMoney,
    Factor,
    LevelName,
    Moment,
    Money,
    MultiplierCards,
    Value,
    make_step,
)
from rounds.rules.odds import Odds
from tests.rounds.rules.dealing import (
    BACCARAT,
    BLACKJACK,
    CLOSED_AT,
    MEGA_FIRE_BLAZE,
    bet,
    bonus,
    dealt,
    side,
)

NATURAL = "P:4S B:7H P:5D B:TC"


@pytest.fixture
def feed(tmp_path: Path) -> Path:
    """The path of the feed."""
    return tmp_path / "feed.ndjson"


def answer(feed: Path, *documents: object, language: str = "en", form: str = "--explain") -> str:
    """The output of the command, in English by default."""
    feed.write_text("".join(json.dumps(document) + "\n" for document in documents))
    out = io.StringIO()
    call_command("replay", str(feed), form, "--language", language, stdout=out)
    return out.getvalue()


def coup(*bets: Any, **fields: Any) -> dict[str, Any]:
    """A document of nine against seven."""
    return document_of(dealt(NATURAL, *bets, rules=BACCARAT, **fields))


class TestAValue:
    @pytest.mark.parametrize(
        ("value", "in_italian", "in_english"),
        [
            (1200, "1.200", "1,200"),
            (Money(123_450), "1.234,50\N{NO-BREAK SPACE}€", "€1,234.50"),
            (ExactMoney(15, 2), "0,075\N{NO-BREAK SPACE}€", "€0.075"),
            (Odds(3, 2), "3:2", "3:2"),
            (Odds(8, 1), "8:1", "8:1"),
            (Odds(19, 20), "0,95:1", "0.95:1"),
            (Odds(27, 50), "0,54:1", "0.54:1"),
            (Total(17, is_soft=False), "17", "17"),
            (
                Total(17, is_soft=True),
                "17 (con un Asso che conta undici)",
                "17 (with an Ace counting as eleven)",
            ),
            (Total(21, is_soft=True), "21", "21"),
            (Cards(("8H", "TS", "KD", "AC")), "8♥ 10♠ K♦ A♣", "8♥ 10♠ K♦ A♣"),
            (Factor(Odds(15, 2)), "\N{MULTIPLICATION SIGN}7,5", "\N{MULTIPLICATION SIGN}7.5"),
            (
                MultiplierCards((("9H", Odds(5, 1)), ("QC", Odds(5, 2)))),
                "9♥ \N{MULTIPLICATION SIGN}5, Q♣ \N{MULTIPLICATION SIGN}2,5",
                "9♥ \N{MULTIPLICATION SIGN}5, Q♣ \N{MULTIPLICATION SIGN}2.5",
            ),
            (Moment(CLOSED_AT), "11:00:15", "11:00:15"),
            (Moment(CLOSED_AT + 25), "11:00:15.025", "11:00:15.025"),
            (THE_HAND, "La mano", "The hand"),
            (HALVES[0], "La prima mano", "The first hand"),
            (HALVES[1], "La seconda mano", "The second hand"),
            (BetName("perfect_pairs"), "Coppie Perfette", "Perfect Pairs"),
            (LevelName("mini"), "Mini", "Mini"),
            (CellValues((2, 10)), "2, 10", "2, 10"),
        ],
    )
    def test_is_written_as_the_language_writes_it(
        self, value: Value, in_italian: str, in_english: str
    ) -> None:
        """10:00:15 GMT in November is 11:00:15 in Rome."""
        with translation.override("it"):
            assert sentence(make_step("%(value)s", value=value)) == in_italian
        with translation.override("en"):
            assert sentence(make_step("%(value)s", value=value)) == in_english


class TestAnExplainedRound:
    """``--explain``: the result line with the steps of each bet."""

    def test_gives_each_step_its_sentence_rule_money_and_values(self, feed: Path) -> None:
        """0.05 on Banker at 0.95:1 is 4.75 cents, rounded to 0.05."""
        winner = "P:7H B:4S P:TC B:5D"
        round_ = dealt(winner, side("banker", stake=5), rules=BACCARAT)

        (explained,) = [json.loads(line) for line in answer(feed, document_of(round_)).splitlines()]

        result = explained["bets"]["banker-None"]
        assert (result["outcome"], result["payout"]) == ("win", "0.10")
        assert result["explanation"][0] == {
            "text": "You staked €0.05 on Banker.",
            "values": {"stake": {"cents": 5}, "bet": {"bet": "banker"}},
        }
        assert result["explanation"][4:] == [
            {
                "text": "The Banker, with 9 against 7, is nearer to nine: the bet wins, less a"
                " commission of 5 %.",
                "rule": "banker",
                "sheet": "BAC",
                "heading": "Regole del baccarat",
                "readings": ["banker-commission", "winnings-rounding"],
                "values": {
                    "player": 7,
                    "banker": 9,
                    "count": 4,
                    "commission": {"part": 1, "of": 20},
                },
            },
            {
                "text": "€0.05 at odds of 0.95:1 wins €0.05.",
                "cash": "0.05",
                "values": {
                    "staked": {"cents": 5},
                    "odds": {"won": 19, "staked": 20},
                    "winnings": {"cents": 5},
                },
            },
            {
                "text": "The exact amount is €0.0475. Winnings are rounded to the nearest cent.",
                "values": {"exact": {"cents": 19, "of": 4}},
            },
            {
                "text": "The stake of €0.05 is also returned.",
                "cash": "0.05",
                "values": {"staked": {"cents": 5}},
            },
        ]

    def test_is_written_in_italian_on_request(self, feed: Path) -> None:
        """The values are the same."""
        (explained,) = answer(feed, coup(side("player")), language="it").splitlines()

        steps = json.loads(explained)["bets"]["player-None"]["explanation"]
        assert steps[0]["text"] == "Ha puntato 10,00\N{NO-BREAK SPACE}€ su «Giocatore»."
        assert steps[0]["values"] == {"stake": {"cents": 1000}, "bet": {"bet": "player"}}

    def test_types_every_value(self, feed: Path) -> None:
        """Cards, totals, hands, times, levels, cells, factors and multiplier cards."""
        chip = bet("mega_fire_blaze", stake=100, golden=True, placed_at=CLOSED_AT + 1)
        grid = bonus("major", "12", "1:2 2:1 3:1", "4:1 5:1 6:1 7:5", "", "", "")
        bets = (bet(), bet("mega_fire_blaze", id="b", stake=100), chip)
        round_ = dealt(
            "1:TH 2:9S D:AD 1:9C 2:8H D:AC D:2C D:2D D:AS",
            *bets,
            rules=MEGA_FIRE_BLAZE,
            bonus=grid,
        )

        result = json.loads(answer(feed, document_of(round_)))["bets"]
        values = [
            (name, value)
            for bet in result.values()
            for step in bet["explanation"]
            for name, value in step["values"].items()
        ]

        assert result["mega_fire_blaze-1"]["explanation"][-1]["chips"] == "1.00"
        for typed in (
            ("cards", ["TH", "9C"]),
            ("total", {"points": 19, "soft": False}),
            ("hand", {"hand": 0}),
            ("placed", "2026-11-21T10:00:15.001Z"),
            ("level", {"level": "major"}),
            ("cells", [2, 1, 1, 1, 1, 1, 5]),
            ("factor", {"won": 12, "staked": 1}),
        ):
            assert typed in values

    def test_that_is_held_names_its_anomalies(self, feed: Path) -> None:
        """Player drew on a natural: no bet is explained."""
        held = dealt(f"{NATURAL} P:2C", side("player"), rules=BACCARAT)

        explained = json.loads(answer(feed, document_of(held)))

        assert explained["bets"] == {}
        assert explained["explanation"] == [
            {
                "text": "A card was dealt that no rule or play requires.",
                "anomaly": "extra-card",
            }
        ]

    def test_that_is_held_for_another_payout_has_both(self, feed: Path) -> None:
        """The studio reported 19.99."""
        explained = json.loads(answer(feed, coup(side("player", reported_cents=1999))))

        assert [result["anomaly"] for result in explained["explanation"]] == ["payout-differs"]
        assert explained["bets"]["player-None"]["explanation"][-1]["text"] == (
            "The studio reported €19.99 for this bet; under the rules it is €20.00."
        )

    def test_that_is_rejected_has_no_explanation(self, feed: Path) -> None:
        """The exit status is 1."""
        feed.write_text("{}\n")
        out = io.StringIO()

        with pytest.raises(CommandError) as failure:
            call_command("replay", str(feed), "--explain", stdout=out)

        assert failure.value.returncode == 1
        assert json.loads(out.getvalue())["status"] == "rejected"


LETTER = """\
Round #10:00:00 of 21 November 2026, Blackjack, table t-1. The code is the time in GMT
at which betting opened (11:00:00 in Rome). All times below are Rome time.

Bet main-1 (Main) of p-1, participation N1

You staked €0.05 on the hand of box 1. The first two cards of box 1 were A♥ K♦: a
blackjack. The dealer had 9♠ face up and 8♠ face down: 17. On 17 the dealer takes no
further card.

The hand is a blackjack and the dealer has none: it wins, regardless of the dealer's
further cards (rules of the game, “Vincite”). €0.05 at odds of 3:2 wins €0.08. The exact
amount is €0.075. Winnings are rounded to the nearest cent, and half a cent is rounded
up, in your favour. The stake of €0.05 is also returned.

The total credited for this bet is therefore €0.13.
"""


class TestALetter:
    """``--letter``: a letter to the customer."""

    def test_has_the_round_the_bet_and_every_step(self, feed: Path) -> None:
        """0.05 at 3:2 is 7.5 cents, so 0.08 and the stake."""
        round_ = dealt("1:AH D:9S 1:KD D:8S", bet(stake=5), rules=BLACKJACK)

        assert answer(feed, document_of(round_), form="--letter") == LETTER

    def test_ends_with_what_was_credited(self, feed: Path) -> None:
        """Also for lost and void bets."""
        late = side("player", id="late", placed_at=CLOSED_AT + 1)

        written = answer(feed, coup(side("banker"), late), form="--letter")

        assert "Therefore nothing was credited for this bet." in written
        assert "at 11:00:15, so it was not\nvalid. The stake" in written
        assert "Therefore €10.00 was returned to you." in written

    def test_is_italian_on_request(self, feed: Path) -> None:
        """Months are written small, the heading in chevrons."""
        written = answer(feed, coup(side("player")), form="--letter", language="it")

        assert "del 21 novembre 2026, Live Baccarat, tavolo t-1." in written
        assert "(regolamento del gioco, «Regole del baccarat»)." in " ".join(written.split())

    def test_of_a_held_round_asks_for_patience(self, feed: Path) -> None:
        """With what is being checked."""
        held = dealt(f"{NATURAL} P:2C", side("player"), rules=BACCARAT)

        written = answer(feed, document_of(held), form="--letter")

        assert "This round is being checked. No money moves until the check is complete." in written
        assert "Bet player-None" not in written

    def test_of_a_rejected_line_names_the_field(self, feed: Path) -> None:
        """With the field."""
        feed.write_text("[]\n")
        out = io.StringIO()

        with pytest.raises(CommandError):
            call_command("replay", str(feed), "--letter", stdout=out)

        assert out.getvalue().startswith("This line could not be read: ")
