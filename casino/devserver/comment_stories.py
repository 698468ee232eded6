"""What the demo's people say about one disputed round, and whom they let see it."""

from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from django.contrib.auth.models import User

from casino.backoffice.replay_links.tokens import digest_of_token, new_link_token
from casino.devserver.demo import demo_person
from compliance.exports.dossier.models import Dossier
from compliance.exports.replay_links.replay_links import (
    Recipient,
    make_replay_link,
    revoke_replay_link,
)
from payouts.comments.mentions import mentioned_in
from payouts.comments.models import Comment
from payouts.comments.write_comment import Commented, withdraw_comment, write_comment
from payouts.disputes.models import Dispute
from payouts.disputes.queries import disputes_in
from payouts.disputes.status import State
from rounds.services.add_round_video import NewVideo, add_round_video

_VIDEO: Final = "demo-archive/no-recording.mp4"
"""The demo has no cameras: the reference of an empty file, whose digest an empty file has."""


def comment_on_dispute(*, now: Callable[[], datetime]) -> bool:
    """Comments on the dispute in review and its round, a video reference and two replay links.

    Does nothing, and returns False, without such a dispute or if there are comments already.
    """
    dispute = disputes_in(State.IN_REVIEW).select_related("round", "customer").first()
    if dispute is None or Comment.objects.exists():
        return False
    _say(dispute, "supervisor", "@compliance, does the archive have a second camera here?", now)
    _say(dispute, "compliance", "@supervisor, yes. I asked for the file.", now)
    _say(dispute.round, "payments", "The customer called twice. @supervisor", now)
    hasty = _say(dispute.round, "supervisor", "The card reader was replaced that night.", now)
    withdraw_comment(
        comment_id=hasty.pk,
        reason="That was another table.",
        at=now(),
        actor=demo_person("supervisor"),
    )
    video = NewVideo(_VIDEO, 0, sha256().digest())
    add_round_video(row=dispute.round, video=video, at=now(), actor=demo_person("supervisor"))
    _link(dispute, Dossier.Audience.OUTSIDE_BODY, "ADR-2026-118", now, is_revoked=True)
    _link(dispute, Dossier.Audience.CUSTOMER, str(dispute), now)
    return True


def _say(about: Commented, role: str, text: str, now: Callable[[], datetime]) -> Comment:
    people = mentioned_in(text, User.objects.all())
    return write_comment(about=about, text=text, mentions=people, at=now(), actor=demo_person(role))


def _link(
    dispute: Dispute,
    audience: Dossier.Audience,
    name: str,
    now: Callable[[], datetime],
    *,
    is_revoked: bool = False,
) -> None:
    """A link whose address nobody has: tokens are shown once and stored nowhere."""
    end = now() + timedelta(days=14)
    recipient = Recipient(audience, name, dispute.customer, "dispute about the cards", end)
    link = make_replay_link(
        row=dispute.round,
        recipient=recipient,
        token_digest=digest_of_token(new_link_token()) or b"",
        at=now(),
        actor=demo_person("compliance"),
    )
    if is_revoked:
        reason = "sent to the wrong body"
        revoke_replay_link(link=link, reason=reason, at=now(), actor=demo_person("compliance"))
