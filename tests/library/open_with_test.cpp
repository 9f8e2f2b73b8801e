// SPDX-License-Identifier: MIT
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/formats/machine_json.hpp"
#include "engine/session/model_placement.hpp"
#include "splitscope/splitscope.hpp"

namespace splitscope {
namespace {

class OpenWithTest : public ::testing::Test {
 protected:
    OpenWithTest()
        : folder_(std::filesystem::temp_directory_path() /
                  ("splitscope-open-with-" + std::to_string(::getpid()))) {
        std::filesystem::create_directories(folder_);
    }
    ~OpenWithTest() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path write(const std::string& name, const std::string& content) const {
        std::ofstream(folder_ / name) << content;
        return folder_ / name;
    }
    std::filesystem::path graph() const {
        return write("one.graph.json",
                     R"({"format":"splitscope-graph","version":1,"name":"one","tensors":[
{"name":"x","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"NONE","flags":["input"]},
{"name":"y","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"SQR","src":[0]}],"nodes":[1],"leafs":[0]})");
    }

 private:
    std::filesystem::path folder_;
};

std::vector<std::string> backends_of(const Session& session) {
    std::vector<std::string> names;
    for (const MachineBackend& backend : session.machine.backends) names.push_back(backend.name);
    return names;
}

TEST_F(OpenWithTest, DefaultIsTheServersPlacement) {
    const Session session = open_with(sample_model_path());
    Session usual = open_session(sample_model_path());
    use_defaults(usual, Program::llama_server);
    usual.model_options.context = usual.file->model->shape().context;
    EXPECT_EQ(session.model_options, usual.model_options);
    EXPECT_EQ(session.machine, usual.machine);
    EXPECT_EQ(session.generation, usual.generation);
    EXPECT_NE(session.kinds, nullptr);
}

TEST_F(OpenWithTest, PresetsUseTheServersPlacement) {
    const Session session = open_with(sample_model_path(), {.devices = {"rtx-3090:8", "epyc-9654"}});
    EXPECT_EQ(backends_of(session), (std::vector<std::string>{"CUDA0", "CPU"}));
    ModelOptions server = default_options(Program::llama_server, session.generation,
                                          session.file->model->file(), session.machine);
    server.context = session.file->model->shape().context;
    EXPECT_EQ(session.model_options, server);
    EXPECT_EQ(session.devices.at("CUDA0").memory_free, std::uint64_t{8} << 30);
}

TEST_F(OpenWithTest, Program) {
    const Session session =
        open_with(sample_model_path(), {.generation = Generation::g2025_06, .like = Program::llama_bench});
    EXPECT_EQ(session.generation, Generation::g2025_06);
    EXPECT_EQ(session.model_options.gpu_layers, default_options(Program::llama_bench, Generation::g2025_06,
                                                                session.file->model->file(), session.machine)
                                                    .gpu_layers);
}

TEST_F(OpenWithTest, SavedSessionKeepsItsOptions) {
    Session session = open_with(sample_model_path());
    session.model_options.gpu_layers = 1;
    const auto saved = write("s.splitscope.json", "");
    save_session(session, saved);
    EXPECT_EQ(open_with(saved).model_options, session.model_options);
    EXPECT_EQ(open_with(saved, {.like = Program::llama_server}).model_options.gpu_layers, GpuLayers::all());
}

TEST_F(OpenWithTest, ThisComputer) {
    const Session session = open_with(sample_model_path(), {.devices = {"this"}});
    EXPECT_EQ(session.machine.backends.back().name, "CPU");
}

TEST_F(OpenWithTest, NoDeviceMeansTheCpuOnly) {
    const Session session = open_with(sample_model_path(), {.devices = {"none"}});
    EXPECT_EQ(session.model_options.accelerators, (std::vector<std::string>{"none"}));
    const auto analysis = analyse(session);
    EXPECT_EQ(analysis->schedule->splits.size(), 1U);
}

TEST_F(OpenWithTest, MachineFile) {
    const auto machine = write("m.machine.json", write_machine_json(default_machine()));
    const Session session = open_with(sample_model_path(), {.devices = {"GPU0"}, .machine = machine});
    EXPECT_EQ(backends_of(session), (std::vector<std::string>{"GPU0", "CPU"}));
    EXPECT_EQ(session.model_options.accelerators, (std::vector<std::string>{"GPU0"}));
}

TEST_F(OpenWithTest, DevicesOfThisComputer) {
    const Session session = open_with(sample_model_path(), {.computer = {"cpu"}});
    EXPECT_EQ(backends_of(session), (std::vector<std::string>{"CPU"}));
    EXPECT_GT(session.devices.at("CPU").memory_total, 0U);
}

TEST_F(OpenWithTest, RefusesConflictingOptions) {
    EXPECT_THROW(open_with(sample_model_path(), {.machine = "m.json", .computer = {"cpu"}}), Error);
    EXPECT_THROW(open_with(graph(), {.like = Program::llama_server}), Error);
    EXPECT_THROW(open_with(sample_model_path(), {.devices = {"no such preset"}}), Error);
}

TEST_F(OpenWithTest, NamesAMachineThatDoesNotFitAGraph) {
    const auto machine = write("m.machine.json", "{}");
    try {
        open_with(graph(), {.machine = machine});
        FAIL() << "it was taken";
    } catch (const Error& error) {
        EXPECT_NE(error.where().find("m.machine.json"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace splitscope
