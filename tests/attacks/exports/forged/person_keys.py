"""Forged keys of persons, and what the regulator knows about them."""

import hashlib
import json
from base64 import b64encode
from typing import Any, Final

from compliance.exports.verify_bundle import der_of
from compliance.signatures.software_key import SoftwareKey
from tests.attacks.exports.forged.statements import (
    another_key,
    approved_again,
    by_lorenzo,
    key_line,
    restated,
    with_key,
    with_step,
)
from tests.attacks.exports.workshop import Arguments, Forged, Workshop
from tests.browser_keys import BrowserKey
from tests.compliance.exports.decisions.signed_day import KEYS, Line


def parts_of(key: SoftwareKey) -> Line:
    """The public key as a line has it."""
    cose = key.public.cose
    return {"public_key": b64encode(cose).decode(), "der": b64encode(der_of(cose)).decode()}


def _changed(shop: Workshop, **parts: Any) -> Arguments:
    return shop.bundle(with_key(shop, lambda line: line | parts))


def _with_approvals(shop: Workshop, *approvals: Line) -> Arguments:
    return _changed(shop, decisions=list(approvals))


def _first_by_giulia(shop: Workshop, **parts: Any) -> Arguments:
    """The first approval in other words, which Giulia signs."""
    first, second = key_line(shop)["decisions"]
    return _with_approvals(shop, restated(first, shop.persons.giulia.key, **parts), second)


def _with_key_of_the_operator(shop: Workshop, *names: str) -> Arguments:
    """A key that the operator made stands for Lorenzo's, and signs in his place."""
    own = SoftwareKey.generate()
    parts = {name: parts_of(own)[name] for name in names}
    keys = with_key(shop, lambda line: line | parts)
    return shop.bundle(keys | by_lorenzo(shop, own))


def _in_a_circle(shop: Workshop) -> Arguments:
    first, second = key_line(shop)["decisions"]
    lorenzo = shop.persons.lorenzo
    own = restated(first, lorenzo.key, key_id=lorenzo.row.id, actor="Lorenzo Ferri", account=3)
    return _with_approvals(shop, own, second)


def _with_a_later_decision(shop: Workshop, **parts: Any) -> Arguments:
    first, second = key_line(shop)["decisions"]
    third = restated(first, shop.persons.giulia.key, action="SIGNING_KEY_REVOKED", **parts)
    return _with_approvals(shop, first, second, third)


def _further(shop: Workshop) -> Arguments:
    """A key that nobody approved, which has signed nothing yet."""
    own = SoftwareKey.generate()
    line = key_line(shop) | parts_of(own) | {"decisions": []}
    line["key"] = hashlib.sha256(own.public.cose).hexdigest()
    more = json.dumps(line).encode() + b"\n"
    return shop.bundle({KEYS: shop.bundles["registers"].files[KEYS] + more})


def _in_a_browser(shop: Workshop) -> Arguments:
    """Lorenzo's authenticator becomes a key in a browser, which needs no PIN."""
    pem = shop.persons.lorenzo.key.pem
    browser = BrowserKey.load(pem, site="localhost", origin="http://localhost")
    keys = with_key(shop, lambda line: line | {"is_browser": True})
    return shop.bundle(keys | by_lorenzo(shop, browser))


def _said_to_be_in_a_browser(shop: Workshop) -> Arguments:
    return _changed(shop, is_browser=True)


def with_list(shop: Workshop, *lines: str, is_whole: bool = True) -> Arguments:
    """The bundle for a regulator who has these lines about persons, after all genuine ones."""
    genuine = [line["key"] for line in shop.bundles["registers"].lines(KEYS)] if is_whole else []
    content = "\n".join([*genuine, *lines]).encode()
    return ["--keys", shop.file("persons.txt", content), *shop.bundle({})]


def _without_first_keys(shop: Workshop) -> Arguments:
    """The regulator has the ids of two strangers only."""
    return with_list(shop, "0" * 64, "1" * 64, is_whole=False)


def _of_another_holder(shop: Workshop) -> Arguments:
    return with_list(shop, f"{shop.persons.lorenzo.row.id} Elena Conti")


PERSONS: Final = {
    "with another key under his id": Forged(
        "is not the public key with this id",
        lambda shop: _with_key_of_the_operator(shop, "public_key", "der"),
    ),
    "with another key for openssl": Forged(
        "has another public key for openssl", lambda shop: _with_key_of_the_operator(shop, "der")
    ),
    "with a key of somebody else": Forged("is that of Elena Conti in the file", _of_another_holder),
    "with the approval of another key": Forged(
        "has the approval of another key", lambda shop: _changed(shop, person="Another Name")
    ),
    "with a key of another kind": Forged("as a key of another kind", _in_a_browser),
    "with a key that is said to be in a browser": Forged(
        "as a key of another kind", _said_to_be_in_a_browser
    ),
    "with a key that nobody approved": Forged(
        "was approved by nobody", lambda shop: _changed(shop, decisions=[])
    ),
    "with a further key that nobody approved": Forged("was approved by nobody", _further),
    "with a key whose approvals are withheld": Forged(
        "withholds signed texts or approvals",
        lambda shop: _changed(shop, decisions=[], in_force_from="2020-01-01T00:00:00+00:00"),
    ),
    "with a key of the host that the regulator does not know": Forged(
        "was approved on the operator's host and is not in --keys", _without_first_keys
    ),
    "with a key that one person approved": Forged(
        "was not approved by two persons",
        lambda shop: _with_approvals(shop, *key_line(shop)["decisions"][:1]),
    ),
    "with a key that two persons rejected": Forged(
        "was not approved by two persons",
        lambda shop: shop.bundle(
            with_key(shop, lambda line: approved_again(shop, line, action="SIGNING_KEY_REJECTED"))
        ),
    ),
    "with an approval that nobody signed": Forged(
        "its signature is invalid",
        lambda shop: _with_approvals(
            shop,
            restated(key_line(shop)["decisions"][0], SoftwareKey.generate()),
            key_line(shop)["decisions"][1],
        ),
    ),
    "with a key that its holder approved": Forged(
        "was approved by its holder", lambda shop: _first_by_giulia(shop, actor="Lorenzo Ferri")
    ),
    "with a key that its holder approved by itself": Forged("was approved by itself", _in_a_circle),
    "with a key that one person approved twice": Forged(
        "was approved twice by Giulia Marchetti",
        lambda shop: _with_approvals(shop, *key_line(shop)["decisions"][:1] * 2),
    ),
    "with a decision about another key": Forged(
        "has a decision about another key",
        lambda shop: _with_a_later_decision(shop, details={"key": "0" * 64}, at=1 << 60),
    ),
    "with a key that was revoked before": Forged(
        "was not in force then", lambda shop: _with_a_later_decision(shop, at=1_600_000_000_000_000)
    ),
    "with a key that was not in force yet": Forged(
        "was not in force then",
        lambda shop: shop.bundle(
            with_key(
                shop,
                lambda line: approved_again(
                    shop, line, details={"in_force_from": "2026-12-01T00:00:00+00:00"}
                ),
            )
        ),
    ),
    "with a signature of a key that is not there": Forged(
        "is not in signing_keys.jsonl",
        lambda shop: shop.bundle(with_step(shop, lambda line: line | {"key": "0" * 64})),
    ),
    "with a signature of another person's key": Forged(
        "it is signed with a key of Zita Another",
        lambda shop: shop.bundle(
            with_step(shop, lambda line: restated(line, another_key(), key_id=_zitas(shop)))
        ),
    ),
    "for no list of persons": Forged(
        "cannot be read", lambda shop: ["--keys", "/nowhere.txt", *shop.bundle({})]
    ),
    "for an empty list of persons": Forged(
        "is not a list of keys", lambda shop: with_list(shop, is_whole=False)
    ),
    "for a list with half an id": Forged(
        "is not a list of keys", lambda shop: with_list(shop, "00 Somebody")
    ),
    "for a month of signatures": Forged(
        "--signed-since is not a day",
        lambda shop: ["--signed-since", "2026-01", *shop.bundle({})],
    ),
}


def _zitas(shop: Workshop) -> str:
    return hashlib.sha256(another_key().public.cose).hexdigest()
