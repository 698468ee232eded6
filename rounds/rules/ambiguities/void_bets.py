"""Bets that do not count and players who are gone, as they are read."""

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
        title=gettext_noop("A bet at the very edge of betting time"),
        question=gettext_noop(
            "Bets are taken for a limited time. What becomes of one that is outside it, or at its"
            " very first or last millisecond, is not said."
        ),
        readings=(
            Reading(
                gettext_noop("Both ends are in time; a bet outside is void"),
                gettext_noop(
                    "A bet at the moment of closing counts, one a millisecond later goes back. A"
                    " connection lost at that moment was lost after closing."
                ),
            ),
            Reading(
                gettext_noop("The closing moment is too late"),
                gettext_noop("A bet at the moment of closing goes back."),
            ),
            Reading(
                gettext_noop("A late bet holds the round"),
                gettext_noop("One customer's bet would stop the money of all others."),
            ),
        ),
        adopted=0,
        why=gettext_noop("Decided by the feed contract (detail 15)."),
    ),
    Ambiguity(
        key="insurance-time",
        places=(
            Place("BJ", "Assicurazione"),
            Place("MFB", "Assicurazione"),
            Place("QB", "Assicurazione"),
            Place("ZAP", "Assicurazione"),
        ),
        title=gettext_noop("When an insurance is in time"),
        question=gettext_noop(
            "Insurance is offered after the first two cards. No sheet gives it a time of its own."
        ),
        readings=(
            Reading(
                gettext_noop("After betting has closed and up to the end of the round"),
                gettext_noop("An insurance placed before closing, or after the end, is void."),
            ),
            Reading(
                gettext_noop("Within betting time, as any bet"),
                gettext_noop("No insurance could ever be in time: no card is dealt before."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "Decided by the feed contract (detail 16); the studio's own clock limits the offer"
            " itself."
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
        title=gettext_noop("Other bets when the main bet is void"),
        question=gettext_noop(
            "Side bets and insurance need a main bet. Whether they stand when that main bet turns"
            " out never to have counted is not said."
        ),
        readings=(
            Reading(
                gettext_noop("They are void with it"),
                gettext_noop("Their stakes go back; the round settles."),
            ),
            Reading(
                gettext_noop("They stand on the live cards"),
                gettext_noop("A side bet could win beside a main bet that never was."),
            ),
            Reading(
                gettext_noop("The round is held for the missing main bet"),
                gettext_noop("A void of one customer would stop everybody's money."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "Decided by the feed contract (detail 17): they could not have been placed without it."
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
        title=gettext_noop("What a void bet leaves behind"),
        question=gettext_noop(
            "No sheet says what becomes of the raise of a void main bet, of the cards that its"
            " hand drew, and of its box."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "Stake and raise go back, and the round is judged as if the bet had not been"
                ),
                gettext_noop(
                    "A golden chip goes back as a chip. Cards that only the void hand explains"
                    " hold the round."
                ),
            ),
            Reading(
                gettext_noop("Only the stake goes back"),
                gettext_noop("The customer would lose a raise on a bet that never counted."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "Decided by the feed contract (details 18 and 19): who never took part cannot lose."
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
            "[BJ] takes such a customer's bets off the table. The other sheets speak of later"
            " losses or of none."
        ),
        readings=(
            Reading(
                gettext_noop("The bets of the round are void and go back"),
                gettext_noop("All bets of that customer, side bets too."),
            ),
            Reading(
                gettext_noop("The bets stand"),
                gettext_noop("A customer would be bound by bets not confirmed at closing."),
            ),
        ),
        adopted=0,
        why=gettext_noop("As [BJ] prints it; the feed contract says so for all tables."),
    ),
    Ambiguity(
        key="gone-after-closing",
        places=(
            Place("BAC", "Per giocare:"),
            Place("ZAP", "Istruzioni di gioco"),
        ),
        title=gettext_noop("Connection lost after betting closed"),
        question=gettext_noop("Neither sheet has a rule for it."),
        readings=(
            Reading(
                gettext_noop("Everything is decided on the live cards"),
                gettext_noop(
                    "At baccarat nothing is left to decide anyway; at Zappit an open hand stands."
                ),
            ),
            Reading(
                gettext_noop("The bets are void"),
                gettext_noop("A customer could pull the plug on a losing bet."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "As [BJ] has it; the feed contract decides on the live cards wherever a table has no"
            " rule of its own."
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
            "A malfunction voids plays and winnings. These passages do not say that the stakes go"
            " back."
        ),
        readings=(
            Reading(
                gettext_noop("Everything staked goes back"),
                gettext_noop("Raises and insurance too: the round leaves nobody richer or poorer."),
            ),
            Reading(
                gettext_noop("Winnings are void, stakes stay with the house"),
                gettext_noop("The house would gain by its own fault."),
            ),
            Reading(
                gettext_noop("Only the initial stakes go back"),
                gettext_noop(
                    "A customer would lose doubles, splits and insurance of a cancelled round."
                ),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "A play that is void was never made, so its stake was never owed; the feed contract"
            " returns everything staked."
        ),
    ),
    Ambiguity(
        key="off-line-hand",
        places=(
            Place("MFB", "Assicurazione"),
            Place("QB", "Nota sulle disconnessioni"),
        ),
        title=gettext_noop("Which bets are finished off line"),
        question=gettext_noop(
            "[MFB] sends only the insurance to a game without the live table, and only in a"
            " passage on European dealing. [QB] sends the hand there and keeps side bets with the"
            " live game."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "Main bet and insurance off line, side bets and bonus on the live cards"
                ),
                gettext_noop(
                    "The hand goes on from the cards seen with cards of its own; where none were"
                    " dealt off line, everything is live."
                ),
            ),
            Reading(
                gettext_noop("At [MFB] the insurance only"),
                gettext_noop("Hand and insurance could meet two different dealer hands."),
            ),
            Reading(
                gettext_noop("Nothing off line"),
                gettext_noop("Against the words of both sheets."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "The two sheets come from one supplier; [QB] explains in full what [MFB] mentions. The"
            " feed contract reports such hands for both."
        ),
    ),
    Ambiguity(
        key="off-line-cards",
        places=(
            Place("MFB", "Assicurazione"),
            Place("QB", "Nota sulle disconnessioni"),
        ),
        title=gettext_noop("By which rules an off-line hand goes"),
        question=gettext_noop(
            "The sheets say that the round is finished, not how its cards are checked."
        ),
        readings=(
            Reading(
                gettext_noop("By the same rules, the dealer's included"),
                gettext_noop(
                    "A wrong card off line holds the round as one at the table does. It calls for"
                    " no live card, and it is no copy from the shoe."
                ),
            ),
            Reading(
                gettext_noop("Off-line cards are taken as reported"),
                gettext_noop("A dealer who stood on 12 off line would be paid for."),
            ),
        ),
        adopted=0,
        why=gettext_noop("Decided by the feed contract (details 35 and 42)."),
    ),
)
