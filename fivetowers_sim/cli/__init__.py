"""The command ``fivetowers``: one module per subcommand."""
