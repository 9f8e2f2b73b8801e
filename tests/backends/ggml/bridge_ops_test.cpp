// SPDX-License-Identifier: MIT
// Every operation supported by the engine's devices, through the bridge, against the recordings
// (golden/ops).
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backends/ggml/ggml_backend.hpp"
#include "engine/tensor/shape.hpp"
#include "tests/backends/ggml/bridge_fixture.hpp"
#include "tests/golden/golden_kind.hpp"
#include "tests/golden/op_vectors.hpp"

namespace splitscope::ggml {
namespace {

using namespace splitscope::golden;

class BridgeOps : public RealEngine {
 protected:
    /// The installed build is newer than the recordings and gives different results for this operation.
    static bool is_changed(const OpVector& v) { return v.graph[v.result].op == Op::dsv4_hc_pre; }

    /// Computes the supported vectors; returns the number of correct ones.
    static Score compute_claimed(GgmlDevice& device, const std::filesystem::path& data_folder) {
        // More threads than processors would wait for each other.
        GgmlBackend backend(device, 1);
        Score claimed;
        std::map<std::string, int> refused;
        for (const auto& path : op_files(data_folder)) {
            for (OpVector& v : read_op_vectors(path)) {
                const std::string op(name_of(v.graph[v.result].op));
                if (is_changed(v)) {
                    fmt::print("  NOT COMPARED, computed otherwise by this build: {} '{}'\n", op, v.name);
                    continue;
                }
                if (!refusal(v, backend).empty()) {
                    ++refused[fmt::format("{} {}", op, types_of(v))];
                    continue;
                }
                const std::string wrong = mismatch(v, backend);
                claimed.add(wrong.empty());
                EXPECT_EQ(wrong, "") << op << " '" << v.name << "' " << types_of(v);
            }
        }
        for (const auto& [name, count] : refused) fmt::print("  refused: {} ({})\n", name, count);
        return claimed;
    }
};

TEST_F(BridgeOps, EngineCpuIsWithinTolerance) {
    const auto data_folder = folder("ops");
    if (!data_folder) GTEST_SKIP() << absent("ops");
    const auto engine = libraries("linux-x64");
    if (!engine) GTEST_SKIP() << kAbsent;
    GgmlBackendKind kind(engine_options());
    GgmlDevice* const cpu = kind.open(*engine)->find("CPU");
    ASSERT_NE(cpu, nullptr);
    const Score claimed = compute_claimed(*cpu, *data_folder);
    report("ops on " + cpu->name(), claimed);
    EXPECT_GT(claimed.total, 1000U);
}

/// Shaders that a software device compiles for more than a second, up to a minute: by operation and the types
/// of a source or the result, separated by spaces; all if empty.
struct SlowShaders {
    Op op;
    std::string_view types;
};
constexpr std::string_view kCodebooks = "iq1_s iq1_m iq2_xxs iq2_xs iq2_s iq3_xxs iq3_s";
constexpr std::string_view kSlowProducts =
    "f16 bf16 q4_1 q5_0 q5_1 q2_K q3_K q6_K iq1_s iq1_m iq2_xxs iq2_xs iq2_s iq3_xxs iq3_s iq4_nl iq4_xs "
    "tq1_0 tq2_0 mxfp4 nvfp4 q1_0 q2_0";
constexpr std::array kSlowShaders = {
    SlowShaders{Op::flash_attn_ext, ""},
    SlowShaders{Op::soft_max, ""},
    SlowShaders{Op::rms_norm, ""},
    SlowShaders{Op::rwkv_wkv7, ""},
    SlowShaders{Op::get_rows, kCodebooks},
    SlowShaders{Op::cpy, "q1_0"},
    SlowShaders{Op::set_rows, "q1_0"},
    SlowShaders{Op::mul_mat, kSlowProducts},
    SlowShaders{Op::mul_mat_id, kSlowProducts},
};

bool is_slow(const OpVector& v) {
    const auto has = [&](std::string_view types, TensorId tensor) {
        return tensor.valid() &&
               fmt::format(" {} ", types).find(fmt::format(" {} ", name_of(v.graph[tensor].type))) !=
                   std::string::npos;
    };
    const Tensor& node = v.graph[v.result];
    return std::ranges::any_of(kSlowShaders, [&](const SlowShaders& slow) {
        return slow.op == node.op &&
               (slow.types.empty() || has(slow.types, v.result) ||
                std::ranges::any_of(node.src, [&](TensorId source) { return has(slow.types, source); }));
    });
}

/// Vectors for which the engine's Vulkan backend gives other results than its CPU backend.
struct Deviation {
    Op op;
    std::string_view name;  ///< how the names of the vectors begin
    std::string_view reason;
};
constexpr std::array kDeviations = {
    Deviation{Op::argmax, "ties", "its shader does not take the first of equal values"},
    Deviation{Op::rope, "vision", "its shader computes other angles"},
    Deviation{Op::sum, "layout 1", "its shader reads rows with gaps between them as contiguous"},
    Deviation{Op::group_norm, "channels do not divide", "its shader divides channels evenly into groups"},
};

/// With SPLITSCOPE_ALL_SHADERS=all, every vector is compared; otherwise those of these operations, separated
/// by commas: MUL_MAT, or only for one type of its first source: MUL_MAT/q4_0.
std::string_view operations_wanted() {
    const char* const given = std::getenv("SPLITSCOPE_ALL_SHADERS");
    return given == nullptr ? std::string_view() : given;
}

bool is_wanted(const OpVector& v) {
    const auto names = [list = fmt::format(",{},", operations_wanted())](const std::string& name) {
        return list.find("," + name + ",") != std::string::npos;
    };
    const Tensor& node = v.graph[v.result];
    const std::string op(name_of(node.op));
    return operations_wanted() == "all" || names(op) ||
           (node.src[0].valid() && names(fmt::format("{}/{}", op, name_of(v.graph[node.src[0]].type))));
}

class BridgeOpsOnVulkan : public BridgeOps {
 protected:
    void SetUp() override {
        engine_ = libraries("linux-x64-vulkan");
        if (!engine_) GTEST_SKIP() << kAbsent;
        ::setenv("GGML_VK_VISIBLE_DEVICES", "0", 1);
        devices_ = kind_.open(*engine_);
        if (devices_->find("Vulkan0") == nullptr)
            GTEST_SKIP() << "NOT RUN: the engine found no Vulkan device";
    }

    /// Why a vector is not compared; empty = it is.
    static std::string why_not(const OpVector& v, const Backend& backend) {
        const Op op = v.graph[v.result].op;
        if (!refusal(v, backend).empty()) return "refused";
        if (is_changed(v)) return "computed otherwise by this build";
        if (operations_wanted().empty() && is_slow(v)) return "its shader is slow to compile";
        for (const Deviation& known : kDeviations)
            if (known.op == op && v.name.starts_with(known.name)) return std::string(known.reason);
        // The engine's shader computes heads of 64 only, and claims others.
        constexpr std::int64_t kHead = 64;
        if (op == Op::rwkv_wkv6 && v.graph[v.graph[v.result].src[0]].ne[0] != kHead)
            return "its shader computes wrong results for heads other than 64";
        return {};
    }

    GgmlBackendKind kind_{engine_options()};
    std::optional<std::filesystem::path> engine_;
    std::shared_ptr<EngineDevices> devices_;
};

/// One vector per operation and types: a software device compiles a shader for nearly each.
TEST_F(BridgeOpsOnVulkan, OneOfEachKindIsWithinTolerance) {
    const auto data_folder = folder("ops");
    if (!data_folder) GTEST_SKIP() << absent("ops");
    GgmlBackend backend(*devices_->find("Vulkan0"), 1);
    Score claimed;
    std::set<std::string> seen;
    for (const auto& path : op_files(*data_folder)) {
        for (OpVector& v : read_op_vectors(path)) {
            const std::string name = fmt::format("{} {}", name_of(v.graph[v.result].op), types_of(v));
            const std::string reason = why_not(v, backend);
            if (reason == "refused" || !seen.insert(name).second) continue;
            if (!reason.empty()) {
                fmt::print("  NOT COMPARED, {}: {}\n", reason, name);
                continue;
            }
            const std::string wrong = mismatch(v, backend);
            claimed.add(wrong.empty());
            EXPECT_EQ(wrong, "") << name << " '" << v.name << "'";
        }
    }
    report("ops on engine:Vulkan0", claimed);
    EXPECT_GT(claimed.total, 100U);
}

/// A process of its own: the software driver may crash when the engine replaces its scratch buffers.
class VulkanProcess {
 public:
    VulkanProcess(const EngineOptions& options, const std::filesystem::path& engine)
        : kind_(options), devices_(kind_.open(engine)), backend_(*devices_->find("Vulkan0"), 1) {}
    GgmlBackend& backend() { return backend_; }
    bool is_alive() const { return devices_->engine().is_alive(); }

 private:
    GgmlBackendKind kind_;
    std::shared_ptr<EngineDevices> devices_;
    GgmlBackend backend_;
};

TEST_F(BridgeOpsOnVulkan, EveryVectorIsWithinTolerance) {
    if (operations_wanted().empty())
        GTEST_SKIP() << "NOT RUN: shaders compile for an hour; SPLITSCOPE_ALL_SHADERS=all runs it, "
                        "SPLITSCOPE_ALL_SHADERS=MUL_MAT/q4_0,ROPE these operations";
    const auto data_folder = folder("ops");
    if (!data_folder) GTEST_SKIP() << absent("ops");
    std::size_t compared = 0;
    for (const auto& path : op_files(*data_folder)) {
        std::unique_ptr<VulkanProcess> process;
        std::string kind;  // of the vectors for which the process was started
        Score score;
        std::size_t computed = 0;
        // Flushed for each kind: the next may take minutes.
        const auto report_kind = [&] {
            if (score.total > 0) report(kind + " on engine:Vulkan0", score);
            std::fflush(stdout);
            score = {};
        };
        const auto restart = [&] {
            process.reset();
            process = std::make_unique<VulkanProcess>(engine_options(), *engine_);
            computed = 0;
        };
        for (OpVector& v : read_op_vectors(path)) {
            if (!is_wanted(v)) continue;
            const std::string its_kind = fmt::format("{} {}", name_of(v.graph[v.result].op), types_of(v));
            if (its_kind != kind) report_kind();
            if (process == nullptr || !process->is_alive() || its_kind != kind) restart();
            kind = its_kind;
            const std::string reason = why_not(v, process->backend());
            if (reason == "refused") continue;
            if (!reason.empty()) {
                fmt::print("  NOT COMPARED, {}: {} '{}'\n", reason, kind, v.name);
                continue;
            }
            std::string wrong = mismatch(v, process->backend());
            if (!process->is_alive() && computed > 0) {
                fmt::print("  AGAIN, its process has ended: {} '{}' {}\n", kind, v.name, wrong);
                restart();
                wrong = mismatch(v, process->backend());
            }
            ++computed;
            ++compared;
            score.add(wrong.empty());
            EXPECT_EQ(wrong, "") << kind << " '" << v.name << "'";
        }
        report_kind();
    }
    EXPECT_GT(compared, 0U);
}

/// The recorded vectors have smaller heads, which its shader does not compute.
TEST_F(BridgeOpsOnVulkan, Wkv6WithHeadsOf64MatchesTheCpu) {
    constexpr std::int64_t kHead = 64;
    constexpr std::int64_t kHeads = 2;
    constexpr std::int64_t kTokens = 3;
    OpVector v;
    Tensor result;
    result.name = "result";
    result.op = Op::rwkv_wkv6;
    std::minstd_rand random(1);
    std::uniform_real_distribution<float> uniform(-1, 1);
    const auto add = [&](Shape shape) {
        Tensor t;
        t.name = fmt::format("source {}", v.data.size());
        t.type = ElementType::f32;
        t.ne = shape;
        t.nb = contiguous_strides(t.type, shape);
        std::vector<float> values(static_cast<std::size_t>(element_count(t)));
        for (float& value : values) value = uniform(random);
        const auto bytes = std::as_bytes(std::span(values));
        result.src[v.data.size()] = TensorId(v.graph.tensors.size());
        v.data.emplace_back(bytes.begin(), bytes.end());
        v.graph.tensors.push_back(std::move(t));
    };
    for (int i = 0; i < 3; ++i) add({kHead, kHeads, kTokens, 1});
    add({kHead, kHeads, 1, 1});
    add({kHead, kHeads, kTokens, 1});
    add({kHead * kHead * kHeads, 1, 1, 1});
    result.type = ElementType::f32;
    result.ne = {kHead * kHeads, kTokens + kHead, 1, 1};
    result.nb = contiguous_strides(result.type, result.ne);
    v.name = "heads of 64";
    v.nmse_max = 1e-7;
    v.result = TensorId(v.graph.tensors.size());
    v.expected.resize(byte_size(result));
    v.graph.tensors.push_back(result);
    v.graph.nodes.push_back(v.result);
    GgmlBackend cpu(*devices_->find("CPU"), 1);
    v.expected = computed(v, cpu);
    GgmlBackend vulkan(*devices_->find("Vulkan0"), 1);
    EXPECT_EQ(mismatch(v, vulkan), "");
}

}  // namespace
}  // namespace splitscope::ggml
