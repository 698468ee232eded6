"""The notifications of people, and how each person wants them."""
