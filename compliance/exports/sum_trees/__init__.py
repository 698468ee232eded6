"""Sum trees: the totals of a closed day, in which each customer can find his own sums."""
