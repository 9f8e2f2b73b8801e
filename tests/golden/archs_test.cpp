// SPDX-License-Identifier: MIT
// Every recorded architecture: the plan of each run, the graphs node by node, and the computed numbers.
// docs/coverage.md has the results as a table, and this test prevents regressions. For one architecture:
// golden_tests --gtest_filter='*Archs.*/qwen3_dense'.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/messages/render.hpp"
#include "engine/planning/plan_model.hpp"
#include "engine/scheduler/debug_log.hpp"
#include "engine/session/live_model.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"
#include "tests/golden/arch_case.hpp"
#include "tests/golden/arch_graphs.hpp"
#include "tests/golden/arch_table.hpp"
#include "tests/golden/golden_kind.hpp"

namespace splitscope::golden {
namespace {

using nlohmann::json;

/// Printed differences of each kind; others are only counted.
constexpr std::size_t kShown = 2;

/// Compares one architecture with its recording.
class Examination {
 public:
    explicit Examination(const ArchCase& recorded) : case_(recorded) {}

    ArchScores run() {
        for (const json& run : case_.runs()) check_run(run);
        check_cache_tensors();
        for (const std::string kind : {"cpu", "vk-half", "cpu-run"}) check_log(kind);
        check_numbers();
        return std::move(scores_);
    }

 private:
    void add(ArchKind kind, const std::string& what, const std::string& difference) {
        Score& score = scores_[kind];
        const bool same = difference.empty();
        if (!same && score.total - score.matched < kShown)
            fmt::print("  {} {}: {}: {}\n", case_.name(), name_of(kind), what, difference);
        score.add(same);
    }

    static std::string difference(const TypeBytes& ours, const TypeBytes& theirs) {
        return ours == theirs ? "" : fmt::format("planned{}, recorded{}", text_of(ours), text_of(theirs));
    }

    void check_run(const json& run) {
        // Unsupported by the engine, so there are no figures.
        if (run.contains("error")) return;
        const std::string backends = run.at("backends");
        const std::string flags = run.at("flags");
        const std::string what = backends + " " + flags;
        const bool allocated = run.value("allocated", true);
        Hardware hardware = recorded_hardware(backends);
        hardware.pins_nodes = allocated;
        const ModelPlan plan = plan_model(case_.file(), case_.model(), hardware,
                                          recorded_flags(backends, flags), Generation::g2026_08);
        const TypeMemory memory = memory_of(*plan.layout, allocated);
        const json& recorded = run.at("memory");
        add(ArchKind::weights, what, difference(memory.weights, recorded_memory(recorded, "model")));
        add(ArchKind::caches, what, difference(memory.caches, recorded_memory(recorded, "context")));
        if (case_.model() == nullptr) return;
        if (!plan.prompt || !plan.decode) {
            for (const ArchKind kind : {ArchKind::compute, ArchKind::nodes, ArchKind::splits})
                add(kind, what, english(plan.verdict.text()));
            return;
        }
        const bool reordered = run.contains("graph_optimize_disabled");
        const json& plain = reordered ? run.at("graph_optimize_disabled").at("memory") : recorded;
        const TypeBytes compute = compute_of(plan, hardware, allocated);
        add(ArchKind::compute, what, difference(compute, recorded_memory(plain, "compute")));
        if (reordered) check_reordered(run, allocated);
        add_counts(ArchKind::nodes, what, plan.prompt->nodes, plan.decode->nodes, run.at("nodes"));
        add_counts(ArchKind::splits, what, plan.prompt->splits, plan.decode->splits, run.at("splits"));
        check_sizes(run, plan);
    }

    /// Not compared: `inputs.objects`, which counts objects of llama.cpp, and `worst_case.n_outputs`, which
    /// is logged before the graphs are reserved with more rows.
    void check_sizes(const json& run, const ModelPlan& plan) {
        const ContextSize& context = plan.layout->cache_layout.context;
        const json& reserved = run.at("worst_case");
        const json& inputs = run.at("inputs").at("tensors");
        const std::array<std::array<std::size_t, 2>, 9> figures = {{
            {std::size_t{context.cells} * context.streams, run.at("n_ctx")},
            {context.cells, run.at("n_ctx_seq")},
            {context.batch, run.at("n_batch")},
            {context.micro_batch, run.at("n_ubatch")},
            {plan.prompt->tokens, reserved.at("n_tokens")},
            {plan.layout->flags.sequences, reserved.at("n_seqs")},
            {plan.layout->machine.parallel ? kPipelineCopies : 1, run.at("sched_copies")},
            {inputs_of(*plan.prompt), inputs.at("prompt")},
            {inputs_of(*plan.decode), inputs.at("decode")},
        }};
        std::string difference;
        for (const auto& [planned, recorded] : figures)
            difference +=
                planned == recorded ? "" : fmt::format("planned {}, recorded {}; ", planned, recorded);
        add(ArchKind::sizes, run.at("backends").get<std::string>() + " " + run.at("flags").get<std::string>(),
            difference);
    }

    /// Inputs that nodes read.
    static std::size_t inputs_of(const PlannedGraph& planned) {
        const Graph& graph = *planned.simulation.schedule->graph;
        std::set<TensorId> read;
        for (const TensorId node : graph.nodes)
            for (const TensorId source : graph[node].src)
                if (source.valid() && graph[source].is_input()) read.insert(source);
        return read.size();
    }

    /// Same, for a device that reorders nodes.
    void check_reordered(const json& run, bool allocated) {
        const std::string backends = run.at("backends");
        const std::string flags = run.at("flags");
        Hardware hardware = recorded_hardware(backends);
        hardware.pins_nodes = allocated;
        for (MachineBackend& backend : hardware.machine.backends)
            backend.reorders = backend.device != DeviceKind::cpu;
        const ModelPlan plan = plan_model(case_.file(), case_.model(), hardware,
                                          recorded_flags(backends, flags), Generation::g2026_08);
        add(ArchKind::reordered, backends + " " + flags,
            difference(compute_of(plan, hardware, allocated), recorded_memory(run.at("memory"), "compute")));
    }

    void add_counts(ArchKind kind, const std::string& what, std::size_t prompt, std::size_t decode,
                    const json& recorded) {
        const std::size_t p = recorded.at("prompt");
        const std::size_t d = recorded.at("decode");
        add(kind, what,
            prompt == p && decode == d
                ? ""
                : fmt::format("planned {} and {}, recorded {} and {}", prompt, decode, p, d));
    }

    static TypeBytes compute_of(const ModelPlan& plan, const Hardware& hardware, bool allocated) {
        TypeBytes bytes;
        const bool pinned = hardware.pinned_type.valid();
        for (const DevicePlan& device : plan.devices) {
            const MachineBackend& backend = hardware.machine.backends[device.backend.index()];
            const bool host = backend.device == DeviceKind::cpu && pinned;
            const std::string type = host ? std::string(kPinnedType)
                                          : hardware.machine.buffer_types[backend.buffer_type.index()].name;
            if (device.compute > 0) bytes[type] += device.compute + (host && allocated ? kPinnedSlack : 0);
        }
        return bytes;
    }

    /// The graph reads exactly the planned caches.
    void check_cache_tensors() {
        if (case_.model() == nullptr) return;
        const Hardware hardware = recorded_hardware("cpu");
        const PlacementFlags flags = recorded_flags("cpu", flags_with_streams());
        try {
            const auto layout =
                decide_layout(case_.file(), case_.model(), hardware, flags, Generation::g2026_08).layout;
            const ModelGraph graph = case_.model()->build_graph(
                worst_case_decode(*layout, Generation::g2026_08), layout->model_placement());
            std::vector<std::uint64_t> laid_out;
            for (const CacheTensor& cache : layout->cache_layout.tensors) laid_out.push_back(cache.bytes);
            std::vector<std::uint64_t> read;
            for (const TensorId id : graph.caches)
                if (const std::uint64_t bytes = byte_size(graph.graph[id]); bytes > 0) read.push_back(bytes);
            std::ranges::sort(laid_out);
            std::ranges::sort(read);
            // Some models that attend only within a batch have unused caches.
            const bool idle =
                read.empty() && find_architecture(case_.architecture())->caches == CacheKinds::none;
            add(ArchKind::caches, "of the graph",
                laid_out == read || idle
                    ? ""
                    : fmt::format("{} tensors laid out, {} in the graph, or of other sizes", laid_out.size(),
                                  read.size()));
        } catch (const Error& error) {
            add(ArchKind::caches, "of the graph", error.what());
        }
    }

    /// The switches of a run with two sequences, or of any run if the engine does not support that.
    std::string flags_with_streams() const {
        std::string flags = "--no-mmap -c 512";
        bool found = false;
        for (const json& run : case_.runs()) {
            if (run.at("backends") != "cpu" || run.contains("error")) continue;
            const std::string text = run.at("flags");
            const bool streams = text.find("-np 2") != std::string::npos;
            if (!found || streams) flags = text;
            found = true;
        }
        return flags;
    }

    void check_log(const std::string& kind) {
        const auto log = case_.log(kind);
        if (!log || case_.model() == nullptr) return;
        std::size_t number = 0;
        for (const LoggedGraph& recorded : log->graphs) {
            const std::string what = fmt::format("{} graph {}", kind, number);
            try {
                const SchedulerLog ours = parse_scheduler_log(debug_log(*graph_of(kind, number)));
                add(ArchKind::graphs, what, first_difference(ours.graphs.at(0), recorded));
            } catch (const Error& error) {
                add(ArchKind::graphs, what, error.what());
            }
            ++number;
        }
    }

    /// Prompt (0) or decode (1) as recorded: reserved for 512 tokens, or run with 9.
    std::shared_ptr<const Schedule> graph_of(const std::string& kind, std::size_t number) const {
        const bool run = kind == "cpu-run";
        const bool split = kind == "vk-half";
        const std::string backends = split ? "vk" : "cpu";
        const Hardware hardware = recorded_hardware(backends);
        PlacementFlags flags = recorded_flags(backends, "--no-mmap -c 512");
        if (split) flags.gpu_layers = case_.half_layers();
        if (run) flags.flash_attention = FlashAttention::on;
        const auto layout =
            decide_layout(case_.file(), case_.model(), hardware, flags, Generation::g2026_08).layout;
        const std::uint32_t prompt = run ? kRunPrompt : 512;
        ModelGraphOptions options =
            worst_case_prompt(*layout, Generation::g2026_08, number == 0 ? prompt : 1);
        if (run) {
            // The caches read by a run, and one row of results.
            options.cells = std::min(options.cells, 256U);
            if (options.window_cells > 0) options.window_cells = std::min(options.window_cells, 256U);
            options.first_cell = number == 0 ? 0 : prompt;
            options.starts_sequence = number == 0;
            options.reserves = false;
        }
        options.outputs = run ? 1 : options.tokens;
        if (run && case_.model()->decoder_start()) {
            // The prompt goes to the encoder.
            options.encodes = number == 0;
            options.encoded = kRunPrompt;
            options.outputs = options.tokens;
        }
        return place_graph(*case_.model(), hardware, *layout, options, Generation::g2026_08)
            .simulation.schedule;
    }

    void check_numbers() {
        if (case_.model() == nullptr || !case_.document().contains("weights")) return;
        if (case_.document().contains("parts")) return;
        const auto& numbers = case_.document().at("numbers");
        if (numbers.empty()) return;
        const test::TemporaryFile file = case_.with_weights();
        const auto opened = open_file(file.path());
        for (const json& number : numbers) {
            std::string difference;
            try {
                difference = number_difference(number, opened);
            } catch (const Error& error) {
                difference = error.what();
            }
            add(ArchKind::numbers, number.at("id"), difference);
        }
    }

    static double nmse(const std::vector<float>& ours, const std::vector<float>& recorded) {
        double error = 0;
        double power = 0;
        for (std::size_t i = 0; i < recorded.size(); ++i) {
            // Suppressed tokens have the lowest possible logit.
            if (recorded[i] < -1e30F) continue;
            const double d = static_cast<double>(ours[i]) - static_cast<double>(recorded[i]);
            error += d * d;
            power += static_cast<double>(recorded[i]) * static_cast<double>(recorded[i]);
        }
        return error / power;
    }

    std::string number_difference(const json& number, const std::shared_ptr<const OpenedFile>& opened) const {
        Session session = default_session(opened);
        session.machine = recorded_hardware("cpu").machine;
        session.generation = Generation::g2026_08;
        session.model_options.accelerators = {"none"};
        session.model_options.context = 512;
        session.model_options.cache_type = ElementType::f16;
        session.model_options.flash_attention = number.at("flash_attention") != "off";
        session.model_options.repack = false;
        RunOptions options;
        options.threads = 1;
        const std::vector<std::int32_t> prompt = number.at("prompt");
        const std::vector<std::int32_t> generated = number.value("generated", std::vector<std::int32_t>());
        LiveModel live(session, options, prompt.size() + generated.size(), {}, {});
        const auto recorded = case_.rows(number);
        const auto position = static_cast<std::uint32_t>(prompt.size());
        auto ours = live.compute(prompt, 0);
        for (std::size_t row = 0; row < recorded.size(); ++row) {
            std::vector<float> values(ours->begin(), ours->end());
            // Embedding models give a row per token; a single recorded row is their mean.
            if (number.at("kind") == "embedding") values = embedding(*ours, recorded, row);
            if (std::string text = row_difference(number, row, values, recorded[row]); !text.empty())
                return fmt::format("row {}: {}", row, text);
            if (row + 1 < recorded.size() && number.at("kind") != "embedding") {
                const std::int32_t token = generated.at(row);
                ours = live.compute({&token, 1}, position + static_cast<std::uint32_t>(row));
            }
        }
        return {};
    }

    static std::vector<float> embedding(std::span<const float> rows,
                                        const std::vector<std::vector<float>>& recorded, std::size_t row) {
        const std::size_t width = recorded[row].size();
        if (recorded.size() > 1) {
            const auto part = rows.subspan(row * width, width);
            return {part.begin(), part.end()};
        }
        std::vector<double> sums(width, 0.0);
        const std::size_t count = rows.size() / width;
        for (std::size_t i = 0; i < count * width; ++i) sums[i % width] += rows[i];
        std::vector<float> mean;
        for (const double sum : sums) mean.push_back(static_cast<float>(sum / static_cast<double>(count)));
        return mean;
    }

    /// As recommended by the description of the recordings.
    std::string row_difference(const json& number, std::size_t row, const std::vector<float>& ours,
                               const std::vector<float>& recorded) const {
        if (ours.size() != recorded.size())
            return fmt::format("{} numbers, not {}", ours.size(), recorded.size());
        constexpr double kUntrusted = 1e-3;
        constexpr double kMin = 1e-6;
        double spread = 0;
        for (const auto& [variant, figures] : number.at("spread").items()) {
            spread = std::max(spread, figures.at("nmse").at(row).get<double>());
        }
        if (spread > kUntrusted) return {};
        const double error = nmse(ours, recorded);
        const double limit = std::max(10 * spread, kMin);
        return error <= limit ? "" : fmt::format("NMSE {:.3g} above {:.3g}", error, limit);
    }

    static constexpr std::uint32_t kRunPrompt = 9;
    static constexpr std::size_t kPipelineCopies = 4;
    const ArchCase& case_;
    ArchScores scores_;
};

class Archs : public testing::TestWithParam<std::string> {
 protected:
    static void TearDownTestSuite() {
        for (const ArchKind kind : kArchKinds)
            if (sums_[kind].total > 0) report(fmt::format("archs: {}", name_of(kind)), sums_[kind]);
    }
    static inline ArchScores sums_;
};

TEST_P(Archs, MatchRecordings) {
    const ArchCase recorded(arch_cases().at(GetParam()));
    const ArchScores scores = Examination(recorded).run();
    for (const ArchKind kind : kArchKinds) {
        sums_[kind].matched += scores[kind].matched;
        sums_[kind].total += scores[kind].total;
    }
    const ArchRow row{GetParam(), recorded.architecture(), recorded.model() != nullptr, scores};
    fmt::print("{}\n", row.text());
    if (std::getenv("SPLITSCOPE_UPDATE_DOCS") != nullptr) {
        write_row(row);
        return;
    }
    const std::optional<ArchRow> documented = documented_row(GetParam());
    if (!documented) {
        ADD_FAILURE() << "docs/coverage.md does not list it: run this test with SPLITSCOPE_UPDATE_DOCS=1";
        return;
    }
    // Another folder has other runs: complete rows here must be complete there.
    for (const ArchKind kind : kArchKinds) {
        const Score& now = scores[kind];
        const Score& then = documented->scores[kind];
        const bool complete = then.total > 0 && then.matched == then.total;
        const std::size_t least = complete ? now.total : then.total == now.total ? then.matched : 0;
        EXPECT_GE(now.matched, least) << name_of(kind);
    }
    if (is_documented_folder()) {
        EXPECT_EQ(documented->text(), row.text()) << "run this test with SPLITSCOPE_UPDATE_DOCS=1";
    }
}

std::vector<std::string> case_names() {
    std::vector<std::string> names;
    for (const auto& [name, path] : arch_cases()) names.push_back(name);
    return names;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Archs);
INSTANTIATE_TEST_SUITE_P(Golden, Archs, testing::ValuesIn(case_names()), [](const auto& info) {
    std::string name = info.param;
    std::ranges::replace_if(
        name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
});

TEST(ArchTable, EmbeddingsArePooled) {
    const auto cases = arch_cases();
    if (cases.empty()) GTEST_SKIP() << absent("archs");
    PlacementFlags flags = recorded_flags("cpu", "--no-mmap -c 512 -fa off --embeddings");
    flags.pooling = Pooling::last;
    for (const auto& [name, path] : cases) {
        SCOPED_TRACE(name);
        const ArchCase recorded(path);
        if (recorded.model() == nullptr) continue;
        const auto layout = decide_layout(recorded.file(), recorded.model(), recorded_hardware("cpu"), flags,
                                          Generation::g2026_08)
                                .layout;
        const ModelGraph graph = recorded.model()->build_graph(
            worst_case_prompt(*layout, Generation::g2026_08, 8), layout->model_placement());
        const Tensor& pooled = graph.graph[graph.logits];
        EXPECT_EQ(pooled.name, "result_embd_pooled");
        EXPECT_EQ(pooled.op, Op::get_rows);
        EXPECT_EQ(pooled.ne[1], 1) << "one sequence";
        EXPECT_EQ(graph.graph[pooled.src[0]].ne[1], 8) << "tokens";
    }
}

TEST(ArchTable, OlderGraphsOfEmbeddingModelsAreNotPooled) {
    const auto cases = arch_cases();
    if (cases.empty()) GTEST_SKIP() << absent("archs");
    std::size_t found = 0;
    for (const auto& [name, path] : cases) {
        const ArchCase recorded(path);
        const Architecture* row = find_architecture(recorded.architecture());
        if (row == nullptr || !row->older_forms || !row->gives_embeddings) continue;
        SCOPED_TRACE(name);
        constexpr Generation kOlder = Generation::g2024_10;
        const auto layout = decide_layout(recorded.file(), recorded.model(), recorded_hardware("cpu"),
                                          recorded_flags("cpu", "--no-mmap -c 512 -fa off"), kOlder)
                                .layout;
        EXPECT_FALSE(layout->flags.embeddings);
        const ModelGraph graph =
            recorded.model()->build_graph(worst_case_prompt(*layout, kOlder, 8), layout->model_placement());
        EXPECT_EQ(graph.graph[graph.logits].name, "result_embd");
        ++found;
    }
    EXPECT_GT(found, 0U);
}

TEST(ArchTable, ListsEveryRecording) {
    const auto cases = case_names();
    if (cases.empty()) GTEST_SKIP() << absent("archs");
    if (!is_documented_folder()) GTEST_SKIP() << "docs/coverage.md is about another folder";
    for (const std::string& name : documented_names())
        EXPECT_TRUE(std::ranges::find(cases, name) != cases.end()) << name << " is not recorded";
}

}  // namespace
}  // namespace splitscope::golden
