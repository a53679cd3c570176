"""What ``assent bench NAME`` measures: one module a benchmark, with ``add_arguments`` and ``run`` like a verb."""
