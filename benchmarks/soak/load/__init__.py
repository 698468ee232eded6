"""The load of a soak: studios, programs, customers and people, each a thread of its own."""
