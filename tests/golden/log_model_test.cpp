// SPDX-License-Identifier: MIT
// Real logs compared with graphs built from their models.
#include <gtest/gtest.h>

#include "engine/session/replay_on_model.hpp"
#include "tests/golden/golden_kind.hpp"

namespace splitscope::golden {
namespace {

ModelReplay replay(const std::string& log, const std::string& model) {
    const auto opened = open_file(*folder("logs") / (log + ".log"));
    const auto file = GgufFile::open(*folder("models") / (model + ".gguf"));
    return replay_on_model(default_session(opened), *make_model(file));
}

TEST(Golden, LogsMatchTheGraphsOfTheirModels) {
    if (!folder("logs") || !folder("models")) GTEST_SKIP() << absent("logs or models");
    const char* logs[] = {"2026-08-stories260K-debug2",
                          "2026-08-stories260K-fa-debug2",
                          "2026-08-stories260K-gpu-half-debug2",
                          "2026-08-stories260K-gpu-limited-debug2",
                          "2025-02-stories260K-debug2",
                          "2026-08-stories260K-gpu2-pipeline-debug2",
                          "2025-02-stories260K-fa-debug2",
                          "2025-02-stories260K-gpu-half-debug2",
                          "2025-02-stories260K-gpu2-pipeline-debug2"};
    for (const char* log : logs) {
        SCOPED_TRACE(log);
        const ModelReplay found = replay(log, "stories260K");
        EXPECT_TRUE(found.same());
        EXPECT_EQ(found.different_nodes.size(), 0U);
        EXPECT_EQ(found.decisions.elsewhere.size(), 0U);
        EXPECT_GT(found.decisions.compared, 100U);
        EXPECT_EQ(found.decisions.recorded_splits, found.decisions.our_splits);
    }
    EXPECT_EQ(replay("2026-08-stories260K-gpu-half-debug2", "stories260K").gpu_layers, 3);
    // For another model, the differences are reported.
    EXPECT_FALSE(replay("2026-08-stories260K-debug2", "tiny-llama-gqa").same());
}

}  // namespace
}  // namespace splitscope::golden
