"""Verification files for tests, of a round that is settled, logged and cosigned."""

import json
from typing import Any

from django.conf import settings

from casino.backoffice.verification_files.browser.checks import Checked, check_file
from casino.backoffice.verification_files.browser.proof_checks import State
from compliance.exports.verification_file import verification_content
from compliance.trail.models import Cosignature, TreeHead
from rounds.models import Customer, Round
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.compliance.trail.logs import append, cosign_last_head
from tests.documents import baccarat_bet, baccarat_round, lines


def settled_round() -> Round:
    """In r-1, p-1 stakes 10.00 on Player and is paid 20.00; p-2 stakes 5.00 on Banker and loses."""
    open_table()
    bets = [
        baccarat_bet("b-1", "player", "10.00", player="p-1"),
        baccarat_bet("b-2", "banker", "5.00", player="p-2"),
    ]
    ingest(lines(baccarat_round("r-1", bets=bets)))
    settle()
    return Round.objects.get()


def log_and_cosign() -> None:
    """Everything recorded is in the log, and a witness has cosigned it."""
    append()
    cosign_last_head()
    settings.LOG_POLICY = policy()


def made_file(row: Round, pseudonym: str | None = None) -> dict[str, Any]:
    """The file for a customer, or the regulator's; as it is read from the page."""
    customer = None if pseudonym is None else Customer.objects.get(pseudonym=pseudonym)
    content = verification_content(row, customer, at=NOW)
    return json.loads(json.dumps(content))  # type: ignore[no-any-return]


def policy() -> str:
    """The policy of the witness, who has to cosign."""
    witness = Cosignature.objects.latest("pk").witness
    return f"witness one {witness} http://127.0.0.1:1\nquorum one\n"


def key_id() -> str:
    """The id of the log's key."""
    return str(TreeHead.objects.latest("sequence").key.key_id)


def found(file: dict[str, Any], *, known: str = "") -> Checked:
    """What the checks find."""
    return check_file(file, known=known)


def texts(checked: Checked, state: State) -> list[str]:
    """The texts of the checks that found this."""
    return [check.text for check in checked.checks if check.state is state]
