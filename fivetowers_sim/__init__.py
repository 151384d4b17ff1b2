"""Balance analysis for the card game 5 Towers: simulate by exact rules, store, measure."""
