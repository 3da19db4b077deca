"""What a bot's pod is: a template of the organiser's, filled in for one process of one bot. Pure; asks no cluster.

The template is a Pod in JSON, which says resources, security and all else. Its container `bot` is given command, folder
and environment; unless it has an image, it has the worker's, where bots have the folders they are registered with. A
volume `submitted` in it stands for the folder of submitted bots that workers have too: pods of other bots do without,
and theirs see of it their own folder alone.
"""

from __future__ import annotations

import copy
import json
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from league.model import SourceKind
from workers.confine import TOO_MUCH_MEMORY
from workers.launcher import Limits, bot_environment
from workers.manifests import BotProgram
from workers.sandbox import memory_hints

CONTAINER: Final = "bot"
SUBMITTED: Final = "submitted"
FOLDER: Final = "/bot"
SCRATCH: Final = "/tmp"
WORKER_LABEL, JOB_LABEL = "king-arena/worker", "king-arena/job"

Pod = dict[str, Any]


class TemplateError(ValueError):
    """The template will not do: the text says why, and what would be right."""


@dataclass(frozen=True, kw_only=True)
class Owner:
    """Whose pods they are: they go with the worker's pod, which runs `image`; `job` tells them apart."""

    pod: str
    uid: str
    image: str
    job: str


def read_template(path: Path) -> Pod:
    """The template in a file.

    Raises:
        TemplateError: it cannot be read, or is none.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise TemplateError(f"{path} cannot be read as JSON: {error}") from None
    if not isinstance(found, dict) or found.get("kind") != "Pod" or not isinstance(found.get("spec"), dict):
        raise TemplateError(f"{path} is no Pod: write its manifest in JSON")
    if [each.get("name") for each in found["spec"].get("containers", ())] != [CONTAINER]:
        raise TemplateError(f"{path} must have one container, with the name {CONTAINER!r}")
    return found


def pod_of(template: Pod, bot: BotProgram, *, name: str, referee: str, token: str, limits: Limits, owner: Owner) -> Pod:
    """The pod of one process of a bot that dials `referee` and says `token`.

    Raises:
        TemplateError: the bot was submitted, and the template has no volume for such bots.
    """
    pod = copy.deepcopy(template)
    metadata, spec = pod.setdefault("metadata", {}), pod["spec"]
    metadata["name"] = name
    metadata.setdefault("labels", {}).update({WORKER_LABEL: owner.pod, JOB_LABEL: owner.job})
    metadata["ownerReferences"] = [{"apiVersion": "v1", "kind": "Pod", "name": owner.pod, "uid": owner.uid}]
    spec["restartPolicy"] = "Never"
    container = spec["containers"][0]
    container["command"] = list(bot.run)
    container["workingDir"] = _place(spec, container, bot)
    container.setdefault("image", owner.image)
    environment = bot_environment(referee=referee, token=token, scratch=SCRATCH) | memory_hints(limits.memory_bytes)
    container["env"] = [{"name": key, "value": _literal(value)} for key, value in environment.items()]
    container.setdefault("resources", {}).setdefault("limits", {})["memory"] = str(limits.memory_bytes)
    return pod


def _place(spec: Pod, container: Pod, bot: BotProgram) -> str:
    """Where the bot's folder is in the pod: that of the image, or the bot's own of those that were submitted."""
    volumes = spec.get("volumes", [])
    if bot.source.kind is not SourceKind.ARCHIVE:
        spec["volumes"] = [each for each in volumes if each["name"] != SUBMITTED]
        return str(bot.folder)
    if not any(each["name"] == SUBMITTED for each in volumes):
        raise TemplateError(f"the template of pods has no volume {SUBMITTED!r}, where submitted bots would be found")
    own = f"{bot.folder.parent.name}/{bot.folder.name}"
    mount = {"name": SUBMITTED, "mountPath": FOLDER, "subPath": own, "readOnly": True}
    container.setdefault("volumeMounts", []).append(mount)
    return FOLDER


def _literal(value: str) -> str:
    """A value in which the cluster puts nothing in place of `$(…)`."""
    return value.replace("$(", "$$(")


@dataclass(frozen=True)
class End:
    """How a pod's container ended: its status, minus the signal's number if one ended it; and what there is to say."""

    status: int
    told: str = ""


def is_running(pod: Mapping[str, Any]) -> bool:
    """Whether the bot runs."""
    return "running" in _state(pod)


def end_of(pod: Mapping[str, Any]) -> End | None:
    """How the bot ended by itself, or for what it did; None: it has not."""
    ended = _state(pod).get("terminated")
    if greed := _greed(pod):
        return End(-signal.SIGKILL, f"king: ended by the node: {greed}")
    if ended is None or was_taken(pod):
        return None
    return End(_status(ended), _told(ended))


def is_over(pod: Mapping[str, Any]) -> bool:
    """Whether nothing of it runs any more, however it came about."""
    return "terminated" in _state(pod) or pod.get("status", {}).get("phase") in {"Failed", "Succeeded"}


def was_taken(pod: Mapping[str, Any]) -> str:
    """Why the cluster ended the pod, or is about to: no bot is to blame; empty if it did not."""
    status, metadata = pod.get("status", {}), pod.get("metadata", {})
    if _greed(pod):
        return ""
    for each in status.get("conditions", ()):
        if each.get("type") == "DisruptionTarget" and each.get("status") == "True":
            return f"{each.get('reason', 'disrupted')}: {each.get('message', '')}"
    if status.get("reason"):
        return f"{status['reason']}: {status.get('message', '')}"
    return "it is being deleted" if metadata.get("deletionTimestamp") else ""


def _greed(pod: Mapping[str, Any]) -> str:
    """What a pod was evicted for that its own bot did, such as writing without end to its log; else empty."""
    status = pod.get("status", {})
    message = str(status.get("message", ""))
    return message.strip() if status.get("reason") == "Evicted" and "exceed" in message else ""


def was_not_started(pod: Mapping[str, Any]) -> str:
    """Why the container's program could not be started; empty if it was, or may still be."""
    ended = _state(pod).get("terminated") or {}
    if ended.get("reason") in {"StartError", "ContainerCannotRun"}:
        return str(ended.get("message") or ended["reason"])
    return ""


def waits_for(pod: Mapping[str, Any]) -> str:
    """What a pod that does not run yet waits for, in the cluster's words."""
    waiting = _state(pod).get("waiting", {})
    conditions = [each for each in pod.get("status", {}).get("conditions", ()) if each.get("status") != "True"]
    words = [waiting.get("reason"), waiting.get("message"), *(each.get("message") for each in conditions)]
    return "; ".join(dict.fromkeys(str(word) for word in words if word)) or "nothing that it tells"


def _state(pod: Mapping[str, Any]) -> dict[str, Any]:
    for each in pod.get("status", {}).get("containerStatuses", ()):
        if each["name"] == CONTAINER:
            return dict(each.get("state", {}))
    return {}


def _status(ended: Mapping[str, Any]) -> int:
    signal, code = ended.get("signal", 0), int(ended.get("exitCode", 0))
    if signal:
        return -int(signal)
    return 128 - code if code > 128 else code  # as shells do, runtimes say 128 and the number of the signal


def _told(ended: Mapping[str, Any]) -> str:
    return TOO_MUCH_MEMORY if ended.get("reason") == "OOMKilled" else ""
