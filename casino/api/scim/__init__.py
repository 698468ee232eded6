"""SCIM 2.0: a directory of the staff creates, changes and closes accounts."""
