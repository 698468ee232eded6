"""The hands of [MFB] Mega Fire Blaze Blackjack, as they are read."""

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
            "Insurance is explained for both styles. Which of them this table uses is not said"
            " there; the course of the game deals the dealer's second card face down at once."
        ),
        readings=(
            Reading(
                gettext_noop("American: hole card at once, and a look under an Ace"),
                gettext_noop("With a blackjack under an Ace the round ends before the plays."),
            ),
            Reading(
                gettext_noop("European: the second card after the plays"),
                gettext_noop(
                    "The dealer's second card would follow all others, and every deal would be"
                    " held."
                ),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "The course of the game is the specific passage, and it names all six cards."
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
            "Who doubles against an Ace loses both bets to a blackjack, says one passage. Under"
            " American dealing the round has ended before anybody could double."
        ),
        readings=(
            Reading(
                gettext_noop("The sentence holds for plays that the feed contains all the same"),
                gettext_noop("They are lost with everything staked; the round settles."),
            ),
            Reading(
                gettext_noop("Such plays are illegal"),
                gettext_noop("The round would be held, and the sentence would never apply."),
            ),
        ),
        adopted=0,
        why=gettext_noop("A printed sentence is not thrown away when it can be kept."),
    ),
    Ambiguity(
        key="split-lost-double-returned",
        places=(Place("MFB", "Raddoppia"),),
        title=gettext_noop("Raises against a blackjack with a ten up"),
        question=gettext_noop(
            "The double goes back. Nothing is said of the second stake of a split."
        ),
        readings=(
            Reading(
                gettext_noop("The raise of a double goes back, that of a split is lost"),
                gettext_noop("The game returns 99.55 per cent."),
            ),
            Reading(
                gettext_noop("Both go back"),
                gettext_noop("The return would be higher than declared."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "This reading gives the declared 99.55 per cent exactly, per unit staked."
        ),
    ),
    Ambiguity(
        key="return-per-unit-staked",
        places=(Place("MFB", "Ritorno al giocatore e tabelle dei pagamenti"),),
        title=gettext_noop("What the declared 99.55 per cent refers to"),
        question=gettext_noop(
            "The sheet declares a return of the main game and not whether raises count in its base."
        ),
        readings=(
            Reading(
                gettext_noop("Per unit staked, raises included"),
                gettext_noop("99.5500 per cent with best play."),
            ),
            Reading(
                gettext_noop("Per unit of the initial stake"),
                gettext_noop("99.4928 per cent with best play."),
            ),
        ),
        adopted=0,
        why=gettext_noop("Only the first gives the declared figure. No payout depends on it."),
    ),
    Ambiguity(
        key="blackjack-of-ten",
        places=(Place("MFB", "Regole di gioco del Blackjack"),),
        title=gettext_noop("Whether an Ace and a ten are a blackjack"),
        question=gettext_noop(
            "Blackjack is first described as an Ace with a picture, two paragraphs later as an Ace"
            " with any card worth ten."
        ),
        readings=(
            Reading(
                gettext_noop("Any card worth ten"),
                gettext_noop("Ace and ten pay 3:2."),
            ),
            Reading(
                gettext_noop("Pictures only"),
                gettext_noop("Ace and ten would be an ordinary 21 and pay 1:1."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "The second passage is the one that pays, and the declared return needs it."
        ),
    ),
    Ambiguity(
        key="insurance-of-all-boxes",
        places=(Place("MFB", "Assicurazione"),),
        title=gettext_noop("Insurance of several boxes"),
        question=gettext_noop(
            "Where several players sit, insurance is said to be applied to all boxes in use but"
            " golden ones. It can be read as one decision for all of them."
        ),
        readings=(
            Reading(
                gettext_noop("It is offered on every box; each is insured by its own bet"),
                gettext_noop("The feed lists what was bought, box by box."),
            ),
            Reading(
                gettext_noop("Who insures one box insures all of his"),
                gettext_noop("A customer on two boxes with one insurance would hold the round."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "An insurance is a bet, and nobody bets without having staked it; the feed carries"
            " each with its own amount."
        ),
    ),
    Ambiguity(
        key="charlie-pays",
        places=(Place("MFB", "Charlie 10 Carte"),),
        title=gettext_noop("What ten cards pay, and against whom"),
        question=gettext_noop(
            "Ten cards without a bust win unless the dealer has a blackjack. Neither the odds nor"
            " the hand's fate against the blackjack are printed."
        ),
        readings=(
            Reading(
                gettext_noop("1:1, and lost against a blackjack"),
                gettext_noop("It beats every other hand of the dealer, a 21 too."),
            ),
            Reading(
                gettext_noop("3:2, as the best of hands"),
                gettext_noop("The pay table gives 3:2 to blackjack alone."),
            ),
        ),
        adopted=0,
        why=gettext_noop("It is a winning hand, and the table pays winning hands 1:1."),
    ),
    Ambiguity(
        key="charlie-after-split",
        places=(Place("MFB", "Charlie 10 Carte"),),
        title=gettext_noop("Ten cards in a split hand"),
        question=gettext_noop(
            "The passage speaks of ten cards that a player asks for. Whether a split hand can"
            " reach it, whether the first two count, and whether an eleventh card may be asked for"
            " is not said."
        ),
        readings=(
            Reading(
                gettext_noop("Ten cards in the hand, split or not; then it stands"),
                gettext_noop("A further decision holds the round."),
            ),
            Reading(
                gettext_noop("Ten cards beyond the first two"),
                gettext_noop("Twelve cards under 21: it would almost never happen."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "The heading names a hand of ten cards; the feed contract (detail 26) counts the hands"
            " of a split alike."
        ),
    ),
    Ambiguity(
        key="pairs-of-box-and-dealer",
        places=(
            Place("MFB", "Puntate collaterali"),
            Place("MFB", "Ritorno al giocatore e tabelle dei pagamenti"),
        ),
        title=gettext_noop("Whose cards the pair bets look at"),
        question=gettext_noop(
            "The table of side bets has one bet and describes its pairs as made of the player's"
            " and the dealer's cards together; the section on returns names two bets, one for each."
        ),
        readings=(
            Reading(
                gettext_noop("Two bets: the box's first two cards, and the dealer's first two"),
                gettext_noop("Both pay 25:1, 12:1 and 6:1 and return 95.90 per cent."),
            ),
            Reading(
                gettext_noop("One bet over all four cards"),
                gettext_noop(
                    "More cards make more pairs; the return would not be the declared one."
                ),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "Both bets are named with one return, which this reading gives exactly; the feed knows"
            " both."
        ),
    ),
)
