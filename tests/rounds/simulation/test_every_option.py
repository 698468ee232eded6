"""Simulated customers use every option of the sheets, so that the proofs cover all of them.

Hands of ten and of thirteen cards, which shuffled shoes practically never deal, come from shoes
with the low cards on top.
"""

from collections.abc import Iterator
from functools import cache
from typing import Final

import pytest

from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.games import mega_fire_blaze, zappit
from rounds.rules.cards import CARDS
from rounds.rules.catalogue import rule_set
from rounds.rules.facts import Bet, Disconnect, Round
from rounds.rules.rule_set import RuleSet
from rounds.rules.verdict import Grade, Verdict
from rounds.simulation.blackjack_rounds.play_round import play_round
from rounds.simulation.casino import Order, simulated_items
from rounds.simulation.chance import generator, shuffle
from rounds.simulation.customers import Customer, Habit
from rounds.simulation.dealing import Style
from rounds.simulation.games import GAMES
from rounds.simulation.recording import Recorder
from rounds.simulation.round_in_play import RoundInPlay, Wager
from rounds.simulation.shoe import ShuffledShoe

START: Final = 1_793_491_200_000  # 2026-11-01T00:00:00Z
ROUNDS: Final = 4_000

HANDS: Final = {
    *("hit", "stand", "double", "split", "split and stood", "both halves hit", "split Aces"),
    *("bust", "blackjack", "win", "push", "lose", "push-of-blackjacks", "lose-to-blackjack"),
    *("insurance", "insurance-won", "insurance-lost", "insurance of an odd stake"),
    *(
        "blackjack under an Ace",
        "blackjack under a ten",
        "dealer of five cards",
        "void-out-of-time",
    ),
    *("left after closing", "reported", "several boxes of one player"),
}
"""What all four of the family have."""
PAIRS: Final = {"perfect-pair", "coloured-pair", "mixed-pair", "no-pair"}
THREE: Final = {"straight-flush", "trips", "straight", "flush", "no-combination"}
SHARED: Final = {
    *("shared box", "played differently on a shared box", "double after a split"),
    *("both halves doubled", "golden main", "golden side bet", "golden split", "golden double"),
    *("golden-chip", "void-with-main-bet", "void-disconnected", "left before closing"),
    *("ended off line", "doubled off line", "insured off line", "golden off line"),
    *("dealer drew off line", "hole card off line", "several boxes off line"),
}
"""What tables have whose boxes are shared and whose hands are ended off line."""
OPTIONS: Final = {
    "blackjack": HANDS
    | PAIRS
    | THREE
    | {
        *("behind, following", "behind, not following", "behind, raised", "insured behind"),
        *("side bet behind", "void-without-owner", "void-on-own-box", "void-with-main-bet"),
        *("void-disconnected", "left before closing"),
    },
    "mega-fire-blaze": HANDS
    | PAIRS
    | THREE
    | SHARED
    | {
        *("double-returned", "bonus-won", "bonus-not-reached", "golden mega_fire_blaze"),
        *("minor", "mini", "major", "grand", "mega", "boost", "star"),
        *("bonus for nobody", "points but no bonus", "dealer_pair", "player_pair", "21+3"),
    },
    "quantum": HANDS
    | PAIRS
    | THREE
    | SHARED
    | {
        *("multiplied-win", "multiplied-blackjack", "push-on-bust", "3 multipliers"),
        *("5 multipliers", "x2.5", "x3", "x5", "x10"),
    },
    "baccarat": {
        *("player", "banker", "tie", "player_pair", "banker_pair", "either_pair", "perfect_pair"),
        *("big", "small", "push-on-tie", "lost", "side-bet-lost", "4 cards", "5 cards", "6 cards"),
        *("void-out-of-time", "void-disconnected", "left before closing", "left after closing"),
        "reported",
    },
    "zappit": HANDS
    | {
        *("zap", "zap and double", "zap and hit", "double after a split", "both halves doubled"),
        "push-on-bust",
    },
}


def options_of_play(play: str) -> Iterator[str]:
    """What a play shows."""
    own, split, rest = play.partition("P")
    first, _, second = rest.partition(",")
    yield from ({"H": "hit", "S": "stand", "D": "double", "Z": "zap"}[letter] for letter in own)
    if own.startswith("Z"):
        yield from ("zap and double" for _ in own[1:2] if own[1] == "D")
        yield from ("zap and hit" for _ in own[1:2] if own[1] == "H")
    if not split:
        return
    yield "split"
    doubled, hit = (sum(letter in half for half in (first, second)) for letter in "DH")
    yield from ["double after a split"] * (doubled > 0) + ["both halves doubled"] * (doubled > 1)
    yield from ["both halves hit"] * (hit > 1) + ["split and stood"] * (not first and not second)


def options_of_bet(dealt: Round, bet: Bet, grade: Grade) -> Iterator[str]:
    """What a bet and its grade show."""
    yield bet.kind
    yield from grade.reasons
    yield from options_of_play(bet.play)
    if bet.reported_cents is not None:
        yield "reported"
    if "P" in bet.play and all(card[0] == "A" for card in opening(dealt, bet)):
        yield "split Aces"
    if bet.golden:
        yield f"golden {bet.kind}"
        yield from ["golden side bet"] * (bet.kind != "main")
        yield from ["golden split"] * ("P" in bet.play) + ["golden double"] * ("D" in bet.play)
    if bet.behind and bet.kind == "main":
        yield "behind, following" if bet.follows else "behind, not following"
        yield from ["behind, raised"] * (bet.raised_cents > 0)
    elif bet.behind:
        yield "insured behind" if bet.kind == "insurance" else "side bet behind"
    if bet.kind == "insurance" and main_of(dealt, bet).stake_cents % 2:
        yield "insurance of an odd stake"


def opening(dealt: Round, bet: Bet) -> list[str]:
    """The first two cards of a bet's box."""
    return [card for place, card in dealt.cards if place == f"{bet.box}"][:2]


def main_of(dealt: Round, insurance: Bet) -> Bet:
    """The main bet that an insurance insures."""
    seat = insurance.player, insurance.box, "main"
    return next(bet for bet in dealt.bets if (bet.player, bet.box, bet.kind) == seat)


def options_of_disconnect(dealt: Round, entry: Disconnect) -> Iterator[str]:
    """What a lost connection shows."""
    yield "left before closing" if entry.at < dealt.closed_at else "left after closing"
    own = [bet for bet in dealt.bets if bet.player == entry.player]
    if not entry.cards or entry.cards_seen is None:
        return
    yield "ended off line"
    dealers = [place for place, _ in dealt.cards[: entry.cards_seen] + entry.cards].count("D")
    live = [place for place, _ in dealt.cards[: entry.cards_seen]].count("D")
    yield from ["hole card off line"] * (live == 1)
    yield from ["dealer drew off line"] * (dealers > max(live, 2))
    yield from ["doubled off line"] * any("D" in bet.play for bet in own)
    yield from ["insured off line"] * any(bet.kind == "insurance" for bet in own)
    yield from ["golden off line"] * any(bet.golden and bet.kind == "main" for bet in own)
    yield from ["several boxes off line"] * (len({bet.box for bet in own}) > 1)


def options_of_round(dealt: Round, verdict: Verdict) -> Iterator[str]:
    """What a whole round shows."""
    for bet, grade in zip(dealt.bets, verdict.grades, strict=True):
        yield from options_of_bet(dealt, bet, grade)
    for entry in dealt.disconnects:
        yield from options_of_disconnect(dealt, entry)
    dealer = [card for place, card in dealt.cards if place == "D"]
    if sorted(card[0] in "TJQK" for card in dealer[:2]) == [False, True]:
        under = {"A": "blackjack under an Ace"}.get(dealer[0][0], "blackjack under a ten")
        yield from [under] * any(card[0] == "A" for card in dealer[:2])
    yield from ["dealer of five cards"] * (len(dealer) == 5)
    seats = [(bet.box, bet.play) for bet in dealt.bets if bet.kind == "main" and not bet.behind]
    boxes = [box for box, _ in seats]
    yield from ["shared box"] * (len(set(boxes)) < len(boxes))
    yield from ["played differently on a shared box"] * (len(set(seats)) > len(set(boxes)))
    players = [bet.player for bet in dealt.bets if bet.kind == "main" and not bet.behind]
    yield from ["several boxes of one player"] * (len(set(players)) < len(players))
    yield f"{len(dealt.cards)} cards"
    yield from options_of_extras(dealt, verdict)


def options_of_extras(dealt: Round, verdict: Verdict) -> Iterator[str]:
    """Multiplier cards and the bonus."""
    if dealt.multipliers is not None:
        yield f"{len(dealt.multipliers)} multipliers"
        yield from (f"x{value}" for _, value in dealt.multipliers)
    if dealt.bonus is not None:
        yield dealt.bonus.level
        yield from (kind for _, kind, _ in dealt.bonus.specials)
        bet_on = any(bet.kind == "mega_fire_blaze" for bet in dealt.bets)
        yield from ["bonus for nobody"] * (not bet_on)
    elif verdict.bonus is not None and verdict.bonus.level is not None:
        yield "points but no bonus"


@cache
def options_seen(game: str) -> frozenset[str]:
    """Everything that occurs in four thousand rounds of a game at five tables."""
    order = Order([game], rounds=ROUNDS, seed="options", start=START, tables=5)
    seen: set[str] = set()
    for item in simulated_items(order):
        dealt = item.payload
        if isinstance(dealt, Round):
            seen.update(options_of_round(dealt, rule_set(dealt.rules).judge(dealt, None)))
    return frozenset(seen)


@pytest.mark.parametrize("game", GAMES)
class TestTwentyThousandRounds:
    """Four thousand legal rounds of each game."""

    @pytest.mark.slow
    def test_have_every_option_of_the_sheet(self, game: str) -> None:
        """And every feature of plays, bets and disconnects in the feed."""
        assert OPTIONS[game] - options_seen(game) == set()


DARING: Final = Habit((1_000,), (100,), 0.0, 0.0, 1.0, 0.0, follows=True)
"""Somebody who never plays by the chart, so that he hits on as often as he stands."""
TRIES: Final = 60_000


class LowCardsFirst(ShuffledShoe):
    """A shoe that deals its Aces and the threes of one suit first.

    Threes carry a hand past a soft 21, on which it would have to stand.
    """

    def __init__(self, *, decks: int, number: int) -> None:
        rng = generator("low cards", number)
        super().__init__(decks=decks, rng=rng)
        low = [card for card in CARDS if card[0] == "A" or card == "3S"] * decks
        high = [card for card in CARDS if card[0] != "A" and card != "3S"] * decks
        shuffle(rng, low)
        shuffle(rng, high)
        self._cards[:] = high + low


def long_hand(rules: RuleSet, game: BlackjackGame, *, most: int) -> Round:
    """The first round of such players in which a hand has so many cards without a bust."""
    for number in range(TRIES):
        shoe = LowCardsFirst(decks=game.decks, number=number)
        rng = generator("daring", number)
        played = RoundInPlay(rng=rng, shoe=shoe, opened_at=START, closed_at=START + 15_000)
        daring = Customer(1, "p-1", DARING)
        played.wagers = [
            Wager(customer=daring, kind="main", stake_cents=1_000, placed_at=START, box=1)
        ]
        play_round(played, rules=game, style=Style(0.0, 0.5, 0.0))
        if any(hand_size(played, place) >= most for place in ("1", "1a", "1b", "1z")):
            recorder = Recorder(code="t-1", table=1, rules=rules.name)
            return recorder.record(played, shoe="s-1" if rules.uses_shoe else None, known=None)
    raise AssertionError


def hand_size(played: RoundInPlay, place: str) -> int:
    """The number of cards of a hand, including the card of a split."""
    return [at for at, _ in played.cards].count(place) + (place[-1] in "ab")


class TestAHandOfManyCards:
    """[MFB] Charlie 10 Carte; [ZAP] Regole: thirteen cards stand."""

    @pytest.mark.slow
    def test_of_ten_is_played_to_a_charlie(self) -> None:
        """And settled as one."""
        dealt = long_hand(
            mega_fire_blaze.MEGA_FIRE_BLAZE_BLACKJACK_1, mega_fire_blaze.GAME, most=10
        )

        verdict = rule_set(dealt.rules).judge(dealt._replace(drawn=0), None)

        assert verdict.anomalies == ()
        assert "charlie" in verdict.grades[0].reasons

    @pytest.mark.slow
    def test_of_thirteen_stands_at_zappit(self) -> None:
        """No fourteenth card follows, and the round is legal."""
        dealt = long_hand(zappit.ZAPPIT_BLACKJACK_1, zappit.GAME, most=13)

        verdict = rule_set(dealt.rules).judge(dealt, None)

        assert verdict.anomalies == ()
        assert max([place for place, _ in dealt.cards].count(hand) for hand in ("1", "1z")) <= 13
