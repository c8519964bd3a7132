"""From one file to a warehouse: many documents through the line, on the cores of a machine, on Ray or on Spark."""
