"""The bundle verifier accepts the operator's signature and names what is missing to prove it."""

import shutil
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from compliance.exports import verify_bundle
from compliance.exports.bundle.signing import VERIFY_SIGNATURE, SigningKey
from tests.compliance.exports.certificate_authorities import write_pem
from tests.compliance.exports.exported_days import YEAR, certificate_in, type_printed
from tests.compliance.exports.packed_bundles import MANIFEST, SIGNATURE, packed
from tests.compliance.exports.verifier_runs import Operator, run_verifier


class TestTheOperatorsSignature:
    def test_is_verified_by_certificate_or_digest(self, operator: Operator) -> None:
        """By file, by digest, by both and by one of several digests; no authority is needed."""
        digest = operator.key.key_id
        colons = ":".join(digest[at : at + 2].upper() for at in range(0, 64, 2))
        file = str(operator.certificate)

        runs = [
            run_verifier(operator.bundle, *arguments)
            for arguments in (
                ("--certificate", file),
                ("--key-id", digest),
                ("--key-id", colons, "--certificate", file),
                ("--key-id", "0" * 64, "--key-id", digest),
            )
        ]

        assert [run.status for run in runs] == [0] * 4
        assert all("RIGHT: bundle 1" in run.output and digest in run.output for run in runs)

    def test_is_verified_by_the_printed_commands(self, operator: Operator, tmp_path: Path) -> None:
        """With the manifest, its signature and the certificate."""
        for name in (MANIFEST, SIGNATURE):
            (tmp_path / name).write_bytes(operator.files[name])

        typed = type_printed(VERIFY_SIGNATURE.format(name=MANIFEST), folder=tmp_path)

        assert operator.key.key_id in typed.splitlines()[0]


class TestTheOperatorsCertificate:
    def test_is_valid_to_a_strict_program(self, key: SigningKey, tmp_path: Path) -> None:
        """RFC 5280, 4.2.1: its uses are critical extensions, the identifiers of keys are not."""
        path = certificate_in(tmp_path)
        at = str(int((YEAR + timedelta(days=1)).timestamp()))

        checked = subprocess.run(
            [
                *("openssl", "verify", "-x509_strict", "-partial_chain", "-attime", at),
                *("-trusted", path, path),
            ],
            capture_output=True,
            text=True,
            check=False,
        )

        assert (checked.returncode, checked.stderr) == (0, "")


class TestWithoutAKnownKey:
    def test_a_consistent_bundle_is_not_proved(self, operator: Operator) -> None:
        """The bundle only claims its signer."""
        run = run_verifier(operator.bundle)

        assert run.status == 1
        assert "RIGHT" not in run.output
        assert (
            f"NOT PROVED: the bundle is consistent and signed by the key {operator.key.key_id}."
            in (run.output)
        )

    def test_a_changed_manifest_is_wrong(self, operator: Operator, tmp_path: Path) -> None:
        """The signature does not match the manifest."""
        files = operator.files
        files[MANIFEST] += b"\n"

        run = run_verifier(packed(tmp_path / "x.zip", files))

        assert (run.status, run.last_line[:6]) == (1, "WRONG:")


class TestAMalformedSignature:
    @pytest.mark.parametrize("trailing", [b"\0", b"\n", b"malfunctions.csv"])
    def test_with_trailing_bytes_is_refused(
        self, operator: Operator, tmp_path: Path, trailing: bytes
    ) -> None:
        """OpenSSL ignores trailing bytes; the verifier does not."""
        files = operator.files
        path = packed(tmp_path / "x.zip", files | {SIGNATURE: files[SIGNATURE] + trailing})

        run = run_verifier(path, "--certificate", str(operator.certificate))

        assert run.status == 1
        assert run.last_line == (
            "WRONG: the signature of the manifest is not a single DER structure"
        )

    @pytest.mark.parametrize("content", [b"", b"0", b"0\x80", b"\x31\x01\x00", b"0\x82\x01"])
    def test_is_refused(self, operator: Operator, tmp_path: Path, content: bytes) -> None:
        """Empty, truncated or of another type."""
        path = packed(tmp_path / "x.zip", operator.files | {SIGNATURE: content})

        run = run_verifier(path, "--certificate", str(operator.certificate))

        assert (run.status, run.last_line[:6]) == (1, "WRONG:")


class TestACertificateFile:
    def test_of_another_digest_is_refused(self, operator: Operator, tmp_path: Path) -> None:
        """File and digest have to match."""
        other = write_pem(tmp_path / "other.crt", operator.authority.certificate)

        run = run_verifier(
            operator.bundle, "--certificate", str(other), "--key-id", operator.key.key_id
        )

        assert run.status == 1
        assert "is not the certificate with the given --key-id" in run.last_line

    def test_without_a_certificate_is_refused(self, operator: Operator, tmp_path: Path) -> None:
        """So is a shortened digest."""
        empty = tmp_path / "empty.crt"
        empty.write_text("")

        run = run_verifier(operator.bundle, "--certificate", str(empty))
        digits = run_verifier(operator.bundle, "--key-id", operator.key.key_id[:16])

        assert (run.status, "contains no PEM certificate" in run.last_line) == (
            1,
            True,
        )
        assert (digits.status, "64 hexadecimal digits" in digits.last_line) == (1, True)


def test_documented_commands_trust_only_the_given_certificate() -> None:
    """In the manuals and on the page of instructions."""
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
