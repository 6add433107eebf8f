"""The house rules that no compiler checks. Run by tools/lint/run."""
