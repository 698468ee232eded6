"""An OpenID Connect provider in this process, which can be made to lie: a protocol peer.

It holds Sabot to the protocol as a provider does (PKCE, the client's secret, the redirect address,
codes that work once), and what it issues can be changed in every way that a taken-over provider
could. ``test_openid_provider.py`` uses a provider of another make.
"""

import base64
import hashlib
import json
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from secrets import token_urlsafe
from threading import Thread
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

CLIENT: Final = "sabot"
SECRET: Final = "between the two of us"  # noqa: S105  of a test
KEY: Final = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER_KEY: Final = rsa.generate_private_key(public_exponent=65537, key_size=2048)

Claims = dict[str, Any]


def signed(claims: Claims) -> str:
    """The ID token of an honest provider."""
    return jwt.encode(claims, KEY, algorithm="RS256", headers={"kid": "k1"})


class Peer:
    """The provider; its attributes are its behaviour."""

    def __init__(self, issuer: str) -> None:
        self.issuer = issuer
        self.codes: dict[str, Claims] = {}
        self.called: list[str] = []
        self.description: Claims = {
            "issuer": issuer,
            "authorization_endpoint": f"{issuer}/authorize",
            "token_endpoint": f"{issuer}/token",
            "jwks_uri": f"{issuer}/keys",
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
            "authorization_response_iss_parameter_supported": True,
        }
        self.keys: Claims = {
            "keys": [{**json.loads(RSAAlgorithm.to_jwk(KEY.public_key())), "kid": "k1"}]
        }
        self.changed: Claims = {}
        """Claims of the ID token that differ; None leaves one out."""
        self.sign: Callable[[Claims], str] = signed
        self.answer: Callable[[Claims], Claims] = lambda answer: answer
        """What becomes of the answer with the tokens."""
        self.missing = 0
        """How many bytes of each answer are promised and never sent."""
        self.pause = 0.0
        """Seconds between two bytes of an answer."""
        self.redirect = ""
        """Where the address of the keys leads."""

    def log_in(self, address: str, subject: str) -> dict[str, str]:
        """What a person's browser brings back after a login at the address."""
        wanted = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert address.startswith(f"{self.issuer}/authorize?")
        assert (wanted["client_id"], wanted["response_type"]) == (CLIENT, "code")
        assert wanted["code_challenge_method"] == "S256"
        code = token_urlsafe(16)
        self.codes[code] = {**wanted, "subject": subject}
        return {"code": code, "state": wanted["state"], "iss": self.issuer}

    def exchanged(self, form: dict[str, str], authorization: str) -> Claims | None:
        """The answer with the tokens; None if the code or its proof is wrong."""
        wanted = self.codes.pop(form.get("code", ""), None)
        verifier = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(verifier).decode().rstrip("=")
        credentials = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        if (
            wanted is None
            or challenge != wanted["code_challenge"]
            or form["redirect_uri"] != wanted["redirect_uri"]
            or authorization != f"Basic {credentials}"
        ):
            return None
        now = int(time.time())
        claims = {"iss": self.issuer, "sub": wanted["subject"], "aud": CLIENT, "iat": now}
        claims |= {"exp": now + 300, "nonce": wanted.get("nonce"), **self.changed}
        claims = {name: value for name, value in claims.items() if value is not None}
        answer = {"access_token": "a", "token_type": "Bearer", "id_token": self.sign(claims)}
        return self.answer(answer)


class _Handler(BaseHTTPRequestHandler):
    peer: Peer

    def do_GET(self) -> None:
        """The description and the keys."""
        self.peer.called.append(self.path)
        if self.path == "/keys" and self.peer.redirect:
            self.send_response(302)
            self.send_header("Location", self.peer.redirect)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        documents = {
            "/.well-known/openid-configuration": self.peer.description,
            "/keys": self.peer.keys,
        }
        self._send(documents.get(self.path))

    def do_POST(self) -> None:
        """The exchange of a code."""
        self.peer.called.append(self.path)
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = {name: values[0] for name, values in parse_qs(body).items()}
        self._send(self.peer.exchanged(form, self.headers.get("Authorization", "")))

    def _send(self, document: Claims | None) -> None:
        body = json.dumps(document or {"error": "invalid_grant"}).encode()
        self.send_response(200 if document is not None else 400)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body) + self.peer.missing))
        self.end_headers()
        if not self.peer.pause:
            self.wfile.write(body)
            return
        with suppress(OSError):  # nobody reads any more
            for byte in body:
                self.wfile.write(bytes([byte]))
                time.sleep(self.peer.pause)

    def log_message(self, *_line: Any) -> None:
        """Nothing."""


@contextmanager
def running_peer(certificate: tuple[Path, Path] | None = None) -> Iterator[Peer]:
    """A provider that listens on this machine, by TLS with the files of a certificate."""
    handler = type("Handler", (_Handler,), {})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        scheme = "http"
        if certificate is not None:
            tls, scheme = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), "https"
            tls.load_cert_chain(*certificate)
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        peer = handler.peer = Peer(f"{scheme}://127.0.0.1:{server.server_port}")  # type: ignore[attr-defined]
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield peer
        server.shutdown()
        thread.join()
