"""Settings, a module a subject. Those that differ between installations come from the environment.

| variable | meaning | default |
|---|---|---|
| DEMO | whether it is a demo; others refuse unsafe settings | without DATABASE_URL |
| DATABASE_URL | PostgreSQL 15 or later, and the role | the clone's own embedded server |
| DATABASE_ROLE_PREFIX | how the names of the roles of the database begin | `sabot_` |
| DATABASE_REPLICA_URL | its streaming replica, for reports and exports | DATABASE_URL |
| PGSSLROOTCERT | libpq's own: the authority of the databases' certificates, in PEM | libpq's file |
| DATABASE_POOLED | whether these lead to a pool in transaction mode, as of PgBouncer | no |
| DATABASE_DIRECT_URL | past the pool, for live pages and locks of a session | none |
| STATEMENT_SECONDS | how long an SQL statement may take | 30 in web processes |
| CELERY_BROKER_URL | Valkey, Redis or RabbitMQ | the clone's own embedded Valkey |
| CELERY_BROKER_CA | its authority's certificate, for `amqps://`, `rediss://` | the system's |
| LOG_KEY_FILE | the key that signs the audit log; for workers only | nothing is signed |
| LOG_ORIGIN | its name in checkpoints; for the same workers | none; `demo.invalid/log` in a demo |
| LOG_POLICY_FILE | the witnesses that cosign the log, and how many must | none; those of the demo |
| CELERY_QUEUE | the queue; installations that share a broker need different ones | `sabot` |
| SECRET_KEY | Django's signing key | a random one kept in `var/` |
| SECRET_KEY_FALLBACKS | former keys, which still verify and decrypt | none |
| ALLOWED_HOSTS | host names that are served | this machine only |
| CSRF_TRUSTED_ORIGINS | origins behind a proxy | none |
| DEBUG | Django's debug pages | off |
| HTTPS | pages and API by HTTPS only, which browsers keep to for a year | without DEMO |
| CLEAR_TEXT_HOSTS | other hosts to which clear text is allowed, as their network encrypts | none |
| SESSION_IDLE_MINUTES | after which a session ends if its person does nothing | 30 |
| LOGIN_FAILURES | failed logins of an account from one address before it is locked there | 5 |
| LOGIN_LOCKOUT_MINUTES | the duration of that lock, and the period of the count | 15 |
| ACCOUNT_FAILURES | failed logins of an account from all addresses before it is locked | 20 |
| ACCOUNT_LOCKOUT_HOURS | the duration of that lock, and the period of the count | 24 |
| ADDRESS_FAILURES | failed logins of all accounts from one address before it is locked | 100 |
| ADDRESS_LOCKOUT_MINUTES | the duration of that lock, and the period of the count | 60 |
| ONE_TIME_PASSWORD_DAYS | days within which a one-time password must be replaced | 7 |
| SSO_NAME | the identity provider for single sign-on, as people call it | no single sign-on |
| SSO_OIDC_ISSUER | its issuer, if it speaks OpenID Connect: `https://HOST/…` | none |
| SSO_OIDC_CLIENT_ID | its name for Sabot | none |
| SSO_OIDC_CLIENT_SECRET_FILE | the file of the secret that it gave to Sabot | none |
| SSO_CA_FILE | the certificates, in PEM, that sign that of the issuer | the machine's |
| SSO_SAML_METADATA | the file of its metadata, if it speaks SAML | none |
| SSO_SAML_ENTITY_ID | Sabot's entity id there | the address of Sabot's metadata |
| SSO_REQUIRED | whether only administrators may log in with a password instead | no |
| CONFIRMED_MINUTES | how long a second factor is valid for decisions about money | 5 |
| DECISION_DELAY_HOURS | how long a person cannot decide after a change of their access | 24 |
| SANDBOX | whether it is a sandbox for programs, with test tokens | in a demo |
| SANDBOX_RESET_AT | when its timer resets it, for the note on pages: `03:30` | not shown |
| SIGNING_KEY_ROOTS | ids of the first signing keys, or `any` | `any` in a demo |
| SOFTWARE_KEYS | whether signing keys in files count | in a demo |
| RELEASE_KEYS | public keys that sign releases, 64 hex digits each | none |
| RELEASE_LIST | the list of the installed release | `release.json` in the environment |
| COMPILED_RULES | `no`: judge by Python's source where compiled rules are installed too | used |
| INTEGRITY_STOPS | failed checks that stop settlement: `release,schema,trail,books,recheck` | all |
| RECHECK_PERCENT | share of one worker process that verifies stored facts again, 1 to 50 | 5 |
| RECHECK_HOURS | hours of recent rounds that it passes over again and again, 1 to 48 | 6 |
| BROWSER_KEYS | whether signing keys in browsers, without authenticators, are accepted | no |
| DIRECTORY_ROLES | groups of the directory and the role each asks for: `GROUP=ROLE,…` | none |
| EMAIL_URL | the server for notices: `smtp+tls://NAME:PASSWORD@HOST:587` | the worker's log |
| EMAIL_FROM | the sender of notices | `sabot@localhost` |
| SITE_URL | where people open Sabot, for links in messages: `https://HOST` | links without a host |
| CHAT_WEBHOOK_URL | an incoming webhook of Slack or Mattermost; for workers only | no chat |
| CHAT_CHANNEL | its channel, as the notification settings name it | none: no chat to choose |
| ESCALATION_HOURS | after which others are told of what nobody has dealt with | 4 |
| TRUSTED_PROXIES | the number of own proxies before the web process, which end TLS | 0 |
| FEED_UPLOAD_MB | the largest feed file that can be uploaded on a page, in MiB, unpacked | 512 |
| CUSTOMER_DISPUTES_A_DAY | disputes a day that programs may open for one customer | 10 |
| CUSTOMER_FILES_A_DAY, CUSTOMER_EVIDENCE_MB_A_DAY | files a day, and their MiB | 50, 100 |
| CLAMD | ClamAV's daemon, which scans evidence: `unix:/PATH`, `tcp:127.0.0.1:PORT` | not scanned |
| DISPUTE_EVIDENCE_MB | MiB of evidence that programs may add to one dispute | 100 |
| WEBHOOKS_TO_LOOPBACK | allows webhooks to this machine, without TLS, for tests | as DEBUG |
| SIEM_SYSLOG | the SIEM's syslog server, by TLS: `HOST:PORT`; for `send_audit_events` only | none |
| SIEM_HTTP_URL | its HTTPS address, which takes JSON arrays of events by POST | none |
| SIEM_HTTP_AUTHORIZATION | the header Authorization of these, as `Bearer TOKEN` | none |
| SIEM_CA_FILE | the certificates, in PEM, that sign those of the SIEM | the machine's |
| SIEM_CLIENT_CERTIFICATE, SIEM_CLIENT_KEY | files in PEM that are shown to the SIEM | none |
| SABOT_VAR | the folder of static files, keys and other files | `var` of the clone or the folder |
| SABOT_EXPORTS | the folder of the bundles for the regulator | `var/exports` |
| SABOT_EXPORT_KEY | the key that signs bundles and archives | `var/export-key/export.key` |
| SABOT_ARCHIVE | the folder of the archive of closed months | `var/archive` |
| ARCHIVE_BUCKET | the same archives in object storage: `s3://BUCKET/PREFIX` | the folder alone |
| ARCHIVE_LOCK_DAYS | days for which nobody can delete what is uploaded there | 0: no lock |
| AWS_ENDPOINT_URL_S3 | its address, if it is not at Amazon: `https://HOST` | Amazon's |
| SABOT_LARGE_WIN_CENTS | the lowest payment in the report of large wins | 1000000 |
| OPERATOR_NAME | the operator, on PDFs | none; `Demo operator` in a demo |
| OPERATOR_LICENCE | its licence, on PDFs | none; `GAD 00000` in a demo |
| ADR_CONTACT | its ADR body, on PDFs | none; `adr@demo.invalid` in a demo |
| VERIFICATION_PAGE | the page of verification files | `verification-page.html` in `SABOT_VAR` |
| CUSTOMER_ORIGINS | origins whose pages call the API with customers' tokens | none |
| VIDEO_ORIGINS | origins whose videos are played, as `https://video.example` | none |
| DRAIN_FILE | while this file exists, `/readyz` says that this host takes no more requests | none |
| METRICS_FOLDER | where processes write what they measure, for `serve_metrics` | not measured |
| OTEL_EXPORTER_OTLP_ENDPOINT | where traces are sent, by OTLP over HTTPS | no traces |
| LOG_FORMAT | `json`: a JSON object a line, with the ids of request or task | `plain` |
| LOG_LEVEL | INFO, WARNING … | INFO |
"""

from casino.settings.access import *
from casino.settings.database import *
from casino.settings.environment import *
from casino.settings.exports import *
from casino.settings.intake import *
from casino.settings.integrity import *
from casino.settings.operation import *
from casino.settings.outgoing import *
from casino.settings.security import *
from casino.settings.site import *
from casino.settings.workers import *
