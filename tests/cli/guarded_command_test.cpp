// SPDX-License-Identifier: GPL-3.0-or-later
// Commands in this process with injected faults: every exception ends as one line and an exit code.
#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/cli/command_line.hpp"
#include "backends/all_backends.hpp"
#include "tests/backends/interface/abacus_kind.hpp"
#include "tests/cli/json_schema.hpp"
#include "tests/cli/process.hpp"
#include "tests/support/no_new_threads.hpp"

namespace splitscope::test {
namespace {

Outcome run_here(const std::vector<std::string>& arguments, const cli::PdfWriter& make_pdf = {},
                 const BackendKinds& kinds = all_backends()) {
    std::vector<const char*> argv = {"splitscope"};
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    Outcome outcome;
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    const cli::Request request =
        cli::handle_command_line(static_cast<int>(argv.size()), argv.data(), kinds, make_pdf);
    outcome.err = ::testing::internal::GetCapturedStderr();
    outcome.out = ::testing::internal::GetCapturedStdout();
    outcome.exit_code = request.exit_code.value_or(-1);
    return outcome;
}

TEST(GuardedCommand, ReportsLibraryExceptionsOnOneLine) {
    const TemporaryFolder folder;
    const std::string pdf = (folder.path() / "report.pdf").string();
    const Outcome outcome = run_here({"report", sample_model(), "-o", pdf}, [](const Report&) -> std::string {
        throw std::runtime_error("ink\nis out");
    });
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("splitscope: unexpected error: ink is out — ")) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(pdf));
}

TEST(KindOfBackend, AppearsInEveryCommand) {
    const auto run_with_abacus = [](const std::vector<std::string>& arguments) {
        return run_here(arguments, {}, abacus_only());
    };
    const Outcome help = run_with_abacus({"run", "--help"});
    EXPECT_NE(help.out.find("--abacus-folder FOLDER"), std::string::npos) << help.out;
    EXPECT_NE(help.out.find("--backends gpu0,cpu"), std::string::npos) << help.out;

    const Outcome devices = run_with_abacus({"devices", "--json", "--abacus-folder", "/opt/beads"});
    EXPECT_EQ(devices.exit_code, 0) << devices.err;
    const auto json = nlohmann::json::parse(devices.out);
    EXPECT_EQ(schema_problem(schema_named("devices"), json), "");
    EXPECT_EQ(json["abacus"]["devices"][0]["folder"], "/opt/beads");
    const Outcome listed = run_with_abacus({"devices"});
    EXPECT_NE(listed.out.find("GPU2 (a stone) cannot be used: it is a stone."), std::string::npos)
        << listed.out;

    const Outcome scheduled = run_with_abacus({"schedule", sample_model(), "--backends", "helper,cpu"});
    EXPECT_EQ(scheduled.exit_code, 0) << scheduled.err;
    EXPECT_NE(scheduled.out.find("Helper"), std::string::npos) << scheduled.out;

    const Outcome ran = run_with_abacus({"run", sample_model(), "--backends", "helper,cpu", "--abacus-loud",
                                         "--prompt", "One", "--tokens", "1"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_NE(ran.err.find("Loud abacus: one, two, three"), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("the CPU computes for Helper: it is made of wood"), std::string::npos) << ran.err;

    const Outcome compared = run_with_abacus({"compare", sample_model(), "--backends", "helper,cpu"});
    EXPECT_EQ(compared.exit_code, 2) << compared.err;
    EXPECT_NE(compared.err.find("it is made of wood"), std::string::npos) << compared.err;
    const Outcome unknown = run_with_abacus({"run", sample_model(), "--backends", "slide-rule"});
    EXPECT_EQ(unknown.exit_code, 2);
    EXPECT_NE(unknown.err.find("choose from: GPU0, GPU1"), std::string::npos) << unknown.err;
}

TEST(GuardedCommand, MissingPathOpensTheWindowButABareWordDoesNot) {
    const char* missing[] = {"splitscope", "no/such/model.gguf"};
    const cli::Request request = cli::handle_command_line(2, missing, all_backends());
    EXPECT_FALSE(request.exit_code);
    EXPECT_EQ(request.file, std::filesystem::path("no/such/model.gguf"));
    EXPECT_EQ(run_here({"shedule"}).exit_code, 2);
}

TEST(GuardedCommand, AnyExceptionFailsTheJob) {
    const TemporaryFolder folder;
    const Outcome outcome = run_here({"report", sample_model(), "-o", (folder.path() / "r.pdf").string()},
                                     [](const Report&) -> std::string { throw 42; });
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
    EXPECT_NE(outcome.err.find("unexpected error"), std::string::npos) << outcome.err;
}

TEST(GuardedCommand, ChecksOutputFilesBeforeComputing) {
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

TEST(GuardedCommand, RequiresAThreadForInterrupts) {
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
