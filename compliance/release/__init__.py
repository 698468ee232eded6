"""What is installed, compared with the signed list of the release."""
