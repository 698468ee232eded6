"""A small day worked out by hand, and its exports, for tests."""

import csv
import io
import shutil
import subprocess
import zipfile
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from compliance.exports.bundle.signing import (
    VERIFY_SIGNATURE,
    SigningKey,
    certificate_path,
    make_signing_key,
)
from compliance.exports.scope import one_day
from compliance.exports.services.build_bundle import Exported, build_bundle
from compliance.exports.verify_bundle import known_keys
from compliance.trail.actor import Actor
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_bet, baccarat_round, held_baccarat_round, lines
from tests.payouts.settlement.resettlement_scenarios import void
from tests.signers import signing

DAY: Final = date(2026, 11, 21)
YEAR: Final = datetime(2026, 1, 1, tzinfo=UTC)
CLERK: Final = signing("Elena Conti", 4)
FORMULA: Final = '=HYPERLINK("http://x";"<&>")'
"""A pseudonym that a spreadsheet would run, and that XML, JSON and CSV have to escape."""


def times(minute: int, *, hour: int = 21, day: int = 21) -> dict[str, Any]:
    """The times of a round; in Rome it is one hour later."""
    at = f"2026-11-{day}T{hour}:{minute:02}"
    return {
        "opened_at": f"{at}:10Z",
        "closed_at": f"{at}:25Z",
        "ended_at": f"{at}:52Z",
    }


def bets(minute: int, **at: int) -> list[dict[str, Any]]:
    """Player 10.00 pays 20.00, Banker 10.00 pays nothing, Small 2.00 pays 5.00."""
    placed_at = times(minute, **at)["opened_at"]
    return [
        baccarat_bet("b1", "player", "10.00", placed_at=placed_at),
        baccarat_bet(
            "b2",
            "banker",
            "10.00",
            player="p-2",
            participation="N000000000000002",
            placed_at=placed_at,
        ),
        baccarat_bet("b3", "small", "2.00", placed_at=placed_at),
    ]


def dealt(reference: str, minute: int, **at: int) -> dict[str, Any]:
    """A round that stakes 22.00 and pays 25.00."""
    return baccarat_round(reference, **times(minute, **at), bets=bets(minute, **at))


def with_a_late_bet(reference: str, minute: int) -> dict[str, Any]:
    """Player 10.00 pays 20.00; Banker 10.00 is placed after closing and goes back."""
    when = times(minute)
    in_time = baccarat_bet("b1", "player", "10.00", player=FORMULA, placed_at=when["opened_at"])
    late = baccarat_bet("b2", "banker", "10.00", player=FORMULA, placed_at=when["ended_at"])
    return baccarat_round(reference, **when, bets=[in_time, late])


def play_the_day() -> None:
    """Four rounds of one session: settled, held, settled with a late bet, settled and cancelled."""
    open_table()
    held = held_baccarat_round("r-2", **times(11), bets=bets(11))
    ingest(lines(dealt("r-1", 10), held, with_a_late_bet("r-3", 12), dealt("r-4", 13)))
    settle()
    cancel("r-4")


def cancel(
    reference: str,
    *,
    after: int = 1,
    minutes: int = 5,
    reason: str = "The reader read cards twice.",
) -> None:
    """Two persons void a round."""
    void(
        reference,
        after=after,
        reason=reason,
        at=NOW + timedelta(minutes=minutes),
        actor=Actor("Giulia Marchetti", 1),
        approved_by=Actor("Lorenzo Ferri", 2),
    )


def key_in(folder: Path, name: str = "export") -> SigningKey:
    """A key with its certificate in a folder."""
    return make_signing_key(folder / f"{name}.key", name="Casino di prova", at=YEAR)


def certificate_in(folder: Path, name: str = "export") -> str:
    """The path of its certificate."""
    return str(certificate_path(folder / f"{name}.key"))


def known_in(folder: Path, name: str = "export") -> set[str]:
    """The verifier's knowledge of the operator, from this certificate."""
    return known_keys(certificate_in(folder, name), [])


def type_printed(command: str, *, folder: Path) -> str:
    """The output of a printed command, run where the file, its signature and operator.crt are.

    Raises CalledProcessError if the command ends with an error, as for an invalid signature.
    """
    typed = subprocess.run(
        ["/bin/sh", "-c", command], cwd=folder, capture_output=True, text=True, check=True
    )
    return typed.stdout


def verified(folder: Path, content: bytes, signature: bytes) -> None:
    """Asserts that the printed OpenSSL commands accept a signature."""
    (folder / "signed").write_bytes(content)
    (folder / "signed.p7s").write_bytes(signature)
    shutil.copyfile(certificate_in(folder), folder / "operator.crt")
    assert content.decode() in type_printed(VERIFY_SIGNATURE.format(name="signed"), folder=folder)


def exported(folder: Path, key: SigningKey, *, day: date = DAY, game: str = "") -> Exported:
    """The exported bundle of a day."""
    return build_bundle(
        of=one_day(day, game), folder=folder, key=key, database="default", at=NOW, actor=CLERK
    )


def contents(path: Path) -> dict[str, bytes]:
    """Every file of a bundle."""
    with zipfile.ZipFile(path) as bundle:
        return {name: bundle.read(name) for name in bundle.namelist()}


def table(files: Mapping[str, bytes], register: str) -> list[dict[str, str]]:
    """The rows of a register's CSV."""
    text = files[f"registers/{register}.csv"].decode()
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=";"))


def columns_of(rows: Sequence[Mapping[str, Any]], *names: str) -> list[tuple[Any, ...]]:
    """These columns of every row."""
    return [tuple(row[name] for name in names) for row in rows]
