"""Pictures of what an analysis found: frames in, figures out."""
