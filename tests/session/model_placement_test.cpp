// SPDX-License-Identifier: MIT
#include "engine/session/model_placement.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/formats/gguf.hpp"
#include "engine/messages/render.hpp"
#include "engine/models/hyperparameters.hpp"
#include "engine/models/placement/cache_layout.hpp"
#include "engine/models/placement/override_matcher.hpp"
#include "engine/session/placed_graph.hpp"
#include "engine/support/error.hpp"
#include "tests/formats/gguf_writer.hpp"
#include "tests/session/sample_session.hpp"

namespace splitscope {
namespace {

Machine with_accelerators(int count) {
    Machine machine = default_machine();
    const MachineBackend gpu = machine.backends.front();
    for (int i = 1; i < count; ++i) machine.backends.insert(machine.backends.begin(), gpu);
    return machine;
}

/// Backends of the input layer, the blocks and the output layer.
std::vector<int> backends(const Machine& machine, std::uint32_t blocks, GpuLayers gpu_layers) {
    PlacementFlags flags;
    flags.gpu_layers = gpu_layers;
    const LayerDevices layers(hardware_of(machine, {}, nullptr), flags, blocks);
    std::vector<int> out;
    for (std::int32_t layer = -1; layer <= static_cast<std::int32_t>(blocks); ++layer)
        out.push_back(layers.backend_of(layer).value);
    return out;
}

// Input layer first, then the blocks, then the output layer; placement.md §2, "Examples".
TEST(LayerDevices, OneLayerMeansTheOutputLayer) {
    EXPECT_EQ(backends(with_accelerators(1), 4, 1), (std::vector{1, 1, 1, 1, 1, 0}));
}

TEST(LayerDevices, AreSharedEvenlyByTwoDevices) {
    EXPECT_EQ(backends(with_accelerators(2), 4, 5), (std::vector{2, 0, 0, 0, 1, 1}));
}

TEST(LayerDevices, ExcessLayersMeanAll) {
    EXPECT_EQ(backends(with_accelerators(1), 2, 99), (std::vector{1, 0, 0, 0}));
}

TEST(LayerDevices, DefaultToTheCpuWithoutAccelerators) {
    EXPECT_EQ(backends(testing::cpu_only(), 2, 99), (std::vector{0, 0, 0, 0}));
}

TEST(DeviceList, BeginsWithDevicesOfOtherMachines) {
    Machine machine = with_accelerators(3);
    for (std::size_t b = 0; b < 3; ++b) machine.backends[b].name = "GPU" + std::to_string(b);
    machine.backends[2].claims_all = true;
    const Hardware hardware = hardware_of(machine, {}, nullptr);
    const std::vector<BackendId> remote_first{BackendId(2), BackendId(0), BackendId(1)};
    EXPECT_EQ(device_list(hardware, {}), remote_first);
    PlacementFlags flags;
    flags.devices = {"GPU1", "GPU2"};
    EXPECT_EQ(device_list(hardware, flags), (std::vector<BackendId>{BackendId(1), BackendId(2)}))
        << "as given";
    flags = {};
    flags.split_mode = SplitMode::none;
    EXPECT_EQ(device_list(hardware, flags), std::vector<BackendId>{BackendId(2)});
    // The scheduler gets the list, then what works in host memory.
    EXPECT_EQ(scheduled_backends(machine, remote_first),
              (std::vector<BackendId>{BackendId(2), BackendId(0), BackendId(1), BackendId(3)}));
    machine.backends[0].device = DeviceKind::accel;
    EXPECT_EQ(scheduled_backends(machine, {BackendId(1)}),
              (std::vector<BackendId>{BackendId(1), BackendId(0), BackendId(3)}));
    EXPECT_EQ(scheduled_backends(machine, {BackendId(1), BackendId(2)}),
              (std::vector<BackendId>{BackendId(1), BackendId(2), BackendId(0), BackendId(3)}));
    EXPECT_TRUE(scheduled_backends(default_machine(), {BackendId(0)}).empty()) << "all, as listed";
}

TEST(DeviceList, MainGpuMustExistForPrograms) {
    const Hardware hardware = hardware_of(with_accelerators(2), {}, nullptr);
    const Hardware cpu = hardware_of(testing::cpu_only(), {}, nullptr);
    PlacementFlags flags;
    flags.split_mode = SplitMode::none;
    for (const Generation generation : {Generation::g2024_10, Generation::g2025_06, Generation::g2026_08}) {
        EXPECT_NO_THROW(require_main_gpu(hardware, flags, generation));
        const bool newest = generation == Generation::g2026_08;
        if (newest)
            EXPECT_NO_THROW(require_main_gpu(cpu, flags, generation));
        else
            EXPECT_THROW(require_main_gpu(cpu, flags, generation), Error);
    }
    flags.main_gpu = -1;
    EXPECT_THROW(require_main_gpu(hardware, flags, Generation::g2024_10), Error);
    EXPECT_NO_THROW(require_main_gpu(hardware, flags, Generation::g2025_06));
    EXPECT_NO_THROW(require_main_gpu(cpu, flags, Generation::g2025_06));
}

TEST(AcceleratedLayers, UsesHalfByDefaultAndAllOnRequest) {
    Session session = testing::sample_session();
    const auto all = static_cast<std::int32_t>(session.file->model->shape().layers) + 1;
    EXPECT_EQ(accelerated_layers(session), (all + 1) / 2);
    session.model_options.gpu_layers = GpuLayers::all();
    EXPECT_EQ(accelerated_layers(session), all);
    session.model_options.split_mode = SplitMode::none;
    session.model_options.main_gpu = 7;
    EXPECT_EQ(accelerated_layers(session), 0) << "there is no such device";
}

TEST(ContextCells, AreRoundedUpAndLimited) {
    Session session = testing::sample_session();
    EXPECT_EQ(context_cells(session), 256U);
    session.model_options.context = 257;
    EXPECT_EQ(context_cells(session), 512U);
}

TEST(PlacementFlags, FollowTheSession) {
    Session session = testing::sample_session();
    session.machine.op_offload = false;
    session.model_options.flash_attention = true;
    session.model_options.flash_attention_if_supported = true;
    session.model_options.cache_type_v = ElementType::q8_0;
    session.model_options.cpu_expert_blocks = 2;
    session.model_options.overrides = parse_overrides("ffn_up=CPU");
    PlacementFlags flags = placement_flags(session);
    EXPECT_FALSE(flags.op_offload);
    EXPECT_EQ(flags.flash_attention, FlashAttention::automatic);
    EXPECT_EQ(flags.cache_type_k, ElementType::f32) << "the cache is small";
    EXPECT_EQ(flags.cache_type_v, ElementType::q8_0);
    ASSERT_EQ(flags.overrides.size(), 3U);
    EXPECT_EQ(flags.overrides[0].pattern, "ffn_up");
    EXPECT_EQ(flags.layer_rule, LayerRule::output_first);
    session.generation = Generation::g2024_10;
    EXPECT_EQ(placement_flags(session).layer_rule, LayerRule::blocks_first);
}

TEST(DefaultOptions, FollowTheProgram) {
    Session session = testing::sample_session();
    const GgufFile& file = session.file->model->file();
    session.model_options =
        default_options(Program::llama_server, Generation::g2026_08, file, session.machine);
    PlacementFlags flags = placement_flags(session);
    EXPECT_EQ(flags.gpu_layers, GpuLayers::all());
    EXPECT_EQ(flags.context, session.file->model->shape().context);
    EXPECT_EQ(flags.micro_batch, 512U);
    EXPECT_EQ(flags.flash_attention, FlashAttention::automatic);
    EXPECT_EQ(flags.cache_type_v, ElementType::f16);
    EXPECT_EQ(flags.sequences, 4U);
    EXPECT_TRUE(flags.unified_cache);
    EXPECT_EQ(max_results(flags, 2048), 4U);
    EXPECT_EQ(flags, placement_flags(session.model_options, file, session.machine, session.generation))
        << "a session and a file alone are placed alike";
    flags = default_flags(Program::llama_bench, Generation::g2026_08);
    EXPECT_EQ(flags.sequences, 1U);
    EXPECT_EQ(max_results(flags, 512), 512U);
    EXPECT_EQ(default_flags(Program::llama_server, Generation::g2025_06).gpu_layers, 0);
    EXPECT_EQ(default_flags(Program::llama_server, Generation::g2025_06).context, 4096U);
    EXPECT_EQ(default_flags(Program::llama_server, Generation::g2025_06, true).gpu_layers, GpuLayers::all())
        << "Metal";
    EXPECT_EQ(default_flags(Program::llama_cli, Generation::g2024_01).batch, 512U);
    for (const Program program : kPrograms) EXPECT_EQ(program_named(name_of(program)), program);
}

TEST(DefaultOptions, ShareCachesOfSequencesPerProgram) {
    PlacementFlags flags;
    set_parallel(flags, Program::llama_server, Generation::g2026_08, 3, std::nullopt);
    EXPECT_EQ(flags.sequences, 3U);
    EXPECT_FALSE(flags.unified_cache);
    set_parallel(flags, Program::llama_server, Generation::g2026_08, 3, true);
    EXPECT_TRUE(flags.unified_cache);
    set_parallel(flags, Program::llama_server, Generation::g2026_08, -1, std::nullopt);
    EXPECT_EQ(flags.sequences, 4U);
    set_parallel(flags, Program::llama_cli, Generation::g2025_06, 2, false);
    EXPECT_TRUE(flags.unified_cache) << "there was no other cache";
    set_parallel(flags, Program::llama_server, Generation::g2024_10, 2, std::nullopt);
    EXPECT_EQ(flags.sequences, 3U) << "one is the server's own";
}

TEST(DefaultOptions, CommandLineReproducesTheFlags) {
    for (const Program program : kPrograms) {
        for (const Generation generation : kGenerations) {
            PlacementFlags flags = default_flags(program, generation);
            set_parallel(flags, program, generation, 2, std::nullopt);
            const std::string line = command_line_of(flags, program, generation);
            EXPECT_NE((line + " ").find("-np 2 "), std::string::npos) << name_of(program) << ' ' << line;
            EXPECT_EQ(line.find("-kvu"), std::string::npos) << name_of(program) << ' ' << line;
        }
    }
}

TEST(PlacedModel, NamesItsBuffersInTheMachine) {
    Session session = testing::sample_session();
    const auto names = [&] {
        std::vector<std::string> out;
        const auto analysis = analyse(session);
        for (const auto& buffer : analysis->machine->buffers) out.push_back(buffer.name);
        std::ranges::sort(out);
        return out;
    };
    EXPECT_EQ(names(),
              (std::vector<std::string>{"CPU cache", "CPU_Mapped weights", "GPU0 cache", "GPU0 weights"}));
    session.model_options.memory_map = false;
    session.model_options.kv_offload = false;
    EXPECT_EQ(names(), (std::vector<std::string>{"CPU cache", "CPU weights", "GPU0 weights"}));
}

TEST(SlidingBlocks, AreThoseOfTheGraph) {
    const auto check = [](const std::string& architecture, std::uint32_t blocks, std::uint32_t predicting) {
        test::GgufWriter writer;
        writer.text("general.architecture", architecture);
        for (const auto& [key, value] : std::initializer_list<std::pair<const char*, std::uint32_t>>{
                 {"block_count", blocks},
                 {"nextn_predict_layers", predicting},
                 {"embedding_length", 64},
                 {"context_length", 128},
                 {"attention.head_count", 4},
                 {"attention.sliding_window", 16}})
            writer.number(architecture + "." + key, value);
        const test::TemporaryFile stored(writer.bytes());
        const auto file = GgufFile::open(stored.path());
        const std::vector<bool> slides = sliding_blocks(*file);
        EXPECT_EQ(slides, read_hyperparameters(*file).sliding) << architecture;
        EXPECT_NE(std::ranges::find(slides, true), slides.end()) << architecture;
    };
    check("exaone4", 65, 1);  // slides with 64 blocks beside those of MTP
    check("gemma4", 4, 0);    // whose file names the blocks
}

TEST(PlacedModel, MappedWeightsAvoidTheTypeOfADevice) {
    Session session = testing::sample_session();
    const BufferTypeId of_device = session.machine.backends.front().buffer_type;
    session.machine.buffer_types[of_device.index()].name = "CPU_Mapped";
    const auto analysis = analyse(session);
    const auto& types = analysis->machine->buffer_types;
    std::size_t mapped = 0;
    for (const auto& buffer : analysis->machine->buffers) {
        if (buffer.buffer_type == of_device || types[buffer.buffer_type.index()].name == "CPU") continue;
        EXPECT_EQ(types[buffer.buffer_type.index()].name, "CPU_Mapped2");
        EXPECT_TRUE(types[buffer.buffer_type.index()].is_host);
        ++mapped;
    }
    EXPECT_EQ(mapped, 1U);
}

/// The error names the type, and the types that do not need flash attention.
TEST(ModelPlacement, QuantisedValuesNeedFlashAttention) {
    const auto refusal = [](const auto& decide) {
        try {
            decide();
        } catch (const Error& error) {
            return std::pair(english(error.problem()), english(error.remedy()));
        }
        return std::pair(std::string(), std::string());
    };
    Session session = testing::sample_session();
    session.model_options.flash_attention = false;
    session.model_options.cache_type_v = ElementType::q5_1;
    const auto off = refusal([&] { analyse(session); });
    EXPECT_NE(off.first.find("V cache of type q5_1"), std::string::npos) << off.first;
    EXPECT_NE(off.second.find("enable flash attention, or use f16, bf16 or f32"), std::string::npos)
        << off.second;
    // Not where the architecture has no flash attention.
    const test::TemporaryFile file(test::GgufWriter().text("general.architecture", "grok").bytes());
    PlacementFlags flags;
    flags.cache_type_v = ElementType::q8_0;
    const auto opened = GgufFile::open(file.path());
    const Hardware hardware = hardware_of(default_machine(), {}, nullptr);
    const auto never = refusal([&] {
        decide_layout(*opened, static_cast<const Model*>(nullptr), hardware, flags, Generation::g2026_08, {});
    });
    EXPECT_NE(never.first.find("q8_0"), std::string::npos) << never.first;
    EXPECT_EQ(never.second.find("enable"), std::string::npos) << never.second;
    EXPECT_NE(never.second.find("f16"), std::string::npos) << never.second;
}

TEST(OverrideUses, AreCountedPerRule) {
    Session session = testing::sample_session();
    session.model_options.overrides = parse_overrides("ffn_up=CPU,ffn_=CPU,nothing=GPU0");
    const auto uses = override_uses(session);
    ASSERT_EQ(uses.size(), 3U);
    EXPECT_EQ(uses[0].decided, session.file->model->shape().layers);
    EXPECT_EQ(uses[1].shadowed, uses[0].decided);
    EXPECT_EQ(uses[2].decided, 0U);
    session.model_options.overrides = parse_overrides("ffn_up=Moon");
    EXPECT_THROW(override_uses(session), Error);
    EXPECT_THROW(analyse(session), Error);
}

TEST(OverrideUses, StopCountingBeforeItTakesTooLong) {
    const Session session = testing::sample_session();
    OverrideMatcher matcher(session.machine,
                            std::vector<OverrideRule>(390, {"[ab]{1000}$", "CPU", "--override-tensor"}));
    const auto match_all = [&] {
        for (int i = 0; i < 100; ++i) matcher.match(std::string(kMaxNameBytes, 'z'));
    };
    EXPECT_THROW(match_all(), Error);
}

TEST(FlashAttention, FollowsTheGeneration) {
    Session session = testing::sample_session();
    use_defaults(session, Program::llama_server);
    const auto has_it = [](const Analysis& analysis) {
        return std::ranges::any_of(analysis.graph->nodes, [&](TensorId node) {
            return (*analysis.graph)[node].op == Op::flash_attn_ext;
        });
    };
    EXPECT_TRUE(has_it(*analyse(session)));
    session.generation = Generation::g2024_01;
    const auto early = analyse(session);
    EXPECT_FALSE(early->schedule->error);
    EXPECT_FALSE(has_it(*early));
    EXPECT_FALSE(early->notes.empty());
    // Requested values, and their effect in that generation.
    session.model_options.flash_attention_if_supported = false;
    EXPECT_TRUE(analyse(session)->schedule->error);
}

TEST(Assignments, ManualOnesOverrideTheBuilders) {
    Session session = testing::sample_session();
    const auto usual = analyse(session);
    ASSERT_FALSE(usual->machine->assignments.empty()) << "norms are pinned in small batches";
    const Assignment pinned = usual->machine->assignments.back();
    const BackendId other(pinned.backend.index() == 0 ? 1 : 0);
    session.machine.assignments = {{pinned.tensor, other}};
    const auto changed = analyse(session);
    EXPECT_EQ(changed->schedule->backend[pinned.tensor.index()], other);
    EXPECT_EQ(changed->machine->assignments.size(), usual->machine->assignments.size());
}

/// A prompt is reserved for the context of all streams, not for that of one, and its outputs are not rounded
/// up to a multiple of the sequences (llama.cpp's `sched_reserve` lines).
TEST(WorstCase, ReservesPromptsForTheContextOfAllStreams) {
    const Session session = testing::sample_session();
    const Model& model = *session.file->model;
    const auto layout_of = [&](std::uint32_t context, std::uint32_t sequences) {
        PlacementFlags flags = placement_flags(session);
        flags.context = context;
        flags.sequences = sequences;
        flags.batch = flags.micro_batch = 512;
        return *decide_layout(model.file(), &model, hardware_of(session), flags, Generation::g2026_08).layout;
    };
    const ModelLayout four = layout_of(1024, 4);
    EXPECT_EQ(four.cache_layout.context.cells, 256U);
    EXPECT_EQ(prompt_tokens_at_once(four), 512U);
    const ModelLayout three = layout_of(3072, 3);
    const ModelGraphOptions prompt =
        worst_case_prompt(three, Generation::g2026_08, prompt_tokens_at_once(three));
    EXPECT_EQ(prompt.tokens, 513U);
    EXPECT_EQ(prompt.outputs, 512U);
    const ModelGraphOptions decode = worst_case_decode(three, Generation::g2026_08);
    EXPECT_EQ(decode.tokens, 3U);
    EXPECT_EQ(decode.outputs, 3U);
}

/// A prompt of one token has one result, even where a decode graph of several sequences has as many tokens.
TEST(WorstCase, PromptsOfOneTokenHaveOneResult) {
    const Session session = testing::sample_session();
    const Model& model = *session.file->model;
    PlacementFlags flags = placement_flags(session);
    flags.sequences = 2;
    flags.micro_batch = 1;
    const ModelLayout layout =
        *decide_layout(model.file(), &model, hardware_of(session), flags, Generation::g2026_08).layout;
    ASSERT_EQ(prompt_tokens_at_once(layout), 1U);
    const ModelGraphOptions prompt = worst_case_prompt(layout, Generation::g2026_08, 1);
    EXPECT_EQ(prompt.tokens, 2U);
    EXPECT_EQ(prompt.outputs, 1U);
    EXPECT_EQ(worst_case_decode(layout, Generation::g2026_08).outputs, 2U);
}

}  // namespace
}  // namespace splitscope
