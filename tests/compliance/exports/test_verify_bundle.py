"""The bundle verifier reports every change and accepts unchanged bundles."""

import hashlib
import json
import random
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

from compliance.exports import verify_bundle
from compliance.exports.bundle.signing import SigningKey
from tests.compliance.exports.exported_days import (
    cancel,
    certificate_in,
    contents,
    exported,
    key_in,
)
from tests.compliance.exports.packed_bundles import MANIFEST, SIGNATURE, packed
from tests.compliance.exports.verifier_runs import (
    before_signatures,
    run_verifier,
    sign,
    with_manifest,
)
from tests.repetitions import repeated
from tests.tampering.bundle_tamperings import TAMPERINGS, flip


class BundlePair(NamedTuple):
    """Two bundles of one day, the second after a void, and their certificate."""

    first: Path
    second: Path
    certificate: str
    folder: Path

    @property
    def known(self) -> set[str]:
        """The operator as the verifier knows it."""
        return verify_bundle.known_keys(self.certificate, [])


@pytest.fixture
def bundles(day: None, key: SigningKey, tmp_path: Path) -> BundlePair:
    """Two bundles."""
    first = exported(tmp_path / "out", key).path
    cancel("r-1")
    second = exported(tmp_path / "out", key).path
    return BundlePair(first, second, certificate_in(tmp_path), tmp_path)


def verifier_error(path: Path, bundles: BundlePair) -> str | None:
    """The error of the verifier, if any."""
    try:
        verify_bundle.verify(str(path), bundles.known, say=lambda _words: None)
    except verify_bundle.Wrong as error:
        return str(error)
    return None


def tamper(bundles: BundlePair, *, times: int, seed: str) -> None:
    """Applies random single changes, each of which has to be found."""
    dice = random.Random(seed)
    files, before = contents(bundles.second), contents(bundles.first)
    content = bundles.second.read_bytes()
    path = bundles.folder / "tampered.zip"
    for number in range(times):
        match number % 3:
            case 0:
                altered = "a byte of the bundle"
                path.write_bytes(flip(dice, content))
            case 1:
                altered = "cut off"
                path.write_bytes(content[: dice.randrange(len(content))])
            case _:
                tampering = dice.choice(TAMPERINGS)
                altered = tampering.__name__
                changed = dict(files)
                tampering(dice, changed, before)
                packed(path, changed)
        assert verifier_error(path, bundles) is not None, f"{number}: {altered}"
        if number % 50 == 0:
            assert verifier_error(bundles.second, bundles) is None


class TestAnUntouchedBundle:
    def test_is_right(self, bundles: BundlePair) -> None:
        """Also when it was zipped again."""
        again = packed(bundles.folder / "again.zip", contents(bundles.second))

        assert [
            verifier_error(path, bundles) for path in (bundles.first, bundles.second, again)
        ] == [None] * 3

    def test_is_right_on_a_machine_without_sabot(self, bundles: BundlePair) -> None:
        """With the script of the bundle alone."""
        script = bundles.folder / "alone" / "verify_bundle.py"
        script.parent.mkdir()
        script.write_bytes(contents(bundles.second)["verify_bundle.py"])

        completed = subprocess.run(
            [
                *(sys.executable, "-I", str(script), "--certificate", bundles.certificate),
                *(str(bundles.second), str(bundles.first)),
            ],
            cwd=script.parent,
            capture_output=True,
            text=True,
            check=False,
        )

        assert (completed.returncode, completed.stderr) == (0, "")
        assert "The chain is intact, back to bundle 1." in completed.stdout
        assert completed.stdout.splitlines()[-2].startswith("RIGHT: bundle 2 of 2026-11-21")


class TestATamperedBundle:
    @pytest.mark.slow
    def test_is_refused_after_any_change(self, bundles: BundlePair) -> None:
        """Damage, and changes with a repaired seal."""
        tamper(bundles, times=300, seed="bundles")

    @pytest.mark.slow
    def test_is_refused_after_a_thousand_changes(self, bundles: BundlePair) -> None:
        """More changes (issue 6)."""
        tamper(bundles, times=repeated(1000), seed="more bundles")

    def test_names_the_first_defect(self, bundles: BundlePair) -> None:
        """With the file."""
        files = contents(bundles.second)
        changed = files["registers/bets.csv"].replace(b";1000;", b";9000;", 1)
        path = packed(bundles.folder / "x.zip", files | {"registers/bets.csv": changed})

        assert verifier_error(path, bundles) == (
            "registers/bets.csv differs from the signed file in size or digest"
        )


class TestAFormerKey:
    def test_is_accepted_with_both_certificates(self, bundles: BundlePair) -> None:
        """After a change of keys one file has both."""
        key_in(bundles.folder, "other")
        both = bundles.folder / "both.crt"
        pems = [
            Path(certificate_in(bundles.folder, name)).read_text() for name in ("other", "export")
        ]
        both.write_text("".join(pems))

        assert verifier_error(bundles.second, bundles._replace(certificate=str(both))) is None


class TestDisagreeingFigures:
    def test_are_reported_even_if_signed(self, bundles: BundlePair, key: SigningKey) -> None:
        """A changed amount with a matching digest."""
        files = contents(bundles.second)
        changed = files["registers/bets.csv"].replace(b";1000;", b";9000;", 1)
        files["registers/bets.csv"] = changed
        manifest = json.loads(files[MANIFEST])
        [bets] = [file for file in manifest["files"] if file["name"] == "registers/bets.csv"]
        bets["sha256"] = hashlib.sha256(changed).hexdigest()
        files[MANIFEST] = json.dumps(manifest).encode()
        files[SIGNATURE] = key.sign(files[MANIFEST])

        faults = verifier_error(packed(bundles.folder / "x.zip", files), bundles)

        assert faults is not None
        assert faults.startswith("registers/bets.csv: stake_cents sums to")


class TestTheChain:
    def test_is_broken_by_an_older_bundle_in_the_place_of_a_newer(
        self, bundles: BundlePair
    ) -> None:
        """The first is shown as the latest."""
        shown = shutil.copy(bundles.first, bundles.folder / bundles.second.name)
        manifest, _digest = verify_bundle.verify(str(shown), bundles.known, say=print)

        with pytest.raises(verify_bundle.Wrong, match="not in the chain of this bundle"):
            verify_bundle.verify_chain(manifest, [str(bundles.second)], bundles.known)

    def test_is_broken_by_another_bundle_of_the_same_number(
        self, bundles: BundlePair, key: SigningKey
    ) -> None:
        """Signed again with another digest."""
        files = contents(bundles.first)
        files[MANIFEST] += b"\n"
        files[SIGNATURE] = key.sign(files[MANIFEST])
        other = packed(bundles.folder / "other.zip", files)
        manifest, _digest = verify_bundle.verify(str(bundles.second), bundles.known, say=print)

        with pytest.raises(verify_bundle.Wrong, match="its manifest differs"):
            verify_bundle.verify_chain(manifest, [str(other)], bundles.known)


class TestALongText:
    def test_is_read_whole(self, day: None, key: SigningKey, tmp_path: Path) -> None:
        """The reader of CSV files stops at 131,072 characters unless it is told otherwise."""
        cancel("r-1", reason="The reader read cards twice. " * 5_000)
        path = exported(tmp_path / "out", key).path

        run = run_verifier(path, "--certificate", certificate_in(tmp_path))

        assert (run.status, run.output.count("RIGHT: bundle 1 ")) == (0, 1), run.output


class TestAnotherFormat:
    def test_is_refused_even_if_signed(self, bundles: BundlePair, key: SigningKey) -> None:
        """A verifier of an earlier format does not know what it would have to check."""
        files = sign(with_manifest(contents(bundles.second), format="sabot-bundle/3"), key)

        faults = verifier_error(packed(bundles.folder / "x.zip", files), bundles)

        assert faults == "the format of the manifest is 'sabot-bundle/3'; needed sabot-bundle/2"

    def test_of_before_signatures_is_accepted(self, bundles: BundlePair, key: SigningKey) -> None:
        """It has the registers alone, and its successor may carry signatures."""
        first = sign(before_signatures(contents(bundles.first)), key)
        before = packed(bundles.folder / "first.zip", first)
        previous = hashlib.sha256(first[MANIFEST]).hexdigest()
        place = {"number": 1, "manifest_sha256": previous}
        files = sign(with_manifest(contents(bundles.second), previous=place), key)
        after = packed(bundles.folder / "second.zip", files)

        run = run_verifier(before, "--key-id", key.key_id)

        assert (run.status, "carries no signatures of decisions" in run.output) == (0, True)
        manifest, _digest = verify_bundle.verify(str(after), bundles.known, say=print)
        verify_bundle.verify_chain(manifest, [str(before)], bundles.known)

    def test_of_before_signatures_does_not_follow_a_new_one(
        self, bundles: BundlePair, key: SigningKey
    ) -> None:
        """The operator went back to the earlier format."""
        files = sign(before_signatures(contents(bundles.second)), key)
        path = packed(bundles.folder / "second.zip", files)
        manifest, _digest = verify_bundle.verify(str(path), bundles.known, say=print)

        with pytest.raises(verify_bundle.Wrong, match="bundle 2 has no signatures, but the one"):
            verify_bundle.verify_chain(manifest, [str(bundles.first)], bundles.known)


class TestAnInvalidFile:
    @pytest.mark.parametrize("content", [b"", b"PK", b"x" * 1000])
    def test_is_reported(self, bundles: BundlePair, content: bytes) -> None:
        """Empty or truncated files."""
        path = bundles.folder / "x.zip"
        path.write_bytes(content)

        assert verifier_error(path, bundles) is not None

    def test_is_reported_for_a_zip_with_only_a_seal(self, bundles: BundlePair) -> None:
        """Without a manifest."""
        path = packed(bundles.folder / "x.zip", {"a": b"b"})

        assert "manifest.json" in (verifier_error(path, bundles) or "")
        with zipfile.ZipFile(path) as archive:
            assert archive.namelist() == ["a"]
