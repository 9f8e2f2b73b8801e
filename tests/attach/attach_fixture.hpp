// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/attach/attached_program.hpp"
#include "tests/cli/process.hpp"

namespace splitscope::test {

struct Build {
    const char* package;
    const char* layers;  ///< on the device
};

inline std::string program(const std::string& name) {
    return (std::filesystem::path(SPLITSCOPE_PROGRAMS) / name).string();
}

inline std::vector<float> floats(const std::string& bytes) {
    std::vector<float> out(bytes.size() / sizeof(float));
    std::memcpy(out.data(), bytes.data(), out.size() * sizeof(float));
    return out;
}

inline std::vector<float> floats(const TensorCapture& capture) {
    std::vector<float> out(capture.bytes.size() / sizeof(float));
    std::memcpy(out.data(), capture.bytes.data(), out.size() * sizeof(float));
    return out;
}

/// Unmodified builds of the reference engine under the debugger.
class AttachTest : public ::testing::TestWithParam<Build> {
 protected:
    static void SetUpTestSuite() {
        const std::string command =
            std::string(SPLITSCOPE_INSTALL_REFERENCE) + " '" + SPLITSCOPE_REFERENCE_FOLDER + "'";
        if (std::system(command.c_str()) != 0) {
            GTEST_LOG_(WARNING) << "the reference engine was not installed";
        }
        // Makes the reference engine accept a software device.
        ::setenv("GGML_VK_VISIBLE_DEVICES", "0", 1);
    }
    void SetUp() override {
        const std::string package = GetParam().package;
        libraries_ = (std::filesystem::path(SPLITSCOPE_REFERENCE_FOLDER) / "node_modules/@node-llama-cpp" /
                      package / "bins" / package)
                         .string();
        if (!std::filesystem::exists(std::filesystem::path(libraries_) / "libggml-base.so")) {
            GTEST_SKIP() << "NO REFERENCE ENGINE: the registry is out of reach";
        }
        const char* chosen = std::getenv("SPLITSCOPE_GOLDEN");
        model_ = (std::filesystem::path(chosen != nullptr ? chosen : SPLITSCOPE_GOLDEN_DIR) / "models" /
                  "stories260K.gguf")
                     .string();
        if (!std::filesystem::exists(model_)) GTEST_SKIP() << "NO GOLDEN DATA: set SPLITSCOPE_GOLDEN";
    }

    std::vector<std::string> host(int steps) const {
        return {program("reference_host"), libraries_, model_, GetParam().layers, std::to_string(steps)};
    }
    AttachOptions options(int steps, const std::vector<std::string>& conditions = {}) const {
        AttachOptions made;
        made.program = host(steps);
        made.output = ProgramOutput::kept;
        for (const std::string& text : conditions) made.conditions.push_back(StopCondition::parse(text));
        return made;
    }
    std::string output_without_debugger(int steps, const Start& start = {}) const {
        std::vector<std::string> arguments = host(steps);
        const std::string name = arguments.front();
        arguments.erase(arguments.begin());
        return run_program(name, arguments, start).out;
    }
    static TensorId tensor_named(const AttachStop& stop, const std::string& name) {
        return stop.graph->identities->find(name);
    }
    static AttachEnd wait_for_end(AttachedProgram& program) {
        std::uint64_t seen = 0;
        while (const auto stop = program.wait_for_stop(seen)) {
            seen = stop->number;
            program.resume();
        }
        return *program.end();
    }

    std::string libraries_;
    std::string model_;
};

/// For INSTANTIATE_TEST_SUITE_P.
inline const auto kBuilds = ::testing::Values(Build{"linux-x64", "0"}, Build{"linux-x64-vulkan", "3"});
inline std::string name_of_build(const ::testing::TestParamInfo<Build>& build) {
    return std::string(build.param.package) == "linux-x64" ? "Cpu" : "Vulkan";
}

}  // namespace splitscope::test
