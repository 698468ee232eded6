"""Whoever the regulator's machine trusts signs a bundle: it is refused, whatever he tries."""

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
    """An operator whose key an authority certified, and a bundle of his."""

    authority: Authority
    key: SigningKey
    bundle: Path
    certificate: Path

    @property
    def files(self) -> dict[str, bytes]:
        """What is in the bundle."""
        return contents(self.bundle)


class Done(NamedTuple):
    """How the verifier ended and what it said."""

    status: int
    output: str

    @property
    def last(self) -> str:
        """What it comes to."""
        return self.output.splitlines()[-1]


@pytest.fixture
def casino(day: None, tmp_path: Path) -> Casino:
    """The operator's certificate is the authority's; the regulator has it from him."""
    issuer = authority(named("Prestatore di servizi fiduciari"))
    key = issuer.certify("Casino di prova")
    certificate = write_pem(tmp_path / "operator.crt", key.certificate)
    return Casino(issuer, key, exported(tmp_path / "out", key).path, certificate)


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SigningKey:
    """Certified by an authority that is in the default store of the regulator's machine."""
    trusted = authority(named("Another authority"))
    folder = tmp_path / "store"
    folder.mkdir()
    store = write_pem(folder / "trusted.pem", trusted.certificate)
    subprocess.run(["openssl", "rehash", str(folder)], check=True)  # noqa: S607  the machine's
    monkeypatch.setenv("SSL_CERT_FILE", str(store))
    monkeypatch.setenv("SSL_CERT_DIR", str(folder))
    return trusted.certify("Stranger")


def without_malfunctions(files: Mapping[str, bytes], **changes: str) -> dict[str, bytes]:
    """A bundle that keeps the malfunctions of the day to itself; nobody has signed it yet."""
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
    """The verifier as a stranger to Sabot starts it."""
    done = subprocess.run(
        [sys.executable, "-I", verify_bundle.__file__, *arguments, str(path)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ},
    )
    return Done(done.returncode, done.stdout + done.stderr)


class TestTheOperator:
    def test_is_right_by_his_certificate_and_by_its_digest(self, casino: Casino) -> None:
        """His authority's certificate is asked for by nobody; colons in a digest are taken."""
        digest = casino.key.key_id
        colons = ":".join(digest[at : at + 2].upper() for at in range(0, 64, 2))
        file = str(casino.certificate)

        done = [
            verified(casino.bundle, *arguments)
            for arguments in (
                ("--certificate", file),
                ("--key-id", digest),
                ("--key-id", colons, "--certificate", file),
                ("--key-id", "0" * 64, "--key-id", digest),
            )
        ]

        assert [run.status for run in done] == [0] * 4
        assert all("RIGHT: bundle 1" in run.output and digest in run.output for run in done)

    def test_is_right_by_the_printed_commands(self, casino: Casino, tmp_path: Path) -> None:
        """In a folder that has the two files and his certificate."""
        for name in (MANIFEST, SIGNATURE):
            (tmp_path / name).write_bytes(casino.files[name])

        typed = type_printed(VERIFY_SIGNATURE.format(name=MANIFEST), folder=tmp_path)

        assert casino.key.key_id in typed.splitlines()[0]


class TestWithoutAnyKnownKey:
    def test_nothing_is_right_though_all_fits(self, casino: Casino) -> None:
        """The signer is only what the bundle says of itself."""
        done = verified(casino.bundle)

        assert done.status == 1
        assert "RIGHT" not in done.output
        assert (
            f"NOT PROVED: it agrees with itself and is signed by the key {casino.key.key_id}"
            in (done.output)
        )

    def test_what_does_not_fit_is_wrong(self, casino: Casino, tmp_path: Path) -> None:
        """The manifest was signed as another."""
        files = casino.files
        files[MANIFEST] += b"\n"

        done = verified(packed(tmp_path / "x.zip", files))

        assert (done.status, done.last[:6]) == (1, "WRONG:")


class TestAStrangerWhomTheMachineTrusts:
    def check(self, casino: Casino, files: Mapping[str, bytes], folder: Path) -> list[str]:
        """What is said of his bundle to whoever knows the operator."""
        path = packed(folder / "forged.zip", files)
        known = ["--certificate", str(casino.certificate)], ["--key-id", casino.key.key_id]
        done = [verified(path, *arguments) for arguments in known]
        assert [(run.status, run.last[:6]) for run in done] == [(1, "WRONG:")] * 2
        assert not any("RIGHT" in run.output for run in done)
        return [run.last for run in done]

    def test_signs_in_the_operators_name(
        self, casino: Casino, stranger: SigningKey, tmp_path: Path
    ) -> None:
        """The manifest names the operator's key; the malfunctions of the day are gone."""
        files = signed(without_malfunctions(casino.files), stranger)

        for verdict in self.check(casino, files, tmp_path):
            assert "is not by the key that the manifest names" in verdict

    def test_puts_the_operators_certificate_beside_his(
        self, casino: Casino, stranger: SigningKey, tmp_path: Path
    ) -> None:
        """It is there to be found, and has signed nothing."""
        files = signed(without_malfunctions(casino.files), stranger, casino.key.certificate)

        for verdict in self.check(casino, files, tmp_path):
            assert "the signature of the manifest is not right" in verdict

    def test_is_known_by_the_operators_issuer_and_number(
        self, casino: Casino, tmp_path: Path
    ) -> None:
        """A signature names its signer by these two; the operator's certificate is there."""
        twin = authority(casino.authority.certificate.subject).certify(
            "Casino di prova", serial=casino.key.certificate.serial_number
        )
        files = signed(without_malfunctions(casino.files), twin, casino.key.certificate)

        for verdict in self.check(casino, files, tmp_path):
            assert "the signature of the manifest is not right" in verdict

    def test_makes_a_bundle_of_his_own(
        self, casino: Casino, stranger: SigningKey, tmp_path: Path
    ) -> None:
        """Right in itself, with his key for the operator's."""
        files = signed(without_malfunctions(casino.files, key_id=stranger.key_id), stranger)

        for verdict in self.check(casino, files, tmp_path):
            assert f"names the key {stranger.key_id}, which is not one you know" in verdict
        alone = verified(tmp_path / "forged.zip")
        assert (alone.status, "NOT PROVED" in alone.output) == (1, True)

    def test_is_another_of_the_operators_authority(self, casino: Casino, tmp_path: Path) -> None:
        """Whoever else it certified, also where somebody has put its certificate into the file."""
        other = casino.authority.certify("Casino di prova")
        certificates = casino.key.certificate, casino.authority.certificate
        write_pem(casino.certificate, *certificates)

        for changes in ({}, {"key_id": other.key_id}):
            files = signed(without_malfunctions(casino.files, **changes), other)
            self.check(casino, files, tmp_path)

    def test_is_refused_by_the_printed_commands(
        self, casino: Casino, stranger: SigningKey, tmp_path: Path
    ) -> None:
        """Of bundles, dossiers and certificates alike."""
        files = signed(without_malfunctions(casino.files), stranger, casino.key.certificate)
        for name in (MANIFEST, SIGNATURE):
            (tmp_path / name).write_bytes(files[name])

        with pytest.raises(subprocess.CalledProcessError, match="status 4"):
            type_printed(VERIFY_SIGNATURE.format(name=MANIFEST), folder=tmp_path)


class TestBytesBehindTheSignature:
    @pytest.mark.parametrize("behind", [b"\0", b"\n", b"malfunctions.csv"])
    def test_are_refused(self, casino: Casino, tmp_path: Path, behind: bytes) -> None:
        """OpenSSL reads the signature and does not look further."""
        files = casino.files
        path = packed(tmp_path / "x.zip", files | {SIGNATURE: files[SIGNATURE] + behind})

        done = verified(path, "--certificate", str(casino.certificate))

        assert done.status == 1
        assert done.last == (
            "WRONG: the signature of the manifest is not one whole structure of DER"
        )

    @pytest.mark.parametrize("content", [b"", b"0", b"0\x80", b"\x31\x01\x00", b"0\x82\x01"])
    def test_nor_is_anything_else_taken_for_one(
        self, casino: Casino, tmp_path: Path, content: bytes
    ) -> None:
        """Nothing, beginnings, a length that never ends."""
        path = packed(tmp_path / "x.zip", casino.files | {SIGNATURE: content})

        done = verified(path, "--certificate", str(casino.certificate))

        assert (done.status, done.last[:6]) == (1, "WRONG:")


class TestACertificateFile:
    def test_that_is_not_of_the_digest_is_refused(self, casino: Casino, tmp_path: Path) -> None:
        """What was handed over is held to what was told."""
        other = write_pem(tmp_path / "other.crt", casino.authority.certificate)

        done = verified(casino.bundle, "--certificate", str(other), "--key-id", casino.key.key_id)

        assert done.status == 1
        assert "is not the certificate of the --key-id" in done.last

    def test_without_a_certificate_is_refused(self, casino: Casino, tmp_path: Path) -> None:
        """Else anything would be known."""
        empty = tmp_path / "empty.crt"
        empty.write_text("")

        done = verified(casino.bundle, "--certificate", str(empty))
        digits = verified(casino.bundle, "--key-id", casino.key.key_id[:16])

        assert (done.status, "has no certificate in PEM" in done.last) == (1, True)
        assert (digits.status, "64 hexadecimal digits" in digits.last) == (1, True)


def test_the_printed_commands_stand_in_the_documents() -> None:
    """As the page, the manuals and the files in bundles and dossiers print them."""
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
