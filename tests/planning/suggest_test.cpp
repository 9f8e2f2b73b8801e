// SPDX-License-Identifier: MIT
#include "engine/planning/suggest.hpp"

#include <array>
#include <chrono>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/messages/render.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/planning/messages.hpp"
#include "engine/session/resources.hpp"
#include "engine/support/error.hpp"
#include "tests/formats/gguf_writer.hpp"
#include "tests/support/golden_models.hpp"
#include "tests/support/under_sanitizer.hpp"

namespace splitscope {
namespace {

using test::golden_models;

constexpr Generation kGeneration = Generation::g2026_08;

struct Opened {
    explicit Opened(const std::filesystem::path& path)
        : file(GgufFile::open(path)), model(make_model(file)) {}
    std::shared_ptr<const GgufFile> file;
    std::shared_ptr<const Model> model;

    Suggestion suggest(const Hardware& hardware, const PlacementFlags& flags,
                       const SuggestOptions& options = {}) const {
        return splitscope::suggest(*file, model.get(), hardware, flags, kGeneration, options);
    }
    ModelPlan plan(const Hardware& hardware, const PlacementFlags& flags) const {
        return plan_model(*file, model.get(), hardware, flags, kGeneration);
    }
};

/// Every distribution of `layers` over `devices`, by brute force; none for one device.
std::vector<std::vector<std::uint32_t>> divisions(std::uint32_t layers, std::size_t devices) {
    std::vector<std::vector<std::uint32_t>> ways{{}};
    if (devices < 2) return ways;
    std::vector<std::uint32_t> parts(devices, 0);
    for (;;) {
        std::uint32_t sum = 0;
        for (const std::uint32_t part : parts) sum += part;
        if (sum == layers && layers > 0) ways.push_back(parts);
        std::size_t d = 0;
        while (d < devices && ++parts[d] > layers) parts[d++] = 0;
        if (d == devices) return ways;
    }
}

/// Plans every combination, including equivalent ones.
std::optional<SuggestedPlan> brute_force(const Opened& opened, const Hardware& hardware,
                                         const PlacementFlags& flags, double margin) {
    std::optional<SuggestedPlan> best;
    const auto blocks = static_cast<std::int32_t>(opened.plan(hardware, flags).layout->blocks);
    for (std::int32_t layers = 0; layers <= blocks + 1; ++layers) {
        for (const auto& parts :
             divisions(static_cast<std::uint32_t>(layers), hardware.machine.backends.size() - 1)) {
            for (std::int32_t experts = 0; experts <= blocks; ++experts) {
                for (const bool kv : {true, false}) {
                    double offloaded_prompts = -1;
                    for (const bool offload : {true, false}) {
                        const PlacementChoice choice{layers, static_cast<std::uint32_t>(experts), kv, parts,
                                                     offload};
                        SuggestedPlan made{choice, opened.plan(hardware, flags_of(flags, choice))};
                        // Only placements that fit with op offload are tried without it.
                        if (!fits_with_margin(made.plan, margin) || !made.plan.decode->cost.known) break;
                        const double prompts = compared_prompt_speed(made.plan);
                        if (prompts <= offloaded_prompts) break;
                        offloaded_prompts = prompts;
                        if (!best || better(made, *best)) best = std::move(made);
                    }
                }
            }
        }
    }
    return best;
}

/// A machine whose devices have `share` of the memory that the model needs there.
Hardware limited(const Opened& opened, const PlacementFlags& flags, std::vector<std::string> names,
                 double share) {
    Hardware hardware = hardware_of_presets(names);
    const ModelPlan plan = opened.plan(hardware, flags);
    for (std::size_t b = 0; b + 1 < hardware.devices.size(); ++b)
        hardware.devices[b].memory_free =
            static_cast<std::uint64_t>(static_cast<double>(plan.devices[b].total()) * share);
    return hardware;
}

void expect_as_brute_force(const Opened& opened, const std::vector<std::string>& devices) {
    PlacementFlags flags;
    flags.context = 512;
    flags.micro_batch = 64;
    for (const double share : {0.3, 0.6, 0.85, 1.2}) {
        const Hardware hardware = limited(opened, flags, devices, share);
        const auto expected = brute_force(opened, hardware, flags, 0.05);
        SuggestOptions all;
        all.rank_small_models = true;
        SuggestOptions bounded = all;
        bounded.exhaustive = 0;
        for (const SuggestOptions& options : {all, bounded}) {
            const Suggestion found = opened.suggest(hardware, flags, options);
            ASSERT_EQ(found.best.has_value(), expected.has_value()) << share;
            if (!expected) continue;
            EXPECT_TRUE(!better(*expected, *found.best) && !better(*found.best, *expected))
                << share << ": " << found.best->plan.tokens_per_second() << " instead of "
                << expected->plan.tokens_per_second();
            EXPECT_TRUE(found.exact);
            EXPECT_TRUE(fits_with_margin(found.best->plan, 0.05));
        }
    }
}

TEST(Suggest, MatchesBruteForceOnTheSample) {
    const Opened opened(sample_model_path());
    expect_as_brute_force(opened, {"rtx-3090"});
    expect_as_brute_force(opened, {"rtx-3090", "rtx-3060"});
}

TEST(Suggest, MatchesBruteForceOnSmallModels) {
    if (!std::filesystem::is_directory(golden_models()))
        GTEST_SKIP() << "*** NOT CHECKED: no golden models; set SPLITSCOPE_GOLDEN ***";
    for (const char* name : {"tiny-llama-moe.gguf", "tiny-qwen3moe.gguf", "tiny-gemma3.gguf"}) {
        SCOPED_TRACE(name);
        expect_as_brute_force(Opened(golden_models() / name), {"rtx-3090"});
    }
    expect_as_brute_force(Opened(golden_models() / "tiny-llama-moe.gguf"), {"rtx-3060", "rtx-3090"});
}

/// A card with a slow link and a CPU that reads faster than the card: caches belong on the CPU.
TEST(Suggest, MovesCachesToTheHostIfFaster) {
    const Opened opened(sample_model_path());
    PlacementFlags flags;
    flags.context = 512;
    Hardware hardware = hardware_of_presets({"rtx-3090", "epyc-9654"});
    const ModelPlan all = opened.plan(hardware, flags);
    // Room for the weights and for compute buffers, not for the caches.
    hardware.devices[0].memory_free = all.devices[0].weights + all.devices[0].compute;
    flags.op_offload = false;
    SuggestOptions options;
    options.rank_small_models = true;
    const Suggestion found = opened.suggest(hardware, flags, options);
    const auto expected = brute_force(opened, hardware, flags, found.margin);
    ASSERT_TRUE(found.best && expected);
    EXPECT_TRUE(!better(*expected, *found.best) && !better(*found.best, *expected));
}

/// The header of a mixture of experts with that many blocks.
std::string header_of_experts(std::uint32_t blocks) {
    test::GgufWriter writer;
    writer.with_data = false;
    writer.text("general.architecture", "llama");
    const std::array<std::pair<const char*, std::uint32_t>, 8> numbers = {{{"block_count", blocks},
                                                                           {"embedding_length", 32},
                                                                           {"feed_forward_length", 32},
                                                                           {"context_length", 64},
                                                                           {"attention.head_count", 1},
                                                                           {"vocab_size", 8},
                                                                           {"expert_count", 2},
                                                                           {"expert_used_count", 1}}};
    for (const auto& [key, value] : numbers) writer.number(fmt::format("llama.{}", key), value);
    writer.decimal("llama.attention.layer_norm_rms_epsilon", 1e-5F);
    std::uint64_t offset = 0;
    const auto weight = [&](const std::string& name, const std::vector<std::uint64_t>& ne) {
        writer.tensor_at(name, ne, 0, offset);
        std::uint64_t elements = 1;
        for (const std::uint64_t extent : ne) elements *= extent;
        offset += (elements * sizeof(float) + 31) / 32 * 32;
    };
    weight("token_embd.weight", {32, 8});
    weight("output_norm.weight", {32});
    for (std::uint32_t b = 0; b < blocks; ++b) {
        for (const char* part : {"attn_norm", "ffn_norm"})
            weight(fmt::format("blk.{}.{}.weight", b, part), {32});
        for (const char* part : {"attn_q", "attn_k", "attn_v", "attn_output"})
            weight(fmt::format("blk.{}.{}.weight", b, part), {32, 32});
        weight(fmt::format("blk.{}.ffn_gate_inp.weight", b), {32, 2});
        for (const char* part : {"ffn_gate_exps", "ffn_up_exps", "ffn_down_exps"})
            weight(fmt::format("blk.{}.{}.weight", b, part), {32, 32, 2});
    }
    return writer.bytes();
}

TEST(Suggest, SamplesExpertCountsForManyBlocks) {
    constexpr std::size_t kBlocks = 300;
    const test::TemporaryFile stored(header_of_experts(kBlocks));
    const Opened opened(stored.path());
    SuggestOptions options;
    options.max_plans = 4;
    const Suggestion found = opened.suggest(hardware_of_presets({"rtx-3090"}), {}, options);
    EXPECT_LT(found.choices, kBlocks * kBlocks);
    EXPECT_FALSE(found.exact);
    EXPECT_NE(english(found.reason).find("was tried"), std::string::npos) << found.reason;
    EXPECT_TRUE(found.cut);
    EXPECT_NE(english(found.reason).find("The search ended after"), std::string::npos) << found.reason;
    options.max_plans = 10'000;
    EXPECT_FALSE(opened.suggest(hardware_of_presets({"rtx-3090:4"}), {}, options).cut);
}

/// A search that ends early compares the neighbours of its result.
TEST(Suggest, HasNoBetterNeighbourWhenItEndsEarly) {
    if (!std::filesystem::is_directory(golden_models()))
        GTEST_SKIP() << "*** NOT CHECKED: no golden models; set SPLITSCOPE_GOLDEN ***";
    const Opened opened(golden_models() / "header-qwen3-30b-a3b-q4_k_m.gguf");
    PlacementFlags flags;
    flags.context = 8192;
    const Hardware hardware = hardware_of_presets({"rtx-4060-laptop", "core-13700h-ddr5"});
    SuggestOptions options;
    options.max_plans = 100;
    const Suggestion found = opened.suggest(hardware, flags, options);
    ASSERT_TRUE(found.best);
    ASSERT_TRUE(found.cut);
    EXPECT_LE(found.planned, 2 * options.max_plans);
    for (const int layers : {-1, 0, 1}) {
        for (const int blocks : {-1, 0, 1}) {
            PlacementChoice next = found.best->choice;
            next.gpu_layers += layers;
            // More than all layers are no other placement.
            if (next.gpu_layers > static_cast<int>(found.best->plan.layout->blocks) + 1) continue;
            next.cpu_expert_blocks += static_cast<std::uint32_t>(blocks);
            SuggestedPlan neighbour{next, opened.plan(hardware, flags_of(flags, next))};
            EXPECT_FALSE(fits_with_margin(neighbour.plan, found.margin) && better(neighbour, *found.best))
                << next.gpu_layers << " layers, " << next.cpu_expert_blocks << " blocks";
        }
    }
}

/// Bounds that rule out placements without planning must never exceed the planned values.
void expect_bounds(const Opened& opened, const Hardware& hardware, const PlacementFlags& flags,
                   std::size_t step) {
    const ModelPlan sample = opened.plan(hardware, flags);
    const PlacementBounds bounds(*opened.file, hardware, flags, kGeneration, sample);
    std::vector<double> usable;
    for (const DeviceFacts& facts : hardware.devices)
        usable.push_back(static_cast<double>(facts.memory_free));
    const auto choices = bounded_choices(bounds, usable, 20000).choices;
    ModelPlanner planner(*opened.file, opened.model.get(), hardware, kGeneration,
                         ModelPlanner::Detail::figures);
    for (std::size_t i = 0; i < choices.size(); i += step) {
        const BoundedChoice& c = choices[i];
        const ModelPlan plan = planner.plan(flags_of(flags, c.choice));
        const std::string which = fmt::format("{} layers, {} experts, {}", c.choice.gpu_layers,
                                              c.choice.cpu_expert_blocks, c.choice.kv_offload);
        EXPECT_LE(c.decode_seconds, plan.decode->cost.seconds) << which;
        EXPECT_GE(c.decode_seconds, 0.5 * plan.decode->cost.seconds) << which << ": too loose to help";
        for (std::size_t b = 0; b < c.memory.size(); ++b)
            EXPECT_LE(c.memory[b], plan.devices[b].total()) << which;
    }
}

TEST(Suggest, BoundsHoldOnHeaders) {
    if (!std::filesystem::is_directory(golden_models()))
        GTEST_SKIP() << "*** NOT CHECKED: no golden models; set SPLITSCOPE_GOLDEN ***";
    PlacementFlags flags;
    flags.context = 4096;
    for (const char* name : {"header-llama-3.2-1b-q4_0.gguf", "header-gpt-oss-20b-mxfp4.gguf",
                             "header-qwen3-30b-a3b-q4_k_m.gguf"}) {
        SCOPED_TRACE(name);
        const Opened opened(golden_models() / name);
        expect_bounds(opened, hardware_of_presets({"rtx-3090"}), flags, 37);
        expect_bounds(opened, hardware_of_presets({"rtx-3090", "rtx-3060"}), flags, 293);
    }
}

TEST(Suggest, HeadersTakeSecondsAndFit) {
    if (!std::filesystem::is_directory(golden_models()))
        GTEST_SKIP() << "*** NOT CHECKED: no golden models; set SPLITSCOPE_GOLDEN ***";
    PlacementFlags flags;
    flags.context = 8192;
    std::size_t headers = 0;
    for (const auto& entry : std::filesystem::directory_iterator(golden_models())) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with("header-")) continue;
        ++headers;
        const Opened opened(entry.path());
        for (const std::vector<std::string>& devices :
             {std::vector<std::string>{"rtx-3090:8", "epyc-9654"}, {"rtx-3060", "ryzen-7950x-ddr5"}}) {
            const Hardware hardware = hardware_of_presets(devices);
            const auto start = std::chrono::steady_clock::now();
            const Suggestion found = opened.suggest(hardware, flags);
            const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
            EXPECT_LE(seconds.count(), splitscope::testing::kUnderSanitizer ? 120.0 : 10.0) << name;
            // Only a mixture of many blocks with such a fast CPU is searched in part.
            EXPECT_TRUE(found.exact || english(found.reason).find("search ended after") != std::string::npos)
                << name;
            if (devices.front() == "rtx-3060") {
                EXPECT_TRUE(found.exact) << name;
            }
            ASSERT_TRUE(found.best) << name << ": " << found.reason;
            EXPECT_TRUE(fits_with_margin(found.best->plan, found.margin)) << name;
            // Replanned from its switches, it is the same.
            const ModelPlan again = opened.plan(hardware, flags_of(flags, found.best->choice));
            EXPECT_TRUE(again.fits()) << name;
            EXPECT_DOUBLE_EQ(again.tokens_per_second(), found.best->plan.tokens_per_second()) << name;
            if (found.baseline) {
                EXPECT_GE(again.tokens_per_second(), 0.99 * found.baseline->plan.tokens_per_second()) << name;
            }
            fmt::print("{}: {:.1f} s, {} of {} planned; {}\n", name, seconds.count(), found.planned,
                       found.choices, english(found.reason));
        }
    }
    EXPECT_GT(headers, 0U);
}

/// A device that is slower at prompts than the CPU.
TEST(Suggest, TurnsOpOffloadOffIfPromptsAreFaster) {
    const Opened opened(sample_model_path());
    PlacementFlags flags;
    flags.context = 512;
    Hardware hardware = hardware_of_presets({"rtx-3090", "epyc-9654"});
    hardware.devices[0].flops_f16 = hardware.devices[0].flops_f32 = 1e9;
    hardware.devices[0].memory_bandwidth = 1e8;
    SuggestOptions options;
    options.rank_small_models = true;
    const Suggestion found = opened.suggest(hardware, flags, options);
    ASSERT_TRUE(found.best && found.baseline);
    EXPECT_FALSE(found.best->choice.op_offload);
    EXPECT_TRUE(found.baseline->choice.op_offload);
    const auto switches = switches_of(found.best->choice);
    EXPECT_NE(std::ranges::find(switches, "--no-op-offload"), switches.end());
    EXPECT_FALSE(found.best->plan.layout->flags.op_offload);
    const auto expected = brute_force(opened, hardware, flags, found.margin);
    ASSERT_TRUE(expected);
    EXPECT_TRUE(!better(*expected, *found.best) && !better(*found.best, *expected));
    // Where it is off already, nothing is to be turned off.
    flags.op_offload = false;
    const Suggestion off = opened.suggest(hardware, flags, options);
    ASSERT_TRUE(off.best);
    EXPECT_TRUE(off.best->choice.op_offload);
}

/// A decode that is hardly faster does not justify prompts that are several times slower.
TEST(Suggest, KeepsOpOffloadIfPromptsAreSlowerWithoutIt) {
    if (!std::filesystem::is_directory(golden_models()))
        GTEST_SKIP() << "*** NOT CHECKED: no golden models; set SPLITSCOPE_GOLDEN ***";
    const Opened opened(golden_models() / "header-qwen3-30b-a3b-q4_k_m.gguf");
    PlacementFlags flags;
    flags.context = 131072;
    const Hardware hardware = hardware_of_presets({"rtx-3060:11", "core-12700k-ddr5"});
    const Suggestion found = opened.suggest(hardware, flags);
    ASSERT_TRUE(found.best);
    EXPECT_TRUE(found.best->choice.op_offload) << found.reason;
}

/// The header of a dense model that is large enough for estimates.
std::string header_of_dense() {
    test::GgufWriter writer;
    writer.with_data = false;
    writer.text("general.architecture", "llama");
    constexpr std::uint64_t kWidth = 4096;
    constexpr std::uint32_t kBlocks = 8;
    const std::array<std::pair<const char*, std::uint32_t>, 6> numbers = {{{"block_count", kBlocks},
                                                                           {"embedding_length", kWidth},
                                                                           {"feed_forward_length", kWidth},
                                                                           {"context_length", 512},
                                                                           {"attention.head_count", 32},
                                                                           {"vocab_size", 256}}};
    for (const auto& [key, value] : numbers) writer.number(fmt::format("llama.{}", key), value);
    writer.decimal("llama.attention.layer_norm_rms_epsilon", 1e-5F);
    std::uint64_t offset = 0;
    const auto weight = [&](const std::string& name, std::uint64_t rows) {
        std::vector<std::uint64_t> ne{kWidth};
        if (rows > 1) ne.push_back(rows);
        writer.tensor_at(name, ne, 0, offset);
        offset += kWidth * rows * sizeof(float);
    };
    weight("token_embd.weight", 256);
    weight("output_norm.weight", 1);
    for (std::uint32_t b = 0; b < kBlocks; ++b) {
        for (const char* part : {"attn_norm", "ffn_norm"})
            weight(fmt::format("blk.{}.{}.weight", b, part), 1);
        for (const char* part :
             {"attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"})
            weight(fmt::format("blk.{}.{}.weight", b, part), kWidth);
    }
    return writer.bytes();
}

/// A link so slow that the CPU reads prompts faster than the weights arrive.
TEST(Suggest, NamesTheSpeedThatDiffers) {
    const test::TemporaryFile stored(header_of_dense());
    const Opened opened(stored.path());
    PlacementFlags flags;
    flags.context = 512;
    Hardware hardware = limited(opened, flags, {"rtx-3090", "epyc-9654"}, 0.7);
    hardware.devices[0].link_bandwidth = 1e8;
    SuggestOptions options;
    options.margin = 0;
    const Suggestion found = opened.suggest(hardware, flags, options);
    ASSERT_TRUE(found.best && found.baseline);
    ASSERT_FALSE(found.best->choice.op_offload);
    const ModelPlan& best = found.best->plan;
    const std::string reason = english(found.reason);
    ASSERT_NEAR(best.tokens_per_second(), found.baseline->plan.tokens_per_second(),
                1e-3 * best.tokens_per_second());
    EXPECT_NE(reason.find(english(msg::kPlacementReadsPrompts(Message(), best.prompt_tokens_per_second(),
                                                              found.baseline->plan.prompt_tokens_per_second(),
                                                              found.baseline->choice.gpu_layers))),
              std::string::npos)
        << reason;
    EXPECT_NE(reason.find("This is "), std::string::npos) << reason;
    EXPECT_NE(reason.find("with either."), std::string::npos) << reason;
    EXPECT_EQ(reason.find("Per token"), std::string::npos) << reason;
}

TEST(Suggest, CallsLargeGainsMultiples) {
    if (!std::filesystem::is_directory(golden_models()))
        GTEST_SKIP() << "*** NOT CHECKED: no golden models; set SPLITSCOPE_GOLDEN ***";
    const Opened opened(golden_models() / "header-qwen3-30b-a3b-q4_k_m.gguf");
    Hardware hardware = hardware_of_presets({"rtx-4090:10", "core-13700h-ddr5"});
    const auto said = [&](std::uint32_t context) {
        PlacementFlags flags;
        flags.context = context;
        const Suggestion found = opened.suggest(hardware, flags);
        const double gain =
            found.best->plan.tokens_per_second() / found.baseline->plan.tokens_per_second() - 1;
        return std::pair(gain, english(found.reason));
    };
    const auto [small, percent] = said(4096);
    EXPECT_LT(small, 2);
    EXPECT_NE(percent.find(fmt::format("This is {:.0f} % faster.", 100 * small)), std::string::npos)
        << percent;
    hardware = hardware_of_presets({"rtx-4090:6", "core-13700h-ddr5"});
    const auto [large, times] = said(40960);
    EXPECT_GT(large, 2);
    EXPECT_NE(times.find(fmt::format("This is {:.1f} times as fast.", 1 + large)), std::string::npos)
        << times;
    EXPECT_EQ(times.find("% faster"), std::string::npos) << times;
}

/// Without speeds, it is not known which of two placements is faster.
TEST(Suggest, KeepsSmallModelsUnchanged) {
    const Opened opened(sample_model_path());
    const Suggestion found = opened.suggest(hardware_of_presets({"rtx-3060", "epyc-9654"}), {});
    ASSERT_TRUE(found.best && found.baseline);
    EXPECT_EQ(found.best->choice, found.baseline->choice);
    EXPECT_EQ(found.best->plan.tokens_per_second(), 0);
    EXPECT_NE(english(found.reason).find("No speed is estimated"), std::string::npos) << found.reason;
}

TEST(Suggest, ReportsWhenNothingFits) {
    const Opened opened(sample_model_path());
    Hardware hardware = hardware_of_presets({"rtx-3090"});
    for (DeviceFacts& facts : hardware.devices) facts.memory_free = 1000;
    const Suggestion found = opened.suggest(hardware, {});
    EXPECT_FALSE(found.best);
    EXPECT_FALSE(found.baseline);
    EXPECT_NE(english(found.reason).find("Nothing fits"), std::string::npos);
}

TEST(Suggest, RefusesModelsWithoutAnEstimate) {
    const Opened opened(sample_model_path());
    const Hardware hardware = hardware_of_presets({"rtx-3090"});
    const Suggestion unknown = suggest(*opened.file, nullptr, hardware, {}, kGeneration);
    EXPECT_FALSE(unknown.best);
    EXPECT_EQ(unknown.verdict.kind, Verdict::Kind::not_known);
    EXPECT_THROW(opened.suggest(hardware_of_machine(hardware.machine), {}), Error);
    SuggestOptions options;
    options.margin = 1;
    EXPECT_THROW(opened.suggest(hardware, {}, options), Error);
}

TEST(Suggest, RecognisesTheCurrentPlacement) {
    Session session = default_session(open_file(sample_model_path()));
    session.model_options.gpu_layers = 2;
    PlacementChoice choice = choice_of(session);
    EXPECT_TRUE(is_chosen(session, choice));
    choice.op_offload = false;
    EXPECT_FALSE(is_chosen(session, choice));
    choose(session, choice);
    EXPECT_TRUE(is_chosen(session, choice));
    choice.device_layers = {2};
    EXPECT_FALSE(is_chosen(session, choice));
    choose(session, choice);
    EXPECT_TRUE(is_chosen(session, choice));
    ++choice.gpu_layers;
    EXPECT_FALSE(is_chosen(session, choice));
}

}  // namespace
}  // namespace splitscope
