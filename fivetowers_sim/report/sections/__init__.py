"""The sections of the report: finished experiments in, sections out; one file for each question."""
