// SPDX-License-Identifier: MIT
// Either end of the channel disappears at any moment, or is replaced by another process.
#include <array>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/attach/attached_program.hpp"
#include "engine/attach/program_end.hpp"
#include "engine/attach/program_view.hpp"
#include "engine/messages/render.hpp"
#include "engine/support/error.hpp"
#include "recorder/channel_protocol.hpp"
#include "tests/cli/process.hpp"

namespace splitscope::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOutputOfFive =
    "computed 1 7\ncomputed 1 7\ncomputed 1 7\ncomputed 1 7\ncomputed 1 7\n";

std::string program_here(const std::string& name) {
    return (fs::path(SPLITSCOPE_PROGRAMS) / name).string();
}

class Socket {
 public:
    explicit Socket(int descriptor) : descriptor_(descriptor) {}
    ~Socket() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    int get() const { return descriptor_; }

 private:
    int descriptor_;
};

sockaddr_un address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
    return address;
}

int listen_at(const std::string& path) {
    const int listening = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_un address = address_of(path);
    EXPECT_EQ(::bind(listening, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
    EXPECT_EQ(::listen(listening, 1), 0);
    return listening;
}

Outcome run_watched(const std::string& socket) {
    Start start;
    start.environment["LD_PRELOAD"] =
        (fs::path(SPLITSCOPE_PROGRAMS).parent_path() / "lib/splitscope/preload/libsplitscope_recorder.so")
            .string();
    start.environment[channel::kSocketVariable] = socket;
    start.environment[channel::kTokenVariable] = "token";
    return run_program(program_here("stand_in_host_plain"), {"5"}, start);
}

/// A proper debugger that leaves after so many messages of the program.
std::size_t debug_until(int listening, std::size_t messages) {
    const Socket peer(::accept(listening, nullptr, nullptr));
    ProgramView view("token");
    view.set_times(channel::Times::nodes);
    view.set_conditions({StopCondition::parse("root")});
    channel::FrameReader frames;
    std::size_t seen = 0;
    while (seen < messages) {
        std::array<char, 4096> bytes{};
        const ssize_t got = ::recv(peer.get(), bytes.data(), bytes.size(), 0);
        if (got <= 0) break;
        frames.add(std::string_view(bytes.data(), static_cast<std::size_t>(got)));
        while (const auto frame = frames.next()) {
            if (++seen > messages) break;
            const std::string answer = view.take(channel::frame(frame->kind, frame->body));
            if (seen < messages) ::send(peer.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
        }
    }
    return seen;
}

TEST(Agent, ContinuesWhicheverMessageIsLast) {
    std::size_t most = 0;
    for (std::size_t messages = 0; messages <= most + 1 && messages < 100; ++messages) {
        const TemporaryFolder folder;
        const std::string path = (folder.path() / "s").string();
        const Socket listening(listen_at(path));
        std::size_t seen = 0;
        std::jthread debugger([&] { seen = debug_until(listening.get(), messages); });
        const Outcome outcome = run_watched(path);
        debugger.join();
        EXPECT_EQ(outcome.exit_code, 0) << messages << outcome.err;
        EXPECT_EQ(outcome.out, kOutputOfFive) << messages;
        if (seen >= messages) most = messages;
    }
    // Greeting, five graphs, five computations at least.
    EXPECT_GT(most, 10U);
}

TEST(Agent, KeepsItsTokenFromOtherUsers) {
    if (::geteuid() != 0) GTEST_SKIP() << "ROOT ONLY: a socket of another user is needed";
    const TemporaryFolder folder;
    fs::permissions(folder.path(), fs::perms::all);
    const std::string path = (folder.path() / "s").string();
    std::string heard;
    std::jthread other([&] {
        // Of this thread alone.
        constexpr int kKeep = -1;
        constexpr int kOther = 65534;
        ASSERT_EQ(::syscall(SYS_setresuid, kKeep, kOther, kKeep), 0);
        const Socket listening(listen_at(path));
        const Socket peer(::accept(listening.get(), nullptr, nullptr));
        std::array<char, 256> bytes{};
        const ssize_t got = ::recv(peer.get(), bytes.data(), bytes.size(), 0);
        if (got > 0) heard.assign(bytes.data(), static_cast<std::size_t>(got));
    });
    while (!fs::exists(path)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const Outcome outcome = run_watched(path);
    other.join();
    EXPECT_EQ(outcome.out, kOutputOfFive) << outcome.err;
    EXPECT_EQ(heard, "");
}

/// Temporary files in another folder, until the end of the scope.
class TemporaryFilesIn {
 public:
    explicit TemporaryFilesIn(const fs::path& folder) {
        if (const char* const now = std::getenv("TMPDIR")) before_ = now;
        ::setenv("TMPDIR", folder.c_str(), 1);
    }
    ~TemporaryFilesIn() {
        if (before_.empty()) {
            ::unsetenv("TMPDIR");
        } else {
            ::setenv("TMPDIR", before_.c_str(), 1);
        }
    }
    TemporaryFilesIn(const TemporaryFilesIn&) = delete;
    TemporaryFilesIn& operator=(const TemporaryFilesIn&) = delete;

 private:
    std::string before_;
};

AttachOptions options_of(const std::vector<std::string>& program) {
    AttachOptions options;
    options.program = program;
    options.output = ProgramOutput::kept;
    return options;
}

AttachEnd wait_for_end(AttachedProgram& program) {
    while (!program.end()) {
        program.wait_for_events(0);
        program.take_computations();
    }
    return *program.end();
}

TEST(AttachSafety, RejectsConnectionsWithAWrongToken) {
    // A stranger that talks first, with the wrong token; then the program itself.
    const std::string script =
        "import os, socket, struct, sys\n"
        "s = socket.socket(socket.AF_UNIX)\n"
        "s.connect(os.environ['SPLITSCOPE_ATTACH_SOCKET'])\n"
        "body = struct.pack('<II', " +
        std::to_string(channel::kVersion) +
        ", 64) + b'0' * 64 + struct.pack('<i', 1)\n"
        "s.sendall(struct.pack('<II', len(body), 1) + body)\n"
        "print('answer', len(s.recv(1000)), flush=True)\n"
        "os.execv(sys.argv[1], sys.argv[1:])\n";
    AttachedProgram program(options_of({"python3", "-c", script, program_here("stand_in_host_plain"), "5"}));
    const AttachEnd end = wait_for_end(program);
    EXPECT_EQ(program.take_output(), std::string("answer 0\n") + kOutputOfFive) << program.take_error();
    EXPECT_TRUE(end.program.succeeded());
    EXPECT_TRUE(end.attached);
    EXPECT_EQ(program.graphs().size(), 5U);
}

TEST(AttachSafety, CountsProcessesThatAreNotDebugged) {
    const std::string host = program_here("stand_in_host_plain");
    AttachedProgram one(options_of({"/bin/sh", "-c", host + " 2; " + host + " 3"}));
    const AttachEnd end = wait_for_end(one);
    EXPECT_EQ(one.take_output(), kOutputOfFive);
    EXPECT_EQ(one.graphs().size(), 2U);
    EXPECT_EQ(end.others.size(), 1U);
    EXPECT_EQ(english(not_debugged(end)), "another process (pid " + std::to_string(end.others.at(0)) +
                                              ") also used ggml and was not debugged");

    AttachedProgram three(options_of({"/bin/sh", "-c", host + " 2; " + host + " 2; " + host + " 1"}));
    EXPECT_EQ(wait_for_end(three).others.size(), 2U);
    AttachedProgram alone(options_of({host, "5"}));
    EXPECT_TRUE(wait_for_end(alone).others.empty());
}

TEST(AttachSafety, ChannelFolderIsPrivate) {
    const std::string script =
        "import os, stat, sys\n"
        "path = os.environ['SPLITSCOPE_ATTACH_SOCKET']\n"
        "folder = os.stat(os.path.dirname(path))\n"
        "print(oct(stat.S_IMODE(folder.st_mode)), folder.st_uid == os.geteuid(), path, flush=True)\n";
    const TemporaryFolder elsewhere;
    const fs::path link = elsewhere.path() / "link";
    fs::create_directory(elsewhere.path() / "real");
    fs::create_directory_symlink(elsewhere.path() / "real", link);
    std::string output;
    {
        const TemporaryFilesIn temporary(link);
        AttachedProgram program(options_of({"python3", "-c", script}));
        wait_for_end(program);
        output = program.take_output();
    }
    EXPECT_TRUE(output.starts_with("0o700 True " + link.string() + "/")) << output;
    EXPECT_TRUE(fs::is_empty(elsewhere.path() / "real")) << "the folder is removed at the end";
}

TEST(AttachSafety, DetachedProgramContinuesAndLeavesNoFiles) {
    const TemporaryFolder folder;
    pid_t process = 0;
    {
        const TemporaryFilesIn temporary(folder.path());
        AttachedProgram program(options_of({program_here("stand_in_host_plain"), "100000000"}));
        while (program.take_computations().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        process = program.process();
    }
    EXPECT_TRUE(fs::is_empty(folder.path()));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    int status = 0;
    EXPECT_EQ(::waitpid(process, &status, WNOHANG), 0) << "it has ended";
    ::kill(process, SIGKILL);
    EXPECT_EQ(::waitpid(process, &status, 0), process);
    EXPECT_TRUE(WIFSIGNALED(status));
}

TEST(AttachSafety, DisconnectsAProgramThatNeverReadsReplies) {
    // Questions about the breakpoints of each epoch are answered; the program does not read the answers.
    const std::string script =
        "import os, socket, struct, sys\n"
        "s = socket.socket(socket.AF_UNIX)\n"
        "s.connect(os.environ['SPLITSCOPE_ATTACH_SOCKET'])\n"
        "frame = lambda kind, body: struct.pack('<II', len(body), kind) + body\n"
        "token = os.environ['SPLITSCOPE_ATTACH_TOKEN'].encode()\n"
        "hello = struct.pack('<II', " +
        std::to_string(channel::kVersion) +
        ", len(token)) + token + struct.pack('<i', 1)\n"
        "s.sendall(frame(1, hello))\n"
        "try:\n"
        "    while True: s.sendall(b''.join(frame(3, struct.pack('<Ii', e, 0)) for e in range(4)) * 2000)\n"
        "except OSError: print('cut off', flush=True)\n";
    AttachOptions options = options_of({"python3", "-c", script});
    options.conditions = {StopCondition::parse("root")};
    AttachedProgram program(options);
    const AttachEnd end = wait_for_end(program);
    EXPECT_EQ(program.take_output(), "cut off\n") << program.take_error();
    EXPECT_FALSE(end.problem.empty());
}

TEST(AttachSafety, PassesEnvironmentVariablesToTheProgram) {
    AttachOptions options = options_of({"sh", "-c", "echo $LD_PRELOAD; echo $A $SPLITSCOPE_ATTACH_TOKEN"});
    options.environment = {{"A", "b"}, {"LD_PRELOAD", "libm.so.6"}, {"SPLITSCOPE_ATTACH_TOKEN", "mine"}};
    AttachedProgram program(options);
    wait_for_end(program);
    const std::string output = program.take_output();
    EXPECT_NE(output.find("libsplitscope_recorder.so:libm.so.6\n"), std::string::npos) << output;
    EXPECT_EQ(output.find("mine"), std::string::npos) << output;
    EXPECT_NE(output.find("\nb "), std::string::npos) << output;
}

TEST(AttachSafety, FindsTheProgramInPath) {
    const TemporaryFolder folder;
    fs::create_symlink(program_here("stand_in_host_plain"), folder.path() / "some-llama");
    const std::string before = std::getenv("PATH");
    ::setenv("PATH", (folder.path().string() + ":" + before).c_str(), 1);
    AttachedProgram program(options_of({"some-llama", "5"}));
    const AttachEnd end = wait_for_end(program);
    ::setenv("PATH", before.c_str(), 1);
    EXPECT_TRUE(end.attached);
    EXPECT_EQ(program.take_output(), kOutputOfFive);
    EXPECT_THROW(AttachedProgram(options_of({"some-llama", "5"})), Error);
}

/// A program of many computations, which a random moment probably interrupts.
std::vector<std::string> long_program() {
    return {"sh", "-c", "'" + program_here("stand_in_host_plain") + "' 2000"};
}

std::chrono::microseconds random_moment(std::minstd_rand& random) {
    constexpr int kMost = 60000;
    return std::chrono::microseconds(std::uniform_int_distribution<int>(0, kMost)(random));
}

TEST(AttachSafety, ReportsAProgramKilledAtAnyMoment) {
    std::minstd_rand random(26);
    for (int round = 0; round < 30; ++round) {
        AttachOptions options = options_of({program_here("stand_in_host_plain"), "100000"});
        options.times = round % 2 == 0 ? channel::Times::calls : channel::Times::nodes;
        if (round % 3 == 0) options.conditions = {StopCondition::parse("root")};
        AttachedProgram program(options);
        std::this_thread::sleep_for(random_moment(random));
        program.signal(SIGKILL);
        const AttachEnd end = wait_for_end(program);
        EXPECT_EQ(end.program.signal, SIGKILL) << round;
        EXPECT_TRUE(end.problem.empty()) << round;
    }
}

std::vector<fs::path> attach_folders(const fs::path& in) {
    std::vector<fs::path> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(in)) {
        if (entry.path().filename().string().starts_with("splitscope-attach-")) found.push_back(entry.path());
    }
    return found;
}

/// As if nothing had been created in the folder for two minutes.
void make_older(const fs::path& folder) {
    fs::last_write_time(folder, fs::last_write_time(folder) - std::chrono::minutes(2));
}

TEST(AttachSafety, NextDebuggerRemovesFoldersOfKilledOnes) {
    const TemporaryFolder folder;
    const TemporaryFilesIn here(folder.path());
    const pid_t debugger = ::fork();
    ASSERT_GE(debugger, 0);
    if (debugger == 0) {
        const AttachedProgram program(options_of({"/bin/true"}));
        ::raise(SIGKILL);
    }
    ASSERT_EQ(::waitpid(debugger, nullptr, 0), debugger);
    const std::vector<fs::path> left = attach_folders(folder.path());
    ASSERT_EQ(left.size(), 1U);
    {
        const AttachedProgram living(options_of({"/bin/true"}));
        EXPECT_TRUE(fs::exists(left[0])) << "its owner may just be starting";
        for (const fs::path& path : attach_folders(folder.path())) make_older(path);
        const AttachedProgram next(options_of({"/bin/true"}));
        EXPECT_FALSE(fs::exists(left[0]));
        EXPECT_EQ(attach_folders(folder.path()).size(), 2U) << "the folder of a living debugger stays";
    }
    EXPECT_EQ(attach_folders(folder.path()).size(), 0U);
}

TEST(AttachSafety, ProgramSurvivesADebuggerKilledAtAnyMoment) {
    const std::string expected = run_program("/bin/sh", {"-c", long_program()[2]}).out;
    std::minstd_rand random(26);
    for (int round = 0; round < 20; ++round) {
        const TemporaryFolder folder;
        const fs::path file = folder.path() / "output";
        const fs::path started = folder.path() / "started";
        const std::string command = ": > '" + started.string() + "'; " + long_program()[2] + " > '" +
                                    file.string() + ".part'; mv '" + file.string() + ".part' '" +
                                    file.string() + "'";
        const pid_t debugger = ::fork();
        ASSERT_GE(debugger, 0);
        if (debugger == 0) {
            ::setenv("TMPDIR", folder.path().c_str(), 1);
            AttachOptions options = options_of({"/bin/sh", "-c", command});
            if (round % 2 == 0) options.times = channel::Times::nodes;
            AttachedProgram program(options);
            wait_for_end(program);
            ::_exit(0);
        }
        for (int i = 0; i < 1000 && !fs::exists(started); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        std::this_thread::sleep_for(random_moment(random));
        ::kill(debugger, SIGKILL);
        int status = 0;
        ASSERT_EQ(::waitpid(debugger, &status, 0), debugger);
        for (int i = 0; i < 2000 && !fs::exists(file); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        EXPECT_TRUE(read_file(file) == expected) << round;
    }
}

std::ptrdiff_t open_descriptors() {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
}

TEST(Safety, FailedLaunchesLeaveNoDescriptorsOpen) {
    AttachOptions options;
    options.program = {"/no/such/program"};
    const std::ptrdiff_t before = open_descriptors();
    for (int i = 0; i < 3; ++i) EXPECT_THROW(AttachedProgram(options, {}), Error);
    EXPECT_EQ(open_descriptors(), before);
}

}  // namespace
}  // namespace splitscope::test
