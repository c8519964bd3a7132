"""What every shipped policy promises, as a table of generated cases: values, layouts, promises and a judge."""
