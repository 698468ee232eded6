"""One search for rounds, money, people, pages and actions."""
