// SPDX-License-Identifier: MIT
// Models placed by header and flags against the reference's placement: golden/captures. The buffer type of
// every weight and cache, which of them share a buffer, the nodes pinned by the builder, the graph, and the
// resulting splits.
#include <map>
#include <memory>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/formats/graph_json.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/models/placement/place_model.hpp"
#include "engine/session/simulate.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "tests/golden/capture_model.hpp"
#include "tests/golden/golden_kind.hpp"

namespace splitscope::golden {
namespace {

using nlohmann::json;

/// The command line of a case of the index.
PlacementFlags flags_of(const json& options, const CaptureName& name) {
    PlacementFlags flags;
    flags.gpu_layers = options.value("ngl", 0);
    flags.context = 512;
    flags.micro_batch = 32;
    flags.kv_offload = options.value("kvo", 1) != 0;
    flags.op_offload = options.value("opo", 1) != 0;
    flags.repack = false;
    // Planned without allocating, so without mapping.
    flags.memory_map = options.at("batch") == "real decode";
    if (options.contains("ot")) flags.overrides.push_back({options.at("ot"), "CPU", "index"});
    if (name.form == GraphForm::g2025_02) flags.layer_rule = LayerRule::blocks_first;
    return flags;
}

/// Simulated → recorded, if both divide the tensors into buffers in the same way.
std::map<std::string, std::string> pair_buffers(const Graph& ours, const Machine& our_machine,
                                                const Graph& recorded, const Machine& recorded_machine) {
    std::map<std::string, std::string> pairs;
    const auto type_of = [](const Machine& machine, const std::string& buffer) {
        for (const MachineBuffer& b : machine.buffers) {
            if (b.name == buffer) {
                return fmt::format("{} {}", machine.buffer_types[b.buffer_type.index()].name,
                                   static_cast<int>(b.usage));
            }
        }
        return std::string("?");
    };
    for (std::size_t i = 0; i < std::min(ours.leafs.size(), recorded.leafs.size()); ++i) {
        const Tensor& a = ours[ours.leafs[i]];
        const Tensor& b = recorded[recorded.leafs[i]];
        if (!a.buffer.valid() || !b.buffer.valid()) continue;
        const std::string& from = ours.buffers[a.buffer.index()];
        const std::string& to = recorded.buffers[b.buffer.index()];
        if (type_of(our_machine, from) == type_of(recorded_machine, to)) pairs.try_emplace(from, to);
    }
    return pairs;
}

std::string position(const Graph& graph, TensorId id) {
    for (std::size_t i = 0; i < graph.leafs.size(); ++i)
        if (graph.leafs[i] == id) return fmt::format("leaf {}", i);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[i] == id) return fmt::format("node {}", i);
    return "unlisted";
}

std::string pins(const Graph& graph, const Machine& machine) {
    std::string text;
    for (const Assignment& a : machine.assignments)
        text += fmt::format("{} {}\n", position(graph, a.tensor), machine.backends[a.backend.index()].name);
    return text;
}

std::string our_splits(const Schedule& schedule) {
    std::string text;
    for (const Split& split : schedule.splits) {
        text += fmt::format("{} {}-{}:", split.backend.index(), split.start, split.end);
        for (const TensorId input : split.inputs) text += " " + position(*schedule.graph, input);
        text += "\n";
    }
    return text;
}

std::string recorded_splits(const json& expected, const Graph& graph) {
    std::string text;
    for (const json& split : expected.at("splits")) {
        text += fmt::format("{} {}-{}:", split.at("backend").get<int>(), split.at("i_start").get<int>(),
                            split.at("i_end").get<int>());
        for (const json& input : split.at("inputs"))
            text += " " + position(graph, TensorId(input.get<std::size_t>()));
        text += "\n";
    }
    return text;
}

TEST(Golden, Placement) {
    const auto captures = folder("captures");
    if (!captures) GTEST_SKIP() << absent("captures");
    Score weights, pinned, graphs, splits;
    const json index = json::parse(read_text_file(*captures / "index.json"));
    for (const json& entry : index.is_array() ? index : index.at("cases")) {
        const std::string folder_name = entry.at("case");
        const auto path = *captures / folder_name;
        const CaptureName name(folder_name);
        const Graph recorded = parse_graph_json(read_text_file(path / "graph.json"), folder_name);
        const Machine machine = parse_machine_json(read_text_file(path / "machine.json"), folder_name);
        const auto model = model_of(name, recorded);
        const json& options = entry.at("options");
        const PlacementFlags flags = flags_of(options, name);

        Hardware hardware;
        hardware.machine = machine;
        const Generation generation =
            name.form == GraphForm::g2025_02 ? Generation::g2024_10 : Generation::g2026_08;
        const ModelLayout layout =
            place_model_file(model->file(), hardware, flags, name.flash_attention, generation);
        ModelGraphOptions graph_options = options_of(name, recorded);
        if (layout.cache_layout.window_cells > 0) {
            EXPECT_EQ(graph_options.window_context, layout.cache_layout.window_cells) << folder_name;
        }
        const ModelGraph built = model->build_graph(graph_options, layout.model_placement());
        Machine placed = layout.machine;
        pin_nodes(built, layout, placed);

        const auto pairs = pair_buffers(built.graph, placed, recorded, machine);
        std::set<std::string> distinct;
        for (const auto& [from, to] : pairs) distinct.insert(to);
        EXPECT_EQ(distinct.size(), pairs.size()) << folder_name << ": buffers are merged";
        for (std::size_t i = 0; i < recorded.leafs.size(); ++i) {
            const Tensor& theirs = recorded[recorded.leafs[i]];
            if (!theirs.buffer.valid()) continue;
            const Tensor& ours = built.graph[built.graph.leafs.at(i)];
            const auto pair =
                ours.buffer.valid() ? pairs.find(built.graph.buffers[ours.buffer.index()]) : pairs.end();
            const bool same = pair != pairs.end() && pair->second == recorded.buffers[theirs.buffer.index()];
            EXPECT_TRUE(same) << folder_name << ": " << theirs.name << " in "
                              << (ours.buffer.valid() ? built.graph.buffers[ours.buffer.index()] : "-")
                              << ", recorded " << recorded.buffers[theirs.buffer.index()];
            weights.add(same);
        }
        const std::string graph_difference =
            first_difference(describe_graph(built.graph, pairs), describe_graph(recorded));
        EXPECT_EQ(graph_difference, "") << folder_name;
        graphs.add(graph_difference.empty());

        EXPECT_EQ(placed.parallel, machine.parallel) << folder_name;
        const bool sized_only = options.at("batch") != "real decode" && graph_options.tokens > 1;
        // Upstream's size-only reservation of the prompt discards the nodes pinned by the builder.
        if (sized_only) placed.assignments.clear();
        const bool same_pins = pins(built.graph, placed) == pins(recorded, machine);
        EXPECT_TRUE(same_pins) << folder_name;
        pinned.add(same_pins);

        const auto graph = std::make_shared<const Graph>(built.graph);
        const auto final_machine = std::make_shared<const Machine>(placed);
        for (const json& stated : entry.at("generations")) {
            const std::string stated_name = stated;
            const json expected =
                json::parse(read_text_file(path / fmt::format("expected-{}.json", stated_name)));
            const Simulation ours = simulate(graph, final_machine, *generation_named(stated_name));
            const bool same = our_splits(*ours.schedule) == recorded_splits(expected, recorded);
            EXPECT_TRUE(same) << folder_name << " " << stated_name;
            splits.add(same);
        }
    }
    report("placement: buffers of weights and caches", weights);
    report("placement: nodes pinned by the builder", pinned);
    report("placement: graphs", graphs);
    report("placement: splits", splits);
}

}  // namespace
}  // namespace splitscope::golden
