"""Interpretations of [QB] Quantum Blackjack+."""

from typing import Final

from rounds.rules.ambiguities.ambiguity import Ambiguity, Place, Reading
from rounds.rules.citation import gettext_noop

QUANTUM: Final = (
    Ambiguity(
        key="soft-seventeen",
        places=(Place("QB", "Regole di gioco"),),
        title=gettext_noop("The dealer's soft 17"),
        question=gettext_noop(
            "One paragraph has the dealer stand on every 17, including soft ones; the next has the"
            " dealer draw on a soft 17."
        ),
        readings=(
            Reading(
                gettext_noop("The dealer draws"),
                gettext_noop("The game without multiplier cards returns 84.26 percent."),
            ),
            Reading(
                gettext_noop("The dealer stands"),
                gettext_noop(
                    "The game without multiplier cards returns 84.57 percent. A dealer drawing on a"
                    " soft 17 would hold the round."
                ),
            ),
        ),
        why=gettext_noop(
            "The paragraph on drawing is the specific one: it defines the soft 17 and how it"
            " appears on the screen."
        ),
    ),
    Ambiguity(
        key="looks-under-a-ten",
        places=(
            Place("QB", "Regole di gioco"),
            Place("QB", "Raddoppia"),
        ),
        title=gettext_noop("A dealer blackjack with a ten face up"),
        question=gettext_noop(
            "With a ten face up and an Ace in the hole, the dealer reveals it and ends the round."
            " Another clause returns doubles in this same case, in which doubling was not possible."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "The dealer peeks and the round ends. If the feed contains plays, doubles are"
                    " returned and splits are lost"
                ),
                gettext_noop("The same applies under an Ace, after insurance."),
            ),
            Reading(
                gettext_noop("The dealer does not peek"),
                gettext_noop("This contradicts the sheet."),
            ),
            Reading(
                gettext_noop("Such plays are not allowed"),
                gettext_noop(
                    "The clause on doubles would never apply and the round would be held."
                ),
            ),
        ),
        why=gettext_noop(
            "Both passages apply. Splits are interpreted as in [MFB], which has the same supplier."
            " Detail 28 of the feed contract agrees."
        ),
    ),
    Ambiguity(
        key="multiplier-sum",
        places=(Place("QB", "Carte moltiplicatrici"),),
        title=gettext_noop("Several multiplier cards in one hand"),
        question=gettext_noop(
            "Two sentences differ by one word: matching cards are added up, equal cards count once."
            " The example, 9H 9H 6S with 5 on both, totals 24 and could not win."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "Different multiplier cards are added up; each counts once, regardless of the"
                    " number of copies"
                ),
                gettext_noop("The example counts 5 + 5 = 10."),
            ),
            Reading(
                gettext_noop("Every copy counts"),
                gettext_noop("The example would count 15."),
            ),
            Reading(
                gettext_noop("Multipliers are multiplied"),
                gettext_noop("The example would count 25."),
            ),
        ),
        why=gettext_noop("Only this matches both sentences and the sum in the example."),
    ),
    Ambiguity(
        key="multiplied-payout",
        places=(
            Place("QB", "Carte moltiplicatrici"),
            Place("QB", "Blackjack"),
            Place("QB", "Ritorno al giocatore"),
        ),
        title=gettext_noop("Payout of a multiplied win"),
        question=gettext_noop(
            "The stake is not returned if a multiplier card wins. The formula does not state"
            " whether odds and multiplier both apply to the stake."
        ),
        readings=(
            Reading(
                gettext_noop("Stake times odds times multiplier, and nothing else"),
                gettext_noop(
                    "10.00 with a 5: 50.00; as a blackjack 75.00. A blackjack with 2.5 pays 37.50."
                ),
            ),
            Reading(
                gettext_noop("The multiplied winnings and the stake"),
                gettext_noop("10.00 with a 5 would pay 60.00."),
            ),
        ),
        why=gettext_noop(
            "The example on the sheet multiplies the stake, and the sheet says twice that the stake"
            " is not returned."
        ),
    ),
    Ambiguity(
        key="multiplied-double",
        places=(Place("QB", "Raddoppio"),),
        title=gettext_noop("The multiplied stake after a double"),
        question=gettext_noop(
            "The winnings of the main bet are multiplied; otherwise the usual doubling rules apply."
            " The sheet does not state whether the raise is multiplied too."
        ),
        readings=(
            Reading(
                gettext_noop("The whole doubled stake"),
                gettext_noop("10.00 doubled with a 3: 60.00."),
            ),
            Reading(
                gettext_noop("The initial stake only"),
                gettext_noop("The same hand would pay 30.00, and 20.00 for the raise: 50.00."),
            ),
        ),
        why=gettext_noop("A double raises the main bet, and the main bet is multiplied."),
    ),
    Ambiguity(
        key="three-card-bust",
        places=(Place("QB", "Push e mani sballate"),),
        title=gettext_noop("The dealer busts with three cards"),
        question=gettext_noop(
            "Remaining hands then push; those with a winning multiplier card or a blackjack win."
            " The sheet does not define a winning multiplier card."
        ),
        readings=(
            Reading(
                gettext_noop("Any multiplier card in a remaining hand"),
                gettext_noop("The hand wins as usual, multiplied."),
            ),
            Reading(
                gettext_noop("Only in a hand that would have won without the bust"),
                gettext_noop("No such hand exists, because the dealer has no total to beat."),
            ),
        ),
        why=gettext_noop(
            "A remaining hand wins against a bust dealer, and its multiplier card with it."
        ),
    ),
    Ambiguity(
        key="lost-pay-tables",
        places=(
            Place("QB", "Tabella dei pagamenti"),
            Place("QB", "Coppie"),
        ),
        title=gettext_noop("The missing images of the pay tables"),
        question=gettext_noop(
            "The odds of the side bets and the definitions of the pairs were images that are"
            " missing."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "The tables of the other sheets: pairs 25, 12, 6; three cards 100, 40, 30, 10,"
                    " 5"
                ),
                gettext_noop("With six decks they return 93.89 and 95.38 percent."),
            ),
            Reading(
                gettext_noop("No odds, no side bets"),
                gettext_noop("Every round with a side bet would be rejected."),
            ),
        ),
        why=gettext_noop("They give both declared returns exactly, 93.89 and 95.38 percent."),
    ),
    Ambiguity(
        key="quantum-boxes",
        places=(Place("QB", "Regole di gioco"),),
        title=gettext_noop("Number of boxes of the table"),
        question=gettext_noop(
            "The sheet mentions all betting positions without a number. It does not state whether a"
            " position without a bet is dealt."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "Seven, dealt if there is a main bet, shared by any number of players"
                ),
                gettext_noop("Cards on a box without a main bet hold the round."),
            ),
            Reading(
                gettext_noop("Two, always dealt, as in [MFB]"),
                gettext_noop("Feeds with a third box would be rejected."),
            ),
        ),
        why=gettext_noop(
            "The feed contract defines boxes 1 to 7, and boxes that are always dealt for [MFB] only"
            " (detail 19)."
        ),
    ),
    Ambiguity(
        key="multiplier-frequencies-unknown",
        places=(
            Place("QB", "Ritorno al giocatore"),
            Place("QB", "Carte moltiplicatrici"),
        ),
        title=gettext_noop("The declared return of 99.57 percent for the main game"),
        question=gettext_noop(
            "The sheet lists the multipliers, but not their frequencies, nor how often there are"
            " three or five cards."
        ),
        readings=(
            Reading(
                gettext_noop("The return cannot be computed from the sheet"),
                gettext_noop(
                    "The game without them returns 84.26 percent; they must add 15.31 points."
                ),
            ),
            Reading(
                gettext_noop("All are equally frequent"),
                gettext_noop("A certificate would contain an assumed figure."),
            ),
        ),
        why=gettext_noop(
            "A certificate states only computed figures. No payout depends on this, because the"
            " cards of the round are in the feed."
        ),
    ),
)
