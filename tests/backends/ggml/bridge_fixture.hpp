// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "backends/ggml/ggml_kind.hpp"

namespace splitscope::ggml {

/// Published builds of the engine, installed into the build folder if the registry is reachable.
class RealEngine : public ::testing::Test {
 protected:
    static void SetUpTestSuite() {
        const std::string command =
            std::string(SPLITSCOPE_INSTALL_REFERENCE) + " '" + SPLITSCOPE_REFERENCE_FOLDER + "'";
        if (std::system(command.c_str()) != 0)
            GTEST_LOG_(WARNING) << "the reference engine was not installed";
    }

    /// Folder of a package's libraries; none if it could not be installed.
    static std::optional<std::filesystem::path> libraries(const std::string& package,
                                                          const std::string& version = {}) {
        const std::filesystem::path folder = std::filesystem::path(SPLITSCOPE_REFERENCE_FOLDER) /
                                             (version + "node_modules/@node-llama-cpp") / package / "bins" /
                                             package;
        if (!std::filesystem::exists(folder / "libggml-base.so")) return std::nullopt;
        return std::filesystem::canonical(folder);
    }
    /// An older version of linux-x64; none if it could not be installed.
    static std::optional<std::filesystem::path> older_libraries() {
        const std::string command =
            std::string(SPLITSCOPE_INSTALL_REFERENCE) + " '" + SPLITSCOPE_REFERENCE_FOLDER + "' older";
        if (std::system(command.c_str()) != 0) return std::nullopt;
        return libraries("linux-x64", "older/");
    }
    static constexpr const char* kAbsent = "NO REFERENCE ENGINE: the registry is out of reach";

    static EngineOptions engine_options() {
        EngineOptions options;
        options.program = SPLITSCOPE_PROGRAM;
        return options;
    }
};

}  // namespace splitscope::ggml
