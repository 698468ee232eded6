"""A round as one customer may see it is judged as the whole one."""

import json
from pathlib import Path
from typing import Final

import pytest

from rounds.feed import document_of, parse_document
from rounds.reduced_round import reduce_round, renumbered
from rounds.replay import Judged, judge_lines
from rounds.rules.catalogue import rule_set
from rounds.rules.facts import Round
from rounds.rules.ruling import Ruling
from rounds.rules.verdict import SETTLED

_GOLDEN: Final = Path(__file__).parents[1] / "golden"
_GAMES: Final = ("baccarat", "blackjack", "mega-fire-blaze", "quantum", "zappit")


def _settled(game: str) -> list[Judged]:
    lines = (_GOLDEN / f"{game}.ndjson").read_bytes().splitlines()
    judged = [it for it in judge_lines(lines) if isinstance(it, Judged)]
    return [it for it in judged if it.verdict.status == SETTLED and it.dealt.bets]


@pytest.mark.parametrize("game", _GAMES)
def test_own_bets_are_judged_alike(game: str) -> None:
    """Of every customer of every settled round; the reduced round is a document of the feed."""
    judged = 0
    for dealt, verdict in _settled(game):
        whole = dict(zip([bet.id for bet in dealt.bets], verdict.grades, strict=True))
        for customer in {bet.player for bet in dealt.bets}:
            reduced = parse_document(document_of(reduce_round(dealt, customer).dealt))
            assert isinstance(reduced, Round)
            grades = rule_set(dealt.rules).judge(reduced, None, {}).grades
            own = dict(zip([bet.id for bet in reduced.bets], grades, strict=True))
            for bet in dealt.bets:
                if bet.player == customer:
                    assert own[bet.id] == whole[bet.id], (dealt.round, bet.id)
            judged += 1

    assert judged >= len(_settled(game)) > 0


@pytest.mark.parametrize("game", _GAMES)
def test_others_have_no_name_and_no_stake(game: str) -> None:
    """Nor have employees; ids of other bets and participations are gone as well."""
    for dealt, _verdict in _settled(game):
        customer = dealt.bets[0].player
        text = json.dumps(document_of(reduce_round(dealt, customer).dealt))
        own = {bet.participation for bet in dealt.bets if bet.player == customer}
        for bet in dealt.bets:
            if bet.player != customer:
                assert f'"{bet.player}"' not in text
                assert f'"{bet.id}"' not in text
                assert bet.participation in own or bet.participation not in text
        assert '"dealer":' not in text
        for bet in reduce_round(dealt, customer).dealt.bets:
            assert bet.player == customer or (bet.id.startswith("other-"), bet.stake_cents) == (
                True,
                100,
            )


def test_names_that_begin_like_a_placeholder_stay_apart() -> None:
    """A studio may call its bets and customers as it likes."""
    [dealt, *_others] = [it.dealt for it in _settled("blackjack") if len(it.dealt.bets) > 2]
    named = dealt._replace(
        bets=tuple(
            bet._replace(id=f"other-{number}", player=f"other-{number}")
            for number, bet in enumerate(dealt.bets)
        )
    )

    reduced = reduce_round(named, "other-1").dealt

    assert [bet.id for bet in reduced.bets if bet.player == "other-1"] == ["other-1"]
    assert len({bet.id for bet in reduced.bets}) == len(reduced.bets)


def test_rulings_follow_the_bets() -> None:
    """What concerns a bet that is left out is left out."""
    ruling = Ruling(plays={0: "S", 2: "H"}, refunded=frozenset({2, 3}))

    reduced = renumbered(ruling, (1, 2))

    assert dict(reduced.plays) == {1: "H"}
    assert reduced.refunded == frozenset({1})
