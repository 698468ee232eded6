"""The checks of a reconciliation, one module each: what is stored against what follows from facts.

A check looks at one stretch, in the snapshot of the transaction that it runs in, while settlement
goes on. It reads and never writes, keeps no more than a batch of rounds in memory, and tells a
``Found`` what differs.
"""
