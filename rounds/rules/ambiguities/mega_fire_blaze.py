"""Interpretations of [MFB] Mega Fire Blaze Blackjack: hands."""

from typing import Final

from rounds.rules.ambiguities.ambiguity import Ambiguity, Place, Reading
from rounds.rules.citation import gettext_noop

MEGA_FIRE_BLAZE: Final = (
    Ambiguity(
        key="dealing-style",
        places=(
            Place("MFB", "Assicurazione"),
            Place("MFB", "Funzionamento del gioco"),
        ),
        title=gettext_noop("American or European dealing"),
        question=gettext_noop(
            "The section on insurance explains both styles and does not state which one this table"
            " uses. The course of the game deals the dealer's second card face down immediately."
        ),
        readings=(
            Reading(
                gettext_noop("American: hole card dealt immediately, with a peek under an Ace"),
                gettext_noop(
                    "With an Ace face up and a dealer blackjack, the round ends before the plays."
                ),
            ),
            Reading(
                gettext_noop("European: second card dealt after the plays"),
                gettext_noop(
                    "The dealer's second card would come last, and every round would be held."
                ),
            ),
        ),
        why=gettext_noop(
            "The course of the game is the specific passage, and it lists all six cards."
        ),
    ),
    Ambiguity(
        key="double-against-ace",
        places=(
            Place("MFB", "Raddoppia"),
            Place("MFB", "Assicurazione"),
        ),
        title=gettext_noop("Doubling against an Ace"),
        question=gettext_noop(
            "One passage says that a customer who doubles against an Ace loses both bets to a"
            " blackjack. With American dealing the round ends before a double is possible."
        ),
        readings=(
            Reading(
                gettext_noop("The sentence applies to any such plays in the feed"),
                gettext_noop("They lose everything staked on them, and the round is settled."),
            ),
            Reading(
                gettext_noop("Such plays are not allowed"),
                gettext_noop("The round would be held, and the sentence would never apply."),
            ),
        ),
        why=gettext_noop("A printed sentence is applied where possible."),
    ),
    Ambiguity(
        key="split-lost-double-returned",
        places=(Place("MFB", "Raddoppia"),),
        title=gettext_noop("Raises against a dealer blackjack with a ten face up"),
        question=gettext_noop(
            "The double is returned. The sheet does not mention the second stake of a split."
        ),
        readings=(
            Reading(
                gettext_noop("The raise of a double is returned, that of a split is lost"),
                gettext_noop("The game returns 99.55 percent."),
            ),
            Reading(
                gettext_noop("Both are returned"),
                gettext_noop("The return would be higher than declared."),
            ),
        ),
        why=gettext_noop(
            "This interpretation gives exactly the declared 99.55 percent, per unit staked."
        ),
    ),
    Ambiguity(
        key="return-per-unit-staked",
        places=(Place("MFB", "Ritorno al giocatore e tabelle dei pagamenti"),),
        title=gettext_noop("Base of the declared 99.55 percent"),
        question=gettext_noop(
            "The sheet declares a return of the main game. It does not state whether the base"
            " includes raises."
        ),
        readings=(
            Reading(
                gettext_noop("Per unit staked, including raises"),
                gettext_noop("99.5500 percent with optimal play."),
            ),
            Reading(
                gettext_noop("Per unit of the initial stake"),
                gettext_noop("99.4928 percent with optimal play."),
            ),
        ),
        why=gettext_noop("Only the first gives the declared return. No payout depends on it."),
    ),
    Ambiguity(
        key="blackjack-of-ten",
        places=(Place("MFB", "Regole di gioco del Blackjack"),),
        title=gettext_noop("Whether an Ace and a ten are a blackjack"),
        question=gettext_noop(
            "The sheet first describes blackjack as an Ace with a picture card, two paragraphs"
            " later as an Ace with any ten-value card."
        ),
        readings=(
            Reading(
                gettext_noop("Any ten-value card"),
                gettext_noop("An Ace and a ten pay 3:2."),
            ),
            Reading(
                gettext_noop("Picture cards only"),
                gettext_noop("An Ace and a ten would be an ordinary 21 and pay 1:1."),
            ),
        ),
        why=gettext_noop(
            "The second passage is about payouts, and the declared return requires it."
        ),
    ),
    Ambiguity(
        key="insurance-of-all-boxes",
        places=(Place("MFB", "Assicurazione"),),
        title=gettext_noop("Insurance of several boxes"),
        question=gettext_noop(
            "The sheet says that with several players, insurance applies to all boxes in use except"
            " those with golden chips. This could mean a single decision for all boxes."
        ),
        readings=(
            Reading(
                gettext_noop("It is offered on every box; each box is insured by its own bet"),
                gettext_noop("The feed lists the purchased insurances box by box."),
            ),
            Reading(
                gettext_noop("Insuring one box insures all boxes of the customer"),
                gettext_noop("A customer on two boxes with one insurance would hold the round."),
            ),
        ),
        why=gettext_noop(
            "Insurance is a bet, and only a customer can place it. The feed contains each insurance"
            " with its own amount."
        ),
    ),
    Ambiguity(
        key="charlie-pays",
        places=(Place("MFB", "Charlie 10 Carte"),),
        title=gettext_noop("Payout of ten cards, and against which hands"),
        question=gettext_noop(
            "Ten cards without a bust win unless the dealer has a blackjack. The sheet prints"
            " neither the odds nor the outcome against a blackjack."
        ),
        readings=(
            Reading(
                gettext_noop("1:1; lost against a blackjack"),
                gettext_noop("It beats every other hand of the dealer, including 21."),
            ),
            Reading(
                gettext_noop("3:2, as the best hand"),
                gettext_noop("The pay table gives 3:2 to blackjack only."),
            ),
        ),
        why=gettext_noop("It is a winning hand, and the table pays winning hands 1:1."),
    ),
    Ambiguity(
        key="charlie-after-split",
        places=(Place("MFB", "Charlie 10 Carte"),),
        title=gettext_noop("Ten cards in a split hand"),
        question=gettext_noop(
            "The passage mentions ten cards requested by a player. It does not state whether this"
            " includes split hands and the first two cards, or whether an eleventh card can be"
            " requested."
        ),
        readings=(
            Reading(
                gettext_noop("Ten cards in the hand, split or not; the hand then stands"),
                gettext_noop("A further decision holds the round."),
            ),
            Reading(
                gettext_noop("Ten cards in addition to the first two"),
                gettext_noop("Twelve cards below 21 would almost never occur."),
            ),
        ),
        why=gettext_noop(
            "The heading mentions a hand of ten cards. The feed contract (detail 26) treats split"
            " hands the same."
        ),
    ),
    Ambiguity(
        key="pairs-of-box-and-dealer",
        places=(
            Place("MFB", "Puntate collaterali"),
            Place("MFB", "Ritorno al giocatore e tabelle dei pagamenti"),
        ),
        title=gettext_noop("Cards of the pair bets"),
        question=gettext_noop(
            "The table of side bets has one bet, with pairs of the player's and the dealer's cards"
            " together. The section on returns lists two bets, one for each."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "Two bets: the first two cards of the box, and the first two of the dealer"
                ),
                gettext_noop("Both pay 25:1, 12:1 and 6:1 and return 95.90 percent."),
            ),
            Reading(
                gettext_noop("One bet over all four cards"),
                gettext_noop(
                    "More cards make more pairs, and the return would differ from the declared one."
                ),
            ),
        ),
        why=gettext_noop(
            "The sheet declares one return for both bets, which this interpretation gives exactly."
            " The feed contains both bets."
        ),
    ),
)
