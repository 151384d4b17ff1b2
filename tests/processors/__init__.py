"""The same figures on every processor: environments that choose other instructions, and figures to compare in them."""
