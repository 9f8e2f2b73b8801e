// SPDX-License-Identifier: MIT
#include <fstream>

#include <gtest/gtest.h>

#include "engine/support/error.hpp"
#include "tests/session/sample_session.hpp"

namespace splitscope {
namespace {

using testing::sample_session;

/// The error of opening a file with this content.
std::string open_error(const std::string& name, const std::string& content) {
    const auto path = std::filesystem::path(::testing::TempDir()) / name;
    std::ofstream(path, std::ios::binary) << content;
    try {
        open_file(path);
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
        EXPECT_FALSE(error.remedy().empty()) << error.what();
        return error.what();
    }
    return {};
}

TEST(Analyse, SchedulesTheSampleOnBothBackends) {
    const auto analysis = analyse(sample_session());
    ASSERT_FALSE(analysis->schedule->error);
    ASSERT_FALSE(analysis->plan->error);
    EXPECT_EQ(analysis->schedule->splits.size(), 2U);
    EXPECT_EQ(analysis->machine->backends[analysis->schedule->splits[0].backend.index()].name, "CPU");
    EXPECT_EQ(analysis->machine->backends[analysis->schedule->splits[1].backend.index()].name, "GPU0");
    EXPECT_GT(analysis->plan->buffers[0].size, 0U);
    EXPECT_GT(analysis->plan->buffers[1].size, 0U);
}

TEST(Analyse, EveryGenerationSchedulesTheSample) {
    Session session = sample_session();
    for (const Generation generation : kGenerations) {
        session.generation = generation;
        EXPECT_FALSE(analyse(session)->schedule->error) << name_of(generation);
    }
}

TEST(Analyse, UnknownOperationEndsTheSchedule) {
    Session session = sample_session();
    session.generation = Generation::g2024_01;
    session.model_options.flash_attention = true;
    const auto analysis = analyse(session);
    ASSERT_TRUE(analysis->schedule->error);
    EXPECT_FALSE(analysis->schedule->error->message.empty());
}

TEST(Analyse, StopsOnRequest) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(analyse(sample_session(), JobContext(stop.get_token())), Cancelled);
}

TEST(Analyse, RefusesUnschedulableMachines) {
    Session session = sample_session();
    session.machine.backends.pop_back();
    EXPECT_THROW(analyse(session), Error);
}

TEST(OpenFile, NamesFileAndRemedy) {
    EXPECT_NE(open_error("empty.gguf", ""), "");
    EXPECT_NE(open_error("text.txt", "hello"), "");
    EXPECT_NE(open_error("cut.gguf", "GGUF\x03"), "");
    EXPECT_NE(open_error("broken.graph.json", "{\"format\": "), "");
    EXPECT_NE(open_error("other.json", "{}"), "");
}

TEST(OpenFile, MissingFile) {
    try {
        open_file("no-such-file.gguf");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::io);
        EXPECT_NE(std::string(error.what()).find("no-such-file.gguf"), std::string::npos);
    }
}

}  // namespace
}  // namespace splitscope
