"""Bundles signed by anyone but the operator are refused, even by trusted certificates."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from compliance.exports.bundle.signing import VERIFY_SIGNATURE, SigningKey
from tests.compliance.exports.certificate_authorities import authority, write_pem
from tests.compliance.exports.exported_days import type_printed
from tests.compliance.exports.packed_bundles import MANIFEST, SIGNATURE, packed
from tests.compliance.exports.verifier_runs import (
    Operator,
    run_verifier,
    sign,
    with_manifest,
    without_malfunctions,
)


class TestAForgedBundle:
    def refused(self, operator: Operator, files: Mapping[str, bytes], folder: Path) -> list[str]:
        """The verifier's result for certificate and digest; asserts that both refuse the bundle."""
        path = packed(folder / "forged.zip", files)
        known = ["--certificate", str(operator.certificate)], ["--key-id", operator.key.key_id]
        runs = [run_verifier(path, *arguments) for arguments in known]
        assert [(run.status, run.last_line[:6]) for run in runs] == [(1, "WRONG:")] * 2
        assert not any("RIGHT" in run.output for run in runs)
        return [run.last_line for run in runs]

    def test_in_the_operators_name_is_refused(
        self, operator: Operator, stranger: SigningKey, tmp_path: Path
    ) -> None:
        """The manifest names the operator's key."""
        files = sign(without_malfunctions(operator.files), stranger)

        for verdict in self.refused(operator, files, tmp_path):
            assert "the manifest is not signed by the key that it names" in verdict

    def test_with_the_operators_certificate_is_refused(
        self, operator: Operator, stranger: SigningKey, tmp_path: Path
    ) -> None:
        """The certificate is included, but its key has signed nothing."""
        files = sign(without_malfunctions(operator.files), stranger, operator.key.certificate)

        for verdict in self.refused(operator, files, tmp_path):
            assert "the signature of the manifest is invalid" in verdict

    def test_with_the_operators_issuer_and_serial_number_is_refused(
        self, operator: Operator, tmp_path: Path
    ) -> None:
        """Both identify the signer in a signature."""
        twin = authority(operator.authority.certificate.subject).certify(
            "Casino di prova", serial=operator.key.certificate.serial_number
        )
        files = sign(without_malfunctions(operator.files), twin, operator.key.certificate)

        for verdict in self.refused(operator, files, tmp_path):
            assert "the signature of the manifest is invalid" in verdict

    @pytest.mark.slow
    def test_with_another_key_is_refused(
        self, operator: Operator, stranger: SigningKey, tmp_path: Path
    ) -> None:
        """It is consistent, so without a known key it is not proved."""
        files = sign(without_malfunctions(operator.files, key_id=stranger.key_id), stranger)

        for verdict in self.refused(operator, files, tmp_path):
            assert f"names the key {stranger.key_id}, which is not one of those given" in verdict
        consistent = sign(with_manifest(operator.files, key_id=stranger.key_id), stranger)
        alone = run_verifier(packed(tmp_path / "consistent.zip", consistent))
        assert (alone.status, "NOT PROVED" in alone.output) == (1, True)

    @pytest.mark.slow
    def test_by_another_certificate_of_the_same_authority_is_refused(
        self, operator: Operator, tmp_path: Path
    ) -> None:
        """Also if the authority's certificate is in the file."""
        other = operator.authority.certify("Casino di prova")
        certificates = operator.key.certificate, operator.authority.certificate
        write_pem(operator.certificate, *certificates)

        for changes in ({}, {"key_id": other.key_id}):
            files = sign(without_malfunctions(operator.files, **changes), other)
            self.refused(operator, files, tmp_path)

    def test_is_refused_by_the_printed_commands(
        self, operator: Operator, stranger: SigningKey, tmp_path: Path
    ) -> None:
        """With OpenSSL's exit status for a failed verification."""
        files = sign(without_malfunctions(operator.files), stranger, operator.key.certificate)
        for name in (MANIFEST, SIGNATURE):
            (tmp_path / name).write_bytes(files[name])

        with pytest.raises(subprocess.CalledProcessError, match="status 4"):
            type_printed(VERIFY_SIGNATURE.format(name=MANIFEST), folder=tmp_path)
