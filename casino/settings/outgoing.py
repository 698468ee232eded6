"""What Sabot sends: e-mail, chat messages, webhooks and events for a SIEM."""

from casino.settings.environment import DEBUG, env

vars().update(env.email_url("EMAIL_URL", default="consolemail://"))
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("EMAIL_FROM", default="sabot@localhost")

SITE_URL = env.str("SITE_URL", default="").rstrip("/")
# The address is a secret: who knows it can post to the channel. Only workers need it.
CHAT_WEBHOOK_URL = env.str("CHAT_WEBHOOK_URL", default="")
CHAT_CHANNEL = env.str("CHAT_CHANNEL", default="")
ESCALATION_HOURS = env.int("ESCALATION_HOURS", default=4)

# Whether webhooks may call this machine; other hosts must be public and use TLS.
WEBHOOKS_TO_LOOPBACK = env.bool("WEBHOOKS_TO_LOOPBACK", default=DEBUG)

# Where the audit log is sent (compliance/siem). Only the environment of send_audit_events names it.
SIEM_SYSLOG = env.str("SIEM_SYSLOG", default="")
SIEM_HTTP_URL = env.str("SIEM_HTTP_URL", default="")
SIEM_HTTP_AUTHORIZATION = env.str("SIEM_HTTP_AUTHORIZATION", default="")
SIEM_CA_FILE = env.str("SIEM_CA_FILE", default="")
SIEM_CLIENT_CERTIFICATE = env.str("SIEM_CLIENT_CERTIFICATE", default="")
SIEM_CLIENT_KEY = env.str("SIEM_CLIENT_KEY", default="")
