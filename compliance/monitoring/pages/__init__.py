"""The monitor's pages: how the tables behave, watch by watch, as pictures with their figures."""
