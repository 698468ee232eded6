"""A bundle as the page verifies it: the lines of the command, its figures, and its rounds."""

import csv
import gzip
import io
import json
from contextlib import redirect_stdout
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from casino.backoffice.verification_files.browser.bundle_rounds import Comparison, Named
from casino.backoffice.verification_files.browser.bundles import Entered, Report, verify
from compliance.exports import verify_bundle
from compliance.exports.bundle.signing import SigningKey
from tests.compliance.exports.exported_days import (
    contents,
    dealt,
    exported,
    key_in,
    play_the_day,
    times,
    with_a_late_bet,
)
from tests.compliance.exports.packed_bundles import MANIFEST, packed
from tests.compliance.exports.verifier_runs import run_verifier, sign, with_manifest
from tests.documents import baccarat_bet, baccarat_round, held_baccarat_round

BETS = "registers/bets.csv"


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    """The operator's key."""
    return key_in(tmp_path_factory.mktemp("keys"))


@pytest.fixture(scope="module")
def bundle(module_casino: str, key: SigningKey, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A day of four rounds: settled, held, settled with a late bet, and cancelled by persons."""
    play_the_day()
    return exported(tmp_path_factory.mktemp("out"), key).path


def documents() -> dict[str, Any]:
    """What the studio delivered, by round."""
    held = held_baccarat_round("r-2", **times(11), bets=dealt("r-2", 11)["bets"])
    late = with_a_late_bet("r-3", 12)
    return {"r-1": dealt("r-1", 10), "r-2": held, "r-3": late, "r-4": dealt("r-4", 13)}


def feed(folder: Path, rounds: dict[str, Any], name: str = "day.ndjson") -> str:
    """A feed file of these rounds."""
    path = folder / name
    text = "".join(f"{json.dumps(document)}\n" for document in rounds.values())
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return str(path)


def reported(path: Path, folder: Path, *feeds: str, **entered: str) -> Report:
    """The page's report."""
    return verify(
        [str(path)],
        list(feeds),
        Entered(**entered),
        scratch=folder,
        say=lambda _line: None,
        count=lambda _judged, _all: None,
    )


def compared(path: Path, folder: Path, *feeds: str, **entered: str) -> Comparison:
    """The comparison of the rounds."""
    rounds = reported(path, folder, *feeds, **entered).rounds
    assert rounds is not None
    return rounds


def changed(bundle: Path, key: SigningKey, path: Path, before: str, after: str) -> Path:
    """The bundle with another text in its bets; the operator counts and signs again."""
    files = contents(bundle)
    assert before in files[BETS].decode()
    content = files[BETS] = files[BETS].decode().replace(before, after, 1).encode()
    manifest = json.loads(files[MANIFEST])
    [entry] = [file for file in manifest["files"] if file["name"] == BETS]
    rows = list(csv.DictReader(io.StringIO(content.decode()), delimiter=";"))
    entry["sha256"] = sha256(content).hexdigest()
    entry["totals_cents"] = {
        column: sum(int(row[column] or 0) for row in rows) for column in entry["totals_cents"]
    }
    files[MANIFEST] = json.dumps(manifest).encode()
    return packed(path, sign(files, key))


@pytest.mark.slow
def test_the_lines_are_those_of_the_command(bundle: Path, key: SigningKey, tmp_path: Path) -> None:
    """With and without a signer, and for another one; the digest may have colons."""
    digits = key.key_id
    colons = ":".join(digits[at : at + 2].upper() for at in range(0, 64, 2))
    for signer, words in (
        ("", []),
        (digits, ["--key-id", digits]),
        (f"sha256 Fingerprint={colons}\n", ["--key-id", digits]),
        ("0" * 64, ["--key-id", "0" * 64]),
        ("short", ["--key-id", "short"]),
    ):
        run, report = run_verifier(bundle, *words), reported(bundle, tmp_path, signer=signer)
        assert (report.status, list(report.lines)) == (run.status, run.output.splitlines())


def test_the_summary_is_that_of_the_signed_files(
    bundle: Path, key: SigningKey, tmp_path: Path
) -> None:
    """Day, counts, sums of the game, and who signed."""
    summary = reported(bundle, tmp_path, signer=key.key_id).summary

    assert summary is not None
    assert (summary.days, summary.rounds, summary.bets) == (["2026-11-21"], 4, 11)
    assert summary.signer == "Casino di prova"
    [game] = summary.games
    assert (game["game"], game["stages"], game["tax_cents"]) == ("baccarat", 4, None)
    assert summary.digest == sha256(contents(bundle)[MANIFEST]).hexdigest()


def test_a_wrong_bundle_shows_no_figure(bundle: Path, tmp_path: Path) -> None:
    """Nothing of it counts."""
    files = contents(bundle)
    files[BETS] += b"\n"

    report = reported(packed(tmp_path / "x.zip", files), tmp_path, feed(tmp_path, documents()))

    assert (report.status, report.is_wrong, report.summary, report.rounds) == (1, True, None, None)
    assert [line.state for line in report.marked()] == ["agrees", "agrees", "differs"]


def test_the_studios_rounds_agree(bundle: Path, tmp_path: Path) -> None:
    """The round that persons cancelled is named apart; a packed feed is read too."""
    for name in ("day.ndjson", "day.ndjson.gz"):
        rounds = compared(bundle, tmp_path, feed(tmp_path, documents(), name))

        assert not rounds.differs, rounds
        assert (rounds.rounds, rounds.bets) == (3, 8)
        why = "The reader read cards twice. (Giulia Marchetti, Lorenzo Ferri)"
        assert rounds.decided == [Named("r-4", why)]


def test_what_is_in_one_of_both_is_missing_in_the_other(bundle: Path, tmp_path: Path) -> None:
    """A round of another day is of no interest; a broken line is named."""
    rounds = documents()
    del rounds["r-1"]
    late = {"r-5": dealt("r-5", 20), "r-6": dealt("r-6", 20, day=19)}
    path = feed(tmp_path, rounds | late)
    with Path(path).open("a") as file:
        file.write("{broken\n")

    found = compared(bundle, tmp_path, path)

    assert (found.missing_in_feed, found.missing_in_bundle, found.other_days) == (
        ["r-1"],
        ["r-5"],
        1,
    )
    assert len(found.refused) == 1
    assert found.differs


def test_another_payout_is_named_with_its_place(
    bundle: Path, key: SigningKey, tmp_path: Path
) -> None:
    """The operator pays b1 of r-1 one cent less, and signs that: registers alone do not show it."""
    path = changed(bundle, key, tmp_path / "x.zip", ";win;2000;0;", ";win;1999;0;")

    report = reported(path, tmp_path, feed(tmp_path, documents()), signer=key.key_id)

    assert report.status == 0
    assert report.rounds is not None
    [difference] = report.rounds.differences
    assert difference == ("r-1", f"{BETS}, b1: payout_cents", "1999", "2000")


def test_other_cards_are_another_result(bundle: Path, tmp_path: Path) -> None:
    """The studio's file says something else than the registers."""
    rounds, other = documents(), [baccarat_bet("b1", "tie", "10.00")]
    rounds["r-1"] = baccarat_round("r-1", **times(10), bets=other)

    found = compared(bundle, tmp_path, feed(tmp_path, rounds))

    assert {difference.round for difference in found.differences} == {"r-1"}
    assert f"{BETS}: bets" in [difference.place for difference in found.differences]


def test_a_feed_that_is_no_gzip_is_an_error(bundle: Path, tmp_path: Path) -> None:
    """Named, and never taken for agreement."""
    path = tmp_path / "day.ndjson.gz"
    path.write_bytes(b"\x1f\x8bno")

    found = compared(bundle, tmp_path, str(path))

    assert found.differs
    assert found.error


def test_the_latest_bundle_is_verified_with_its_chain(
    bundle: Path, key: SigningKey, tmp_path: Path
) -> None:
    """In whatever order the files are chosen."""
    before = json.loads(contents(bundle)[MANIFEST])
    digest = sha256(contents(bundle)[MANIFEST]).hexdigest()
    place = {"number": before["number"], "manifest_sha256": digest}
    files = with_manifest(contents(bundle), number=before["number"] + 1, previous=place)
    after = packed(tmp_path / "a.zip", sign(files, key))

    report = verify(
        [str(bundle), str(after)],
        [],
        Entered(signer=key.key_id),
        scratch=tmp_path,
        say=lambda _line: None,
        count=lambda _judged, _all: None,
    )

    assert "The chain is intact, back to bundle 1." in report.lines
    assert report.status == 0
    with redirect_stdout(io.StringIO()) as printed:
        verify_bundle.main([f"--key-id={key.key_id}", str(after), str(bundle)])
    assert printed.getvalue().splitlines() == list(report.lines)
