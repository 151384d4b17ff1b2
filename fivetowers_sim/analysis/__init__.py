"""Estimates with intervals from recorded games; one module per question."""
