"""Bundles signed by anybody else whom the regulator's machine trusts are refused."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.serialization import pkcs7

from compliance.exports import verify_bundle
from compliance.exports.bundle.signing import VERIFY_SIGNATURE, SigningKey
from tests.compliance.exports.certificate_authorities import Authority, authority, named, write_pem
from tests.compliance.exports.exported_days import contents, exported, type_printed
from tests.compliance.exports.packed_bundles import MANIFEST, SIGNATURE, packed

DETACHED: Final = [pkcs7.PKCS7Options.DetachedSignature, pkcs7.PKCS7Options.Binary]


class Casino(NamedTuple):
    """An operator with a certified key, and a bundle."""

    authority: Authority
    key: SigningKey
    bundle: Path
    certificate: Path

    @property
    def files(self) -> dict[str, bytes]:
        """The files of the bundle."""
        return contents(self.bundle)


class Done(NamedTuple):
    """Exit status and output of the verifier."""

    status: int
    output: str

    @property
    def last(self) -> str:
        """The last line."""
        return self.output.splitlines()[-1]


@pytest.fixture
def casino(day: None, tmp_path: Path) -> Casino:
    """The operator; the regulator has the operator's certificate."""
    issuer = authority(named("Prestatore di servizi fiduciari"))
    key = issuer.certify("Casino di prova")
    certificate = write_pem(tmp_path / "operator.crt", key.certificate)
    return Casino(issuer, key, exported(tmp_path / "out", key).path, certificate)


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SigningKey:
    """A key certified by an authority in the default store."""
    trusted = authority(named("Another authority"))
    folder = tmp_path / "store"
    folder.mkdir()
    store = write_pem(folder / "trusted.pem", trusted.certificate)
    subprocess.run(["openssl", "rehash", str(folder)], check=True)  # noqa: S607  the machine's
    monkeypatch.setenv("SSL_CERT_FILE", str(store))
    monkeypatch.setenv("SSL_CERT_DIR", str(folder))
    return trusted.certify("Stranger")


def without_malfunctions(files: Mapping[str, bytes], **changes: str) -> dict[str, bytes]:
    """An unsigned bundle without its malfunctions."""
    left = {name: content for name, content in files.items() if "malfunctions" not in name}
    manifest = json.loads(left[MANIFEST]) | changes
    manifest["files"] = [file for file in manifest["files"] if file["name"] in left]
    return left | {MANIFEST: json.dumps(manifest).encode()}


def signed(
    files: Mapping[str, bytes], key: SigningKey, *also: x509.Certificate
) -> dict[str, bytes]:
    """The bundle signed by a key, with further certificates in the signature."""
    signing = pkcs7.PKCS7SignatureBuilder().set_data(files[MANIFEST])
    signing = signing.add_signer(key.certificate, key.private, hashes.SHA256())
    for certificate in also:
        signing = signing.add_certificate(certificate)
    return {**files, SIGNATURE: signing.sign(serialization.Encoding.DER, DETACHED)}


def verified(path: Path, *arguments: str) -> Done:
    """The verifier, started outside of Sabot."""
    completed = subprocess.run(
        [sys.executable, "-I", verify_bundle.__file__, *arguments, str(path)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ},
    )
    return Done(completed.returncode, completed.stdout + completed.stderr)


class TestTheOperator:
    def test_is_verified_by_certificate_or_digest(self, casino: Casino) -> None:
        """The authority's certificate is not needed."""
        digest = casino.key.key_id
        colons = ":".join(digest[at : at + 2].upper() for at in range(0, 64, 2))
        file = str(casino.certificate)

        runs = [
            verified(casino.bundle, *arguments)
            for arguments in (
                ("--certificate", file),
                ("--key-id", digest),
                ("--key-id", colons, "--certificate", file),
                ("--key-id", "0" * 64, "--key-id", digest),
            )
        ]

        assert [run.status for run in runs] == [0] * 4
        assert all("RIGHT: bundle 1" in run.output and digest in run.output for run in runs)

    def test_is_right_by_the_printed_commands(self, casino: Casino, tmp_path: Path) -> None:
        """With the two files and the certificate."""
        for name in (MANIFEST, SIGNATURE):
            (tmp_path / name).write_bytes(casino.files[name])

        typed = type_printed(VERIFY_SIGNATURE.format(name=MANIFEST), folder=tmp_path)

        assert casino.key.key_id in typed.splitlines()[0]


class TestWithoutAnyKnownKey:
    def test_nothing_is_proved(self, casino: Casino) -> None:
        """The signer is only claimed by the bundle."""
        verified_run = verified(casino.bundle)

        assert verified_run.status == 1
        assert "RIGHT" not in verified_run.output
        assert (
            f"NOT PROVED: the bundle is consistent and signed by the key {casino.key.key_id}."
            in (verified_run.output)
        )

    def test_what_does_not_fit_is_wrong(self, casino: Casino, tmp_path: Path) -> None:
        """Another key signed the manifest."""
        files = casino.files
        files[MANIFEST] += b"\n"

        verified_run = verified(packed(tmp_path / "x.zip", files))

        assert (verified_run.status, verified_run.last[:6]) == (1, "WRONG:")


class TestAStrangerWhomTheMachineTrusts:
    def check(self, casino: Casino, files: Mapping[str, bytes], folder: Path) -> list[str]:
        """The verifier's last lines for the stranger's bundle."""
        path = packed(folder / "forged.zip", files)
        known = ["--certificate", str(casino.certificate)], ["--key-id", casino.key.key_id]
        runs = [verified(path, *arguments) for arguments in known]
        assert [(run.status, run.last[:6]) for run in runs] == [(1, "WRONG:")] * 2
        assert not any("RIGHT" in run.output for run in runs)
        return [run.last for run in runs]

    def test_signs_in_the_operators_name(
        self, casino: Casino, stranger: SigningKey, tmp_path: Path
    ) -> None:
        """The manifest names the operator's key."""
        files = signed(without_malfunctions(casino.files), stranger)

        for verdict in self.check(casino, files, tmp_path):
            assert "the manifest is not signed by the key that it names" in verdict

    def test_includes_the_operators_certificate(
        self, casino: Casino, stranger: SigningKey, tmp_path: Path
    ) -> None:
        """It has signed nothing."""
        files = signed(without_malfunctions(casino.files), stranger, casino.key.certificate)

        for verdict in self.check(casino, files, tmp_path):
            assert "the signature of the manifest is invalid" in verdict

    def test_uses_the_operators_issuer_and_serial_number(
        self, casino: Casino, tmp_path: Path
    ) -> None:
        """These identify the signer of a signature."""
        twin = authority(casino.authority.certificate.subject).certify(
            "Casino di prova", serial=casino.key.certificate.serial_number
        )
        files = signed(without_malfunctions(casino.files), twin, casino.key.certificate)

        for verdict in self.check(casino, files, tmp_path):
            assert "the signature of the manifest is invalid" in verdict

    def test_makes_an_own_bundle(
        self, casino: Casino, stranger: SigningKey, tmp_path: Path
    ) -> None:
        """Consistent, with another key."""
        files = signed(without_malfunctions(casino.files, key_id=stranger.key_id), stranger)

        for verdict in self.check(casino, files, tmp_path):
            assert f"names the key {stranger.key_id}, which is not one of those given" in verdict
        alone = verified(tmp_path / "forged.zip")
        assert (alone.status, "NOT PROVED" in alone.output) == (1, True)

    def test_is_another_of_the_operators_authority(self, casino: Casino, tmp_path: Path) -> None:
        """Other certificates of the same authority are refused."""
        other = casino.authority.certify("Casino di prova")
        certificates = casino.key.certificate, casino.authority.certificate
        write_pem(casino.certificate, *certificates)

        for changes in ({}, {"key_id": other.key_id}):
            files = signed(without_malfunctions(casino.files, **changes), other)
            self.check(casino, files, tmp_path)

    def test_is_refused_by_the_printed_commands(
        self, casino: Casino, stranger: SigningKey, tmp_path: Path
    ) -> None:
        """Of bundles, dossiers and certificates."""
        files = signed(without_malfunctions(casino.files), stranger, casino.key.certificate)
        for name in (MANIFEST, SIGNATURE):
            (tmp_path / name).write_bytes(files[name])

        with pytest.raises(subprocess.CalledProcessError, match="status 4"):
            type_printed(VERIFY_SIGNATURE.format(name=MANIFEST), folder=tmp_path)


class TestBytesBehindTheSignature:
    @pytest.mark.parametrize("behind", [b"\0", b"\n", b"malfunctions.csv"])
    def test_are_refused(self, casino: Casino, tmp_path: Path, behind: bytes) -> None:
        """OpenSSL ignores trailing bytes."""
        files = casino.files
        path = packed(tmp_path / "x.zip", files | {SIGNATURE: files[SIGNATURE] + behind})

        verified_run = verified(path, "--certificate", str(casino.certificate))

        assert verified_run.status == 1
        assert verified_run.last == (
            "WRONG: the signature of the manifest is not a single DER structure"
        )

    @pytest.mark.parametrize("content", [b"", b"0", b"0\x80", b"\x31\x01\x00", b"0\x82\x01"])
    def test_nor_is_anything_else_taken_for_one(
        self, casino: Casino, tmp_path: Path, content: bytes
    ) -> None:
        """Truncated or malformed signatures."""
        path = packed(tmp_path / "x.zip", casino.files | {SIGNATURE: content})

        verified_run = verified(path, "--certificate", str(casino.certificate))

        assert (verified_run.status, verified_run.last[:6]) == (1, "WRONG:")


class TestACertificateFile:
    def test_that_is_not_of_the_digest_is_refused(self, casino: Casino, tmp_path: Path) -> None:
        """File and digest have to match."""
        other = write_pem(tmp_path / "other.crt", casino.authority.certificate)

        verified_run = verified(
            casino.bundle, "--certificate", str(other), "--key-id", casino.key.key_id
        )

        assert verified_run.status == 1
        assert "is not the certificate with the given --key-id" in verified_run.last

    def test_without_a_certificate_is_refused(self, casino: Casino, tmp_path: Path) -> None:
        """An empty file proves nothing."""
        empty = tmp_path / "empty.crt"
        empty.write_text("")

        verified_run = verified(casino.bundle, "--certificate", str(empty))
        digits = verified(casino.bundle, "--key-id", casino.key.key_id[:16])

        assert (verified_run.status, "contains no PEM certificate" in verified_run.last) == (
            1,
            True,
        )
        assert (digits.status, "64 hexadecimal digits" in digits.last) == (1, True)


def test_the_commands_are_documented() -> None:
    """On the page, in the manuals, in bundles and dossiers."""
    root = Path(verify_bundle.__file__).parents[2]
    places = (
        "docs/exports.md",
        "docs/disputes.md",
        "docs/api.md",
        "templates/backoffice/exports/verify.html",
    )

    for place in places:
        text = (root / place).read_text()
        commands = [
            command for command in text.split("openssl cms ")[1:] if command.startswith("-verify")
        ]
        assert commands, place
        for command in commands:
            typed = command.partition("content")[0]
            assert all(f"-{word}" in typed for word in ("nointern", "noverify", "certfile")), place
            assert "-CAfile" not in typed
    assert shutil.which("openssl")
