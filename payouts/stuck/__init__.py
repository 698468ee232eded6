"""Reading stuck work: what stands still, since when, why, and who has it in hand.

Stuck is a round or a task that failed three times or stands still for five minutes, and every
document in conflict or quarantine until somebody says that it is dealt with. A held round is not
stuck: it waits for a decision, and no try would change it.
"""
