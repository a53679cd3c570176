"""Counters for Prometheus, in its text format."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator

from assent import __version__

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
Labels = tuple[tuple[str, str], ...]


class Metrics:
    """Counts and times since the service started, and gauges, which are read when they are asked for."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, Labels]] = Counter()
        self._seconds: defaultdict[str, list[float]] = defaultdict(lambda: [0.0] * (len(BUCKETS) + 2))
        self._gauges: list[tuple[str, str, str, Callable[[], float]]] = []

    def count(self, name: str, **labels: str) -> None:
        """Count one more under these labels; the text adds ``assent_`` and ``_total`` to ``name``."""
        self._counts[name, tuple(sorted(labels.items()))] += 1

    def observe(self, route: str, seconds: float) -> None:
        """Count one request of a route in the histogram of seconds."""
        row = self._seconds[route]
        for place, bound in enumerate(BUCKETS):
            row[place] += seconds <= bound
        row[-2] += 1
        row[-1] += seconds

    def gauge(self, name: str, says: str, value: Callable[[], float], kind: str = "gauge") -> None:
        """Register a value; ``value`` is called each time the text is made."""
        self._gauges.append((name, says, kind, value))

    def text(self) -> str:
        """Everything, as Prometheus reads it."""
        return "\n".join([*self._counted(), *self._timed(), *self._now()]) + "\n"

    def _counted(self) -> Iterator[str]:
        for name in sorted({name for name, _ in self._counts}):
            yield f"# TYPE assent_{name}_total counter"
            for (counter, labels), count in sorted(self._counts.items()):
                if counter == name:
                    yield f"assent_{name}_total{_shown(labels)} {count}"

    def _timed(self) -> Iterator[str]:
        if self._seconds:
            yield "# TYPE assent_request_seconds histogram"
        for route, row in sorted(self._seconds.items()):
            for bound, count in zip((*map(str, BUCKETS), "+Inf"), row, strict=False):
                yield f"assent_request_seconds_bucket{_shown([('le', bound), ('route', route)])} {count:g}"
            yield f"assent_request_seconds_count{_shown([('route', route)])} {row[-2]:g}"
            yield f"assent_request_seconds_sum{_shown([('route', route)])} {row[-1]:.6f}"

    def _now(self) -> Iterator[str]:
        for name, says, kind, value in self._gauges:
            yield f"# HELP assent_{name} {says}"
            yield f"# TYPE assent_{name} {kind}"
            yield f"assent_{name} {value():g}"
        yield "# TYPE assent_build_info gauge"
        yield f"assent_build_info{_shown([('version', __version__)])} 1"


def _shown(labels: Iterable[tuple[str, str]]) -> str:
    parts = ",".join(f'{name}="{_escaped(value)}"' for name, value in labels)
    return f"{{{parts}}}" if parts else ""


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
