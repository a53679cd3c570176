"""Beyond one process: crews, limits and budgets that they share, tables in columns, an index for the gate."""
