// Attempts to get out of a sandbox, in C++: run as `escapes NAME ARGUMENT...`. Each says ESCAPED or HELD as its last line.

#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <functional>
#include <linux/bpf.h>
#include <linux/netlink.h>
#include <linux/perf_event.h>
#include <map>
#include <netinet/in.h>
#include <sched.h>
#include <string>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using Words = std::vector<std::string>;

// Of a system call: whether it went well.
static bool went(long result) { return result >= 0; }

static std::string received(int link) {
  char text[100] = {};
  const ssize_t count = read(link, text, sizeof text - 1);
  return count > 0 ? std::string(text, static_cast<size_t>(count)) : std::string();
}

static bool tcp(const Words &words) {
  const int link = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_port = htons(static_cast<uint16_t>(std::stoi(words.at(1))));
  inet_pton(AF_INET, words.at(0).c_str(), &place.sin_addr);
  return went(connect(link, reinterpret_cast<sockaddr *>(&place), sizeof place)) && received(link) == words.at(2);
}

static bool netlink(const Words &) { return went(socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE)); }

static bool vsock(const Words &) { return went(socket(AF_VSOCK, SOCK_STREAM, 0)); }

static bool algorithms(const Words &) { return went(socket(AF_ALG, SOCK_SEQPACKET, 0)); }

// The same call by the numbers of 32-bit programs, which a filter for 64-bit ones would not know.
static bool socket_of_32_bit(const Words &) {
#if defined(__x86_64__)
  long result = 359;  // socket
  __asm__ volatile("int $0x80" : "+a"(result) : "b"(AF_INET), "c"(SOCK_STREAM), "d"(0) : "memory", "r8", "r9", "r10", "r11");
  return went(result);
#else
  return false;
#endif
}

static bool io_uring(const Words &) {
  char parameters[120] = {};
  return went(syscall(425, 4, parameters));
}

static bool read_memory(const Words &words) {
  char mine[16];
  iovec local{mine, sizeof mine};
  const pid_t victim = std::stoi(words.at(0));
  std::string maps = "/proc/" + words.at(0) + "/maps";
  FILE *file = fopen(maps.c_str(), "r");
  unsigned long start = 0;
  if (file == nullptr || fscanf(file, "%lx", &start) != 1) return false;
  iovec remote{reinterpret_cast<void *>(start), sizeof mine};
  return process_vm_readv(victim, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(sizeof mine);
}

static bool read_memory_of_parent(const Words &) {
  static char secret[16] = "king of hearts";
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    char mine[sizeof secret];
    iovec local{mine, sizeof mine}, remote{secret, sizeof secret};
    _exit(process_vm_readv(parent, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(sizeof mine) ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0;
}

static bool kill_victim(const Words &words) { return went(kill(std::stoi(words.at(0)), 0)); }

static bool handle_of_victim(const Words &words) { return went(syscall(434, std::stoi(words.at(0)), 0)); }

static bool take_file_of_parent(const Words &) {
  const int handle = static_cast<int>(syscall(434, getppid(), 0));
  return went(handle) && went(syscall(438, handle, 1, 0));
}

static bool by_handle(const Words &words) {
  union {
    file_handle handle;
    char room[sizeof(file_handle) + 128];
  } file{};
  file.handle.handle_bytes = 128;
  int mount = 0;
  if (!went(name_to_handle_at(AT_FDCWD, words.at(0).c_str(), &file.handle, &mount, 0))) return false;
  const int root = open("/", O_RDONLY);
  return went(open_by_handle_at(root, &file.handle, O_RDONLY));
}

static int child_of_clone(void *) { return 0; }

static bool clone_of_user(const Words &) {
  static char stack[65536];
  const int child = clone(child_of_clone, stack + sizeof stack, CLONE_NEWUSER | SIGCHLD, nullptr);
  return went(child) && waitpid(child, nullptr, 0) == child;
}

static bool clone3_of_user(const Words &) {
  uint64_t arguments[8] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};  // struct clone_args of Linux 5.3
  const long child = syscall(435, arguments, sizeof arguments);
  if (child == 0) _exit(0);
  return went(child);
}

static bool join_namespace(const Words &) {
  const int space = open("/proc/self/ns/net", O_RDONLY);
  return went(space) && went(setns(space, 0));
}

static bool pivot(const Words &) {
  mkdir("/tmp/king-pivot", 0700);
  const long result = syscall(SYS_pivot_root, "/tmp/king-pivot", "/tmp/king-pivot");
  return went(result) || errno == EINVAL || errno == EBUSY;  // allowed, but this is no mount
}

static bool new_mounts(const Words &) { return went(syscall(430, "tmpfs", 0)); }

static bool programs_in_kernel(const Words &) {
  bpf_attr map{};
  map.map_type = BPF_MAP_TYPE_ARRAY;
  map.key_size = map.value_size = 4;
  map.max_entries = 1;
  return went(syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map));
}

static bool watch_performance(const Words &) {
  perf_event_attr event{};
  event.type = PERF_TYPE_SOFTWARE;
  event.size = sizeof event;
  event.config = PERF_COUNT_SW_CPU_CLOCK;
  event.exclude_kernel = 1;
  return went(syscall(SYS_perf_event_open, &event, 0, -1, -1, 0));
}

static bool page_faults(const Words &) { return went(syscall(SYS_userfaultfd, 1)); }

static bool keyring(const Words &) { return went(syscall(SYS_add_key, "user", "king", "x", 1, -2)); }

static bool read_keyring(const Words &) { return went(syscall(SYS_keyctl, 0, -5, 0)); }

static bool messages_of_kernel(const Words &) { return went(syscall(SYS_syslog, 10, nullptr, 0)); }

static bool set_clock(const Words &) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  now.tv_sec += 3600;
  return went(clock_settime(CLOCK_REALTIME, &now));
}

static bool no_randomness(const Words &) { return went(personality(ADDR_NO_RANDOMIZE)); }

static bool watch_files(const Words &words) {
  const int watch = inotify_init();
  return went(watch) && went(inotify_add_watch(watch, words.at(0).c_str(), IN_OPEN | IN_ACCESS));
}

static bool watch_all_files(const Words &) { return went(syscall(SYS_fanotify_init, 0, O_RDONLY)); }

static bool lock_shared_file(const Words &words) {
  const int file = open(words.at(0).c_str(), O_RDONLY);
  return went(flock(file, LOCK_EX | LOCK_NB));
}

static bool lock_range_of_shared_file(const Words &words) {
  const int file = open(words.at(0).c_str(), O_RDONLY);
  struct flock range{};
  range.l_type = F_RDLCK;
  return went(fcntl(file, F_SETLK, &range));
}

static bool lock_by_open_file(const Words &words) {
  const int file = open(words.at(0).c_str(), O_RDONLY);
  struct flock range{};
  range.l_type = F_RDLCK;
  return went(fcntl(file, F_OFD_SETLK, &range));
}

static bool memory_of_system_5(const Words &words) {
  const int shared = shmget(static_cast<key_t>(std::stoi(words.at(0))), 0, 0);
  const void *place = went(shared) ? shmat(shared, nullptr, SHM_RDONLY) : nullptr;
  return place != nullptr && place != reinterpret_cast<void *>(-1) &&
         words.at(1) == static_cast<const char *>(place);
}

static bool memory_of_posix(const Words &words) {
  const int shared = shm_open(words.at(0).c_str(), O_RDONLY, 0);
  return went(shared) && received(shared) == words.at(1);
}

static bool memory_bomb(const Words &words) {
  const size_t size = std::stoul(words.at(0)) << 20;
  volatile char *place = static_cast<volatile char *>(malloc(size));
  if (place == nullptr) return false;
  for (size_t at = 0; at < size; at += 4096) place[at] = 1;
  sleep(1);  // it is looked at now and then where no control group limits it
  return true;
}

static bool bomb_of_files_in_memory(const Words &words) {
  const std::string block(1 << 20, 'x');
  for (unsigned long left = std::stoul(words.at(0)); left > 0;) {
    const int file = memfd_create("king", 0);
    for (int count = 0; count < 4 && left > 0; ++count, --left)
      if (write(file, block.data(), block.size()) != static_cast<ssize_t>(block.size())) return false;
  }
  sleep(1);
  return true;
}

static bool outlive(const Words &words) {
  if (fork() == 0) {
    setsid();
    if (fork() == 0) {
      for (int file = 0; file < 3; ++file) close(file);
      execl("/proc/self/exe", words.at(0).c_str(), "sleep", words.at(0).c_str(), nullptr);
    }
    _exit(0);
  }
  usleep(300000);
  return true;
}

static bool sleeping(const Words &) { return sleep(60) == 0; }

static bool become_root_by_file(const Words &) { return getuid() != 0 && geteuid() == 0; }

static bool flood(const Words &words) {
  const std::string block(1 << 16, 'x');
  for (unsigned long left = std::stoul(words.at(0)) * 16; left > 0; --left)
    if (write(2, block.data(), block.size()) < 0) return false;
  return true;
}

static const std::map<std::string, std::function<bool(const Words &)>> attempts = {
    {"tcp", tcp},
    {"netlink", netlink},
    {"vsock", vsock},
    {"algorithms", algorithms},
    {"socket_of_32_bit", socket_of_32_bit},
    {"io_uring", io_uring},
    {"read_memory", read_memory},
    {"read_memory_of_parent", read_memory_of_parent},
    {"kill_victim", kill_victim},
    {"handle_of_victim", handle_of_victim},
    {"take_file_of_parent", take_file_of_parent},
    {"by_handle", by_handle},
    {"clone_of_user", clone_of_user},
    {"clone3_of_user", clone3_of_user},
    {"join_namespace", join_namespace},
    {"pivot", pivot},
    {"new_mounts", new_mounts},
    {"programs_in_kernel", programs_in_kernel},
    {"watch_performance", watch_performance},
    {"page_faults", page_faults},
    {"keyring", keyring},
    {"read_keyring", read_keyring},
    {"messages_of_kernel", messages_of_kernel},
    {"set_clock", set_clock},
    {"no_randomness", no_randomness},
    {"watch_files", watch_files},
    {"watch_all_files", watch_all_files},
    {"lock_shared_file", lock_shared_file},
    {"lock_range_of_shared_file", lock_range_of_shared_file},
    {"lock_by_open_file", lock_by_open_file},
    {"memory_of_system_5", memory_of_system_5},
    {"memory_of_posix", memory_of_posix},
    {"memory_bomb", memory_bomb},
    {"bomb_of_files_in_memory", bomb_of_files_in_memory},
    {"outlive", outlive},
    {"sleep", sleeping},
    {"become_root_by_file", become_root_by_file},
    {"flood", flood},
};

int main(int count, char **words) {
  if (count < 2 || attempts.count(words[1]) == 0) return 2;
  errno = 0;
  const bool through = attempts.at(words[1])(Words(words + 2, words + count));
  puts(through ? "ESCAPED" : ("HELD: " + std::string(strerror(errno))).c_str());
  return 0;
}
