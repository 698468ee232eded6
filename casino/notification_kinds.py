"""The kinds of notifications: work that awaits people, and mentions."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from compliance.notifications.kinds import NotificationKind

APPROVAL: Final = NotificationKind(
    name="approval",
    label=_("An approval awaits you"),
    note=_("Cases, access requests, signing keys and studio keys that a second person approves."),
    by_mail=True,
    escalates=True,
)
DISPUTE_DUE: Final = NotificationKind(
    name="dispute_due",
    label=_("A dispute is due soon"),
    note=_("On the last working day before the deadline of a dispute."),
    permission="payouts.view_dispute",
    by_mail=True,
)
DISPUTE_OVERDUE: Final = NotificationKind(
    name="dispute_overdue",
    label=_("A dispute is overdue"),
    note=_("The deadline of a dispute is over."),
    permission="payouts.view_dispute",
    by_mail=True,
    in_chat=True,
    escalates=True,
)
ALARM: Final = NotificationKind(
    name="alarm",
    label=_("Alarm"),
    note=_(
        "The table monitor, stopped settlement, differences in the books, halted cases,"
        " an unsigned audit log."
    ),
    permission="rounds.view_round",
    by_mail=True,
    in_chat=True,
    is_alarm=True,
    escalates=True,
)
EXCEPTION: Final = NotificationKind(
    name="exception",
    label=_("Exceptions await handling"),
    note=_("Exceptions that are assigned to you, and kinds of exceptions that nobody has taken."),
    permission="payouts.view_stuckworkstep",
    escalates=True,
)
EXPIRY: Final = NotificationKind(
    name="expiry",
    label=_("A key or certificate expires soon"),
    note=_("API keys, studio keys and the certificate that signs bundles, thirty days before."),
    by_mail=True,
)
WEBHOOK: Final = NotificationKind(
    name="webhook",
    label=_("A webhook has stopped"),
    note=_("Its receiver fails or is gone. Its program gets no events until somebody resumes it."),
    permission="api.manage_keys",
    by_mail=True,
)
MENTION: Final = NotificationKind(
    name="mention",
    label=_("A comment mentions you"),
    note=_("Comments on rounds, cases, disputes and customers."),
    permission="payouts.view_comment",
    by_mail=True,
)
KINDS: Final = (APPROVAL, DISPUTE_DUE, DISPUTE_OVERDUE, ALARM, EXCEPTION, EXPIRY, WEBHOOK, MENTION)
