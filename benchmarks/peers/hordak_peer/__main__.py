"""`python -m benchmarks.peers.hordak_peer FILE WAY`: posts transfers and prints the time taken.

A line of the file is one round: a JSON list of ``[debit, credit, cents]``. The database of
DATABASE_URL is empty before.
"""

import json
import os
import sys
from collections import defaultdict
from pathlib import Path

import django


def main() -> None:
    """Migrates, opens the accounts, posts, holds the balances to the transfers."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.peers.hordak_peer.settings"
    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from benchmarks.peers.hordak_peer import books
    from benchmarks.processor_time import spend

    file, way = sys.argv[1:]
    lines = Path(file).read_text().splitlines()
    rounds = [[books.Transfer(*transfer) for transfer in json.loads(line)] for line in lines]
    call_command("migrate", verbosity=0)
    accounts = books.open_accounts(rounds)
    post = {
        "objects": books.post_objects,
        "bulk": books.post_bulk,
        "bulk_by_round": books.post_bulk_by_round,
    }[way]
    spent = spend(lambda: post(rounds, accounts))
    expected: defaultdict[str, int] = defaultdict(int)
    for transfers in rounds:
        for debit, credit, cents in transfers:
            expected[debit] -= cents
            expected[credit] += cents
    if books.balances() != dict(expected):
        sys.exit("django-hordak's balances are not those of the transfers")
    connection.close()
    print(json.dumps(spent))


if __name__ == "__main__":
    main()
