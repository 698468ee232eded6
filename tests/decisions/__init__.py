"""A model of decisions about money, explored in all of its states."""
