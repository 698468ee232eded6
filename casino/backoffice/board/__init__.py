"""The board: results by game and table over a span of days, and on a wall."""
