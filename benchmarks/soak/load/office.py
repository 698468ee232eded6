"""Two people who decide about money: one proposes, the other approves, both with signatures."""

import re
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final

import requests

from benchmarks.soak.load.calls import Lane, Setting, Site
from benchmarks.soak.load.desk import Desk, Person, fields_of, messages_in, values_of

_CASE: Final = re.compile(r"/admin/cases/(\d+)/")
_RANKS: Final = "A23456789TJQK"
_VARIANTS: Final = 4
_CREDIT_CENTS: Final = (100, 5_000)


class Office(Lane):
    """The supervisor proposes, compliance approves; disputes the other way round."""

    def __init__(
        self, setting: Setting, staff: Mapping[str, Person], *, pause_seconds: float
    ) -> None:
        super().__init__("office", setting, pause_seconds=pause_seconds)
        self._supervisor = Desk(self, staff["supervisor"])
        self._compliance = Desk(self, staff["compliance"])
        self._site = Site(self, with_token=True)
        self._waiting: deque[tuple[int, Desk]] = deque()
        self._works: tuple[Callable[[], None], ...] = (
            self._void,
            self._release,
            self._refund,
            self._credit,
            self._correct,
            self._dispute,
            self._dispute,
        )
        self.approved: set[int] = set()
        """Cases whose approval was answered."""

    def step(self) -> None:
        """One proposal, then the approvals that wait."""
        self.chance.choice(self._works)()
        for _ in range(len(self._waiting)):
            case, approver = self._waiting.popleft()
            if not self._approve(case, approver):
                self._waiting.append((case, approver))

    def finish(self) -> None:
        """Approves what still waits, when nothing disturbs any more."""
        for case, approver in self._waiting:
            self._approve(case, approver)

    def _a_round(self, status: str) -> Any | None:
        path = f"/api/v1/rounds?limit=40&status={status}"
        rounds = self._site.call("GET", path, what="api GET rounds").json()["data"]
        return self.chance.choice(rounds) if rounds else None

    def _void(self) -> None:
        """A malfunction of a settled round, voided."""
        row = self._a_round("settled")
        if row is None:
            return
        fields = {"reason": "card-reader", "text": "Soak.", "references": row["round"]}
        opened = self._supervisor.send(
            "/admin/cases/malfunction/", dict(fields), what="POST a malfunction"
        )
        case = self._case_of(opened)
        if case is None or opened is None:
            return
        path = f"/admin/cases/{case}/"
        page = self._supervisor.page(f"{path}?remedy=void", what="a case")
        shown = fields_of(page)
        if "digest" not in shown:  # nothing to change: the round is void already
            self.notes.count("cases without an effect")
            return
        fields = {**_effect(shown), "remedy": "void", "note": "Soak."}
        self._propose(path + "propose/", fields, what="POST a proposal")

    def _release(self) -> None:
        """A held round, voided."""
        if row := self._a_round("held"):
            path = f"/admin/cases/release/{row['id']}/"
            page = self._supervisor.page(path, what="a release")
            fields = {"reason": "checked-on-video", "text": "Soak.", "remedy": "void"}
            self._propose_seen(path, page, fields, "digest_void", what="POST a release")

    def _refund(self) -> None:
        """One bet of a settled round."""
        if row := self._a_round("settled"):
            path = f"/admin/cases/refund/{row['id']}/"
            bet = {"bet": "0"}
            seen = self._supervisor.send(path, {**bet, "preview": "1"}, what="POST a preview")
            if seen is not None:
                fields = {**bet, "reason": "bet-not-intended", "text": "Soak."}
                name = "digest_refund_bets"
                self._propose_seen(path, seen.text, fields, name, what="POST a refund")

    def _credit(self) -> None:
        """A goodwill credit."""
        row = self._a_round("settled")
        if row is None:
            return
        path = f"/api/v1/rounds/{row['id']}/bets?limit=1"
        bets = self._site.call("GET", path, what="api GET bets").json()["data"]
        if bets:
            cents = self.chance.randint(*_CREDIT_CENTS)
            fields = {
                "customer": bets[0]["customer"],
                "amount": f"{cents // 100}.{cents % 100:02}",
                "reason": "service-failure",
                "text": "Soak.",
            }
            self._propose("/admin/cases/credit/", fields, what="POST a credit")

    def _correct(self) -> None:
        """Another rank of a card, if the rules allow the round then."""
        row = self._a_round("settled")
        if row is None:
            return
        path = f"/admin/cases/correct/{row['id']}/"
        page = self._supervisor.page(path, what="a correction")
        places, cards = values_of(page, "place"), values_of(page, "card")
        shown = {name: value for name, value in fields_of(page).items() if name[:5] == "play_"}
        for _ in range(_VARIANTS if cards else 0):
            number = self.chance.randrange(len(cards))
            other = self.chance.choice(_RANKS) + cards[number][1:]
            changed = {"place": places, "card": [*cards[:number], other, *cards[number + 1 :]]}
            fields: dict[str, object] = {**shown, **changed}
            seen = self._supervisor.send(path, {**fields, "preview": "1"}, what="POST a preview")
            if seen is not None and "digest_correct" in fields_of(seen.text):
                fields |= {"reason": "misread-card", "text": "Soak."}
                self._propose_seen(
                    path, seen.text, fields, "digest_correct", what="POST a correction"
                )
                return

    def _dispute(self) -> None:
        """Compliance takes the oldest open dispute, and rejects it or credits the customer."""
        listed = self._site.call("GET", "/api/v1/disputes?limit=40", what="api GET disputes")
        open_ones = [
            one for one in listed.json()["data"] if one["state"] in ("opened", "in_review")
        ]
        if not open_ones:
            return
        dispute = self.chance.choice(open_ones)
        path = f"/admin/disputes/{int(dispute['id'].removeprefix('D-'))}/"
        if dispute["state"] == "opened":
            self._compliance.send(path + "take/", {"seen": "1"}, what="POST a review")
        upholds = self.chance.random() < 0.5  # noqa: PLR2004  a coin
        page = self._compliance.page(path + "?remedy=goodwill", what="a dispute")
        seen = values_of(page, "seen")
        if not seen:
            return
        fields: dict[str, object] = {"seen": seen[-1], "note": "Soak.", "citations": ["0"]}
        if not upholds:
            if self._compliance.send(path + "reject/", fields, what="POST a rejection"):
                self.notes.count("disputes decided")
            return
        remedy = {"remedy": "goodwill", "reason": "complaint-settled", "amount": "1.50"}
        answer = self._compliance.send(
            path + "uphold/", {**fields, **remedy}, what="POST an upholding"
        )
        if answer is not None and (found := _CASE.search(answer.text)):
            self.notes.count("disputes decided")
            self._waiting.append((int(found[1]), self._supervisor))

    def _propose_seen(
        self,
        path: str,
        page: str,
        fields: dict[str, object] | dict[str, str],
        name: str,
        *,
        what: str,
    ) -> None:
        """Proposes what a page has shown, by its digest."""
        if digests := values_of(page, name):
            sent: dict[str, object] = {**fields, name: digests[0], "propose": "1"}
            self._propose(path, sent, what=what)

    def _propose(self, path: str, fields: Any, *, what: str) -> None:
        answer = self._supervisor.send(path, dict(fields), what=what)
        case = self._case_of(answer)
        if case is not None:
            self.notes.count(what.replace("POST a", "proposals:"))
            self._waiting.append((case, self._compliance))

    def _case_of(self, answer: requests.Response | None) -> int | None:
        """The case that the page after a form shows; None if there is none."""
        if answer is None:
            self.notes.count("forms that got no answer")
            return None
        found = _CASE.search(answer.url)
        if found is None:
            self.notes.count(f"forms refused: {messages_in(answer.text)}")
        return int(found[1]) if found else None

    def _approve(self, case: int, approver: Desk) -> bool:
        """Whether the case needs no further attempt."""
        path = f"/admin/cases/{case}/"
        page = approver.page(path, what="a case")
        if f"{path}approve/" not in page:
            return True
        fields = {**_effect(fields_of(page)), "read": "on", "note": "Soak."}
        answer = approver.send(path + "approve/", dict(fields), what="POST an approval")
        if answer is None or f"{path}approve/" in answer.text:
            return False
        self.approved.add(case)
        self.notes.count("cases approved")
        return True


def _effect(shown: dict[str, str]) -> dict[str, str]:
    return {name: shown[name] for name in ("seen", "digest") if name in shown}
