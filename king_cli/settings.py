"""The settings, read once from the environment (`KING_…`) and passed down; nothing else reads the environment."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from typing import Final, Self
from urllib.parse import unquote, urlsplit

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from king_cli.errors import UsageError
from referee.addresses import Door, door_of, target_of
from workers.addresses import addresses
from workers.finding import REFEREES_APART, split_referees
from workers.logs import LogStyle

SOCKET_PATH_BYTES = 107
LAST_PORT = 65535
REDIS_SCHEMES = ("redis", "rediss", "unix")

_FILES = frozenset(
    {
        "bot_pods",
        "cluster_access",
        "tls_cert",
        "tls_key",
        "tls_client_ca",
        "tls_roots",
        "worker_cert",
        "worker_key",
        "http_cert",
        "http_key",
    }
)
_SCHEME = "://"
_REDIS_EXAMPLES = "such as redis://127.0.0.1:6379/0 or unix:///run/valkey.sock"


class Settings(BaseSettings):
    """Every setting; the environment variable is the name in capitals after `KING_`."""

    model_config = SettingsConfigDict(env_prefix="KING_", env_ignore_empty=True, frozen=True)

    database_url: str = Field(default="", description="Where the store is; default: an SQLite file in the data folder.")
    vault_url: str = Field(
        default="",
        description="Where the secrets of seasons are; default: a file beside the store, or in the data folder.",
    )
    redis_url: str = Field(default="", description="Redis or Valkey; default: one that is started along with the rest.")
    data_dir: Path = Field(default=Path(".king"), description="The data folder.")
    referee: str = Field(
        default="127.0.0.1:7700",
        description="The referee's address: host:port, tls://host:port, mtls://host:port or unix:/path; or several.",
    )
    referees: str = Field(
        default="",
        description="All referees, with semicolons between them; a name stands for one at each of its addresses. "
        "Default: that of KING_REFEREE.",
    )
    public_referee: str = Field(
        default="",
        description="Where bots dial from elsewhere, with commas if there are several referees; default: KING_REFEREE.",
    )
    http: str = Field(default="127.0.0.1:8000", description="The dashboard's address: host:port.")
    tls_cert: Path | None = Field(default=None, description="The referee's certificate, for tls:// and mtls://: PEM.")
    tls_key: Path | None = Field(default=None, description="Its key.")
    tls_client_ca: Path | None = Field(
        default=None, description="The authorities whose certificates workers show the referee at mtls://."
    )
    tls_roots: Path | None = Field(
        default=None, description="The authorities that who dials the referee believes; default: the public ones."
    )
    worker_cert: Path | None = Field(default=None, description="The certificate that workers show at mtls://.")
    worker_key: Path | None = Field(default=None, description="Its key.")
    http_cert: Path | None = Field(default=None, description="The dashboard's certificate; with it, it speaks HTTPS.")
    http_key: Path | None = Field(default=None, description="Its key.")
    workers: int = Field(default=0, ge=0, le=1024, description="Number of workers; 0 stands for one per CPU.")
    control_key: str = Field(default="", description="What workers say to the referee; default: drawn by `king up`.")
    lease_seconds: float = Field(
        default=10.0, ge=1, le=600, description="How long a claim of a sitting lasts unrenewed."
    )
    log: LogStyle = Field(
        default=LogStyle.TEXT, description="How parts log, on standard error: text, or json, an object a line."
    )
    metrics: str = Field(
        default="",
        description="Where metrics for Prometheus are served: host:port; empty: nowhere. "
        "The parts of `king up` have the ports after it.",
    )
    drain_seconds: float = Field(
        default=60.0,
        ge=0,
        le=86_400,
        description="How long a referee that is told to end goes on with tables that are open; 0: it gives them up.",
    )

    bot_pods: Path | None = Field(
        default=None, description="Start bots as pods, made after the template in this file; for workers in Kubernetes."
    )
    cluster: str = Field(default="https://kubernetes.default.svc", description="The API server of that Kubernetes.")
    cluster_access: Path = Field(
        default=Path("/var/run/secrets/kubernetes.io/serviceaccount"),
        description="The folder with token, ca.crt and namespace that let a worker in there.",
    )
    api_reads: int = Field(
        default=600, ge=0, le=1_000_000, description="Requests a minute that read, for each address; with a token 3 ×."
    )
    streams: int = Field(
        default=50, ge=0, le=100_000, description="Live pages that may follow at once from each address; 0: any number."
    )
    api_writes: int = Field(
        default=60, ge=0, le=1_000_000, description="Requests a minute that change something, for each account."
    )

    @field_validator("referee")
    @classmethod
    def _check_referee(cls, value: str) -> str:
        parts = addresses(value)
        return ",".join(map(_checked_door, parts))

    @field_validator("referees")
    @classmethod
    def _check_referees(cls, value: str) -> str:
        there = split_referees(value)
        if value and not there:
            raise ValueError(f"must name a referee, such as 127.0.0.1:7700, not {value!r}")
        for referee in there:
            doors = [door_of(_checked_door(address)) for address in addresses(referee)]
            if len(doors) > len(set(doors)):
                raise ValueError(
                    f"must have semicolons between referees, as in one.example:7700;two.example:7700; {referee!r} is "
                    "two addresses of one kind for one referee"
                )
        return REFEREES_APART.join(there)

    @field_validator("public_referee")
    @classmethod
    def _check_public_referee(cls, value: str) -> str:
        return ",".join(map(_checked_door, addresses(value))) if value else value

    @field_validator("http")
    @classmethod
    def _check_http(cls, value: str) -> str:
        return _checked_address(value)

    @field_validator("metrics")
    @classmethod
    def _check_metrics(cls, value: str) -> str:
        return _checked_address(value) if value else value

    @field_validator("redis_url")
    @classmethod
    def _check_redis_url(cls, value: str) -> str:
        return _checked_redis_url(value) if value else value

    @model_validator(mode="after")
    def _check_absolute(self) -> Self:
        object.__setattr__(self, "referee", ",".join(map(_absolute_socket, addresses(self.referee))))
        referees = [",".join(map(_absolute_socket, addresses(each))) for each in split_referees(self.referees)]
        object.__setattr__(self, "referees", REFEREES_APART.join(referees))
        if {"http", "referee"} <= self.model_fields_set:  # a part of `king up` is given one of them
            self.check_apart()
        for pair in ("tls", "worker", "http"):
            _check_pair_set(pair, getattr(self, f"{pair}_cert"), getattr(self, f"{pair}_key"))
        for name in _FILES & self.model_fields_set:
            object.__setattr__(self, name, getattr(self, name).absolute())
        object.__setattr__(self, "data_dir", self.data_dir.absolute())
        if not self.database_url:
            object.__setattr__(self, "database_url", f"sqlite:///{self.data_dir / 'league.sqlite3'}")
        return self

    @property
    def http_url(self) -> str:
        """Where the dashboard is, as one types it."""
        return f"{'http' if self.http_cert is None else 'https'}://{self.http}"

    @property
    def all_referees(self) -> tuple[str, ...]:
        """The addresses of every referee, for those who dial."""
        return split_referees(self.referees) or (self.referee,)

    @property
    def dialled_by_bots(self) -> tuple[str, ...]:
        """What owners of remote bots are told of each referee."""
        return addresses(self.public_referee) if self.public_referee else self.all_referees

    def check_apart(self) -> None:
        """Check that dashboard and referee have an address each.

        Raises:
            UsageError: it is the same one.
        """
        if self.http in map(target_of, addresses(self.referee)):
            raise UsageError(
                f"KING_HTTP and KING_REFEREE are both {self.http}: the dashboard and the referee need a port each"
            )

    def check_metrics_ports(self, part_count: int) -> None:
        """Check that there is a port for the metrics of each of so many parts, after that of KING_METRICS.

        Raises:
            UsageError: the ports end before.
        """
        if self.metrics and split_address(self.metrics)[1] + part_count > LAST_PORT:
            raise UsageError(
                f"KING_METRICS is {self.metrics}, and each part of `king up` has a port after it: the port must be "
                f"at most {LAST_PORT - part_count} for {part_count} parts"
            )

    def environment(self, names: Collection[str]) -> dict[str, str]:
        """The variables from which a child process reads the settings `names` again."""
        values = self.model_dump(include=set(names))
        return {
            f"KING_{name.upper()}": str(value) for name, value in values.items() if value is not None and str(value)
        }


def read_settings() -> Settings:
    """The settings of this process.

    Raises:
        UsageError: a variable has a wrong value; the message names it and what would be right.
    """
    try:
        return Settings()
    except ValidationError as error:
        raise UsageError("; ".join(_sentence(problem) for problem in error.errors())) from None


def split_address(address: str) -> tuple[str, int]:
    """Host and port of a checked "host:port"."""
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)


def port_after(address: str, by: int) -> str:
    """A checked "host:port" so many ports further, for one of several parts of a machine; an empty one stays so."""
    host, _, port = address.rpartition(":")
    return f"{host}:{int(port) + by}" if address else ""


def _checked_address(value: str) -> str:
    host, _, port = value.rpartition(":")
    if not host or not (port.isascii() and port.isdecimal()) or not 1 <= int(port) <= LAST_PORT:
        raise ValueError(f"must be host:port, such as 127.0.0.1:8000, not {value!r}")
    return value


def _checked_door(value: str) -> str:
    if door_of(value) is Door.SOCKET:
        return _checked_socket(value)
    target = target_of(value)
    if _SCHEME in target:
        raise ValueError(f"must be host:port, such as 127.0.0.1:7700, or tls://host:port, not {value!r}")
    _checked_address(target)
    return value


def _check_pair_set(name: str, certificate: Path | None, key: Path | None) -> None:
    if (certificate is None) != (key is None):
        name = name.upper()
        raise ValueError(f"KING_{name}_CERT and KING_{name}_KEY belong together: set both, or neither")


def _checked_socket(value: str) -> str:
    if value == "unix:":
        raise ValueError("must name a socket after unix:, such as unix:/run/king/referee.sock")
    return value


def _absolute_socket(address: str) -> str:
    if not address.startswith("unix:"):
        return address
    path = Path(address.removeprefix("unix:")).absolute()
    _check_socket_length(path)
    return f"unix:{path}"


def _check_socket_length(path: Path) -> None:
    length = len(os.fsencode(path))
    if length > SOCKET_PATH_BYTES:
        raise ValueError(
            f"KING_REFEREE: the socket's path has {length} bytes; the system allows {SOCKET_PATH_BYTES}: "
            "choose a shorter one"
        )


def _checked_redis_url(value: str) -> str:
    try:
        parts = urlsplit(value)
        port = parts.port
    except ValueError:
        raise ValueError(f"must have a host, and a port from 1 to 65535, {_REDIS_EXAMPLES}") from None
    path = unquote(parts.path)
    if parts.scheme not in REDIS_SCHEMES:
        raise ValueError(f"must start with redis://, rediss:// or unix://, {_REDIS_EXAMPLES}")
    if parts.scheme == "unix":
        if not path.strip("/"):
            raise ValueError(f"must name a socket after unix://, {_REDIS_EXAMPLES}")
        return value
    if not parts.hostname or port == 0:
        raise ValueError(f"must have a host, and a port from 1 to 65535, {_REDIS_EXAMPLES}")
    if path.strip("/") and not path.strip("/").isdecimal():
        raise ValueError(f"must end with the number of a database, if anything, {_REDIS_EXAMPLES}")
    return value


_NUMBERS: Final = {"int_parsing": "a whole number", "float_parsing": "a number"}
_BOUNDS: Final = {"greater_than_equal": ("at least", "ge"), "less_than_equal": ("at most", "le")}


def _sentence(problem: ErrorDetails) -> str:
    """What is wrong with a variable, what would be right, and what it is."""
    location, kind, context, value = problem["loc"], problem["type"], problem.get("ctx", {}), problem["input"]
    if kind in _NUMBERS:
        sentence = f"must be {_NUMBERS[kind]}, not {value!r}"
    elif kind in _BOUNDS:
        word, bound = _BOUNDS[kind]
        sentence = f"must be {word} {context[bound]:g}, not {value!r}"
    elif kind == "enum":
        sentence = f"must be {context['expected']}, not {value!r}"
    else:
        sentence = problem["msg"].removeprefix("Value error, ")
    return f"KING_{str(location[0]).upper()}: {sentence}" if location else sentence
