// SPDX-License-Identifier: MIT
// The user's engine on the command line.
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/backends/ggml/bridge_fixture.hpp"
#include "tests/cli/json_schema.hpp"
#include "tests/cli/process.hpp"

namespace splitscope::test {
namespace {

class EngineCommands : public ggml::RealEngine {
 protected:
    void SetUp() override {
        const auto folder = libraries("linux-x64");
        if (!folder) GTEST_SKIP() << kAbsent;
        folder_ = folder->string();
    }
    std::string folder_;
};

TEST_F(EngineCommands, ListDevicesWithVersionAndFolder) {
    const Outcome outcome = splitscope({"devices", "--engine", folder_});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("\nengine:CPU: "), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("ggml 0."), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find(folder_), std::string::npos) << outcome.out;

    const Outcome machine_readable = splitscope({"devices", "--engine", folder_, "--json"});
    const auto json = nlohmann::json::parse(machine_readable.out);
    EXPECT_EQ(schema_problem(schema_named("devices"), json), "");
    EXPECT_EQ(json["ggml"]["devices"][0]["name"], "engine:CPU");
    EXPECT_EQ(json["ggml"]["devices"][0]["folder"], folder_);
}

TEST_F(EngineCommands, NameBackendsThatWereNotLoaded) {
    const TemporaryFolder folder;
    std::filesystem::path backend;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
        const std::string name = entry.path().filename().string();
        std::filesystem::create_symlink(entry.path(), folder.path() / name);
        if (name.starts_with("libggml-cpu-x64")) backend = entry.path();
    }
    folder.file("libggml-vulkan.so", "no library");
    const std::string other = (folder.path() / "libggml-mine.so").string();
    std::filesystem::copy_file(backend, other);
    const std::vector<std::string> words = {"devices", "--engine", folder.path().string()};
    const Outcome outcome = splitscope(words);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("\nengine:CPU: "), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("\nlibggml-vulkan.so (" + folder.path().string() +
                               ") cannot be used: the engine did not load it: failed to load "),
              std::string::npos)
        << outcome.out;
    EXPECT_NE(outcome.out.find("file too short"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("to load it, set GGML_BACKEND_PATH=" + other), std::string::npos)
        << outcome.out;
    std::vector<std::string> as_json = words;
    as_json.emplace_back("--json");
    const auto json = nlohmann::json::parse(splitscope(as_json).out);
    EXPECT_EQ(schema_problem(schema_named("devices"), json), "");
    Start start;
    start.environment["GGML_BACKEND_PATH"] = "/nowhere/libggml-mine.so";
    const Outcome missing = splitscope(words, start);
    EXPECT_NE(missing.out.find("libggml-mine.so (/nowhere) cannot be used: "), std::string::npos)
        << missing.out;
}

TEST_F(EngineCommands, LoadNothingByDefault) {
    const Outcome outcome = splitscope({"schedule", sample_model(), "--backends", "engine:CPU"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("--engine"), std::string::npos) << outcome.err;
    const Outcome nowhere = splitscope({"devices", "--engine", "/nowhere"});
    EXPECT_EQ(nowhere.exit_code, 2);
}

TEST_F(EngineCommands, NameCalibrationForSpeedsOnce) {
    const auto mentions = [](const std::string& text) {
        const std::string command = "splitscope calibrate";
        int count = 0;
        for (auto at = text.find(command); at != std::string::npos; at = text.find(command, at + 1)) ++count;
        return count;
    };
    const Outcome plan =
        splitscope({"plan", sample_model(), "--engine", folder_, "--backends", "engine:CPU"});
    EXPECT_EQ(plan.exit_code, 0) << plan.err;
    EXPECT_EQ(mentions(plan.out), 1) << plan.out;
    const Outcome suggest =
        splitscope({"suggest", sample_model(), "--engine", folder_, "--backends", "engine:CPU"});
    EXPECT_EQ(suggest.exit_code, 2);
    EXPECT_EQ(mentions(suggest.err), 1) << suggest.err;
    // Simulated devices cannot be measured.
    EXPECT_EQ(mentions(splitscope({"plan", sample_model(), "--device", "rtx-3060"}).out), 0);
}

TEST_F(EngineCommands, ScheduleAndRunAModel) {
    const std::vector<std::string> device = {"--engine", folder_, "--backends", "engine:CPU"};
    const auto with = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), device.begin(), device.end());
        return splitscope(arguments);
    };
    EXPECT_EQ(with({"schedule", sample_model()}).exit_code, 0);
    const Outcome run = with(
        {"run", sample_model(), "--prompt", "Once", "--tokens", "4", "--temperature", "0", "--threads", "1"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const Outcome ours = splitscope({"run", sample_model(), "--prompt", "Once", "--tokens", "4",
                                     "--temperature", "0", "--threads", "1", "--backends", "cpu"});
    EXPECT_EQ(run.out.substr(0, 20), ours.out.substr(0, 20));
}

TEST_F(EngineCommands, VerifySchedules) {
    const Outcome outcome = splitscope({"verify", sample_model(), "--engine", folder_});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("decode: "), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("no difference"), std::string::npos) << outcome.out;
    EXPECT_TRUE(
        outcome.out.starts_with("The engine's scheduler makes the same decisions as the simulation.\n"))
        << outcome.out;
    const Outcome json = splitscope({"verify", sample_model(), "--engine", folder_, "--json"});
    EXPECT_EQ(schema_problem(schema_named("verification"), nlohmann::json::parse(json.out)), "");

    const Outcome simulated = splitscope({"verify", sample_model(), "--backends", "cpu"});
    EXPECT_EQ(simulated.exit_code, 2) << simulated.out;
}

TEST_F(EngineCommands, IncludeItsMemoryInPlans) {
    for (const char* command : {"plan", "lint"}) {
        SCOPED_TRACE(command);
        const Outcome outcome =
            splitscope({command, sample_model(), "--engine", folder_, "--backends", "engine:CPU", "--json"});
        EXPECT_EQ(outcome.err, "");
        EXPECT_TRUE(nlohmann::json::accept(outcome.out)) << outcome.out;
    }
    const Outcome report = splitscope(
        {"report", sample_model(), "--engine", folder_, "--backends", "engine:CPU", "--format", "md"});
    EXPECT_EQ(report.exit_code, 0) << report.err;
    EXPECT_EQ(report.out.find("not known whether"), std::string::npos) << report.out;
    // An engine does not report the speed of its devices.
    const Outcome suggested =
        splitscope({"suggest", sample_model(), "--engine", folder_, "--backends", "engine:CPU"});
    EXPECT_EQ(suggested.exit_code, 2);
    EXPECT_NE(suggested.err.find("the speed of CPU is not known"), std::string::npos) << suggested.err;
    const Outcome plan =
        splitscope({"plan", sample_model(), "--engine", folder_, "--device", "this", "--json"});
    const auto devices = nlohmann::json::parse(plan.out)["devices"];
    ASSERT_EQ(devices.size(), 1U) << plan.out;
    EXPECT_EQ(devices[0]["name"], "CPU");
}

TEST_F(EngineCommands, HideTheProcessCommand) {
    const Outcome outcome = splitscope({"engine-host"});
    EXPECT_NE(outcome.exit_code, 0);
    EXPECT_EQ(splitscope({"--help"}).out.find("engine-host"), std::string::npos);
}

TEST_F(EngineCommands, CompareTwoBuilds) {
    const auto older = older_libraries();
    if (!older) GTEST_SKIP() << kAbsent;
    const std::vector<std::string> words = {"compare",    sample_model(), "--engine",  older->string(),
                                            "--engine",   folder_,        "--threads", "1",
                                            "--backends", "engine:CPU"};
    const Outcome outcome = splitscope(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    // The verdict is the first line.
    const std::string first = outcome.out.substr(0, outcome.out.find('\n'));
    EXPECT_TRUE(first.starts_with("engine:CPU: equal, ") ||
                first.starts_with("engine:CPU: within tolerance, "))
        << first;
    EXPECT_NE(first.find(" times as long"), std::string::npos) << first;
    EXPECT_NE(outcome.out.find("0 exceed their tolerance"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("MUL_MAT"), std::string::npos) << outcome.out;
    std::vector<std::string> as_json = words;
    as_json.emplace_back("--json");
    const auto json = nlohmann::json::parse(splitscope(as_json).out);
    EXPECT_EQ(schema_problem(schema_named("build-comparison"), json), "");
    ASSERT_EQ(json["devices"].size(), 1U);
    const auto& device = json["devices"][0];
    EXPECT_NE(device["tested"], device["reference"]) << "two versions";
    const auto& node = device["graphs"][0]["nodes"][0];
    EXPECT_GT(node["tested_seconds"].get<double>(), 0);
    EXPECT_GT(node["reference_seconds"].get<double>(), 0);

    std::vector<std::string> strict = words;
    strict.insert(strict.end(), {"--tolerance", "0", "--accumulate"});
    const Outcome different = splitscope(strict);
    const bool equal = first.starts_with("engine:CPU: equal, ");
    EXPECT_EQ(different.exit_code, equal ? 0 : 1) << different.out;
    EXPECT_EQ(different.out.starts_with("engine:CPU: DIFFERENT, "), !equal) << different.out;
}

TEST_F(EngineCommands, NameDevicesOfOneBuildOnly) {
    const auto with_gpu = libraries("linux-x64-vulkan");
    if (!with_gpu) GTEST_SKIP() << kAbsent;
    const Outcome lacking = splitscope({"compare", sample_model(), "--engine", folder_, "--engine",
                                        with_gpu->string(), "--backends", "engine:CPU,engine:GPU7"});
    EXPECT_EQ(lacking.exit_code, 2);
    EXPECT_NE(lacking.err.find("engine:GPU7"), std::string::npos) << lacking.err;
    const Outcome one = splitscope({"compare", sample_model(), "--engine", folder_});
    EXPECT_EQ(one.exit_code, 2);
    EXPECT_NE(one.err.find("give --engine twice"), std::string::npos) << one.err;
    const Outcome with_machine = splitscope({"compare", sample_model(), "--engine", folder_, "--engine",
                                             with_gpu->string(), "--machine", "any.machine.json"});
    EXPECT_EQ(with_machine.exit_code, 2);
    EXPECT_NE(with_machine.err.find("--machine: two builds are compared on their own devices"),
              std::string::npos)
        << with_machine.err;
    ::setenv("GGML_VK_VISIBLE_DEVICES", "0", 1);
    const Outcome listed = splitscope({"devices", "--engine", with_gpu->string()});
    if (listed.out.find("engine:Vulkan0: ") == std::string::npos)
        GTEST_SKIP() << "NOT RUN: the engine found no Vulkan device";
    for (const bool is_new : {true, false}) {
        const std::string old_folder = is_new ? folder_ : with_gpu->string();
        const std::string new_folder = is_new ? with_gpu->string() : folder_;
        const Outcome outcome = splitscope(
            {"compare", sample_model(), "--engine", old_folder, "--engine", new_folder, "--threads", "1"});
        // A device that the new build lost is a difference.
        EXPECT_EQ(outcome.exit_code, is_new ? 0 : 1) << outcome.out << outcome.err;
        EXPECT_NE(outcome.out.find(
                      (is_new ? "engine:Vulkan0: not compared, only in " : "engine:Vulkan0: LOST, only in ") +
                      with_gpu->string() + "\n"),
                  std::string::npos)
            << outcome.out;
        const auto json =
            nlohmann::json::parse(splitscope({"compare", sample_model(), "--engine", old_folder, "--engine",
                                              new_folder, "--threads", "1", "--json"})
                                      .out);
        EXPECT_EQ(schema_problem(schema_named("build-comparison"), json), "");
        EXPECT_EQ(json["same"], is_new);
        ASSERT_EQ(json["missing"].size(), 1U);
        EXPECT_EQ(json["missing"][0]["device"], "engine:Vulkan0");
        EXPECT_EQ(json["missing"][0]["lost"], !is_new);
        const Outcome named = splitscope({"compare", sample_model(), "--engine", old_folder, "--engine",
                                          new_folder, "--backends", "engine:Vulkan0"});
        EXPECT_EQ(named.exit_code, is_new ? 2 : 1) << named.out << named.err;
    }
}

TEST_F(EngineCommands, UseMeasuredRatesInPlans) {
    const TemporaryFolder scratch;
    const std::string machine = (scratch.path() / "this.machine.json").string();
    const std::vector<std::string> words = {
        "calibrate",  sample_model(), "--engine", folder_, "--threads", "1",
        "--backends", "engine:CPU",   "--tokens", "4",     "-o",        machine};
    const Outcome outcome = splitscope(words);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("a token took"), std::string::npos) << outcome.out;
    std::vector<std::string> as_json = words;
    as_json.emplace_back("--json");
    EXPECT_EQ(schema_problem(schema_named("calibration"), nlohmann::json::parse(splitscope(as_json).out)),
              "");
    const Outcome plan =
        splitscope({"plan", sample_model(), "--machine", machine, "--engine", folder_, "--json"});
    const auto planned = nlohmann::json::parse(plan.out);
    EXPECT_NE(planned["assumptions"].get<std::string>().find("measured"), std::string::npos) << plan.out;
    EXPECT_GT(planned["decode"]["seconds"].get<double>(), 0);
    const Outcome suggested =
        splitscope({"suggest", sample_model(), "--machine", machine, "--engine", folder_});
    EXPECT_EQ(suggested.exit_code, 0) << suggested.err;
    EXPECT_NE(suggested.out.find("measured"), std::string::npos) << suggested.out;
    EXPECT_EQ(splitscope({"calibrate", "--machine", "/nowhere"}).exit_code, 2);
}

TEST_F(EngineCommands, RememberANamedFolder) {
    const TemporaryFolder settings;
    Start start;
    start.environment = {{"XDG_CONFIG_HOME", settings.path().string()}};
    const std::vector<std::string> unnamed = {"schedule", sample_model(), "--backends", "engine:CPU"};
    EXPECT_EQ(splitscope(unnamed, start).exit_code, 2);
    EXPECT_EQ(splitscope({"verify", sample_model()}, start).exit_code, 2);
    EXPECT_EQ(splitscope({"devices", "--engine", folder_}, start).exit_code, 0);
    const Outcome verified = splitscope({"verify", sample_model()}, start);
    EXPECT_EQ(verified.exit_code, 0) << verified.err;
    EXPECT_NE(verified.out.find("no difference"), std::string::npos) << verified.out;
    const Outcome remembered = splitscope(unnamed, start);
    EXPECT_EQ(remembered.exit_code, 0) << remembered.err;
    // It is listed without being loaded.
    const Outcome listed = splitscope({"devices"}, start);
    EXPECT_NE(listed.out.find(folder_), std::string::npos) << listed.out;
    EXPECT_EQ(listed.out.find("engine:CPU: "), std::string::npos) << listed.out;
}

/// A machine file that names a device of an engine.
std::string machine_of_engine(const TemporaryFolder& scratch, const std::string& folder,
                              const std::string& device = "CPU") {
    return scratch.file("m.machine.json",
                        R"({"format":"splitscope-machine","version":1,"name":"CPU","buffer_types":[)"
                        R"({"name":"CPU","alignment":32,"max_size":null,"is_host":true}],"buffers":[],)"
                        R"("backends":[{"name":"CPU","device":"cpu","kind":"ggml:)" +
                            device + "@" + folder +
                            R"(","buffer_type":"CPU","supports_buffer_types":["CPU"],"unsupported_ops":[],)"
                            R"("unsupported_types":[],"offload_min_batch":null,"async":false,)"
                            R"("events":false}],"scheduler":{"parallel":false,"op_offload":true},)"
                            R"("assignments":[]})");
}

TEST_F(EngineCommands, PlanNothingWithoutTheAnswersOfAMachinesEngine) {
    const TemporaryFolder settings;
    const TemporaryFolder scratch;
    Start start;
    start.environment = {{"XDG_CONFIG_HOME", settings.path().string()}};
    const std::string machine = machine_of_engine(scratch, folder_);
    for (const char* command : {"plan", "schedule", "lint", "run", "report", "verify"}) {
        SCOPED_TRACE(command);
        const Outcome outcome = splitscope({command, sample_model(), "--machine", machine}, start);
        EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
        EXPECT_NE(outcome.err.find(folder_), std::string::npos) << outcome.err;
        EXPECT_NE(outcome.err.find("--engine"), std::string::npos) << outcome.err;
    }
    const auto older = older_libraries();
    if (older) {
        // Another folder is remembered.
        EXPECT_EQ(splitscope({"devices", "--engine", older->string()}, start).exit_code, 0);
        EXPECT_EQ(splitscope({"plan", sample_model(), "--machine", machine}, start).exit_code, 2);
        const Outcome other =
            splitscope({"plan", sample_model(), "--machine", machine, "--engine", older->string()}, start);
        EXPECT_EQ(other.exit_code, 2) << other.out;
        EXPECT_NE(other.err.find("the machine has no device of " + older->string()), std::string::npos)
            << other.err;
    }
    const Outcome named =
        splitscope({"schedule", sample_model(), "--machine", machine, "--engine", folder_}, start);
    EXPECT_EQ(named.exit_code, 0) << named.err;
    if (older) {
        EXPECT_EQ(splitscope({"devices", "--engine", older->string()}, start).exit_code, 0);
    }
    const Outcome verified =
        splitscope({"verify", sample_model(), "--machine", machine, "--engine", folder_}, start);
    EXPECT_EQ(verified.exit_code, 0) << verified.err;
    EXPECT_NE(verified.out.find("no difference"), std::string::npos) << verified.out;

    const Outcome gone = splitscope(
        {"plan", sample_model(), "--machine", machine_of_engine(scratch, "/nowhere/at/all")}, start);
    EXPECT_EQ(gone.exit_code, 2) << gone.out;
    EXPECT_NE(gone.err.find("/nowhere/at/all"), std::string::npos) << gone.err;
    const Outcome lacking = splitscope({"plan", sample_model(), "--machine",
                                        machine_of_engine(scratch, folder_, "Vulkan7"), "--engine", folder_},
                                       start);
    EXPECT_EQ(lacking.exit_code, 2) << lacking.out;
    EXPECT_NE(lacking.err.find("no device 'Vulkan7'"), std::string::npos) << lacking.err;
}

TEST_F(EngineCommands, SelectAllDevicesOfTheFolder) {
    for (const char* command : {"plan", "schedule", "lint", "run", "bench", "report"}) {
        SCOPED_TRACE(command);
        const Outcome nowhere = splitscope({command, sample_model(), "--engine", "/nowhere"});
        EXPECT_EQ(nowhere.exit_code, 2) << nowhere.out;
        EXPECT_NE(nowhere.err.find("/nowhere"), std::string::npos) << nowhere.err;
        const Outcome unused =
            splitscope({command, sample_model(), "--engine", folder_, "--backends", "cpu"});
        EXPECT_EQ(unused.exit_code, 2) << unused.out;
        EXPECT_NE(unused.err.find("--engine"), std::string::npos) << unused.err;
    }
    const Outcome plan = splitscope({"plan", sample_model(), "--engine", folder_, "--json"});
    EXPECT_EQ(plan.exit_code, 0) << plan.err;
    const auto devices = nlohmann::json::parse(plan.out)["devices"];
    ASSERT_EQ(devices.size(), 1U) << plan.out;
    EXPECT_GT(devices[0]["memory"].get<std::uint64_t>(), 0U) << plan.out;
    const Outcome report = splitscope({"report", sample_model(), "--engine", folder_, "--format", "md"});
    EXPECT_EQ(report.exit_code, 0) << report.err;
    EXPECT_EQ(report.out.find("GPU0"), std::string::npos) << report.out;
    const Outcome preset = splitscope({"plan", sample_model(), "--engine", folder_, "--device", "rtx-3090"});
    EXPECT_EQ(preset.exit_code, 2) << preset.out;
}

TEST_F(EngineCommands, KnowTheMemoryOfEachDevice) {
    const TemporaryFolder settings;
    Start start;
    start.environment = {{"XDG_CONFIG_HOME", settings.path().string()}};
    EXPECT_EQ(splitscope({"devices", "--engine", folder_}, start).exit_code, 0);
    std::vector<std::string> names = {"engine:CPU", "engine:cpu,cpu"};
    if (const auto older = older_libraries())
        names.push_back("engine:CPU@" + older->string() + ",engine:CPU@" + folder_);
    for (const std::string& each : names) {
        const Outcome plan = splitscope({"plan", sample_model(), "--backends", each, "--json"}, start);
        ASSERT_EQ(plan.exit_code, 0) << plan.err;
        for (const auto& device : nlohmann::json::parse(plan.out)["devices"])
            EXPECT_GT(device["memory"].get<std::uint64_t>(), 0U) << each << plan.out;
    }
}

TEST_F(EngineCommands, ReportBadMachinesAsBadInput) {
    const TemporaryFolder scratch;
    const std::string damaged = scratch.file("damaged.machine.json", "{");
    for (const char* command : {"run", "bench"}) {
        SCOPED_TRACE(command);
        EXPECT_EQ(splitscope({command, sample_model(), "--machine", damaged}).exit_code, 2);
        EXPECT_EQ(splitscope({command, sample_model(), "--engine", scratch.path().string()}).exit_code, 2);
        EXPECT_EQ(splitscope({command, sample_model(), "--engine", folder_, "--rpc", "127.0.0.1:1",
                              "--backends", "engine:CPU"})
                      .exit_code,
                  2);
    }
}

TEST_F(EngineCommands, RefuseContradictoryComparisons) {
    const Outcome both = splitscope(
        {"compare", sample_model(), "2024-10", "2026-08", "--engine", folder_, "--engine", folder_});
    EXPECT_EQ(both.exit_code, 2) << both.out;
    EXPECT_NE(both.err.find("both two builds and generations"), std::string::npos) << both.err;
}

/// The output of a terminal after typing `answer`; standard output is elsewhere.
Outcome at_terminal(const std::vector<std::string>& arguments, const std::string& answer,
                    const std::vector<std::pair<std::string, std::string>>& environment) {
    const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0) return {};
    const std::string name = ::ptsname(terminal);
    const pid_t child = ::fork();
    if (child == 0) {
        ::setsid();
        const int typed = ::open(name.c_str(), O_RDWR);
        const int nowhere = ::open("/dev/null", O_WRONLY);
        ::dup2(typed, STDIN_FILENO);
        ::dup2(nowhere, STDOUT_FILENO);
        ::dup2(typed, STDERR_FILENO);
        for (const auto& [variable, value] : environment) ::setenv(variable.c_str(), value.c_str(), 1);
        std::vector<std::string> words = {SPLITSCOPE_PROGRAM};
        words.insert(words.end(), arguments.begin(), arguments.end());
        std::vector<char*> argv;
        for (std::string& word : words) argv.push_back(word.data());
        argv.push_back(nullptr);
        ::alarm(60);
        ::execv(SPLITSCOPE_PROGRAM, argv.data());
        ::_exit(126);
    }
    Outcome outcome;
    bool answered = false;
    std::array<char, 512> bytes{};
    for (ssize_t got = 0; (got = ::read(terminal, bytes.data(), bytes.size())) > 0;) {
        outcome.err.append(bytes.data(), static_cast<std::size_t>(got));
        if (!answered && outcome.err.find("[y/N]") != std::string::npos) {
            answered = ::write(terminal, answer.data(), answer.size()) > 0;
        }
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(terminal);
    outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return outcome;
}

TEST_F(EngineCommands, AskBeforeLoadingAFoundFolder) {
    const TemporaryFolder settings;
    const std::vector<std::pair<std::string, std::string>> environment = {
        {"XDG_CONFIG_HOME", settings.path().string()}, {"LD_LIBRARY_PATH", folder_}};
    const std::vector<std::string> words = {"schedule", sample_model(), "--backends", "engine:CPU"};
    const Outcome refused = at_terminal(words, "n\n", environment);
    EXPECT_EQ(refused.exit_code, 2) << refused.err;
    EXPECT_NE(refused.err.find("Load the ggml libraries in " + folder_), std::string::npos) << refused.err;
    const Outcome agreed = at_terminal(words, "y\n", environment);
    EXPECT_EQ(agreed.exit_code, 0) << agreed.err;
    // Once suffices.
    const Outcome again = at_terminal(words, "n\n", environment);
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_EQ(again.err.find("[y/N]"), std::string::npos) << again.err;
}

TEST_F(EngineCommands, RefuseServersWithoutAnEngine) {
    const Outcome outcome = splitscope({"devices", "--rpc", "127.0.0.1:1"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("--engine"), std::string::npos) << outcome.err;
    const Outcome wrong = splitscope({"devices", "--engine", folder_, "--rpc", "nobody"});
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_NE(wrong.err.find("HOST:PORT"), std::string::npos) << wrong.err;
    // The published build has no RPC.
    const Outcome without = splitscope({"devices", "--engine", folder_, "--rpc", "127.0.0.1:1"});
    EXPECT_EQ(without.exit_code, 2);
    EXPECT_NE(without.err.find("RPC"), std::string::npos) << without.err;
    const Outcome unnamed =
        splitscope({"schedule", sample_model(), "--engine", folder_, "--backends", "engine:RPC0"});
    EXPECT_EQ(unnamed.exit_code, 2);
    EXPECT_NE(unnamed.err.find("--rpc"), std::string::npos) << unnamed.err;
}

TEST_F(EngineCommands, ShowTimesOfBothSides) {
    const Outcome outcome = splitscope({"compare", sample_model(), "--engine", folder_, "--backends",
                                        "engine:CPU,cpu", "--times", "--threads", "1"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("engine:CPU ms"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("MUL_MAT"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace splitscope::test
