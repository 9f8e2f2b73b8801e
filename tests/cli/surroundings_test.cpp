// SPDX-License-Identifier: MIT
// The environment of a program: closed descriptors, pipes, a missing display, a sudden end.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/cli/process.hpp"

namespace splitscope::test {
namespace {

using namespace std::chrono_literals;

/// Runs `commands` with the program as $0 and the sample as $1.
Outcome shell(const std::string& commands, const Start& start = {}) {
    return run_program("/bin/sh", {"-c", commands, SPLITSCOPE_PROGRAM, sample_model()}, start);
}

TEST(Surroundings, ClosedStandardInputIsEmpty) {
    const Outcome outcome = shell("timeout 20 \"$0\" run \"$1\" --prompt - --tokens 1 <&-");
    const Outcome empty = shell("timeout 20 \"$0\" run \"$1\" --prompt - --tokens 1 </dev/null");
    EXPECT_EQ(outcome.exit_code, empty.exit_code);
    EXPECT_EQ(outcome.out, empty.out);
    EXPECT_NE(outcome.exit_code, 124) << "it hung";
}

TEST(Surroundings, ClosedStandardErrorIsNotReused) {
    const TemporaryFolder folder;
    Start start;
    start.folder = folder.path();
    const Outcome outcome = shell("\"$0\" report \"$1\" -o r.md 2>&- >&-", start);
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_TRUE(read_file(folder.path() / "r.md").starts_with("# "));
}

TEST(Surroundings, FirstSignalEndsWaitingForAPipe) {
    const TemporaryFolder folder;
    const std::string pipe = (folder.path() / "m.machine.json").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    Start start;
    start.sigint = 200ms;
    start.signal = SIGTERM;
    const auto begin = std::chrono::steady_clock::now();
    const Outcome outcome = splitscope({"schedule", sample_model(), "--machine", pipe}, start);
    EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s);
}

TEST(Surroundings, MachineIsReadFromAPipe) {
    const TemporaryFolder folder;
    Start start;
    start.folder = folder.path();
    const Outcome outcome = shell(
        "\"$0\" devices --presets >/dev/null; mkfifo p; "
        "\"$0\" import \"$1\" -o g.graph.json --quiet; cat g.machine.json > p & "
        "\"$0\" plan \"$1\" --machine p --json",
        start);
    const Outcome direct = shell("\"$0\" plan \"$1\" --machine g.machine.json --json", start);
    EXPECT_EQ(outcome.exit_code, direct.exit_code) << outcome.err << direct.err;
    EXPECT_EQ(outcome.out, direct.out);
}

TEST(Surroundings, PipeWithoutAReaderIsAnError) {
    const TemporaryFolder folder;
    const std::string pipe = (folder.path() / "report.md").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const Outcome outcome = splitscope({"report", sample_model(), "-o", pipe});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("no program reads from this pipe"), std::string::npos) << outcome.err;
}

TEST(Surroundings, UnresponsiveDisplayCountsAsNone) {
    const TemporaryFolder folder;
    Start start;
    start.folder = folder.path();
    start.environment = {
        {"DISPLAY", ":987"}, {"WAYLAND_DISPLAY", "wayland-987"}, {"XDG_RUNTIME_DIR", folder.path()}};
    const Outcome outcome = splitscope({sample_model()}, start);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("There is no display"), std::string::npos) << outcome.out << outcome.err;
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "splitscope-sample-q8_0-report.html"));
}

TEST(Surroundings, EmptyPathIsNotTheSample) {
    const TemporaryFolder folder;
    Start start;
    start.folder = folder.path();
    const Outcome outcome = splitscope({""}, start);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Surroundings, KilledProgramLeavesNoDotProcess) {
    const TemporaryFolder folder;
    std::filesystem::permissions(folder.file("dot", "#!/bin/sh\necho $$ > dot.pid\nexec sleep 60\n"),
                                 std::filesystem::perms::owner_all);
    Start start;
    start.folder = folder.path();
    const Outcome outcome = shell(
        "PATH=\"$PWD:$PATH\" \"$0\" report \"$1\" --format svg -o p.svg & "
        "for i in $(seq 100); do [ -s dot.pid ] && break; sleep 0.1; done; "
        "kill -9 $!; for i in $(seq 50); do kill -0 $(cat dot.pid) 2>/dev/null || exit 0; sleep 0.1; done; "
        "exit 1",
        start);
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "dot.pid"));
    EXPECT_EQ(outcome.exit_code, 0) << "dot runs on";
}

/// A library's own threads wait for memory forever: the program and its end must not wait for them.
TEST(Surroundings, LowAddressSpaceDoesNotHang) {
    for (const char* kibibytes : {"150000", "200000", "300000"}) {
        const Outcome outcome =
            shell(std::string("ulimit -v ") + kibibytes + "; timeout 30 \"$0\" schedule \"$1\" -ngl 2");
        EXPECT_NE(outcome.exit_code, 124) << kibibytes << " KiB: " << outcome.out << outcome.err;
        EXPECT_TRUE(outcome.exit_code == 0 || !outcome.err.empty()) << kibibytes;
    }
}

}  // namespace
}  // namespace splitscope::test
