"""Other software doing the same work: blackjack21, django-hordak, a naive settlement."""
