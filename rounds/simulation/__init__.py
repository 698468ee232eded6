"""A simulated studio: seeded rounds of every game as feed documents, without a database.

The entry point is ``casino.simulate``; ``manage.py simulate`` writes its lines. Cards come from
shuffled shoes and are played by the declaration of the rule set; customers stake and decide by
habit. All randomness is drawn by ``random.Random.random`` from a generator seeded with text, which
Python keeps stable: a seed gives the same bytes on every version.
"""
