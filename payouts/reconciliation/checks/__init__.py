"""The checks of a reconciliation, one module each.

A check compares what is stored with what follows from the facts, over one range, in the snapshot of
its transaction, while settlement goes on. It only reads, keeps at most a batch of rounds in memory,
and adds differences to a ``CheckResult``.
"""
