// SPDX-License-Identifier: MIT
// Devices that --device or --split-mode none leave out are no part of the plan.
#include <algorithm>

#include <gtest/gtest.h>

#include "engine/formats/machine_json.hpp"
#include "engine/models/random_model.hpp"
#include "engine/planning/companions.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/planning/lint.hpp"
#include "engine/planning/messages.hpp"
#include "engine/planning/suggest.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/session/resources.hpp"
#include "engine/support/error.hpp"
#include "tests/formats/gguf_writer.hpp"

namespace splitscope {
namespace {

constexpr std::array kSchedulers = {Generation::g2024_10, Generation::g2025_06, Generation::g2026_08};
const std::vector<std::string> kComputer = {"rtx-4060-laptop", "core-13700h-ddr5"};

/// The shape of an 8B model, header only.
struct Header {
    Header() {
        const test::TemporaryFile place("");
        RandomModelOptions options = kShapeOf8b;
        options.type = ElementType::q4_0;
        options.header_only = true;
        write_random_model(place.path(), options);
        file = GgufFile::open(place.path());
        model = make_model(file);
    }
    std::shared_ptr<const GgufFile> file;
    std::shared_ptr<const Model> model;
};

const Header& header() {
    static const Header made;
    return made;
}

PlacementFlags flags_of(Generation generation) {
    PlacementFlags flags = default_flags(Program::llama_cli, generation);
    flags.context = 2048;
    flags.gpu_layers = GpuLayers::all();
    return flags;
}

ModelPlan plan(const std::vector<std::string>& devices, const PlacementFlags& flags, Generation generation) {
    return plan_model(*header().file, header().model.get(), hardware_of_presets(devices), flags, generation);
}

/// Tables list devices in the machine's order.
TEST(OrderOfDevices, IsNotedWhereSharesCountOtherwise) {
    const PlacementFlags flags = flags_of(Generation::g2026_08);
    Hardware hardware = hardware_of_presets({"rtx-3090", "rtx-3060"});
    const auto notes = [&] {
        return plan_model(*header().file, header().model.get(), hardware, flags, Generation::g2026_08).notes;
    };
    const Message order = msg::kOrderOfShares("RPC0, CUDA0");
    const std::vector<Message> usual = notes();
    EXPECT_EQ(std::ranges::count(usual, order), 0);
    hardware.machine.backends[1].name = "RPC0";
    hardware.machine.backends[1].claims_all = true;
    const std::vector<Message> noted = notes();
    EXPECT_EQ(std::ranges::count(noted, order), 1);
}

void expect_same_device(const DevicePlan& a, const DevicePlan& b) {
    EXPECT_EQ(a.name.substr(0, 3), b.name.substr(0, 3));
    EXPECT_EQ(a.weights, b.weights);
    EXPECT_EQ(a.cache, b.cache);
    EXPECT_EQ(a.compute, b.compute);
    EXPECT_EQ(a.output, b.output);
    EXPECT_EQ(a.pipeline, b.pipeline);
    EXPECT_EQ(a.offload_from, b.offload_from);
}

void expect_same_graphs(const ModelPlan& a, const ModelPlan& b) {
    EXPECT_EQ(a.verdict, b.verdict);
    EXPECT_EQ(a.layout->flash_attention, b.layout->flash_attention);
    EXPECT_EQ(a.layout->pipeline.on, b.layout->pipeline.on);
    for (const auto graph : {&ModelPlan::decode, &ModelPlan::prompt}) {
        ASSERT_TRUE(a.*graph && b.*graph);
        const PlannedGraph& x = *(a.*graph);
        const PlannedGraph& y = *(b.*graph);
        EXPECT_EQ(x.nodes, y.nodes);
        EXPECT_EQ(x.splits, y.splits);
        EXPECT_EQ(x.copied_bytes, y.copied_bytes);
        EXPECT_EQ(x.uploaded_weight_bytes, y.uploaded_weight_bytes);
        EXPECT_DOUBLE_EQ(x.cost.seconds, y.cost.seconds);
    }
}

TEST(ExcludedDevices, NoDeviceIsPlannedLikeTheCpuAlone) {
    for (const Generation generation : kSchedulers) {
        SCOPED_TRACE(name_of(generation));
        const PlacementFlags flags = flags_of(generation);
        const ModelPlan alone = plan({"core-13700h-ddr5"}, flags, generation);
        const auto expect_cpu_only = [&](const PlacementFlags& without) {
            const ModelPlan none = plan(kComputer, without, generation);
            EXPECT_EQ(none.devices[0].total(), 0U);
            EXPECT_FALSE(none.devices[0].offload_from);
            expect_same_device(none.devices[1], alone.devices[0]);
            expect_same_graphs(none, alone);
            for (const Finding& finding : lint(none)) EXPECT_NE(finding.rule, "weights-uploaded");
        };
        PlacementFlags without = flags;
        without.devices = {"none"};
        expect_cpu_only(without);
        without = flags;
        without.split_mode = SplitMode::none;
        without.main_gpu = -1;
        if (generation == Generation::g2024_10)
            EXPECT_THROW(plan(kComputer, without, generation), Error);
        else
            expect_cpu_only(without);
    }
}

TEST(ExcludedDevices, OneOfTwoIsPlannedAsIfAlone) {
    for (const Generation generation : kSchedulers) {
        for (const GpuLayers layers : {GpuLayers::all(), GpuLayers(5), GpuLayers(0)}) {
            SCOPED_TRACE(name_of(generation));
            PlacementFlags flags = flags_of(generation);
            flags.gpu_layers = layers;
            const ModelPlan alone = plan({"rtx-4090"}, flags, generation);
            PlacementFlags main = flags;
            main.split_mode = SplitMode::none;
            main.main_gpu = 1;
            PlacementFlags named = flags;
            named.devices = {"CUDA1"};
            for (const PlacementFlags& one : {main, named}) {
                const ModelPlan two = plan({"rtx-3060", "rtx-4090"}, one, generation);
                EXPECT_EQ(two.devices[0].total(), 0U);
                expect_same_device(two.devices[1], alone.devices[0]);
                expect_same_device(two.devices[2], alone.devices[1]);
                expect_same_graphs(two, alone);
            }
        }
    }
}

/// --device a,b gives the scheduler's priorities, too.
TEST(ExcludedDevices, GivenOrderIsThePriority) {
    PlacementFlags flags = flags_of(Generation::g2026_08);
    flags.gpu_layers = 6;
    flags.tensor_split = {1, 2};
    const ModelPlan swapped = plan({"rtx-4090", "rtx-3060"}, flags, Generation::g2026_08);
    flags.devices = {"CUDA1", "CUDA0"};
    const ModelPlan given = plan({"rtx-3060", "rtx-4090"}, flags, Generation::g2026_08);
    expect_same_device(given.devices[0], swapped.devices[1]);
    expect_same_device(given.devices[1], swapped.devices[0]);
    expect_same_device(given.devices[2], swapped.devices[2]);
    expect_same_graphs(given, swapped);
}

TEST(ExcludedDevices, CpuAndRepeatedDevicesAreRefused) {
    PlacementFlags flags = flags_of(Generation::g2026_08);
    for (const std::vector<std::string>& devices :
         {std::vector<std::string>{"CUDA0", "CUDA0"}, {"CPU"}, {"CUDA1", "CPU"}}) {
        flags.devices = devices;
        EXPECT_THROW(plan({"rtx-3060", "rtx-4090"}, flags, Generation::g2026_08), Error) << devices.back();
    }
}

/// A machine keeps them when devices are added.
TEST(ExcludedDevices, StayExcludedBesideAnAddedDevice) {
    Session session = default_session(open_file(sample_model_path()));
    use_presets(session, {"rtx-3060", "rtx-4090"});
    Machine& machine = session.machine;
    machine.used = {BackendId(1), BackendId(2)};
    const auto used_names = [&] {
        std::vector<std::string> names;
        for (const BackendId backend : machine.used) names.push_back(machine.backends[backend.index()].name);
        return names;
    };
    const std::string cpu = machine.backends.back().name;
    const auto presets = device_presets();
    const auto added = std::ranges::find(presets, "rtx-3090", &DevicePreset::name);
    ASSERT_NE(added, presets.end());
    add_preset(session, *added);
    EXPECT_EQ(used_names(), (std::vector<std::string>{"CUDA1", "CUDA2", cpu}));
    EXPECT_NO_THROW(validate(machine));
}

TEST(ExcludedDevices, SessionsAndSearchesIgnoreThem) {
    Session session = default_session(open_file(sample_model_path()));
    use_presets(session, kComputer);
    session.model_options.accelerators = {"none"};
    session.model_options.kind = GraphKind::prefill;
    session.model_options.batch = 64;
    Session alone = session;
    use_presets(alone, {"core-13700h-ddr5"});
    const auto analysis = analyse(session);
    EXPECT_EQ(analysis->schedule->splits.size(), 1U);
    EXPECT_EQ(buffer_bytes(*analysis), buffer_bytes(*analyse(alone)));
    // Their speed need not be known.
    session.devices["CUDA0"] = {};
    EXPECT_NO_THROW(suggest_for(session));
    session.model_options.accelerators.clear();
    EXPECT_THROW(suggest_for(session), Error);
}

/// As in llama-server, a draft model has devices of its own; a projector is on the first GPU.
TEST(ExcludedDevices, CompanionsChooseTheirOwn) {
    PlacementFlags flags = flags_of(Generation::g2026_08);
    flags.devices = {"none"};
    const Hardware hardware = hardware_of_presets(kComputer);
    PlacementFlags draft = draft_flags(flags);
    EXPECT_TRUE(draft.devices.empty());
    const auto drafted = [&](const PlacementFlags& own) {
        ModelPlan with = plan(kComputer, flags, Generation::g2026_08);
        return add_companions(
            with, *header().file,
            {{.kind = CompanionKind::draft, .file = header().file, .model = header().model, .flags = own}},
            hardware, Generation::g2026_08);
    };
    EXPECT_GT(drafted(draft)[0].bytes[0], 0U);
    draft.devices = {"none"};
    EXPECT_EQ(drafted(draft)[0].bytes[0], 0U);
}

}  // namespace
}  // namespace splitscope
