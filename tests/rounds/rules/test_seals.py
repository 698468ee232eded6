"""Released rule sets keep their declarations and their verdicts."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from rounds.feed.writing import document_of
from rounds.released_rules.rule_set_seals import (
    AlreadyReleasedError,
    breaks_of,
    feed_of,
    seal,
    seals_in,
)
from rounds.replay import Judged, judge_lines
from rounds.rules.blackjack.games.live_blackjack import BLACKJACK_1, GAME
from rounds.rules.catalogue import RULE_SETS, catalogue_of
from rounds.rules.facts import Round
from rounds.rules.limits import NO_LIMITS, Limits
from rounds.rules.odds import Odds
from rounds.rules.rule_set import RuleSet
from rounds.rules.shoe import Shoe
from rounds.rules.verdict import Verdict
from tests.rounds.rules.dealing import bet, dealt

DAY = date(2026, 11, 21)
EIGHTEEN_AGAINST_SEVENTEEN = json.dumps(
    document_of(dealt("1:TS D:TH 1:8D D:7C", bet(stake=1000)))
).encode()


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
class TestAReleasedRuleSet:
    def test_matches_its_seal(self, rules: RuleSet) -> None:
        """If this fails, revert the change and make a new version (CONTRIBUTING)."""
        breaks = breaks_of(rules)

        assert not breaks, "\n".join(breaks)

    def test_is_sealed_by_a_feed_that_uses_every_rule(self, rules: RuleSet) -> None:
        """A rule that no sealed round cites could change unnoticed."""
        assert rules.name in seals_in(), "release it with `manage.py seal`"
        judged = judge_lines(feed_of(rules), catalogue_of(rules))
        verdicts = [line.verdict for line in judged if isinstance(line, Judged)]

        cited = {
            reason for output in verdicts for grade in output.grades for reason in grade.reasons
        }
        assert cited == set(rules.citations)


class TestTheReleasedRuleSets:
    def test_are_never_removed(self) -> None:
        """Old rounds settle by old rules."""
        assert seals_in().keys() <= RULE_SETS.keys()

    def test_keep_the_text_that_was_sealed(self) -> None:
        """The SHA-256 of each released text is that of its seal."""
        folder = Path(__file__).parents[3] / "rounds" / "rules" / "released"

        seals = seals_in()

        assert seals
        for name, sealed in seals.items():
            text = (folder / f"{name.replace('/', '-')}.txt").read_bytes()
            assert hashlib.sha256(text).hexdigest() == sealed.definition


def judging(decide: Callable[[Verdict], Verdict]) -> RuleSet:
    """blackjack/1 with other verdicts."""

    def judge(round_: Round, shoe: Shoe | None, limits: Limits = NO_LIMITS, /) -> Verdict:
        return decide(BLACKJACK_1.judge(round_, shoe, limits))

    return replace(BLACKJACK_1, judge=judge)


def paying_a_cent_more(verdict: Verdict) -> Verdict:
    """The verdict with every payout a cent higher."""
    grades = [grade._replace(payout_cents=grade.payout_cents + 1) for grade in verdict.grades]
    return verdict._replace(grades=tuple(grades))


class TestASeal:
    def test_is_broken_by_other_odds_and_shows_them(self, tmp_path: Path) -> None:
        """6:5 where 3:2 was released."""
        seal(BLACKJACK_1, [EIGHTEEN_AGAINST_SEVENTEEN], on=DAY, folder=tmp_path)
        edited = replace(BLACKJACK_1, declaration=replace(GAME, blackjack_pays=Odds(6, 5)))

        output = "\n".join(breaks_of(edited, tmp_path))

        assert "blackjack/1 declares something else" in output
        assert "-  blackjack_pays: 3:2\n+  blackjack_pays: 6:5" in output
        assert "make a new version" in output

    def test_is_broken_by_another_verdict_under_the_same_declaration(self, tmp_path: Path) -> None:
        """18 against 17 pays 20.00; a cent more breaks the seal."""
        seal(BLACKJACK_1, [EIGHTEEN_AGAINST_SEVENTEEN], on=DAY, folder=tmp_path)

        output = "\n".join(breaks_of(judging(paying_a_cent_more), tmp_path))

        assert "blackjack/1 judges otherwise" in output
        assert '"main-1":["win",2000,' in output
        assert '"main-1":["win",2001,' in output
        assert "1 of 1 verdicts differ" in output
        assert "make a new version" in output

    def test_is_kept_by_refactored_code(self, tmp_path: Path) -> None:
        """Another judge with the same verdicts."""
        seal(BLACKJACK_1, [EIGHTEEN_AGAINST_SEVENTEEN, b"{"], on=DAY, folder=tmp_path)

        assert breaks_of(judging(lambda verdict: verdict), tmp_path) == []

    def test_is_never_overwritten(self, tmp_path: Path) -> None:
        """The files of the release stay unchanged."""
        seal(BLACKJACK_1, [EIGHTEEN_AGAINST_SEVENTEEN], on=DAY, folder=tmp_path)
        before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}

        with pytest.raises(AlreadyReleasedError, match="make a new version"):
            seal(judging(paying_a_cent_more), [b"{"], on=DAY, folder=tmp_path)

        assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before

    def test_is_reported_if_missing(self, tmp_path: Path) -> None:
        """Every rule set in the catalogue needs a seal."""
        [output] = breaks_of(BLACKJACK_1, tmp_path)

        assert "blackjack/1 has no seal" in output


class TestTheCommand:
    def test_refuses_a_released_rule_set(self, tmp_path: Path) -> None:
        """`manage.py seal` must not overwrite a release."""
        feed = tmp_path / "feed.ndjson"
        feed.write_bytes(EIGHTEEN_AGAINST_SEVENTEEN)

        with pytest.raises(CommandError, match="make a new version"):
            call_command("seal", "blackjack/1", str(feed), stdout=StringIO())
