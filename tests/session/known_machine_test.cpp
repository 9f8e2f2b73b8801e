// SPDX-License-Identifier: MIT
#include "engine/session/known_machine.hpp"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/formats/machine_json.hpp"
#include "engine/session/resources.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

KnownMachine some_machine() {
    KnownMachine known{default_machine(), {}};
    known.devices["GPU0"] = {"rtx-3090", "RTX 3090", 100, 90, 1e9, 2e9, 3e9, 4e9};
    return known;
}

TEST(KnownMachine, SurvivesARoundTrip) {
    const KnownMachine known = some_machine();
    const std::string text = write_known_machine(known);
    EXPECT_EQ(parse_known_machine(text, "m"), known);
    // A machine document is valid for every other reader, and vice versa.
    EXPECT_EQ(parse_machine_json(text), known.machine);
    const KnownMachine bare = parse_known_machine(write_machine_json(known.machine), "m");
    EXPECT_EQ(bare.machine, known.machine);
    EXPECT_TRUE(bare.devices.empty());
    EXPECT_EQ(write_known_machine(bare), write_machine_json(known.machine));
}

TEST(KnownMachine, RefusesMoreFreeMemoryThanThereIs) {
    KnownMachine known = some_machine();
    known.devices["GPU0"].memory_free = 101;
    try {
        parse_known_machine(write_known_machine(known), "m");
        FAIL() << "101 of 100 bytes are free";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_file);
        EXPECT_NE(error.where().find("/devices/GPU0/memory_free"), std::string::npos) << error.where();
    }
    known.devices["GPU0"].memory_total = 0;
    EXPECT_EQ(parse_known_machine(write_known_machine(known), "m"), known) << "the total is not known";
}

TEST(KnownMachine, RefusesInvalidFigures) {
    std::string text = write_known_machine(some_machine());
    const std::size_t at = text.find("\"memory_free\":90");
    ASSERT_NE(at, std::string::npos) << text;
    text.replace(at, 16, "\"memory_free\":-9");
    try {
        parse_known_machine(text, "m.machine.json");
        FAIL() << "taken";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_file);
        EXPECT_NE(std::string(error.what()).find("/devices/GPU0/memory_free"), std::string::npos)
            << error.what();
    }
}

TEST(KnownMachine, IsDetectedByItsFirstBytes) {
    const auto path = std::filesystem::temp_directory_path() / ("splitscope-" + std::to_string(::getpid()));
    const auto told = [&](const std::string& text) {
        std::ofstream(path) << text;
        return is_machine_file(path);
    };
    EXPECT_TRUE(told(write_known_machine(some_machine())));
    EXPECT_FALSE(told(R"({"format": "splitscope-session", "machine": {"format": "splitscope-machine"}})"));
    EXPECT_FALSE(told(""));
    std::filesystem::remove(path);
    EXPECT_FALSE(is_machine_file(path));
    EXPECT_FALSE(is_machine_file(sample_model_path()));
}

TEST(KnownMachine, FromASessionHasNoGraphFacts) {
    Session session = default_session(open_file(sample_model_path()));
    session.machine.assignments = {{TensorId(0), BackendId(0)}};
    session.machine.backends[0].supports = {{3, false}};
    session.devices["GPU0"].memory_free = 5;
    const KnownMachine known = machine_of(session);
    EXPECT_TRUE(known.machine.assignments.empty());
    EXPECT_TRUE(known.machine.backends[0].supports.empty());
    EXPECT_EQ(known.devices.at("GPU0").memory_free, 5U);
}

TEST(KnownMachine, ReplacingRemovesAllOldDevices) {
    Session session = default_session(open_file(sample_model_path()));
    session.machine.assignments = {{TensorId(0), BackendId(0)}};
    session.devices["GPU0"].memory_free = 5;
    session.model_options.accelerators = {"GPU0"};
    session.model_options.tensor_split = {1};
    session.model_options.overrides = {{"a", "GPU0", "--override-tensor"}, {"b", "CPU", "--override-tensor"}};
    KnownMachine other{default_machine(), {}};
    other.machine.backends[0].name = "CUDA0";
    other.machine.buffer_types[0].name = "CUDA0";
    replace_machine(session, other);
    EXPECT_EQ(session.machine, other.machine);
    EXPECT_TRUE(session.devices.empty());
    EXPECT_TRUE(session.model_options.accelerators.empty());
    EXPECT_EQ(session.model_options.tensor_split.size(), 1U) << "as many accelerators as before";
    ASSERT_EQ(session.model_options.overrides.size(), 1U);
    EXPECT_EQ(session.model_options.overrides[0].pattern, "b");
    EXPECT_FALSE(analyse(session)->schedule->error);
}

}  // namespace
}  // namespace splitscope
