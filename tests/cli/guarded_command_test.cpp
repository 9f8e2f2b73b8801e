// SPDX-License-Identifier: GPL-3.0-or-later
// Commands in this process, where faults can be put in: whatever is thrown ends as one line and an exit code.
#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/cli/command_line.hpp"
#include "tests/cli/process.hpp"
#include "tests/support/no_new_threads.hpp"

namespace splitscope::test {
namespace {

Outcome run_here(const std::vector<std::string>& arguments, const cli::PdfWriter& make_pdf = {}) {
    std::vector<const char*> argv = {"splitscope"};
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    Outcome outcome;
    ::testing::internal::CaptureStderr();
    const cli::Request request =
        cli::handle_command_line(static_cast<int>(argv.size()), argv.data(), make_pdf);
    outcome.err = ::testing::internal::GetCapturedStderr();
    outcome.exit_code = request.exit_code.value_or(-1);
    return outcome;
}

TEST(GuardedCommand, AnExceptionOfALibraryIsAFailureInOneLine) {
    const TemporaryFolder folder;
    const std::string pdf = (folder.path() / "report.pdf").string();
    const Outcome outcome = run_here({"report", sample_model(), "-o", pdf}, [](const Report&) -> std::string {
        throw std::runtime_error("ink\nis out");
    });
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("splitscope: unexpected failure: ink is out — ")) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(pdf));
}

TEST(GuardedCommand, APathThatIsMissingGoesToTheWindowAndABareWordDoesNot) {
    const char* missing[] = {"splitscope", "no/such/model.gguf"};
    const cli::Request request = cli::handle_command_line(2, missing, {});
    EXPECT_FALSE(request.exit_code);
    EXPECT_EQ(request.file, std::filesystem::path("no/such/model.gguf"));
    EXPECT_EQ(run_here({"shedule"}).exit_code, 2);
}

TEST(GuardedCommand, WhatIsThrownNeedNotBeAnException) {
    const TemporaryFolder folder;
    const Outcome outcome = run_here({"report", sample_model(), "-o", (folder.path() / "r.pdf").string()},
                                     [](const Report&) -> std::string { throw 42; });
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
    EXPECT_NE(outcome.err.find("unexpected failure"), std::string::npos) << outcome.err;
}

TEST(GuardedCommand, NothingIsComputedForAFileThatCannotBeWritten) {
    const TemporaryFolder folder;
    bool rendered = false;
    const Outcome outcome = run_here({"report", sample_model(), "--run", "--tokens", "1", "-o",
                                      (folder.path() / "missing" / "r.pdf").string()},
                                     [&rendered](const Report&) {
                                         rendered = true;
                                         return std::string("%PDF");
                                     });
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
    EXPECT_NE(outcome.err.find("r.pdf"), std::string::npos) << outcome.err;
    EXPECT_FALSE(rendered);
}

TEST(GuardedCommand, WithoutAThreadForInterruptsItDoesNotBegin) {
    Outcome outcome;
    {
        const testing::NoNewThreads refused;
        outcome = run_here({"inspect", sample_model()});
    }
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
    EXPECT_NE(outcome.err.find("cannot start a thread — "), std::string::npos) << outcome.err;
    sigset_t blocked;
    sigemptyset(&blocked);
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    for (const int signal : {SIGINT, SIGTERM}) EXPECT_EQ(sigismember(&blocked, signal), 0) << signal;
}

}  // namespace
}  // namespace splitscope::test
