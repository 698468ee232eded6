#!/usr/bin/env python
"""Django's command line for Sabot, in a clone; the package has it as ``sabot-manage``."""

from casino.__main__ import main

if __name__ == "__main__":
    main()
