"""The checks of the proofs in a verification file: inclusion, the log's key, the witnesses."""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.backoffice.verification_files.browser.signatures import InBrowser
from compliance.exports import verify_bundle
from rounds.formatting import NONE

Json = dict[str, Any]

_RECEIPT: Final = "sabot receipt/1"
_PROOF: Final = "sabot inclusion/1"


class State(Enum):
    """What a check found."""

    AGREES = "agrees"
    DIFFERS = "differs"
    UNPROVED = "unproved"
    """Nothing speaks against it, but this page cannot prove it."""


class Check(NamedTuple):
    """One check and what it found, in the active language."""

    state: State
    text: str


def check_proofs(receipt: Json, known: str) -> Iterator[Check]:
    """The checks of a receipt; ``known`` is a key's id, a policy, or empty."""
    proofs: Sequence[Json] = receipt["records"]
    is_policy = "quorum" in known
    try:
        policy = verify_bundle.policy_in(known) if is_policy else None
    except (verify_bundle.Wrong, ValueError) as error:
        yield Check(State.DIFFERS, _("What you entered is no policy: %(error)s") % {"error": error})
        policy = None
    try:
        _require_formats(receipt)
        for proof in verify_bundle.proofs_in(receipt):
            verify_bundle.verify_inclusion(
                proof, verify_bundle.Outside({}, "", policy, InBrowser())
            )
    except (verify_bundle.Wrong, *verify_bundle.UNREADABLE) as error:
        yield Check(State.DIFFERS, _("The proofs are wrong: %(error)s") % {"error": error})
        return
    text = ngettext(
        "%(number)s record of the round is in the tree that the key of the audit log signed.",
        "%(number)s records of the round are in the tree that the key of the audit log signed.",
        len(proofs),
    )
    yield Check(State.AGREES, text % {"number": len(proofs)})
    yield from _check_key({proof["head"]["key_id"] for proof in proofs}, known, policy)
    yield _check_witnesses(proofs, policy)


def _require_formats(receipt: Json) -> None:
    found = [receipt["receipt"], *{proof["proof"] for proof in receipt["records"]}]
    if found != [_RECEIPT, _PROOF]:
        raise ValueError(f"found the formats {found}; needed {[_RECEIPT, _PROOF]}")


def _check_key(
    keys: set[str], known: str, policy: "verify_bundle.Policy | None"
) -> Iterator[Check]:
    named = {"key": ", ".join(sorted(keys))}
    if known and policy is None and "quorum" not in known:
        if keys == {known.lower()}:
            yield Check(State.AGREES, _("That key is the one that you entered."))
        else:
            text = _("The log is signed by the key %(key)s, not by the one that you entered.")
            yield Check(State.DIFFERS, text % named)
    elif policy is not None and policy.logs:
        yield Check(State.AGREES, _("That key is one of the logs in your policy."))
    else:
        text = _(
            "The key of the log is %(key)s. The file alone says so: compare it with the key that"
            " the operator or the regulator published, or enter that one here."
        )
        yield Check(State.UNPROVED, text % named)


def _check_witnesses(proofs: Iterable[Json], policy: "verify_bundle.Policy | None") -> Check:
    lines = {line for proof in proofs for line in proof.get("cosignatures", [])}
    names = ", ".join(sorted({verify_bundle.cosignature_in(line)[0] for line in lines}))
    if policy is not None:
        text = _("The witnesses of your policy have cosigned the log: %(names)s.")
        return Check(State.AGREES, text % {"names": names or NONE})
    if names:
        text = _(
            "Witnesses have cosigned the log: %(names)s. Enter their policy here to verify their"
            " signatures."
        )
        return Check(State.UNPROVED, text % {"names": names})
    return Check(State.UNPROVED, _("No witness has cosigned these records."))
