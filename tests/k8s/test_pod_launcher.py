"""Bots as pods: started, followed to their end and ended, whatever a cluster does; an API server takes the requests."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from king_cli.errors import UsageError
from king_cli.pods import pod_settings
from king_cli.settings import Settings
from league.model import BotSource, SourceKind
from tests.k8s import api_server
from tests.k8s.api_server import WORKER_IMAGE, WORKER_UID, ApiServer
from tests.k8s.manifests import K8S
from tests.workers.waiting import wait_until_async
from workers.bot_pods import JOB_LABEL, WORKER_LABEL, Owner, TemplateError, end_of, pod_of, read_template
from workers.bots import BotProgram
from workers.cluster import Cluster, ClusterError
from workers.launcher import LaunchError, Limits
from workers.launchers import launcher_for
from workers.pod_launcher import PodLauncher, PodLostError, PodProcess
from workers.worker_settings import PodSettings

pytestmark = pytest.mark.slow

Found = TypeVar("Found")

TEMPLATE = K8S / "components/bot-pods/bot-pod.json"
REFEREE = "localhost:7700"
SLEEPS = "import time; print('begun', flush=True); time.sleep(600)"


@pytest.fixture
def api(tmp_path: Path) -> Iterator[ApiServer]:
    """A cluster."""
    with api_server.running(tmp_path) as server:
        yield server


def bot(folder: Path, *run: str, kind: SourceKind = SourceKind.FOLDER) -> BotProgram:
    """A bot that runs a command."""
    source = BotSource(kind=kind, location=str(folder))
    return BotProgram(name="owl", version="1", run=run, folder=folder, variants=("*",), language="", source=source)


def python(folder: Path, program: str) -> BotProgram:
    """A bot that is a few lines of Python."""
    return bot(folder, "python", "-c", program)


def launcher(api: ApiServer, **more: Any) -> PodLauncher:
    """What starts bots there."""
    return PodLauncher(REFEREE, Cluster.enter(api.address, api.access), read_template(TEMPLATE), **more)


def ended(api: ApiServer, program: BotProgram) -> tuple[int, PodProcess]:
    """Start a bot and wait for its end by itself; its status, and what is left of it."""

    async def run() -> tuple[int, PodProcess]:
        process = await launcher(api).start(program, "the token", Limits())
        status = await process.wait()
        assert await process.stop() == status
        return status, process

    return do(run())


def do(what: Coroutine[Any, Any, Found]) -> Found:
    """Run to its end."""
    return asyncio.run(what)


def test_a_bot_is_a_pod(tmp_path: Path, api: ApiServer) -> None:
    """Its environment is a bot's, its folder its own; status and output are told; nothing stays."""
    tells = "import json, os; print(json.dumps({**os.environ, 'at': os.getcwd()})); exit(3)"
    status, process = ended(api, python(tmp_path, tells))
    assert status == 3
    told = json.loads(process.stderr())
    assert told["KING_REFEREE"] in {"127.0.0.1:7700", "[::1]:7700"}
    assert told["KING_TOKEN"] == "the token"
    assert told["at"] == str(tmp_path)
    assert not {name for name in told if name.startswith("KING_")} - {"KING_REFEREE", "KING_TOKEN"}
    assert process.usage().cpu_wait_us == 0
    (made,) = api.made
    assert made["metadata"]["ownerReferences"] == [
        {"apiVersion": "v1", "kind": "Pod", "name": socket.gethostname(), "uid": WORKER_UID}
    ]
    container = made["spec"]["containers"][0]
    assert container["image"] == WORKER_IMAGE
    assert container["resources"]["limits"]["memory"] == str(Limits().memory_bytes)
    assert "submitted" not in {volume["name"] for volume in made["spec"]["volumes"]}
    assert not api.pods


def test_a_submitted_bot_sees_its_own_folder(api: ApiServer) -> None:
    """It runs in its folder of the shared volume, which it cannot write, and which is all that it has of it."""
    folder = api.volume / ("ab" * 32) / "bot"
    folder.mkdir(parents=True)
    (folder / "word.txt").write_text("hoot", encoding="utf-8")
    run = ("python", "-c", "print(open('word.txt').read())")
    status, process = ended(api, bot(folder, *run, kind=SourceKind.ARCHIVE))
    assert (status, process.stderr()) == (0, "hoot\n")
    mounts = [each for each in api.made[0]["spec"]["containers"][0]["volumeMounts"] if each["name"] == "submitted"]
    assert mounts == [{"name": "submitted", "mountPath": "/bot", "subPath": f"{'ab' * 32}/bot", "readOnly": True}]


def test_a_bot_is_told_to_end(tmp_path: Path, api: ApiServer) -> None:
    """A bot that would go on ends by a signal, with what it wrote until then, and its pod is gone."""

    async def run() -> PodProcess:
        process = await launcher(api).start(python(tmp_path, SLEEPS), "t", Limits())
        await wait_until_async(lambda: "begun" in api.pods[process.name].log.read_text())
        assert await process.stop() < 0
        assert await process.stop() < 0
        return process

    assert do(run()).stderr() == "begun\n"
    assert not api.pods


@pytest.mark.parametrize(
    ("program", "status"), [("import os; os.kill(os.getpid(), 9)", -9), ("import os; os.abort()", -6), ("exit(0)", 0)]
)
def test_how_a_bot_ended(tmp_path: Path, api: ApiServer, program: str, status: int) -> None:
    """A signal is told by its number, as of a process of this machine."""
    assert ended(api, python(tmp_path, program))[0] == status


def test_too_much_memory_is_told(tmp_path: Path, api: ApiServer) -> None:
    """A bot that the kernel ended for its memory has that said at the end of its output."""

    async def run() -> PodProcess:
        process = await launcher(api).start(python(tmp_path, SLEEPS), "t", Limits())
        api.kill(process.name, {"reason": "OOMKilled"})
        assert await process.wait() == -9
        await process.stop()
        return process

    assert do(run()).stderr().endswith("king: ended for using more memory than it may\n")


@pytest.mark.parametrize("how", ["evict", "take_away"])
def test_what_the_cluster_ends_is_nobodys_fault(tmp_path: Path, api: ApiServer, how: str) -> None:
    """A pod that is evicted, or deleted by somebody, is lost: the sitting is to be void, and no bot has ended."""

    async def run() -> None:
        process = await launcher(api).start(python(tmp_path, SLEEPS), "t", Limits())
        getattr(api, how)(process.name)
        with pytest.raises(PodLostError, match="low on resource" if how == "evict" else "it is gone"):
            await process.wait()
        with pytest.raises(PodLostError):
            await process.stop()

    do(run())
    assert not api.pods


def test_a_bot_that_writes_without_end_is_to_blame(tmp_path: Path, api: ApiServer) -> None:
    """A pod that is evicted for what its own bot takes has ended by a signal, and the reason is told."""
    message = 'Container bot exceeded its local ephemeral storage limit "64Mi". '

    async def run() -> PodProcess:
        process = await launcher(api).start(python(tmp_path, SLEEPS), "t", Limits())
        api.evict(process.name, message)
        assert await process.wait() == -9
        await process.stop()
        return process

    assert do(run()).stderr().endswith(f"king: ended by the node: {message.strip()}\n")


def test_following_survives_a_break(tmp_path: Path, api: ApiServer) -> None:
    """When the API server breaks off, the pod is followed again, and how it ended is still told."""
    flag = tmp_path / "flag"
    waits = f"import os, time\nwhile not os.path.exists({str(flag)!r}): time.sleep(0.02)\nexit(5)"

    async def run() -> int:
        process = await launcher(api).start(python(tmp_path, waits), "t", Limits())
        api.cut()
        await asyncio.sleep(0.1)
        flag.touch()
        try:
            return await process.wait()
        finally:
            await process.stop()

    assert do(run()) == 5


def test_what_an_earlier_job_left_is_ended(tmp_path: Path, api: ApiServer) -> None:
    """A job that was killed leaves pods behind; the next one of the same worker ends them, and none of its own."""

    async def run() -> None:
        dead, living = launcher(api), launcher(api)
        left = await dead.start(python(tmp_path, SLEEPS), "t", Limits())
        left._following.cancel()
        mine = [await living.start(python(tmp_path, SLEEPS), "t", Limits()) for _ in range(2)]
        assert set(api.pods) == {process.name for process in mine}
        for process in mine:
            await process.stop()

    do(run())


def refusal(launching: PodLauncher, program: BotProgram) -> str:
    """Why a bot is not started."""
    with pytest.raises(LaunchError) as refused:
        do(launching.start(program, "t", Limits()))
    return str(refused.value)


def test_what_cannot_be_started(tmp_path: Path, api: ApiServer) -> None:
    """A program that is not there, and a cluster without room, are our failures, told by name; no pod stays."""
    assert "could not start bot owl as a pod" in (told := refusal(launcher(api), bot(tmp_path, "no-such-program")))
    assert "no-such-program" in told
    api.schedules = False
    told = refusal(launcher(api, start_limit_s=0.5), python(tmp_path, SLEEPS))
    assert "does not run after 0.5 s" in told
    assert "Insufficient cpu" in told
    do(asyncio.sleep(0))
    assert not api.pods


def test_what_the_cluster_refuses(tmp_path: Path, api: ApiServer) -> None:
    """Pods that break Pod Security, strangers' tokens and a cluster that is not there are told in its words."""
    cluster = Cluster.enter(api.address, api.access)
    template = read_template(TEMPLATE)
    template["spec"]["hostNetwork"] = True
    assert "hostNetwork" in refusal(PodLauncher(REFEREE, cluster, template), python(tmp_path, SLEEPS))
    (api.access / "token").write_text("another", encoding="utf-8")
    assert "401: Unauthorized" in refusal(launcher(api), python(tmp_path, SLEEPS))
    nowhere = Cluster.enter("https://127.0.0.1:1", api.access)
    assert "no cluster answers" in refusal(
        PodLauncher(REFEREE, nowhere, read_template(TEMPLATE)), python(tmp_path, SLEEPS)
    )
    assert not api.made


def test_a_worker_outside_of_a_cluster_refuses(tmp_path: Path, api: ApiServer) -> None:
    """Each reason why bots cannot be pods here is said before work is taken; without the setting nothing is asked."""

    def why(**settings: Any) -> str:
        given: dict[str, Any] = {"bot_pods": TEMPLATE, "cluster": api.address, "cluster_access": api.access} | settings
        with pytest.raises(UsageError) as refused:
            pod_settings(Settings(data_dir=tmp_path, **given))
        return str(refused.value)

    assert pod_settings(Settings(data_dir=tmp_path)) is None
    good = pod_settings(Settings(data_dir=tmp_path, bot_pods=TEMPLATE, cluster=api.address, cluster_access=api.access))
    assert good == PodSettings(template=TEMPLATE, cluster=api.address, access=api.access)
    assert "no pod of a cluster" in why(cluster_access=tmp_path / "nothing")
    assert "https://host:port" in why(cluster="http://127.0.0.1")
    assert "KING_BOT_PODS: " in why(bot_pods=tmp_path / "no.json")
    assert "KING_REFEREE must be host:port" in why(referee="unix:/run/referee.sock")
    (tmp_path / "list.json").write_text('{"kind": "List"}', encoding="utf-8")
    assert "no Pod" in why(bot_pods=tmp_path / "list.json")


def test_jobs_are_told_the_reason_too(tmp_path: Path, api: ApiServer) -> None:
    """What has gone wrong since the worker began is the reason why bots do not start."""
    pods = PodSettings(template=TEMPLATE, cluster=api.address, access=tmp_path / "gone")
    with pytest.raises(LaunchError, match=r"no way to the referee.*no pod of a cluster"):
        do(launcher_for(REFEREE, pods=pods).start(python(tmp_path, SLEEPS), "t", Limits()))
    pods = PodSettings(template=TEMPLATE, cluster=api.address, access=api.access)
    assert isinstance(launcher_for(REFEREE, pods=pods), PodLauncher)


def test_templates_and_ends(tmp_path: Path) -> None:
    """Submitted bots want their volume; the cluster puts nothing into values; labels say whose a pod is."""
    template, owner = read_template(TEMPLATE), Owner(pod="w", uid="u", image="i", job="j")
    program = bot(tmp_path, "run", kind=SourceKind.ARCHIVE)
    about = {"name": "n", "referee": "r:1", "token": "$(HOME)", "limits": Limits(), "owner": owner}
    made = pod_of(template, program, **about)  # type: ignore[arg-type]
    variables = {each["name"]: each["value"] for each in made["spec"]["containers"][0]["env"]}
    assert variables["KING_TOKEN"] == "$$(HOME)"
    assert made["metadata"]["labels"] | {WORKER_LABEL: "w", JOB_LABEL: "j"} == made["metadata"]["labels"]
    assert read_template(TEMPLATE) == template, "the template stays as it is"
    template["spec"]["volumes"] = []
    with pytest.raises(TemplateError, match="no volume 'submitted'"):
        pod_of(template, program, **about)  # type: ignore[arg-type]
    state = {"containerStatuses": [{"name": "bot", "state": {"terminated": {"exitCode": 0, "signal": 15}}}]}
    assert (found := end_of({"status": state})) is not None
    assert found.status == -15
    disrupted = {"conditions": [{"type": "DisruptionTarget", "status": "True", "reason": "Preempted"}]}
    assert end_of({"status": state | disrupted}) is None


def test_an_answer_that_makes_no_sense(api: ApiServer) -> None:
    """A pod that is not there has status 404; to delete it is harmless."""
    cluster = Cluster.enter(api.address, api.access)
    with pytest.raises(ClusterError) as missing:
        do(cluster.pod("nobody"))
    assert missing.value.status == 404
    do(cluster.delete_pod("nobody", grace_s=0))
