"""Attempts to get out of a sandbox, in Python: run as `python escapes.py NAME WORLD`, where WORLD is `World` as JSON.

Each attempt returns whether it got through; what raises was held. Says ESCAPED or HELD, with the reason, as its last
line. It stands alone: within a sandbox nothing of the tests is there.
"""

import ctypes
import fcntl
import glob
import json
import os
import pty
import resource
import signal
import socket
import struct
import sys
import termios
import threading
import time
from collections.abc import Callable
from typing import Any

LIBC = ctypes.CDLL(None, use_errno=True)
World = Any
"""What is around: addresses and names, see world.py."""


def call(name: str, *arguments: Any) -> int:
    """Call the C library; an error is raised as an OSError."""
    result = int(getattr(LIBC, name)(*arguments))
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


# --- network


def tcp(world: World) -> bool:
    with socket.create_connection((world["host"], world["port"]), timeout=2) as link:
        return bool(link.recv(100).decode() == world["secret"])


def tcp_version_6(world: World) -> bool:
    with socket.socket(socket.AF_INET6) as link:
        link.settimeout(2)
        link.connect((f"::ffff:{world['host']}", world["port"]))
        return bool(link.recv(100).decode() == world["secret"])


def udp(world: World) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        link.settimeout(2)
        link.sendto(b"hello", (world["host"], world["udp_port"]))
        return bool(link.recv(100).decode() == world["secret"])


def dns(world: World) -> bool:
    question = struct.pack(">6H", 7, 0x100, 1, 0, 0, 0) + b"\x04king\x05arena\x00" + struct.pack(">2H", 1, 1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        link.settimeout(2)
        link.sendto(question, (world["host"], world["udp_port"]))
        return bool(link.recv(512))


def raw_socket(_: World) -> bool:
    return socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).fileno() >= 0


def packet_socket(_: World) -> bool:
    return socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)).fileno() >= 0


def netlink(_: World) -> bool:
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as link:
        link.bind((0, 0))
        link.send(struct.pack("=IHHIIBxHiII", 32, 18, 0x301, 1, 0, 0, 0, 0, 0, 0))  # list the interfaces
        return len(link.recv(65536)) > 0


def abstract_socket(world: World) -> bool:
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(f"\0{world['abstract']}")
        return bool(link.recv(100).decode() == world["secret"])


def socket_of_another_service(world: World) -> bool:
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(world["socket"])
        return bool(link.recv(100).decode() == world["secret"])


def listen_on_the_network(_: World) -> bool:
    with socket.socket() as link:
        link.bind(("127.0.0.1", 0))
        link.listen()
        return True


# --- files of others


def _reads_secret(path: str, world: World) -> bool:
    with open(path, "rb") as file:
        return world["secret"].encode() in file.read()


def read_the_store(world: World) -> bool:
    return _reads_secret(world["secret_file"], world)


def read_another_bot(world: World) -> bool:
    found = [path for path in glob.glob(f"{world['folder']}/**", recursive=True) if os.path.isfile(path)]
    return any(_reads_secret(path, world) for path in found)


def read_shadow(_: World) -> bool:
    with open("/etc/shadow", encoding="utf-8") as file:
        return len(file.read()) > 0


def read_keys(world: World) -> bool:
    return _reads_secret(f"{world['folder']}/.ssh/id_ed25519", world)


def _others(world: World) -> list[int]:
    """The victim, if it can be seen; else everybody who can."""
    seen = [int(name) for name in os.listdir("/proc") if name.isdecimal()]
    return [pid for pid in seen if pid == world["victim"]] or [pid for pid in seen if pid != os.getpid()]


def _has(path: str, text: str) -> bool:
    try:
        with open(path, "rb") as file:
            return text.encode() in file.read()
    except OSError:
        return False


def read_environment_of_others(world: World) -> bool:
    return any(_has(f"/proc/{pid}/environ", world["secret"]) for pid in _others(world))


def read_commands_of_others(world: World) -> bool:
    # bubblewrap, process 1 inside, has the words of the attempt itself
    return any(_has(f"/proc/{pid}/cmdline", world["abstract"]) for pid in _others(world) if pid != 1)


def read_through_the_root_of_others(world: World) -> bool:
    return any(_has(f"/proc/{pid}/root{world['secret_file']}", world["secret"]) for pid in _others(world))


def read_through_the_folder_of_others(world: World) -> bool:
    name = os.path.basename(world["secret_file"])
    return any(_has(f"/proc/{pid}/cwd/{name}", world["secret"]) for pid in _others(world))


def read_open_files_of_others(world: World) -> bool:
    found = [path for pid in _others(world) for path in glob.glob(f"/proc/{pid}/fd/*")]
    return any(_has(path, world["secret"]) for path in found if os.path.isfile(path))


def inherit_an_open_file(_: World) -> bool:
    return any(int(name) > 2 for name in os.listdir("/proc/self/fd") if name.isdecimal() and _is_open(int(name)))


def _is_open(number: int) -> bool:
    try:
        return bool(os.fstat(number))
    except OSError:
        return False


def follow_a_symlink(world: World) -> bool:
    link = f"/tmp/link-{os.getpid()}"
    os.symlink(world["secret_file"], link)
    try:
        return _reads_secret(link, world)
    finally:
        os.unlink(link)


def make_a_hardlink(world: World) -> bool:
    link = f"{os.path.dirname(world['secret_file'])}/hardlink"
    os.link(world["secret_file"], link)
    return _reads_secret(link, world)


def hardlink_to_a_program(world: World) -> bool:
    os.link(world["own_file"], f"{world['own_file']}.hard")  # what would keep a copy of its folder
    return True


def climb_by_dots(world: World) -> bool:
    return _reads_secret("../" * 30 + world["secret_file"].lstrip("/"), world)


# --- what survives


def write_its_own_folder(world: World) -> bool:
    with open(world["own_file"], "a", encoding="ascii") as file:
        return file.write("x") == 1


def replace_its_own_program(_: World) -> bool:
    os.chmod(__file__, 0o777)
    return True


def write_the_runtime(_: World) -> bool:
    place = f"{os.path.dirname(json.__file__)}/king_escape.py"
    with open(place, "w", encoding="ascii") as file:
        file.write("")
    os.unlink(place)
    return True


def write_the_system(_: World) -> bool:
    place = "/usr/bin/king-escape"
    with open(place, "w", encoding="ascii") as file:
        file.write("")
    os.unlink(place)
    return True


def write_the_root(_: World) -> bool:
    os.mkdir("/king-escape")
    os.rmdir("/king-escape")
    return True


def write_devices(_: World) -> bool:
    with open("/dev/king-escape", "w", encoding="ascii") as file:
        file.write("")
    os.unlink("/dev/king-escape")
    return True


def remain_in_a_temporary_folder(world: World) -> bool:
    """Gets through at the second time, if what the first left is still there."""
    places = [world["mark"], f"/dev/shm/{os.path.basename(world['mark'])}"]
    found = [place for place in places if os.path.exists(place)]
    for place in places:
        with open(place, "w", encoding="ascii") as file:
            file.write("x")
    return bool(found)


# --- other processes


def signal_the_victim(world: World) -> bool:
    os.kill(world["victim"], 0)
    return True


def signal_what_can_be_seen(world: World) -> bool:
    others = [pid for pid in _others(world) if pid != 1]
    for pid in others:
        os.kill(pid, 0)
    return bool(others)


def trace_the_victim(world: World) -> bool:
    call("ptrace", 16, world["victim"], 0, 0)  # PTRACE_ATTACH
    os.waitpid(world["victim"], 0x40000000)
    call("ptrace", 17, world["victim"], 0, 0)
    return True


def trace_a_child(_: World) -> bool:
    child = os.fork()
    if child == 0:
        time.sleep(5)
        os._exit(0)
    try:
        call("ptrace", 16, child, 0, 0)
        return True
    finally:
        os.kill(child, signal.SIGKILL)


def real_time_priority(_: World) -> bool:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    return True


def raise_priority(_: World) -> bool:
    os.setpriority(os.PRIO_PROCESS, 0, -5)
    return True


def become_root(_: World) -> bool:
    os.setuid(0)
    return os.getuid() == 0


def become_somebody_else(_: World) -> bool:
    os.setresgid(4242, 4242, 4242)
    os.setresuid(4242, 4242, 4242)
    return os.getuid() == 4242


# --- the kernel


def user_namespace(_: World) -> bool:
    return call("unshare", 0x10000000) == 0


def network_namespace(_: World) -> bool:
    return call("unshare", 0x40000000) == 0


def mount_something(_: World) -> bool:
    call("unshare", 0x00020000)
    os.makedirs("/tmp/king-mount", exist_ok=True)
    return call("mount", b"none", b"/tmp/king-mount", b"tmpfs", 0, 0) == 0


def mount_without_a_namespace(_: World) -> bool:
    os.makedirs("/tmp/king-mount-2", exist_ok=True)
    call("mount", b"none", b"/tmp/king-mount-2", b"tmpfs", 0, 0)
    return call("umount2", b"/tmp/king-mount-2", 2) == 0


def remount_its_own_folder(_: World) -> bool:
    return call("mount", b"none", b"/", b"", 0x20 | 0x1000, 0) == 0  # MS_REMOUNT | MS_BIND: writable again


def change_root(_: World) -> bool:
    os.chroot("/tmp")
    return True


def make_a_device(_: World) -> bool:
    place = f"/tmp/king-device-{os.getpid()}"
    os.mknod(place, 0o20666, os.makedev(1, 1))  # /dev/mem
    os.unlink(place)
    return True


def open_the_disk(_: World) -> bool:
    with open("/proc/partitions", encoding="ascii") as file:
        disks = [f"/dev/{line.split()[3]}" for line in file.read().splitlines()[2:]]
    return os.open(disks[0], os.O_RDONLY) >= 0


def write_a_kernel_setting(_: World) -> bool:
    with open("/proc/sys/kernel/core_pattern", "r+", encoding="ascii") as file:
        value = file.read()
        file.seek(0)
        return file.write(value) > 0


def press_sysrq(_: World) -> bool:
    with open("/proc/sysrq-trigger", "w", encoding="ascii"):
        return True


def leave_the_control_group(_: World) -> bool:
    found = glob.glob("/sys/fs/cgroup/**/cgroup.procs", recursive=True)
    return any(os.access(path, os.W_OK) for path in found)


def see_the_machine(_: World) -> bool:
    return len(os.listdir("/sys")) > 0


def set_the_name(_: World) -> bool:
    socket.sethostname(socket.gethostname())
    return True


def type_into_a_terminal(_: World) -> bool:
    _, terminal = pty.openpty()
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    fcntl.ioctl(terminal, termios.TIOCSTI, b"x")
    return True


def type_into_ours(_: World) -> bool:
    return os.open("/dev/tty", os.O_RDWR) >= 0


def raise_a_limit(_: World) -> bool:
    hard = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    resource.setrlimit(resource.RLIMIT_NPROC, (hard, resource.RLIM_INFINITY))
    return True


def dump_core(_: World) -> bool:
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return True


# --- too much


def fork_bomb(world: World) -> bool:
    children: list[int] = []
    try:
        for _ in range(world["limits"]["processes"] + 50):
            child = os.fork()
            if child == 0:
                time.sleep(60)
                os._exit(0)
            children.append(child)
        return True
    finally:
        for started in children:
            os.kill(started, signal.SIGKILL)


def thread_bomb(world: World) -> bool:
    ended = threading.Event()
    threading.stack_size(65536)
    try:
        for _ in range(world["limits"]["processes"] + 50):
            threading.Thread(target=ended.wait, daemon=True).start()
        return True
    finally:
        ended.set()


def fill_the_temporary_folder(world: World) -> bool:
    return _fill("/tmp/king-fill", world)


def fill_shared_memory(world: World) -> bool:
    return _fill("/dev/shm/king-fill", world)


def _fill(name: str, world: World) -> bool:
    block = bytes(1 << 20)
    names = [f"{name}-{os.getpid()}-{number}" for number in range(4)]
    try:
        for each in names:
            with open(each, "wb") as file:
                for _ in range(world["limits"]["scratch_mebibytes"] // 2):
                    file.write(block)
        return True
    finally:
        for each in names:
            if os.path.exists(each):
                os.unlink(each)


def too_large_a_file(world: World) -> bool:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    name = f"/tmp/king-large-{os.getpid()}"
    try:
        with open(name, "wb") as file:
            file.truncate((world["limits"]["file_mebibytes"] + 1) << 20)
        return True
    finally:
        os.unlink(name)


def too_many_open_files(world: World) -> bool:
    opened = [os.open("/dev/null", os.O_RDONLY) for _ in range(world["limits"]["open_files"] + 1)]
    return bool(len(opened) > world["limits"]["open_files"])


def outlive(world: World) -> bool:
    """Leaves a process of its own session behind, which the test looks for."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 3)
            os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(60)", world["outliving"]])
        os._exit(0)
    time.sleep(0.3)
    return True


def main() -> None:
    attempt: Callable[[World], bool] = globals()[sys.argv[1]]
    try:
        through = attempt(json.loads(sys.argv[2]))
    except BaseException as error:  # whatever it is, the attempt ends with it
        print(f"HELD {type(error).__name__}: {error}")
    else:
        print("ESCAPED" if through else "HELD: nothing was there")


if __name__ == "__main__":
    main()
