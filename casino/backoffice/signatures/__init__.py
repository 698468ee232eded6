"""Signing keys of people, and signing of decisions in the browser."""
