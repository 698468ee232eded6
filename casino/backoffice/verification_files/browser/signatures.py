"""What verifies signatures in the browser, in the place of the program openssl."""

from casino.backoffice.verification_files.browser import cms
from casino.backoffice.verification_files.browser.public_keys import NotVerified, is_signed
from compliance.exports.verify_bundle import Openssl, Wrong

__all__ = ["InBrowser", "NotVerified"]


class InBrowser(Openssl):
    """Decides as openssl does, in the same words; NotVerified for a kind that it does not know."""

    def certificates(self, signature: bytes) -> str:
        """As openssl prints them."""
        try:
            return cms.certificates_in(signature)
        except ValueError:
            raise Wrong("the signature of the manifest cannot be read") from None

    def verify_by_certificate(self, content: bytes, signature: bytes, pem: str) -> None:
        """By the certificate alone."""
        try:
            is_right = cms.is_signed_by(content, signature, pem)
        except ValueError:
            is_right = False
        if not is_right:
            raise Wrong("the signature of the manifest is invalid")

    def verify_by_key(self, what: str, signed: bytes, signature: bytes, der: bytes) -> None:
        """Of heads, witnesses and persons."""
        try:
            is_right = is_signed(signed, signature=signature, key=der, hash_name="sha256")
        except ValueError:
            is_right = False
        if not is_right:
            raise Wrong(f"{what} is invalid")
