"""How the settings say that bots are started as pods, checked before a worker takes work."""

from __future__ import annotations

from king_cli.errors import UsageError
from king_cli.settings import Settings
from referee.addresses import Door, door_of
from workers.addresses import bots_address
from workers.worker_settings import PodSettings


def pod_settings(settings: Settings) -> PodSettings | None:
    """How this worker starts bots as pods; None: it does not.

    Raises:
        UsageError: it is to, and is no pod of a cluster that lets it in, or the template or the referee will not do.
    """
    if settings.bot_pods is None:
        return None
    from workers.bot_pods import TemplateError, read_template
    from workers.cluster import Cluster, ClusterError

    try:
        read_template(settings.bot_pods)
        Cluster.enter(settings.cluster, settings.cluster_access)
    except TemplateError as error:
        raise UsageError(f"KING_BOT_PODS: {error}") from None
    except ClusterError as error:
        raise UsageError(f"KING_BOT_PODS is set, but bots cannot be pods here: {error}") from None
    for referee in settings.all_referees:
        address = bots_address(referee)
        if address is None or door_of(address) is not Door.PLAIN:
            raise UsageError(
                "KING_BOT_PODS is set, and pods dial the referee in the cluster's network: KING_REFEREE must be "
                f"host:port, not {referee}"
            )
    return PodSettings(template=settings.bot_pods, cluster=settings.cluster, access=settings.cluster_access)
