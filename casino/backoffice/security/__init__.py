"""Login, password, second factors and confirmation."""
