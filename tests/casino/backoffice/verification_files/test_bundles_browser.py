"""The bundle of a day in Chromium, without a network: what is right is right, and nothing else."""

import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from django.conf import settings as django_settings
from playwright.sync_api import Page
from pytest_django import Settings

from compliance.exports.bundle.signing import SigningKey
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.log.signed_heads import raw_key
from compliance.trail.witnesses.cosignatures import WitnessKey
from tests.casino.backoffice.verification_files.files import policy
from tests.casino.backoffice.verification_files.page_tabs import (
    built_page,
    offline_tab,
    open_file,
    shown_after,
    verified,
    verify_files,
)
from tests.casino_in_play import open_table
from tests.compliance.exports.exported_days import contents, exported, key_in
from tests.compliance.exports.packed_bundles import MANIFEST, packed
from tests.compliance.exports.verifier_runs import run_verifier, sign, with_manifest
from tests.compliance.trail.logs import KEY, OTHER_KEY, cosign_last_head
from tests.payouts.gaming_days.day_scenarios import (
    AFTER,
    DAY,
    NOON,
    arrive,
    close,
    dealt,
    settle_at,
)

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("fresh_casino")]
_BETS: Final = "registers/bets.csv"
_HOSTILE: Final = "<img src=x onerror='hacked = 1'>"


class Day(NamedTuple):
    """A closed day of two rounds, its bundle, who signed it, the policy, and the studio's feed."""

    bundle: Path
    key: SigningKey
    policy: str
    feed: Path


@pytest.fixture
def day(settings: Settings, tmp_path: Path) -> Day:
    """Closed, in the log, cosigned, exported."""
    settings.LOG_POLICY = django_settings.LOG_POLICY
    open_table()
    documents = [dealt("r-1", NOON), dealt("r-2", NOON.replace(hour=13))]
    arrive(*documents)
    settle_at()
    close()
    append_to_log(KEY, now=AFTER)
    cosign_last_head()
    settings.LOG_POLICY = policy()
    key = key_in(tmp_path)
    feed = tmp_path / "day.ndjson"
    feed.write_text("".join(f"{json.dumps(document)}\n" for document in documents))
    return Day(exported(tmp_path / "out", key, day=DAY).path, key, policy(), feed)


def said(path: Path, *words: str) -> list[str]:
    """What the command prints, without openssl's own words."""
    printed = run_verifier(path, *words).output.splitlines()
    return [line.partition(" (openssl: ")[0].replace(str(path), path.name) for line in printed]


def test_a_right_bundle_is_right_and_its_rounds_agree(day: Day, tmp_path: Path) -> None:
    """In both languages, by keyboard, with witnesses and feed."""
    with offline_tab() as tab:
        open_file(tab, tmp_path / "page.html", built_page())
        known = {"signer": day.key.key_id, "log": day.policy}
        lines_ = verified(tab, day.bundle, day.feed, **known)

        assert tab.inner_text(".verdict h2") == "Everything agrees"
        assert "A quorum of the policy has cosigned each head: witness.example/one." in lines_
        assert [line for line in lines_ if line.startswith("RIGHT: bundle 1 of 2026-11-10")]
        assert tab.locator("[data-games] tbody tr").count() == 1
        assert "The witness witness.example/one saw the log on" in tab.inner_text(
            "[data-witnesses] .is-agrees"
        )
        assert "rounds 2, bets 6; differences 0" in tab.inner_text("[data-rounds]")
        assert tab.evaluate("document.activeElement.tagName") == "H2"
        shown_after(tab, lambda: tab.click("text=Italiano"))
        assert tab.inner_text(".verdict h2") == "Tutto coincide"
        assert tab.input_value("#log") == day.policy


def test_each_change_is_refused_as_by_the_command(day: Day, tmp_path: Path) -> None:
    """Damage, changes with repaired digests, other signers, missing files, hostile names."""
    files, other = contents(day.bundle), key_in(tmp_path, "other")
    known = ["--key-id", day.key.key_id]
    body = day.bundle.read_bytes()
    flipped = tmp_path / "flipped.zip"
    flipped.write_bytes(body[:400] + bytes([body[400] ^ 1]) + body[401:])
    row = files[_BETS].replace(b";1000;", b";9000;", 1)
    manifest = json.loads(files[MANIFEST])
    [entry] = [file for file in manifest["files"] if file["name"] == _BETS]
    entry["sha256"] = hashlib.sha256(row).hexdigest()
    repaired = {**files, _BETS: row, MANIFEST: json.dumps(manifest).encode()}
    hostile = {**files, f"{_HOSTILE}.csv": b"", "../../etc/passwd": b""}
    wrong = {
        "flipped": flipped,
        "changed": packed(tmp_path / "changed.zip", {**files, _BETS: row}),
        "repaired": packed(tmp_path / "repaired.zip", repaired),
        "signed again": packed(tmp_path / "again.zip", sign(repaired, day.key)),
        "other": packed(tmp_path / "other.zip", sign(with_manifest(files), other)),
        "missing": packed(
            tmp_path / "missing.zip", {name: files[name] for name in files if name != _BETS}
        ),
        "hostile": packed(tmp_path / "hostile.zip", hostile),
        "empty": packed(tmp_path / "empty.zip", {}),
        "bomb": bomb(tmp_path / "bomb.zip"),
    }
    with offline_tab() as tab:
        open_file(tab, tmp_path / "page.html", built_page())
        for name, path in wrong.items():
            found = verified(tab, path, signer=day.key.key_id)
            assert found == said(path, *known), name
            assert tab.inner_text(".verdict h2") == "Wrong: an error was found", name
            assert not tab.locator("[data-games]").count(), name
        assert not tab.evaluate("'hacked' in globalThis")

        found = verified(tab, day.bundle, signer=other.key_id)
        assert found == said(day.bundle, "--key-id", other.key_id)
        stranger = WitnessKey("witness.example/one", raw_key(OTHER_KEY.public_key()))
        another = f"witness one {stranger} http://127.0.0.1:1\nquorum one\n"
        (tmp_path / "policy").write_text(another)
        found = verified(tab, day.bundle, signer=day.key.key_id, log=another)
        assert found == said(day.bundle, *known, "--policy", str(tmp_path / "policy"))
        assert found[-1].endswith("is cosigned by no witness of the policy, not enough")
        found = verified(tab, day.bundle)
        assert found == said(day.bundle)
        assert tab.inner_text(".verdict h2") == "Consistent, but not proved"
        assert tab.locator("[data-witnesses] .is-unproved").count() == 1


def test_a_file_that_stops_python_is_not_verified(day: Day, tmp_path: Path) -> None:
    """The page says so, starts it again, and verifies the next one."""
    deep = packed(tmp_path / "deep.zip", {MANIFEST: b"[" * 200_000})
    with offline_tab(is_silent=False) as tab:
        open_file(tab, tmp_path / "page.html", built_page())
        verify_files(tab, deep)
        tab.wait_for_selector("#status.is-wrong")
        assert "not verified: " in tab.inner_text("[data-error]")
        assert not tab.locator(".verdict").count()

        lines = verified(tab, day.bundle, signer=day.key.key_id)
        assert lines == said(day.bundle, "--key-id", day.key.key_id)
        assert tab.is_hidden("#status")


def bomb(path: Path) -> Path:
    """A gigabyte of zeros as the manifest, in a megabyte."""
    written = io.BytesIO()
    with (
        zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open(MANIFEST, "w") as file,
    ):
        for _mebibyte in range(1 << 10):
            file.write(bytes(1 << 20))
    content = written.getvalue()
    path.write_bytes(content + hashlib.sha256(content).hexdigest().encode())
    return path


def test_a_round_that_differs_is_named(day: Day, tmp_path: Path) -> None:
    """With hostile names of rounds, which are shown and never run; dropped like by a mouse."""
    documents = [json.loads(line) for line in day.feed.read_bytes().splitlines()]
    documents[1]["round"] = _HOSTILE[:60]
    documents[0]["bets"][0]["stake"] = "11.00"
    text = "\n".join(map(json.dumps, documents))
    with offline_tab() as tab:
        open_file(tab, tmp_path / "page.html", built_page())
        verified(tab, day.bundle, signer=day.key.key_id)
        shown_after(tab, lambda: dropped(tab, "other.ndjson", text))
        assert tab.input_value("#signer") == day.key.key_id
        shown_after(tab, lambda: tab.click("[data-verify] [type=submit]"))

        assert tab.inner_text(".verdict h2") == "The files are in order, but rounds differ"
        assert "registers/bets.csv, b1: stake_cents" in tab.inner_text("[data-differences]")
        assert "r-2" in tab.inner_text("[data-rounds]")
        assert not tab.evaluate("'hacked' in globalThis")


def dropped(tab: Page, name: str, text: str) -> None:
    """As when a file is dragged onto the page."""
    tab.evaluate(
        """([name, text]) => {
          const data = new DataTransfer();
          data.items.add(new File([text], name));
          document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
        }""",
        [name, text],
    )
