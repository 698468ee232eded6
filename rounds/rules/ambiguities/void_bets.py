"""Interpretations of several sheets: void bets and disconnected players."""

from typing import Final

from rounds.rules.ambiguities.ambiguity import Ambiguity, Place, Reading
from rounds.rules.citation import gettext_noop

VOID_BETS: Final = (
    Ambiguity(
        key="betting-time-ends",
        places=(
            Place("BJ", "Puntare"),
            Place("MFB", "Funzionamento del gioco"),
            Place("QB", "Regole di gioco"),
            Place("BAC", "Per giocare:"),
            Place("ZAP", "Istruzioni di gioco"),
        ),
        title=gettext_noop("A bet at the limit of the betting time"),
        question=gettext_noop(
            "Bets are accepted for a limited time. The sheets do not state what happens to a bet"
            " outside it, or at its first or last millisecond."
        ),
        readings=(
            Reading(
                gettext_noop("Both limits are in time; a bet outside is void"),
                gettext_noop(
                    "A bet at the closing time counts; one a millisecond later is refunded. A"
                    " connection lost at that time was lost after closing."
                ),
            ),
            Reading(
                gettext_noop("The closing time is too late"),
                gettext_noop("A bet at the closing time is refunded."),
            ),
            Reading(
                gettext_noop("A late bet holds the round"),
                gettext_noop("The bet of one customer would stop the payouts of all others."),
            ),
        ),
        why=gettext_noop("The feed contract decides this (detail 15)."),
    ),
    Ambiguity(
        key="insurance-time",
        places=(
            Place("BJ", "Assicurazione"),
            Place("MFB", "Assicurazione"),
            Place("QB", "Assicurazione"),
            Place("ZAP", "Assicurazione"),
        ),
        title=gettext_noop("When insurance is in time"),
        question=gettext_noop(
            "Insurance is offered after the first two cards. The sheets do not define a period for"
            " it."
        ),
        readings=(
            Reading(
                gettext_noop("From the closing of betting to the end of the round"),
                gettext_noop("An insurance placed before the closing or after the end is void."),
            ),
            Reading(
                gettext_noop("Within the betting time, like any bet"),
                gettext_noop(
                    "No insurance could be in time, because no card is dealt before closing."
                ),
            ),
        ),
        why=gettext_noop(
            "The feed contract decides this (detail 16). The studio limits the time of the offer."
        ),
    ),
    Ambiguity(
        key="void-main-bet",
        places=(
            Place("BJ", "Puntate secondarie"),
            Place("MFB", "Puntate collaterali"),
            Place("QB", "Puntate collaterali"),
            Place("ZAP", "Assicurazione"),
        ),
        title=gettext_noop("Other bets if the main bet is void"),
        question=gettext_noop(
            "Side bets and insurance require a main bet. The sheets do not state whether they"
            " remain valid if that main bet is void."
        ),
        readings=(
            Reading(
                gettext_noop("They are void as well"),
                gettext_noop("Their stakes are refunded, and the round is settled."),
            ),
            Reading(
                gettext_noop("They are decided by the live cards"),
                gettext_noop("A side bet could win without a valid main bet."),
            ),
            Reading(
                gettext_noop("The round is held for the missing main bet"),
                gettext_noop("A void bet of one customer would stop the payouts of all."),
            ),
        ),
        why=gettext_noop(
            "The feed contract decides this (detail 17): they could not have been placed without"
            " the main bet."
        ),
    ),
    Ambiguity(
        key="void-bet-leaves-nothing",
        places=(
            Place("BJ", "Puntare"),
            Place("MFB", "Funzionamento del gioco"),
            Place("QB", "Regole di gioco"),
            Place("ZAP", "Istruzioni di gioco"),
        ),
        title=gettext_noop("Raise and cards of a void bet"),
        question=gettext_noop(
            "The sheets do not state what happens to the raise of a void main bet, to the cards"
            " that its hand drew, and to its box."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "Stake and raise are refunded, and the round is evaluated as if the bet had not"
                    " been placed"
                ),
                gettext_noop(
                    "A golden chip is returned as a chip. Cards that only the void hand explains"
                    " hold the round."
                ),
            ),
            Reading(
                gettext_noop("Only the stake is refunded"),
                gettext_noop("The customer would lose a raise on a void bet."),
            ),
        ),
        why=gettext_noop(
            "The feed contract decides this (details 18 and 19): a bet that did not take part"
            " cannot lose."
        ),
    ),
    Ambiguity(
        key="gone-before-closing",
        places=(
            Place("MFB", "Assicurazione"),
            Place("QB", "Nota sulle disconnessioni"),
            Place("BAC", "Per giocare:"),
            Place("ZAP", "Istruzioni di gioco"),
        ),
        title=gettext_noop("Connection lost before betting closes"),
        question=gettext_noop(
            "[BJ] removes the bets of such a customer from the table. The other sheets mention"
            " later losses or none."
        ),
        readings=(
            Reading(
                gettext_noop("The bets of the round are void and refunded"),
                gettext_noop("All bets of the customer, including side bets."),
            ),
            Reading(
                gettext_noop("The bets remain valid"),
                gettext_noop(
                    "A customer would be bound by bets that were not confirmed at closing."
                ),
            ),
        ),
        why=gettext_noop("[BJ] says so; the feed contract applies it to all tables."),
    ),
    Ambiguity(
        key="gone-after-closing",
        places=(
            Place("BAC", "Per giocare:"),
            Place("ZAP", "Istruzioni di gioco"),
        ),
        title=gettext_noop("Connection lost after betting closed"),
        question=gettext_noop("Neither sheet has a rule for this case."),
        readings=(
            Reading(
                gettext_noop("Everything is decided by the live cards"),
                gettext_noop("At baccarat no decision is left; at Zappit an open hand stands."),
            ),
            Reading(
                gettext_noop("The bets are void"),
                gettext_noop("A customer could disconnect to avoid losing a bet."),
            ),
        ),
        why=gettext_noop(
            "As in [BJ]. The feed contract applies the live cards wherever a table has no rule of"
            " its own."
        ),
    ),
    Ambiguity(
        key="void-stakes-return",
        places=(
            Place("BJ", "Vincite"),
            Place("QB", "Nota sui malfunzionamenti"),
            Place("ZAP", "Disclaimer"),
        ),
        title=gettext_noop("Stakes of a round voided by a malfunction"),
        question=gettext_noop(
            "A malfunction voids plays and winnings. These passages do not state that the stakes"
            " are refunded."
        ),
        readings=(
            Reading(
                gettext_noop("All stakes are refunded"),
                gettext_noop("Including raises and insurance: no customer gains or loses."),
            ),
            Reading(
                gettext_noop("Winnings are void, stakes stay with the house"),
                gettext_noop("The house would profit from its own malfunction."),
            ),
            Reading(
                gettext_noop("Only the initial stakes are refunded"),
                gettext_noop(
                    "A customer would lose the doubles, splits and insurance of a cancelled round."
                ),
            ),
        ),
        why=gettext_noop("For a void play no stake is due. The feed contract refunds all stakes."),
    ),
    Ambiguity(
        key="off-line-hand",
        places=(
            Place("MFB", "Assicurazione"),
            Place("QB", "Nota sulle disconnessioni"),
        ),
        title=gettext_noop("Bets completed offline"),
        question=gettext_noop(
            "[MFB] completes only the insurance outside the live game, and only in a passage on"
            " European dealing. [QB] completes the hand outside it and leaves side bets to the live"
            " game."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "Main bet and insurance offline, side bets and bonus by the live cards"
                ),
                gettext_noop(
                    "The hand continues from the cards seen, with its own cards. If no cards were"
                    " dealt offline, everything is live."
                ),
            ),
            Reading(
                gettext_noop("In [MFB] the insurance only"),
                gettext_noop("Hand and insurance could be decided by two different dealer hands."),
            ),
            Reading(
                gettext_noop("Nothing offline"),
                gettext_noop("This contradicts both sheets."),
            ),
        ),
        why=gettext_noop(
            "Both sheets have the same supplier; [QB] explains in full what [MFB] mentions. The"
            " feed contract reports such hands for both."
        ),
    ),
    Ambiguity(
        key="off-line-cards",
        places=(
            Place("MFB", "Assicurazione"),
            Place("QB", "Nota sulle disconnessioni"),
        ),
        title=gettext_noop("Rules of a hand completed offline"),
        question=gettext_noop(
            "The sheets say that the round is completed, not how its cards are checked."
        ),
        readings=(
            Reading(
                gettext_noop("The same rules, including those of the dealer"),
                gettext_noop(
                    "A wrong card offline holds the round like a wrong card at the table. Offline"
                    " cards do not require live cards and do not count as copies of the shoe."
                ),
            ),
            Reading(
                gettext_noop("Offline cards are accepted as reported"),
                gettext_noop("A dealer hand that stood on 12 offline would be accepted."),
            ),
        ),
        why=gettext_noop("The feed contract decides this (details 35 and 42)."),
    ),
)
