// SPDX-License-Identifier: MIT
// The user's engine on the command line.
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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

TEST_F(EngineCommands, DevicesAreListedWithVersionAndFolder) {
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

TEST_F(EngineCommands, NothingIsLoadedUntilItIsNamed) {
    const Outcome outcome = splitscope({"schedule", sample_model(), "--backends", "engine:CPU"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("--engine"), std::string::npos) << outcome.err;
    const Outcome nowhere = splitscope({"devices", "--engine", "/nowhere"});
    EXPECT_EQ(nowhere.exit_code, 2);
}

TEST_F(EngineCommands, AModelIsScheduledAndRunOnTheEngine) {
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

TEST_F(EngineCommands, SchedulesAreVerified) {
    const Outcome outcome = splitscope({"verify", sample_model(), "--engine", folder_});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("decode: "), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("no difference"), std::string::npos) << outcome.out;
    const Outcome json = splitscope({"verify", sample_model(), "--engine", folder_, "--json"});
    EXPECT_EQ(schema_problem(schema_named("verification"), nlohmann::json::parse(json.out)), "");

    const Outcome simulated = splitscope({"verify", sample_model(), "--backends", "cpu"});
    EXPECT_EQ(simulated.exit_code, 2) << simulated.out;
}

TEST_F(EngineCommands, PlansKnowItsMemory) {
    for (const char* command : {"plan", "lint"}) {
        SCOPED_TRACE(command);
        const Outcome outcome =
            splitscope({command, sample_model(), "--engine", folder_, "--backends", "engine:CPU", "--json"});
        EXPECT_EQ(outcome.err, "");
        EXPECT_TRUE(nlohmann::json::accept(outcome.out)) << outcome.out;
    }
    // An engine does not say how fast its devices are.
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

TEST_F(EngineCommands, TheEnginesProcessIsNoCommandForUsers) {
    const Outcome outcome = splitscope({"engine-host"});
    EXPECT_NE(outcome.exit_code, 0);
    EXPECT_EQ(splitscope({"--help"}).out.find("engine-host"), std::string::npos);
}

TEST_F(EngineCommands, TimesOfBothSidesAreShown) {
    const Outcome outcome = splitscope({"compare", sample_model(), "--engine", folder_, "--backends",
                                        "engine:CPU,cpu", "--times", "--threads", "1"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("engine:CPU ms"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("MUL_MAT"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace splitscope::test
