"""Health checking, where a watcher that reads nothing holds up nobody.

Owns how watchers are told. The library's own servicer writes to a watcher while it holds what a change of the health
needs: one stranger whose window is closed would keep a referee from draining.
"""

from __future__ import annotations

import asyncio
from typing import Any

from grpc_health.v1 import health, health_pb2


class HealthServicer(health.aio.HealthServicer):  # type: ignore[misc]  # it has no types
    """As the library's, but that what is written to a watcher is written after the lock is let go."""

    async def Watch(  # noqa: N802  # the protocol's name
        self, request: health_pb2.HealthCheckRequest, context: Any
    ) -> None:
        """Tell the health of a service, and again when it changes."""
        service = request.service
        condition: asyncio.Condition = self._server_watchers[service]
        self._watcher_count_by_service[service] += 1
        try:
            told = None
            while True:
                async with condition:
                    while (status := self._status_of(service)) == told:
                        await condition.wait()
                await context.write(health_pb2.HealthCheckResponse(status=status))
                told = status
        finally:
            self._watcher_count_by_service[service] -= 1
            if self._watcher_count_by_service[service] == 0:
                del self._server_watchers[service]
                del self._watcher_count_by_service[service]

    def _status_of(self, service: str) -> Any:
        return self._server_status.get(service, health_pb2.HealthCheckResponse.SERVICE_UNKNOWN)
