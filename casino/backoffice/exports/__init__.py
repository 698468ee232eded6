"""The export centre: bundles and standard reports."""
