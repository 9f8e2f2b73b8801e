// SPDX-License-Identifier: MIT
#include "engine/session/replay_on_model.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "engine/session/messages.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/session/placed_graph.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// Logs truncate names to this length.
constexpr std::size_t kComparedBytes = 20;

/// "ffn_up-12" → 12.
std::optional<std::int32_t> block_of(std::string_view name) {
    const auto dash = name.rfind('-');
    if (dash == std::string_view::npos || dash + 1 == name.size() || name.size() - dash > 6)
        return std::nullopt;
    std::int32_t block = 0;
    for (const char c : name.substr(dash + 1)) {
        if (c < '0' || c > '9') return std::nullopt;
        block = block * 10 + (c - '0');
    }
    return block;
}

class Replayer {
 public:
    Replayer(const Session& session, const Model& model, const JobContext& job)
        : recorded_(*session.file->recorded),
          logged_(*session.file->graph),
          model_(model),
          generation_(session.generation),
          hardware_(hardware_of(session)),
          job_(job) {
        hardware_.machine.assignments.clear();
        hardware_.machine.buffers.clear();
    }

    ModelReplay run() {
        ModelReplay replay;
        replay.nodes = logged_.nodes.size();
        replay.tokens = tokens();
        place_layers(replay);
        const LayoutChoice choice = best_form(replay);
        replay.flash_attention = choice.layout->flash_attention;
        GraphPlacer placer(model_, hardware_, generation_);
        const PlacedGraph placed = placer.place(*choice.layout, choice.options, {}, job_);
        replay.schedule = placed.simulation.schedule;
        job_.check();
        replay.different_nodes = different_nodes(*placed.graph());
        job_.check();
        replay.recorded = recorded_on(*placed.graph());
        job_.check();
        replay.decisions = compare_with_recorded(*replay.schedule, replay.recorded);
        return replay;
    }

 private:
    struct LayoutChoice {
        std::shared_ptr<const ModelLayout> layout;
        ModelGraphOptions options;
        std::size_t wrong = 0;
    };

    BackendId recorded_backend(TensorId t) const { return recorded_.backend[t.index()]; }

    /// The residual stream has one row per token.
    std::uint32_t tokens() const {
        const std::uint64_t row = std::uint64_t{4} * std::max(model_.shape().embedding, 1U);
        std::uint64_t most = 0;
        for (const TensorId node : logged_.nodes) {
            const Tensor& t = logged_[node];
            if (t.name == "embd" || t.name == "inp_embd" || t.name.starts_with("norm-0") ||
                t.name.starts_with("ffn_inp-"))
                most = std::max(most, byte_size(t));
        }
        return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(most / row, 1, 1U << 20));
    }

    /// The backend of most nodes of each block, then of the output layer.
    void place_layers(ModelReplay& replay) const {
        const std::size_t cpu = hardware_.machine.backends.size() - 1;
        const std::size_t layers = model_.shape().layers;
        std::vector<std::vector<std::size_t>> votes(layers + 1, std::vector<std::size_t>(cpu + 1));
        for (const TensorId node : logged_.nodes) {
            const Tensor& t = logged_[node];
            const BackendId recorded = ours(recorded_backend(node));
            if (!recorded.valid() || t.op != Op::mul_mat) continue;
            const auto block = block_of(t.name);
            const bool output = t.name == "result_output";
            if (output) votes[layers][recorded.index()] += 1;
            if (block && static_cast<std::size_t>(*block) < layers)
                votes[static_cast<std::size_t>(*block)][recorded.index()] += 1;
        }
        replay.device_layers.assign(cpu, 0);
        for (const auto& vote : votes) {
            const auto winner = static_cast<std::size_t>(std::ranges::max_element(vote) - vote.begin());
            if (winner == cpu || vote[winner] == 0) continue;
            ++replay.device_layers[winner];
            ++replay.gpu_layers;
        }
    }

    /// Maps a recorded backend to the current machine.
    BackendId ours(BackendId recorded) const {
        if (!recorded.valid()) return {};
        const auto found = std::ranges::find(hardware_.machine.backends, recorded_.backends[recorded.index()],
                                             &MachineBackend::name);
        return found == hardware_.machine.backends.end()
                   ? BackendId()
                   : BackendId(std::size_t(found - hardware_.machine.backends.begin()));
    }

    /// Caches are on the CPU although blocks are not, if all writes to them were on the CPU.
    bool caches_on_cpu() const {
        const BackendId cpu(hardware_.machine.backends.size() - 1);
        std::size_t written = 0;
        for (const TensorId node : logged_.nodes) {
            const Tensor& t = logged_[node];
            if (t.op != Op::set_rows && t.op != Op::cpy) continue;
            ++written;
            if (ours(recorded_backend(node)) != cpu) return false;
        }
        return written > 0;
    }

    LayoutChoice best_form(const ModelReplay& replay) const {
        PlacementFlags flags;
        flags.gpu_layers = replay.gpu_layers;
        for (const BackendId device : device_list(hardware_, flags))
            flags.tensor_split.push_back(static_cast<float>(replay.device_layers[device.index()]));
        flags.kv_offload = replay.gpu_layers == 0 || !caches_on_cpu();
        flags.context = 512;
        flags.op_offload = hardware_.machine.op_offload;
        flags.pipeline = recorded_.n_copies > 1;
        // The output layer shows which counting rule applied.
        flags.layer_rule = layer_rule_of(generation_);
        LayoutChoice best;
        bool first = true;
        for (const bool flash : {false, true}) {
            auto layout = std::make_shared<ModelLayout>(
                place_model_file(model_.file(), hardware_, flags, flash, generation_, job_));
            layout->machine.parallel = flags.pipeline;
            for (const bool all_outputs : {true, false}) {
                job_.check();
                LayoutChoice choice{layout, worst_case_prompt(*layout, generation_, replay.tokens), 0};
                choice.options.outputs = all_outputs ? replay.tokens : 1;
                const ModelGraph built = model_.build_graph(choice.options, layout->model_placement());
                job_.check();
                choice.wrong = different_nodes(built.graph).size();
                if (first || choice.wrong < best.wrong) best = std::move(choice);
                first = false;
            }
        }
        return best;
    }

    static std::string words(const Graph& graph, std::size_t position) {
        if (position >= graph.nodes.size()) return {};
        const Tensor& t = graph[graph.nodes[position]];
        return fmt::format("{} {}", name_of(t.op), t.name);
    }

    std::vector<GraphDifference> different_nodes(const Graph& built) const {
        std::vector<GraphDifference> out;
        for (std::size_t i = 0; i < std::max(logged_.nodes.size(), built.nodes.size()); ++i) {
            if (i < logged_.nodes.size() && i < built.nodes.size()) {
                const Tensor& a = logged_[logged_.nodes[i]];
                const Tensor& b = built[built.nodes[i]];
                // Logs omit views and truncate names.
                const bool unknown = is_view_op(a.op) && is_view_op(b.op);
                const bool same_name = std::string_view(a.name).substr(0, kComparedBytes) ==
                                       std::string_view(b.name).substr(0, kComparedBytes);
                if (unknown || (a.op == b.op && same_name)) continue;
            }
            out.push_back({i, words(logged_, i), words(built, i)});
        }
        return out;
    }

    /// The recording in terms of the built graph's tensors, without differing nodes.
    RecordedSchedule recorded_on(const Graph& built) const {
        RecordedSchedule out;
        out.backends = recorded_.backends;
        out.n_copies = recorded_.n_copies;
        out.backend.resize(built.tensors.size());
        std::unordered_map<std::int32_t, TensorId> same;
        const std::size_t both = std::min(built.nodes.size(), logged_.nodes.size());
        for (std::size_t i = 0; i < both; ++i) {
            const TensorId a = logged_.nodes[i];
            const TensorId b = built.nodes[i];
            if (logged_[a].op != built[b].op) continue;
            // Logs omit views: a view at this position is the same only if the names match.
            const bool view = is_view_op(built[b].op);
            if (!view) out.backend[b.index()] = recorded_backend(a);
            if (!view || logged_[a].name == built[b].name) same.emplace(a.value, b);
        }
        if (built.nodes.size() != logged_.nodes.size()) return out;
        // Leafs are matched by unique names; a program may call its inputs otherwise.
        std::unordered_map<std::string_view, TensorId> leafs;
        for (std::size_t t = 0; t < built.tensors.size(); ++t) {
            const Tensor& tensor = built.tensors[t];
            if (tensor.op != Op::none && !is_view_op(tensor.op)) continue;
            const auto [entry, inserted] = leafs.try_emplace(tensor.name, TensorId(t));
            if (!inserted) entry->second = TensorId();
        }
        for (const Split& split : recorded_.splits) {
            Split mapped = split;
            mapped.inputs.clear();
            for (const TensorId input : split.inputs) {
                const auto node = same.find(input.value);
                const auto leaf = leafs.find(logged_[input].name);
                mapped.inputs.push_back(node != same.end()    ? node->second
                                        : leaf != leafs.end() ? leaf->second
                                                              : read_alike(input, built));
            }
            out.splits.push_back(std::move(mapped));
        }
        return out;
    }

    /// The leaf of the built graph that the same nodes read as the recorded leaf; invalid if there is none.
    TensorId read_alike(TensorId recorded, const Graph& built) const {
        TensorId found;
        const auto leaf = [](const Tensor& tensor) { return tensor.op == Op::none; };
        if (!leaf(logged_[recorded])) return found;
        for (std::size_t i = 0; i < std::min(built.nodes.size(), logged_.nodes.size()); ++i) {
            const Tensor& theirs = logged_[logged_.nodes[i]];
            const Tensor& ours = built[built.nodes[i]];
            if (theirs.op != ours.op || is_view_op(ours.op)) continue;
            for (std::size_t s = 0; s < std::min(theirs.src.size(), ours.src.size()); ++s) {
                if (theirs.src[s] != recorded) continue;
                const TensorId same = ours.src[s];
                if (!same.valid() || !leaf(built[same]) || (found.valid() && found != same)) return {};
                found = same;
            }
        }
        return found;
    }

    const RecordedSchedule& recorded_;
    const Graph& logged_;
    const Model& model_;
    Generation generation_;
    Hardware hardware_;
    const JobContext& job_;
};

}  // namespace

ModelReplay replay_on_model(const Session& session, const Model& model, const JobContext& job) {
    if (!session.file->graph || !session.file->recorded) {
        throw Error(ErrorKind::usage, msg::kNoDecisions, session.file->path, msg::kGiveLogOrRecording);
    }
    return Replayer(session, model, job).run();
}

}  // namespace splitscope
