// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>

#include "tests/backends/ggml/bridge_fixture.hpp"
#include "tests/golden/golden_kind.hpp"

namespace splitscope::ggml {

/// Published builds of the engine, and the golden models to run on them.
class RealEngineOnModels : public RealEngine {
 protected:
    void SetUp() override {
        models_ = golden::folder("models");
        if (!models_) GTEST_SKIP() << golden::absent("models");
    }

    std::optional<std::filesystem::path> models_;
};

}  // namespace splitscope::ggml
