"""The audit log for the security team's SIEM: OCSF events by syslog over TLS and by HTTPS."""
