"""Return of insurance for a player who knows only the dealer's Ace."""

from collections import Counter
from fractions import Fraction

from compliance.certification.returns.exact_returns import BetReturn, bet_return, payout_of
from rounds.rules.blackjack.bets import INSURANCE
from rounds.rules.blackjack.dealer import draw_by_rule
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.reasons import INSURANCE_LOST, INSURANCE_WON
from rounds.rules.blackjack.totals import ACE, VALUES


def insurance_return(rules: str, game: BlackjackGame) -> BetReturn:
    """The return of insurance per unit staked. [BJ], [MFB], [QB], [ZAP] Assicurazione.

    Cards of the boxes are unknown here; the sheets declare this figure.
    """
    unseen = Counter(dict.fromkeys(range(1, 11), 0))
    for value in VALUES.values():
        unseen[value] += game.decks
    unseen[ACE] -= 1  # it is up
    holes = {INSURANCE_WON: 0, INSURANCE_LOST: 0}
    for value, cards in unseen.items():
        has_blackjack = draw_by_rule(game, (ACE, value)).has_blackjack
        holes[INSURANCE_WON if has_blackjack else INSURANCE_LOST] += cards
    chances = {name: Fraction(cards, unseen.total()) for name, cards in holes.items()}
    return bet_return(rules, INSURANCE, chances, {INSURANCE_WON: payout_of(game.insurance_pays)})
