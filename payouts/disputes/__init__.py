"""Disputes: steps, due dates, findings, verdicts and remedies."""
