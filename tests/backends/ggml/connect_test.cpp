// SPDX-License-Identifier: MIT
// Connecting the engine's process to servers, in failing_host.cpp.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "backends/ggml/engine.hpp"
#include "engine/messages/render.hpp"
#include "tests/support/stop_later.hpp"

namespace splitscope::ggml {
namespace {

class Connecting : public ::testing::Test {
 protected:
    void SetUp() override {
        std::string name = (std::filesystem::temp_directory_path() / "engine.XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        folder_ = name;
        std::ofstream(folder_ / "libggml.so") << "none";
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    void connect(const std::string& server) const {
        EngineOptions options;
        options.program = SPLITSCOPE_FAILING_HOST;
        options.connect_limit = std::chrono::minutes(10);
        options.stop_limit = std::chrono::milliseconds(200);
        const Engine engine({folder_.string(), {server}}, options, std::make_shared<Answers>());
    }

    std::filesystem::path folder_;
};

TEST_F(Connecting, NamesTheServerThatEndsTheProcess) {
    try {
        connect("10.0.0.1:50072");
        FAIL() << "the process aborts";
    } catch (const Error& error) {
        const std::string text = error.what();
        EXPECT_EQ(error.kind(), ErrorKind::unsupported);
        EXPECT_NE(text.find("10.0.0.1:50072 is not an rpc-server"), std::string::npos) << text;
        EXPECT_NE(text.find("malformed response"), std::string::npos) << text;
        EXPECT_NE(english(error.remedy()).find("start rpc-server"), std::string::npos) << text;
    }
}

TEST_F(Connecting, CanBeStopped) {
    const test::StopLater stop(std::chrono::milliseconds(100));
    const auto start = std::chrono::steady_clock::now();
    EXPECT_THROW(connect("silent:50072"), Cancelled);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::minutes(1));
}

}  // namespace
}  // namespace splitscope::ggml
