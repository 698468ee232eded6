"""Keys and signatures by their standards: the published examples."""

import base64
import json

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from rounds.signatures.exceptions import InvalidSignature
from rounds.signatures.message_signature import (
    ContentDigests,
    component_of,
    parse_message_signature,
)
from rounds.signatures.public_keys import (
    InvalidPublicKey,
    from_base64url,
    is_signed,
    key_id_of,
    read_public_key,
)
from rounds.signatures.web_signature import parse_web_signature, payload_of, sign_payload
from tests.studio_signatures import Signer

RFC_8037_X = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
RFC_8037_D = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"
RFC_9421_KEY = "JrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs="
SHA_512_OF_HELLO = (
    "YMAam51Jz/jOATT6/zvHrLVgOYTGFy1d6GJiOHTohq4yP+pgk4vf2aCsyRZOtw8MjkM7iw7yZ/WkppmM44T3qg=="
)
PEM = """-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=
-----END PUBLIC KEY-----
"""


class TestAPublicKey:
    def test_has_the_thumbprint_of_rfc_8037(self) -> None:
        """Appendix A.3."""
        thumbprint = key_id_of(from_base64url(RFC_8037_X))

        assert thumbprint == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"

    @pytest.mark.parametrize(
        "text",
        [
            RFC_8037_X,
            json.dumps({"kty": "OKP", "crv": "Ed25519", "x": RFC_8037_X, "use": "sig"}),
            PEM,
        ],
    )
    def test_is_read_in_three_notations(self, text: str) -> None:
        """Its `x`, a JSON Web Key, PEM."""
        assert read_public_key(text).hex() == (
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
        )

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "AAAA",
            RFC_8037_X + "=",
            RFC_8037_X[:-1] + "p",  # other bits behind the last byte
            '{"kty": "OKP"}',
            '{"kty": "EC", "crv": "P-256", "x": "AAAA"}',
            json.dumps({"kty": "OKP", "crv": "Ed25519", "x": RFC_8037_X, "d": RFC_8037_D}),
            "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
            "[" * 10_000,
        ],
    )
    def test_is_nothing_else(self, text: str) -> None:
        """Least of all a private key."""
        with pytest.raises(InvalidPublicKey):
            read_public_key(text)


class TestAWebSignature:
    def test_is_that_of_rfc_8037(self) -> None:
        """Appendix A.4: the header has an algorithm alone, the payload is a text."""
        text = b"eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"
        signature = from_base64url(
            "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
        )

        assert is_signed(from_base64url(RFC_8037_X), signature, text)
        assert not is_signed(from_base64url(RFC_8037_X), signature, text + b"x")

    def test_is_read_as_it_was_written(self) -> None:
        """Header, payload, the text that was signed."""
        key = Ed25519PrivateKey.from_private_bytes(from_base64url(RFC_8037_D))

        signed = parse_web_signature(sign_payload({"lines": 1}, key).encode())

        assert signed.key_id == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
        assert payload_of(signed.signed_text) == signed.payload == {"lines": 1}
        assert is_signed(from_base64url(RFC_8037_X), signed.signature, signed.signed_text)


class TestAMessageSignature:
    def test_signs_the_base_of_rfc_9421(self) -> None:
        """Appendix B.2.6, whose components do not include a digest of the body."""
        base = (
            b'"date": Tue, 20 Apr 2021 02:07:55 GMT\n'
            b'"@method": POST\n'
            b'"@path": /foo\n'
            b'"@authority": example.com\n'
            b'"content-type": application/json\n'
            b'"content-length": 18\n'
            b'"@signature-params": ("date" "@method" "@path" "@authority" "content-type"'
            b' "content-length");created=1618884473;keyid="test-key-ed25519"'
        )
        signature = base64.b64decode(
            "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw=="
        )

        assert is_signed(base64.b64decode(RFC_9421_KEY), signature, base)
        assert component_of(base, "@path") == "/foo"
        assert component_of(base, "content-digest") is None

    def test_has_that_base(self) -> None:
        """The components in their order, then the very text of their parameters."""
        covered = '("content-digest" "@method" "@path" "content-type")'
        parameters = f'{covered};created=1618884473;keyid="k";nonce="n"'
        headers = {
            "Signature-Input": f"sig-1={parameters}",
            "Signature": f"sig-1=:{base64.b64encode(bytes(64)).decode()}:",
            "content-digest": " sha-256=:AA==: ",
            "content-type": "application/json",
        }

        signed = parse_message_signature(headers, {"@method": "POST", "@path": "/foo"}.get)

        assert (signed.key_id, signed.created, signed.expires) == ("k", 1618884473, None)
        assert signed.signed_text.decode().split("\n") == [
            '"content-digest": sha-256=:AA==:',
            '"@method": POST',
            '"@path": /foo',
            '"content-type": application/json',
            f'"@signature-params": {parameters}',
        ]

    @pytest.mark.parametrize(
        "given",
        [
            'a=("@method");created=1;keyid="k", b=("@method");created=1;keyid="k"',
            '("@method");created=1;keyid="k"',
            'a=("@method";req);created=1;keyid="k"',
            'a=("@method");created=1;created=2;keyid="k"',
            'a=("@method");created="1";keyid="k"',
            'a=("@method");created=1;keyid="k\\"',
            'a=("@method" "@method" "@path" "content-type" "content-digest");created=1;keyid="k"',
            'a=("@method" "@path" "content-type" "content-digest");created=1',
            'a=("@method" "@path" "content-type" "content-digest");keyid="k"',
            'a=("@method" "@path" "content-type" "content-digest" "@status");created=1;keyid="k"',
            'a=("@method" "@path" "content-type" "content-digest" "absent");created=1;keyid="k"',
            'a=("@method" "@path" "content-type" "content-digest" "fold");created=1;keyid="k"',
        ],
    )
    def test_in_another_form_is_invalid(self, given: str) -> None:
        """Two signatures, none, parameters of components, a component twice or without value."""
        headers = {
            "Signature-Input": given,
            "Signature": f"a=:{base64.b64encode(bytes(64)).decode()}:",
            "content-digest": "sha-256=:AA==:",
            "content-type": "application/json",
            "fold": 'x\n"@method": GET',
        }

        with pytest.raises(InvalidSignature, match="header:Signature-Input"):
            parse_message_signature(headers, {"@method": "POST", "@path": "/foo"}.get)


class TestAContentDigest:
    BODY = b'{"hello": "world"}\n'

    @pytest.mark.parametrize(
        "field",
        [
            "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:",
            f"sha-512=:{SHA_512_OF_HELLO}:",
            "md5=:AAAA:, sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:",
        ],
    )
    def test_is_that_of_rfc_9530(self, field: str) -> None:
        """Appendix B.1 and its SHA-512; other algorithms prove nothing and hurt nothing."""
        digests = ContentDigests()

        digests.update(self.BODY)

        digests.check(field)

    @pytest.mark.parametrize(
        "field",
        [
            "",
            "md5=:AAAA:",
            "sha-256=:AAAA:",
            "sha-256=:****:",
            "sha-256=RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=",
            "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:, sha-512=:AAAA:",
        ],
    )
    def test_is_right_in_every_part(self, field: str) -> None:
        """One wrong digest is enough."""
        digests = ContentDigests()
        digests.update(self.BODY)

        with pytest.raises(InvalidSignature, match="Content-Digest"):
            digests.check(field)


def test_the_helper_of_the_tests_has_the_same_key_id() -> None:
    """Worked out from the standard alone."""
    assert Signer().key_id == key_id_of(Signer().public)
