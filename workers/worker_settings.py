"""What a worker's job must know, handed from the command line to the job's process through the environment.

Jobs take ids alone, and run in processes of their own; what is the same for all jobs of a worker travels here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from referee.certificates import Pair
from workers.client_tls import PUBLIC_ROOTS, ClientTls
from workers.logs import LogStyle

_PREFIX = "KING_JOB_"


@dataclass(frozen=True, kw_only=True)
class PodSettings:
    """How bots are started as pods.

    Attributes:
        template: the file with the template of their pods.
        cluster: the address of the cluster's API server.
        access: the folder with what lets a worker in there.
    """

    template: Path
    cluster: str
    access: Path


@dataclass(frozen=True, kw_only=True)
class WorkerSettings:
    """The surroundings of a job.

    Attributes:
        database_url: of the store.
        vault_url: of the secrets.
        referees: where they are: semicolons between several, commas between the addresses of one.
        data_dir: the data folder of this machine, where submitted bots are kept.
        control_key: what the referee wants to hear from its workers; empty if nothing.
        lease: how long a claim lasts without a sign of life.
        redis_url: where word of tables goes that are watched; empty: nowhere.
        tls: whom it believes to be the referee, and what it shows of itself.
        pods: how bots are started as pods; None: they are processes of this machine.
        log: how it logs.
    """

    database_url: str
    vault_url: str
    referees: str
    data_dir: Path = Path(".king")
    control_key: str = ""
    lease: timedelta = timedelta(seconds=10)
    redis_url: str = ""
    tls: ClientTls = PUBLIC_ROOTS
    pods: PodSettings | None = None
    log: LogStyle = LogStyle.TEXT

    def to_environment(self) -> dict[str, str]:
        """The variables from which `from_environment` makes the same settings."""
        return {
            f"{_PREFIX}DATABASE_URL": self.database_url,
            f"{_PREFIX}VAULT_URL": self.vault_url,
            f"{_PREFIX}REFEREES": self.referees,
            f"{_PREFIX}DATA_DIR": str(self.data_dir),
            f"{_PREFIX}CONTROL_KEY": self.control_key,
            f"{_PREFIX}LEASE_SECONDS": str(self.lease.total_seconds()),
            f"{_PREFIX}REDIS_URL": self.redis_url,
            f"{_PREFIX}TLS_ROOTS": str(self.tls.roots or ""),
            f"{_PREFIX}CERT": str(self.tls.pair.certificate) if self.tls.pair else "",
            f"{_PREFIX}KEY": str(self.tls.pair.key) if self.tls.pair else "",
            f"{_PREFIX}LOG": self.log.value,
            f"{_PREFIX}BOT_PODS": str(self.pods.template) if self.pods else "",
            f"{_PREFIX}CLUSTER": self.pods.cluster if self.pods else "",
            f"{_PREFIX}CLUSTER_ACCESS": str(self.pods.access) if self.pods else "",
        }

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> WorkerSettings:
        """The settings that the worker has put there.

        Raises:
            KeyError: a variable is missing: the job was not run by `king worker`.
        """
        return cls(
            database_url=environment[f"{_PREFIX}DATABASE_URL"],
            vault_url=environment[f"{_PREFIX}VAULT_URL"],
            referees=environment[f"{_PREFIX}REFEREES"],
            data_dir=Path(environment[f"{_PREFIX}DATA_DIR"]),
            control_key=environment[f"{_PREFIX}CONTROL_KEY"],
            lease=timedelta(seconds=float(environment[f"{_PREFIX}LEASE_SECONDS"])),
            redis_url=environment[f"{_PREFIX}REDIS_URL"],
            tls=_tls(*(environment[f"{_PREFIX}{name}"] for name in ("TLS_ROOTS", "CERT", "KEY"))),
            log=LogStyle(environment[f"{_PREFIX}LOG"]),
            pods=_pods(*(environment[f"{_PREFIX}{name}"] for name in ("BOT_PODS", "CLUSTER", "CLUSTER_ACCESS"))),
        )


def _tls(roots: str, certificate: str, key: str) -> ClientTls:
    pair = Pair(certificate=Path(certificate), key=Path(key)) if certificate else None
    return ClientTls(roots=Path(roots) if roots else None, pair=pair)


def _pods(template: str, cluster: str, access: str) -> PodSettings | None:
    return PodSettings(template=Path(template), cluster=cluster, access=Path(access)) if template else None
