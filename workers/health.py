"""Asks the parts of the platform whether they are well: one question each, true or false, never an exception."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable

import redis.asyncio
from redis.exceptions import RedisError

HealthCheck = Callable[[], Awaitable[bool]]

_TIMEOUT_S = 5.0


def redis_check(url: str) -> HealthCheck:
    """Whether the Redis or Valkey at `url` answers a PING."""

    async def answers() -> bool:
        try:
            async with redis.asyncio.from_url(url, socket_timeout=_TIMEOUT_S) as client:
                return bool(await client.ping())
        except (RedisError, OSError):
            return False

    return answers


def referee_check(address: str) -> HealthCheck:
    """Whether the referee at `address`, one that is not encrypted, says that it serves, by gRPC's health protocol."""

    async def serves() -> bool:
        import grpc.aio
        from grpc_health.v1 import health_pb2, health_pb2_grpc

        async with grpc.aio.insecure_channel(address) as channel:
            stub = health_pb2_grpc.HealthStub(channel)
            try:
                answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=_TIMEOUT_S, wait_for_ready=False)
            except grpc.aio.AioRpcError:
                return False
            return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)

    return serves


def http_check(host: str, port: int, path: str, *, encrypted: bool = False) -> HealthCheck:
    """Whether a GET of `path` there is answered with status 200, by whomever: no certificate is looked at."""

    async def answers() -> bool:
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                return await _status(host, port, path, _unverified() if encrypted else None) == 200
        except (OSError, TimeoutError, ValueError):
            return False

    return answers


def _unverified() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


async def _status(host: str, port: int, path: str, context: ssl.SSLContext | None) -> int:
    reader, writer = await asyncio.open_connection(host, port, ssl=context)
    try:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
        words = (await reader.readline()).split()
        return int(words[1]) if len(words) > 1 else 0
    finally:
        writer.close()
