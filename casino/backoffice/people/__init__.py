"""Users and roles: accounts, access requests, sessions."""
