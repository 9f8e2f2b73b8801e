// SPDX-License-Identifier: MIT
// The CPU's operations against the reference engine's results (golden/ops).
#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backends/cpu/cpu_backend.hpp"
#include "tests/golden/golden_kind.hpp"
#include "tests/golden/op_vectors.hpp"

namespace splitscope::golden {
namespace {

TEST(GoldenOps, EveryVectorIsWithinTolerance) {
    const auto data_folder = folder("ops");
    if (!data_folder) GTEST_SKIP() << absent("ops");
    CpuDevice device;
    CpuBackend backend(device);
    Score total;
    std::map<std::string, Score> by_op_and_type;
    for (const auto& path : op_files(*data_folder)) {
        for (OpVector& v : read_op_vectors(path)) {
            const std::string op(name_of(v.graph[v.result].op));
            // Alternate between one and two threads: results do not depend on them.
            backend.set_threads(1 + static_cast<int>(total.total % 2));
            const std::string wrong = mismatch(v, backend);
            total.add(wrong.empty());
            by_op_and_type[fmt::format("{} {}", op, types_of(v))].add(wrong.empty());
            if (!wrong.empty()) ADD_FAILURE() << op << " '" << v.name << "' " << types_of(v) << ": " << wrong;
        }
    }
    for (const auto& [name, score] : by_op_and_type)
        fmt::print("  {}: {}/{}\n", name, score.matched, score.total);
    report("ops", total);
    EXPECT_EQ(total.matched, total.total);
}

}  // namespace
}  // namespace splitscope::golden
