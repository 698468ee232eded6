"""A studio that deals: seeded rounds of every game, as feed documents, without a database.

``casino.simulate`` is the way in; ``manage.py simulate`` writes what it yields. Cards leave really
shuffled shoes and are played by the declaration of their rule set; customers stake and decide by
habit. Everything random comes from ``random.Random.random`` of a generator seeded with text, which
Python promises to keep, so a seed gives the same bytes on every version.
"""
