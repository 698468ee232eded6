"""The steps that led to the payout of a bet of the blackjack family."""
