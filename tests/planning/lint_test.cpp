// SPDX-License-Identifier: MIT
#include "engine/planning/lint.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "engine/messages/render.hpp"
#include "engine/models/random_model.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/planning/messages.hpp"
#include "engine/session/messages.hpp"
#include "engine/session/resources.hpp"
#include "tests/formats/gguf_writer.hpp"
#include "tests/planning/crowded_session.hpp"
#include "tests/planning/edited_models.hpp"
#include "tests/support/golden_models.hpp"

namespace splitscope {
namespace {

using test::golden_models;

std::vector<Finding> findings_on(const Hardware& hardware, const PlacementFlags& flags) {
    const auto file = GgufFile::open(sample_model_path());
    const auto model = make_model(file);
    return lint(plan_model(*file, model.get(), hardware, flags, Generation::g2026_08));
}

std::vector<Finding> findings(const PlacementFlags& flags, const std::vector<std::string>& devices) {
    return findings_on(hardware_of_presets(devices), flags);
}

bool has(const std::vector<Finding>& list, std::string_view rule) {
    return std::ranges::find(list, rule, &Finding::rule) != list.end();
}

TEST(Lint, NoFindingsForOneDevice) {
    for (const Finding& f : findings({}, {"rtx-3090"})) EXPECT_NE(f.severity, Severity::error) << f.what;
}

TEST(Lint, FindsMissingMemory) {
    const auto list = findings({}, {"rtx-3090:0.0001"});
    ASSERT_TRUE(has(list, "does-not-fit"));
    EXPECT_EQ(list.front().severity, Severity::error);
}

/// Experts are moved before whole layers.
TEST(Lint, MissingMemoryOfExpertsNamesCpuExperts) {
    const test::TemporaryFile place("");
    RandomModelOptions options;
    options.layers = 4;
    options.header_only = true;
    PlacementFlags flags;
    flags.context = 256;
    const auto remedy = [&] {
        write_random_model(place.path(), options);
        const auto file = GgufFile::open(place.path());
        const auto model = make_model(file);
        const auto list = lint(plan_model(*file, model.get(), hardware_of_presets({"rtx-3090:0.0001"}), flags,
                                          Generation::g2026_08));
        const auto found = std::ranges::find(list, "does-not-fit", &Finding::rule);
        return found == list.end() ? Message() : found->remedy;
    };
    EXPECT_EQ(remedy(), Message(msg::kPlaceFewerLayers));
    options.experts = 4;
    options.experts_used = 2;
    EXPECT_EQ(remedy(), Message(msg::kKeepMoreExperts));
    flags.overrides = {cpu_experts_rule()};
    EXPECT_EQ(remedy(), Message(msg::kPlaceFewerLayers));
}

/// A number of blocks beyond the model's means all of them, and leading blocks are often dense.
TEST(Lint, CpuExpertsWithoutEffectAreOneFinding) {
    const test::TemporaryFile place("");
    RandomModelOptions options;
    options.layers = 4;
    options.header_only = true;
    PlacementFlags flags;
    flags.context = 256;
    const auto list = [&] {
        write_random_model(place.path(), options);
        const auto file = GgufFile::open(place.path());
        const auto model = make_model(file);
        return lint(
            plan_model(*file, model.get(), hardware_of_presets({"rtx-3090"}), flags, Generation::g2026_08));
    };
    for (const auto& rules : {cpu_experts_rules(9), std::vector<OverrideRule>{cpu_experts_rule()}}) {
        flags.overrides = rules;
        options.experts = options.experts_used = 0;
        const auto dense = list();
        EXPECT_FALSE(has(dense, "override-matches-nothing"));
        EXPECT_EQ(std::ranges::count(dense, "cpu-experts-no-effect", &Finding::rule), 1);
        EXPECT_EQ(std::ranges::find(dense, "cpu-experts-no-effect", &Finding::rule)->cause,
                  Message(msg::kNoExperts));
        options.experts = 4;
        options.experts_used = 2;
        const auto sparse = list();
        EXPECT_FALSE(has(sparse, "override-matches-nothing"));
        EXPECT_FALSE(has(sparse, "cpu-experts-no-effect"));
    }
    // The user's own rules are checked one by one.
    flags.overrides = cpu_experts_rules(2);
    flags.overrides.insert(flags.overrides.begin(), {"no_such_tensor", "CPU", "--override-tensor"});
    EXPECT_TRUE(has(list(), "override-matches-nothing"));
}

TEST(Lint, FindsOverridesWithoutEffect) {
    PlacementFlags flags;
    flags.overrides = parse_overrides("no_such_tensor=CPU,ffn_=CPU,ffn_up=CPU");
    const auto list = findings(flags, {"rtx-3090", "rtx-3090"});
    EXPECT_TRUE(has(list, "override-matches-nothing"));
    EXPECT_TRUE(has(list, "override-shadowed"));
    EXPECT_TRUE(has(list, "overrides-stop-pipelining"));
}

TEST(Lint, FindsPipeliningAndUploads) {
    EXPECT_TRUE(has(findings({}, {"rtx-3090", "rtx-3090"}), "pipelining-multiplies-inputs"));
    PlacementFlags flags;
    flags.gpu_layers = 0;
    EXPECT_TRUE(has(findings(flags, {"rtx-3090"}), "weights-uploaded"));
    flags.op_offload = false;
    EXPECT_FALSE(has(findings(flags, {"rtx-3090"}), "weights-uploaded"));
}

TEST(Lint, FindsWeightsOnADeviceThatDoesNotReadThem) {
    Hardware hardware = hardware_of_presets({"rtx-3090"});
    hardware.machine.backends.front().unsupported_ops = {"GET_ROWS"};
    PlacementFlags flags;
    flags.overrides = parse_overrides("token_embd=CUDA0");
    const auto list = findings_on(hardware, flags);
    EXPECT_FALSE(has(list, "weights-uploaded")) << "op offload is not the cause";
    const auto fetched = std::ranges::find(list, "weights-fetched", &Finding::rule);
    ASSERT_NE(fetched, list.end());
    EXPECT_NE(english(fetched->cause).find("token_embd.weight lies in 'CUDA0 weights', but CPU computes"),
              std::string::npos)
        << fetched->cause;
    EXPECT_NE(english(fetched->remedy).find("remove the override"), std::string::npos);
    EXPECT_FALSE(has(findings_on(hardware, {}), "weights-fetched"));
}

TEST(Lint, FindsCachesThatFlashAttentionCopies) {
    Hardware hardware = hardware_of_presets({"rtx-3090"});
    // The sample model has heads of 8, for which CUDA has no kernels.
    hardware.machine.backends.front().attention_heads.clear();
    PlacementFlags flags;
    flags.flash_attention = FlashAttention::on;
    EXPECT_FALSE(has(findings_on(hardware, flags), "caches-uploaded"));
    flags.kv_offload = false;
    const auto list = findings_on(hardware, flags);
    const auto uploaded = std::ranges::find(list, "caches-uploaded", &Finding::rule);
    ASSERT_NE(uploaded, list.end());
    EXPECT_NE(english(uploaded->remedy).find("--no-kv-offload"), std::string::npos);
    flags.flash_attention = FlashAttention::off;
    EXPECT_FALSE(has(findings_on(hardware, flags), "caches-uploaded"));
}

/// The header of Llama 3.1 8B on a laptop, with four blocks on the CPU.
std::vector<Finding> findings_with_layers_on_the_cpu(const PlacementFlags& flags) {
    const auto file = GgufFile::open(golden_models() / "header-llama-3.1-8b-q4_k_m.gguf");
    const auto model = make_model(file);
    const Hardware hardware = hardware_of_presets({"rtx-4060-laptop", "core-13700h-ddr5"});
    return lint(plan_model(*file, model.get(), hardware, flags, Generation::g2026_08));
}

TEST(Lint, NamesTheCauseOfUploadedCaches) {
    if (!std::filesystem::is_directory(golden_models()))
        GTEST_SKIP() << "*** NOT CHECKED: no golden models; set SPLITSCOPE_GOLDEN ***";
    PlacementFlags flags;
    flags.context = 32768;
    flags.gpu_layers = 29;
    const auto offloaded = findings_with_layers_on_the_cpu(flags);
    const auto found = std::ranges::find(offloaded, "caches-uploaded", &Finding::rule);
    ASSERT_NE(found, offloaded.end());
    EXPECT_EQ(english(found->cause).find("--no-kv-offload"), std::string::npos) << found->cause;
    EXPECT_EQ(english(found->remedy).find("--no-kv-offload"), std::string::npos) << found->remedy;
    EXPECT_NE(english(found->cause).find("op offload"), std::string::npos) << found->cause;
    flags.op_offload = false;
    EXPECT_FALSE(has(findings_with_layers_on_the_cpu(flags), "caches-uploaded"));
    // Without op offload, weights on a device move attention there.
    flags.flash_attention = FlashAttention::on;
    flags.overrides = parse_overrides("blk\\.0\\.attn=CUDA0");
    const auto overridden = findings_with_layers_on_the_cpu(flags);
    const auto moved = std::ranges::find(overridden, "caches-uploaded", &Finding::rule);
    ASSERT_NE(moved, overridden.end());
    EXPECT_NE(english(moved->cause).find("--override-tensor"), std::string::npos) << moved->cause;
    EXPECT_EQ(english(moved->cause).find("op offload"), std::string::npos) << moved->cause;
    // Nor does it upload the frequencies of the rotation.
    const auto weights = std::ranges::find(overridden, "weights-uploaded", &Finding::rule);
    ASSERT_NE(weights, overridden.end());
    EXPECT_NE(english(weights->cause).find("rope_freqs.weight lies in"), std::string::npos) << weights->cause;
    EXPECT_EQ(english(weights->remedy).find("op offload"), std::string::npos) << weights->remedy;
}

TEST(Lint, WritesTimesWithoutExponents) {
    if (!std::filesystem::is_directory(golden_models()))
        GTEST_SKIP() << "*** NOT CHECKED: no golden models; set SPLITSCOPE_GOLDEN ***";
    PlacementFlags flags;
    flags.context = 65536;
    flags.kv_offload = false;
    const auto list = findings_with_layers_on_the_cpu(flags);
    const auto found = std::ranges::find(list, "caches-uploaded", &Finding::rule);
    ASSERT_NE(found, list.end());
    EXPECT_NE(english(found->cause).find("--no-kv-offload"), std::string::npos) << found->cause;
    EXPECT_NE(english(found->cause).find(" ms"), std::string::npos) << found->cause;
    EXPECT_EQ(english(found->cause).find("e+"), std::string::npos) << found->cause;
}

TEST(Lint, FindsSharesWithoutADevice) {
    PlacementFlags flags;
    flags.tensor_split = {3, 1, 1};
    const auto list = findings(flags, {"rtx-3090"});
    const auto unused = std::ranges::find(list, "shares-unused", &Finding::rule);
    ASSERT_NE(unused, list.end());
    EXPECT_EQ(english(unused->what), "--tensor-split has 3 shares, but only 1 can be used");
    EXPECT_FALSE(has(findings(flags, {"rtx-3090", "rtx-3090", "rtx-3060"}), "shares-unused"));
    flags.tensor_split.clear();
    EXPECT_FALSE(has(findings(flags, {"rtx-3090"}), "shares-unused"));
}

TEST(Lint, FindsAttentionOnTheCpu) {
    PlacementFlags flags;
    flags.flash_attention = FlashAttention::on;
    using Types = std::pair<ElementType, ElementType>;
    for (const auto& [k, v] :
         {Types(ElementType::q5_1, ElementType::q5_1), Types(ElementType::q8_0, ElementType::q4_0),
          Types(ElementType::f16, ElementType::q8_0)}) {
        SCOPED_TRACE(std::string(name_of(k)) + "/" + std::string(name_of(v)));
        flags.cache_type_k = k;
        flags.cache_type_v = v;
        const auto list = findings(flags, {"rtx-3090"});
        EXPECT_TRUE(has(list, "cpu-detour"));
        EXPECT_TRUE(has(list, "attention-unsupported"));
        const auto detour = std::ranges::find(list, "cpu-detour", &Finding::rule);
        ASSERT_NE(detour, list.end());
        EXPECT_NE(english(detour->cause).find(" and takes about "), std::string::npos)
            << "what it costs: " << detour->cause;
    }
    // The sample model has heads of 8, for which CUDA has no kernels.
    Hardware any_heads = hardware_of_presets({"rtx-3090"});
    any_heads.machine.backends.front().attention_heads.clear();
    // As in default builds.
    for (const ElementType type :
         {ElementType::f16, ElementType::bf16, ElementType::q8_0, ElementType::q4_0}) {
        flags.cache_type_k = flags.cache_type_v = type;
        EXPECT_FALSE(has(findings_on(any_heads, flags), "attention-unsupported")) << name_of(type);
        EXPECT_TRUE(has(findings(flags, {"rtx-3090"}), "cpu-detour")) << name_of(type);
    }
    // Vulkan devices support all of them.
    flags.cache_type_k = ElementType::q8_0;
    flags.cache_type_v = ElementType::q5_1;
    for (const DevicePreset& preset : device_presets()) {
        if (preset.family != "Vulkan") continue;
        EXPECT_FALSE(has(findings(flags, {preset.name}), "attention-unsupported")) << preset.name;
    }
}

TEST(Lint, AutomaticAttentionIsTurnedOffWhenItWouldLeaveItsDevice) {
    PlacementFlags flags;
    flags.flash_attention = FlashAttention::automatic;
    flags.cache_type_k = ElementType::q5_1;
    const auto keys_only = findings(flags, {"rtx-3090"});
    EXPECT_FALSE(has(keys_only, "cannot-run"));
    EXPECT_FALSE(has(keys_only, "attention-unsupported"));
    // Quantised values enable it, on the CPU if need be.
    flags.cache_type_v = ElementType::q5_1;
    const auto both = findings(flags, {"rtx-3090"});
    EXPECT_FALSE(has(both, "cannot-run"));
    EXPECT_TRUE(has(both, "attention-unsupported"));
}

/// Blocks of a hybrid without attention count as well.
TEST(Lint, KnowsTheBlockOfEachAttention) {
    const std::filesystem::path path = test::golden_headers() / "qwen3next-moe.gguf";
    if (!std::filesystem::exists(path))
        GTEST_SKIP() << "*** NOT CHECKED: no golden archs; set SPLITSCOPE_GOLDEN ***";
    const auto file = GgufFile::open(path);
    const auto model = make_model(file);
    PlacementFlags flags;
    flags.context = 512;
    flags.tensor_split = {1, 2};
    const ModelPlan plan = plan_model(*file, model.get(), hardware_of_presets({"rtx-3090", "rtx-3090"}),
                                      flags, Generation::g2026_08);
    ASSERT_TRUE(plan.layout->flash_attention);
    EXPECT_FALSE(has(lint(plan), "attention-unsupported"));
}

/// One layer fewer does not disable it then.
TEST(Lint, RequestedPipeliningIsTurnedOffInTheMachine) {
    PlacementFlags flags;
    flags.pipeline = true;
    const auto list = findings(flags, {"rtx-3060", "rtx-3060"});
    const auto found = std::ranges::find(list, "pipelining-multiplies-inputs", &Finding::rule);
    ASSERT_NE(found, list.end());
    EXPECT_EQ(found->remedy, Message(msg::kAcceptOrNotParallel));
}

TEST(Lint, FindsTheCostOfPipelining) {
    const auto file = GgufFile::open(sample_model_path());
    const auto model = make_model(file);
    const ModelPlan plan = plan_model(*file, model.get(), hardware_of_presets({"rtx-3090", "rtx-3090"}), {},
                                      Generation::g2026_08);
    ASSERT_TRUE(plan.layout->pipeline.on);
    std::uint64_t bytes = 0;
    for (const DevicePlan& d : plan.devices) bytes += d.pipeline;
    EXPECT_GT(bytes, 0U);
    EXPECT_EQ(plan.devices[0].offload_from, 32);
}

Session graph_session() {
    return default_session(open_file(sample_model_path()));
}

TEST(Lint, ChecksAnyScheduledGraph) {
    Session session = graph_session();
    session.model_options.gpu_layers = GpuLayers::all();
    EXPECT_FALSE(has(lint(*analyse(session)), "cpu-detour"));
    session.machine.backends.front().unsupported_ops = {"SOFT_MAX"};
    const auto list = lint(*analyse(session));
    ASSERT_TRUE(has(list, "cpu-detour"));
    EXPECT_NE(english(list.front().what).find("SOFT_MAX makes 4 round trips from GPU0"), std::string::npos)
        << list.front().what;
    // The node is named, not the file.
    EXPECT_EQ(list.front().finding(), list.front().what);
    EXPECT_NE(english(list.front().cause).find("kq_soft_max-"), std::string::npos) << list.front().cause;
}

/// A remedy of attention does not help the router of experts.
TEST(Lint, RemediesOfRefusalsDependOnTheNode) {
    Session session = graph_session();
    session.model_options.gpu_layers = GpuLayers::all();
    session.machine.backends.front().unsupported_ops = {"SOFT_MAX"};
    const auto attention = lint(*analyse(session));
    const auto scores = std::ranges::find(attention, "cpu-detour", &Finding::rule);
    ASSERT_NE(scores, attention.end());
    EXPECT_EQ(scores->remedy, Message(msg::kChooseSupportedCaches));
    const test::TemporaryFile place("");
    RandomModelOptions options;
    options.layers = 4;
    options.experts = 4;
    options.experts_used = 2;
    options.header_only = true;
    write_random_model(place.path(), options);
    const auto file = GgufFile::open(place.path());
    const auto model = make_model(file);
    Hardware hardware = hardware_of_presets({"rtx-3090"});
    hardware.machine.backends.front().unsupported_ops = {"SOFT_MAX"};
    PlacementFlags flags;
    flags.context = 256;
    const auto list = lint(plan_model(*file, model.get(), hardware, flags, Generation::g2026_08));
    const auto router = std::ranges::find(list, "cpu-detour", &Finding::rule);
    ASSERT_NE(router, list.end());
    EXPECT_NE(english(router->cause).find("ffn_moe_probs-0"), std::string::npos) << router->cause;
    EXPECT_EQ(router->remedy, Message(msg::kUseSupportingDevice));
}

TEST(Lint, FindsContextsBeyondTheTraining) {
    const std::uint32_t trained = trained_context(*GgufFile::open(sample_model_path()));
    ASSERT_GT(trained, 0U);
    PlacementFlags flags;
    const auto remedy = [&] {
        const auto list = findings(flags, {"rtx-3090"});
        const auto found = std::ranges::find(list, "context-beyond-training", &Finding::rule);
        if (found == list.end()) return Message();
        EXPECT_EQ(found->severity, Severity::note);
        return found->remedy;
    };
    flags.context = trained;
    EXPECT_EQ(remedy(), Message());
    flags.context = 2 * trained;
    EXPECT_EQ(remedy(), Message(msg::kLowerContextTo(trained)));
    // The context of one sequence counts.
    flags.sequences = 4;
    flags.context = 4 * trained;
    EXPECT_EQ(remedy(), Message());
    flags.unified_cache = true;
    EXPECT_EQ(remedy(), Message(msg::kLowerUnsharedContext(trained)));
    Session session = graph_session();
    session.model_options.context = 2 * trained;
    EXPECT_TRUE(has(lint(*analyse(session)), "context-beyond-training"));
    session.model_options.context = trained;
    EXPECT_FALSE(has(lint(*analyse(session)), "context-beyond-training"));
}

TEST(Lint, FindsSplitsWithTooManyInputs) {
    const auto list = lint(*analyse(test::crowded_session()));
    ASSERT_TRUE(has(list, "split-input-limit"));
    EXPECT_TRUE(std::ranges::find(list, "split-input-limit", &Finding::rule)->split.valid());
}

TEST(Lint, ReportsAssumptionsOfAnImport) {
    Session session = graph_session();
    auto file = std::make_shared<OpenedFile>(*session.file);
    file->remarks = {msg::kLogPartsNotUnderstood(3, 7, Message::verbatim("x"))};
    session.file = file;
    const auto list = lint(*analyse(session));
    ASSERT_TRUE(has(list, "import-remark"));
    EXPECT_EQ(std::ranges::find(list, "import-remark", &Finding::rule)->severity, Severity::note);
}

/// The same rules apply to plans and to the displayed schedule.
TEST(Lint, ChecksDisplayedGraphsByTheRulesOfPlans) {
    Session session = graph_session();
    use_presets(session, {"rtx-3090:0.0001"});
    session.model_options.gpu_layers = GpuLayers::all();
    session.model_options.overrides = parse_overrides("no_such_tensor=CPU");
    const auto shown = lint(*analyse(session));
    const auto planned = lint(plan_session(session));
    for (const char* rule : {"does-not-fit", "override-matches-nothing"}) {
        EXPECT_TRUE(has(shown, rule)) << rule;
        EXPECT_TRUE(has(planned, rule)) << rule;
    }
    session = graph_session();
    session.model_options.gpu_layers = GpuLayers::all();
    session.machine.backends.front().unsupported_ops = {"MUL_MAT"};
    const auto fallback = lint(*analyse(session));
    const auto found = std::ranges::find(fallback, "cpu-fallback", &Finding::rule);
    const auto detour = std::ranges::find(fallback, "cpu-detour", &Finding::rule);
    EXPECT_TRUE(found != fallback.end() || detour != fallback.end());
}

/// What is true of the prompt is found while one token is displayed, and the reverse.
TEST(Lint, ChecksTheGraphThatIsNotDisplayed) {
    Session session = graph_session();
    use_presets(session, {"rtx-3090"});
    session.model_options.gpu_layers = 0;
    const auto findings_of = [&](GraphKind kind) {
        session.model_options.kind = kind;
        const ModelPlan plan = plan_session(session);
        return lint(*analyse(session), &plan);
    };
    const ModelPlan plan = plan_session(session);
    ASSERT_TRUE(has(lint(plan), "weights-uploaded"));
    const auto of_decode = findings_of(GraphKind::decode);
    const auto uploaded = std::ranges::find(of_decode, "weights-uploaded", &Finding::rule);
    ASSERT_NE(uploaded, of_decode.end());
    EXPECT_NE(english(uploaded->what).find("of a prompt of "), std::string::npos) << uploaded->what;
    EXPECT_FALSE(uploaded->tensor.valid());
    EXPECT_FALSE(uploaded->split.valid());
    const auto of_prompt = findings_of(GraphKind::prefill);
    EXPECT_TRUE(has(of_prompt, "weights-uploaded"));
    EXPECT_EQ(std::ranges::count(of_prompt, "weights-uploaded", &Finding::rule), 1);
}

TEST(Lint, FindsTensorsOnIncapableBackends) {
    Session session = graph_session();
    session.model_options.gpu_layers = GpuLayers::all();
    // Writes into a cache can only be computed where the cache is.
    session.machine.backends.front().unsupported_ops = {"SET_ROWS"};
    const auto list = lint(*analyse(session));
    ASSERT_TRUE(has(list, "scheduler-aborts"));
    EXPECT_EQ(list.front().severity, Severity::error);
}

}  // namespace
}  // namespace splitscope
