"""Asks the witnesses of the policy to cosign the latest head (C2SP tlog-witness).

A witness gets the head and the proof that the log has only grown since the one that it signed last.
It refuses a log that is shorter than that, or another one; such an answer is raised, because
somebody has changed the log, or restored its database.
"""

import logging
import ssl
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import cache
from http import HTTPStatus
from typing import Final

import requests
from urllib3.exceptions import HTTPError

from compliance.storage.advisory_locks import session_lock
from compliance.trail.log.merkle_tree import consistency_path
from compliance.trail.log.signed_heads import base64_of
from compliance.trail.log.stored_heads import head_of
from compliance.trail.log.stored_tree import NotInLog, StoredTree
from compliance.trail.log.tiles import stored_checkpoint
from compliance.trail.models import Cosignature as StoredCosignature
from compliance.trail.models import TreeHead
from compliance.trail.witnesses.cosignatures import Cosignature, cosignature_in
from compliance.trail.witnesses.cosigned_heads import last_cosignature
from compliance.trail.witnesses.policy import Witness, policy_in_force

_SECONDS: Final = (3.0, 10.0)
"""To connect, and between two parts of an answer."""
_LONGEST_ANSWER: Final = 16 << 10
_LONGEST_QUOTE: Final = 200
_MOST_DIGITS: Final = 20

_log: Final = logging.getLogger(__name__)


class NotCosigned(Exception):
    """A witness has not signed the head now; it is asked again."""


class RefusedLog(NotCosigned):
    """A witness has seen a longer log than this one, or another one."""


_Answer = tuple[int, str] | NotCosigned
"""The status and the text of an answer, or why there is none."""


def ask_witnesses() -> int:
    """Asks each witness that has not signed the latest head; returns the number of signatures.

    What fails is logged, and tried again by the next call. One process asks at a time.
    """
    policy = policy_in_force()
    witnesses = [witness for witness in policy.witnesses if witness.url]
    if not witnesses:
        return 0
    with session_lock("ask witnesses") as is_ours:
        head = TreeHead.objects.select_related("key").order_by("-sequence").first()
        if not is_ours or head is None or not head.origin:
            return 0
        answers = _ask_all(witnesses, head)
        return sum(_cosigns(witness, head, answer) for witness, answer in answers.items())


def _ask_all(witnesses: Iterable[Witness], head: TreeHead) -> dict[Witness, _Answer]:
    """Asks from the size that each signed last; once more from the one that it names instead."""
    bodies: dict[Witness, str | NotCosigned] = {}
    for witness in witnesses:
        last = last_cosignature(witness.key)
        if last is None or last.head_id != head.sequence:
            bodies[witness] = _request(head, 0 if last is None else last.head.size)
    answers = _post_all(bodies)
    return answers | _post_all(
        {
            witness: _request_again(head, answer[1])
            for witness, answer in answers.items()
            if isinstance(answer, tuple) and answer[0] == HTTPStatus.CONFLICT
        }
    )


def _post_all(bodies: Mapping[Witness, str | NotCosigned]) -> dict[Witness, _Answer]:
    """All at once: a witness that does not answer delays no other."""
    if not bodies:
        return {}
    with ThreadPoolExecutor(len(bodies)) as threads:
        return dict(zip(bodies, threads.map(_post, bodies, bodies.values()), strict=True))


def _cosigns(witness: Witness, head: TreeHead, answer: _Answer) -> bool:
    try:
        cosignature = _cosignature_in(answer, witness, head)
    except RefusedLog as error:
        _log.error("witness %s REFUSES the log: %s", witness.key.name, error)
        return False
    except NotCosigned as error:
        _log.warning("witness %s has not signed: %s", witness.key.name, error)
        return False
    _store(head, cosignature)
    return True


def _cosignature_in(answer: _Answer, witness: Witness, head: TreeHead) -> Cosignature:
    if isinstance(answer, NotCosigned):
        raise answer
    status, text = answer
    if status in (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY):
        raise RefusedLog(f"this log does not begin with the one that it signed: {_quoted(text)}")
    if status != HTTPStatus.OK:
        raise NotCosigned(f"it answered {status}; needed 200: {_quoted(text)}")
    cosignature = cosignature_in(text, witness.key, head_of(head))
    if cosignature is None:
        raise NotCosigned(f"found no valid signature of its key in its answer: {_quoted(text)}")
    return cosignature


def _request_again(head: TreeHead, answer: str) -> str | NotCosigned:
    """From the size that a witness names; what is wrong with it otherwise."""
    known = answer.strip()
    if not known.isascii() or not known.isdigit() or len(known) > _MOST_DIGITS:
        return RefusedLog(f"it has signed another log of {head.size} records: {_quoted(answer)}")
    if int(known) > head.size:
        return RefusedLog(f"it has signed a log of {known} records; this one has {head.size}")
    return _request(head, int(known))


def _request(head: TreeHead, old: int) -> str | NotCosigned:
    """The body of add-checkpoint; why there is none if records that it needs were lost."""
    try:
        path = consistency_path(old, head.size, StoredTree()) if 0 < old < head.size else []
    except NotInLog as error:
        return NotCosigned(f"found no proof of growth from {old} records: {error}")
    lines = [f"old {old}", *map(base64_of, path), "", stored_checkpoint(head)]
    return "\n".join(lines)


def _post(witness: Witness, body: str | NotCosigned) -> _Answer:
    if isinstance(body, NotCosigned):
        return body
    try:
        with requests.Session() as session:
            session.trust_env = False  # no proxies, and no passwords of ~/.netrc
            with session.post(
                f"{witness.url}/add-checkpoint",
                data=body.encode(),
                headers={"Content-Type": "text/plain; charset=utf-8", "User-Agent": "Sabot-Log/1"},
                timeout=_SECONDS,
                allow_redirects=False,
                verify=_certificates(),
                stream=True,
            ) as answer:
                content: bytes = answer.raw.read(_LONGEST_ANSWER, decode_content=True)
                return answer.status_code, content.decode(errors="replace")
    except (requests.RequestException, HTTPError, OSError) as error:
        return NotCosigned(f"{type(error).__name__}: {_quoted(str(error))}")


def _store(head: TreeHead, cosignature: Cosignature) -> None:
    row = StoredCosignature(
        head=head,
        witness=str(cosignature.key),
        at=datetime.fromtimestamp(cosignature.at, UTC),
        signature=cosignature.signature,
    )
    StoredCosignature.objects.bulk_create([row], ignore_conflicts=True)


def _quoted(text: str) -> str:
    """What somebody else wrote, for one line of the log."""
    return " ".join(text[:_LONGEST_QUOTE].split())


@cache
def _certificates() -> str | bool:
    """Those that the machine trusts, as of every other connection; else those of requests."""
    return ssl.get_default_verify_paths().cafile or True
