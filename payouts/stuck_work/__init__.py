"""The exceptions queue: rounds, documents and tasks that need a person.

The code calls an exception stuck work. A round or task is stuck once it has failed three times or
made no progress for five minutes, a document while it is in conflict or quarantine and not
resolved. A held round is not stuck: it awaits a decision.
"""
