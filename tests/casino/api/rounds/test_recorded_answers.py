"""Answers about rounds equal the recorded ones, field by field.

`tests/golden/api-answers.ndjson` has answers about rounds of every game in every status, to a
studio and to customers, in both languages. They were recorded when a separate statement read each
part of an answer. A changed answer changes this file, and the change is reviewed there.
"""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from rounds.arrival import Arrival, ArrivalLimits
from rounds.models import Bet, Round
from rounds.rules.ruling import Ruling
from tests.casino.api.api_client import Program, customer_token, issued, json_of
from tests.casino.api.studio import ROUNDS
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.payouts.settlement.resettlement_scenarios import resettle, void

pytestmark = pytest.mark.django_db

_GOLDEN: Final = Path(__file__).parents[3] / "golden"
_KEPT: Final = _GOLDEN / "api-answers.ndjson"
_FEEDS: Final = ("baccarat", "blackjack", "mega-fire-blaze", "quantum", "zappit")

_ARRIVAL: Final = Arrival(NOW, ArrivalLimits(max_skew=timedelta(days=4)))
"""The cases are dated up to four days after the moment at which the kept answers received them."""

_SETTLED: Final = (
    "bac-3-20261113-094719",
    "bj-3-20261113-075547",
    "mfb-3-20261113-003152",
    "qb-3-20261113-112737",
    "zap-1-20261103-014740",
)
_HELD: Final = ("bac-x2-20261102-023602", "mfb-x12-20261112-073513", "qb-x6-20261106-174241")
_VOID: Final = ("qb-3-20261113-114026", "zap-1-20261103-020107")
_DECIDED: Final = ("bac-1-20261103-130051", "bj-x24-20261124-134108", "bj-3-20261113-080921")


@pytest.fixture
def decided() -> None:
    """The public cases, settled; two rounds voided by decision, one settled by a ruling."""
    for game in _FEEDS:
        feed = (_GOLDEN / f"{game}.ndjson").read_bytes()
        rounds = re.findall(rb'"table":"([^"]+)","rules":"([^"]+)"', feed)
        for code, rules in sorted(set(rounds)):
            open_table(code.decode(), rules.decode())
        ingest(feed.splitlines(), arrival=_ARRIVAL)
    settle()
    cancelled, held, twice = _DECIDED
    void(cancelled, after=1)
    void(held, after=0)
    resettle(twice, after=1, ruling=Ruling(refunded=frozenset({0})))


@pytest.mark.usefixtures("decided")
def test_every_answer_is_the_recorded_one(tmp_path: Path) -> None:
    """Except for the numbers of audit records."""
    texts = [json.dumps(answer, ensure_ascii=False) for answer in _answers()]

    is_as_kept = texts == _KEPT.read_text(encoding="utf-8").splitlines()
    (tmp_path / _KEPT.name).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    assert is_as_kept, f"diff {tmp_path / _KEPT.name} {_KEPT}"


def _answers() -> Iterator[dict[str, Any]]:
    """Answers for each reader and language."""
    token = issued().token
    for name in (*_SETTLED, *_HELD, *_VOID, *_DECIDED):
        yield _answer(name, "studio", token, "en")
    for name in (*_SETTLED, _HELD[0], _DECIDED[2]):
        yield _answer(name, "studio", token, "it")
    for name in (*_SETTLED[:4], _VOID[0], _DECIDED[2]):
        row = Round.objects.get(reference=name)
        last = Bet.objects.filter(round=row).select_related("customer").order_by("-number")[0]
        yield _answer(name, "customer", customer_token(last.customer.pseudonym), "en")


def _answer(name: str, reader: str, token: str, language: str) -> dict[str, Any]:
    answer = Program(token, language=language).get(f"{ROUNDS}/{name}")
    assert answer.status_code == 200, answer.content
    body = json_of(answer)
    for record in body["timeline"]:
        del record["id"]
    return {"round": name, "who": reader, "language": language, "told": body}
