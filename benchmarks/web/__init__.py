"""The web process: API calls and pages of the site."""
