"""Hands finished off line, dealt again by the naive dealer (contract, detail 42)."""

from collections import Counter

from tests.rounds.properties.naive_blackjack import Deal
from tests.rounds.properties.naive_voids import is_void, moment
from tests.rounds.properties.simulated import Document, cents, raise_of

FINISHES: tuple[str, ...] = ("mega-fire-blaze-blackjack/1", "quantum-blackjack/1")


class OwnDeal(Deal):
    """One player's hands: the live cards seen before the disconnect, then the own cards."""

    def __init__(self, document: Document, entry: Document, *, in_use: set[str]) -> None:
        """``in_use`` are the boxes of the table on which somebody plays."""
        player = entry["player"]
        bets = [bet for bet in document["bets"] if bet["player"] == player]
        bets = [bet for bet in bets if bet["kind"] == "main" and not is_void(document, bet)]
        used = {"D"}
        for bet in bets:
            letters = ["", *("ab" * ("P" in bet.get("play", "")))]
            used |= {f"{bet['box']}{letter}" for letter in letters}
        seen = document["cards"][: entry["cards_seen"]]
        lies = [pair for pair in seen + entry["cards"] if pair[0] in used]
        super().__init__(document | {"cards": lies, "bets": bets})
        self.house = self.house._replace(always=())
        self.own = Counter(place for place, _ in entry["cards"])
        self.seen = Counter(place for place, _ in seen)
        self.others = in_use - {str(bet["box"]) for bet in bets}

    def check_that_nothing_is_left(self) -> None:
        """The dealer's and the player's own cards were all taken; others need no reason."""
        self.require(self.piles["D"].taken == len(self.piles["D"].cards))
        for place in self.own:
            if place[0] in self.others or place == "D":
                continue
            pile = self.piles.get(place)
            self.require(pile is not None and pile.taken == len(pile.cards))


def pay_all(document: Document) -> dict[str, int]:
    """The payout of every main bet, in cents. Raises Anomalous for an illegal round."""
    closed_at = moment(document["closed_at"])
    mains = [bet for bet in document["bets"] if not is_void(document, bet)]
    finishing = {
        entry["player"]: entry
        for entry in document.get("disconnects", [])
        if document["rules"] in FINISHES and entry.get("cards")
        if moment(entry["at"]) >= closed_at
        if any(bet["player"] == entry["player"] for bet in mains)
    }
    live = Deal(document, away=frozenset(finishing))
    live.play_out()
    in_use = {str(box) for box in live.house.always} | {str(bet["box"]) for bet in mains}
    deals = {player: OwnDeal(document, entry, in_use=in_use) for player, entry in finishing.items()}
    for own in deals.values():
        own.play()
        for place, pile in own.piles.items():
            if place != "D" and place in live.piles:
                explained = min(pile.taken, own.seen[place])
                live.piles[place].taken = max(live.piles[place].taken, explained)
    live.check_that_nothing_is_left()
    return {
        bet["id"]: cents(bet["stake"]) + raise_of(bet)
        if is_void(document, bet)
        else deals.get(bet["player"], live).pay(bet)
        for bet in document["bets"]
    }
