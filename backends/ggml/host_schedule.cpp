// SPDX-License-Identifier: MIT
#include "backends/ggml/host_schedule.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "backends/ggml/host_error.hpp"
#include "backends/ggml/messages.hpp"
#include "engine/support/checked.hpp"

namespace splitscope::ggml {
namespace {

using Layout = recorder::TensorLayout;

/// Temporary backends of a query.
class Backends {
 public:
    Backends(const Library& library, const KnownLibrary& known, const std::vector<std::uint32_t>& devices)
        : library_(library) {
        for (const std::uint32_t device : devices) {
            if (device >= known.devices.size()) throw HostError(msg::kBadEngineRequest("device"));
            const Library::Backend backend = library.dev_init(known.devices[device], nullptr);
            if (backend == nullptr) throw HostError(msg::kEngineCallFailed("ggml_backend_dev_init"));
            all_.push_back(backend);
        }
        if (devices.empty() || known.facts.devices[devices.back()].type != DeviceType::cpu)
            throw HostError(msg::kLastOfEngineNotCpu);
    }
    ~Backends() {
        for (const Library::Backend backend : all_) library_.backend_free(backend);
    }
    Backends(const Backends&) = delete;
    Backends& operator=(const Backends&) = delete;

    std::vector<Library::Backend>& all() { return all_; }
    std::int32_t index_of(Library::Backend backend) const {
        const auto found = std::ranges::find(all_, backend);
        return found == all_.end() ? -1 : static_cast<std::int32_t>(found - all_.begin());
    }

 private:
    const Library& library_;
    std::vector<Library::Backend> all_;
};

/// Owns a scheduler of the engine.
class OwnScheduler {
 public:
    OwnScheduler(const Library& library, Backends& backends, const ScheduleQuestion& question)
        : library_(library),
          scheduler_(library.sched_new(backends.all().data(), nullptr,
                                       static_cast<int>(backends.all().size()),
                                       std::max<std::size_t>(kMin, 4 * question.graph.tensors.size()),
                                       question.parallel, question.op_offload)) {
        if (scheduler_ == nullptr) throw HostError(msg::kEngineCallFailed("ggml_backend_sched_new"));
    }
    ~OwnScheduler() { library_.sched_free(scheduler_); }
    OwnScheduler(const OwnScheduler&) = delete;
    OwnScheduler& operator=(const OwnScheduler&) = delete;
    Library::Scheduler get() const { return scheduler_; }

 private:
    static constexpr std::size_t kMin = 2048;
    const Library& library_;
    Library::Scheduler scheduler_;
};

/// An uncomputed graph for the engine's scheduler.
struct DraftGraph {
    Tensors tensors;
    std::vector<Library::Tensor> made;
    Library::Graph graph = nullptr;
};

/// One query to the engine's scheduler.
class Scheduling {
 public:
    Scheduling(const Library& library, const KnownLibrary& known, DraftBuffers& drafts,
               const ScheduleQuestion& question)
        : library_(library),
          facts_(known.facts),
          drafts_(drafts),
          question_(question),
          backends_(library, known, question.devices) {}

    ScheduleAnswer answer() {
        ScheduleAnswer answer;
        const Library& l = library_;
        {
            const DraftGraph draft = draft_graph();
            const OwnScheduler scheduler(l, backends_, question_);
            assign(scheduler, draft);
            l.sched_split_graph(scheduler.get(), draft.graph);
            answer.splits = static_cast<std::uint32_t>(l.sched_get_n_splits(scheduler.get()));
            for (const Library::Tensor t : draft.made)
                answer.backend.push_back(backends_.index_of(l.sched_get_tensor_backend(scheduler.get(), t)));
            add_copies(draft, answer);
        }
        answer.sizes = compute_sizes();
        return answer;
    }

 private:
    DraftGraph draft_graph() {
        const Library& l = library_;
        const WireGraph& wire = question_.graph;
        const std::size_t count = std::max<std::size_t>(wire.tensors.size(), 1);
        DraftGraph draft{Tensors(l, wire.tensors.size(), count), {}};
        draft.made = draft.tensors.make(wire, facts_);
        // Non-null addresses mark tensors as allocated; they are not dereferenced.
        constexpr std::uint64_t kBegin = 1U << 20;
        constexpr std::uint64_t kAlignment = 4096;
        std::uint64_t address = kBegin;
        for (std::size_t i = 0; i < draft.made.size(); ++i) {
            const Library::Tensor t = draft.made[i];
            const WireTensor& w = wire.tensors[i];
            if (w.view_source != kNoTensor) {
                const auto base =
                    l.get<std::uint64_t>(draft.made[static_cast<std::size_t>(w.view_source)], l.data_offset);
                if (base != 0) l.set(t, l.data_offset, base + w.view_offset);
            } else if (const Library::Buffer buffer = drafts_.buffer_for(w)) {
                l.set(t, Layout::kBuffer, buffer);
                l.set(t, l.data_offset, address);
                address += round_up<std::uint64_t>(l.nbytes(t) + 1, kAlignment);
            }
        }
        draft.graph = l.new_graph(draft.tensors.get(), count, false);
        if (draft.graph == nullptr) throw HostError(msg::kEngineCallFailed("ggml_new_graph_custom"));
        for (const std::uint32_t leaf : question_.leafs)
            l.build_forward_expand(draft.graph, draft.made[leaf]);
        for (const std::uint32_t node : wire.nodes) l.build_forward_expand(draft.graph, draft.made[node]);
        if (static_cast<std::size_t>(l.graph_n_nodes(draft.graph)) != wire.nodes.size())
            throw HostError(msg::kEngineReordersNodes);
        return draft;
    }

    void assign(const OwnScheduler& scheduler, const DraftGraph& draft) {
        for (const auto& [tensor, backend] : question_.assignments) {
            library_.sched_set_tensor_backend(scheduler.get(), draft.made[tensor], backends_.all()[backend]);
        }
    }

    /// Splitting modifies the graph, so use another one. Measuring resets assignments; with assignments,
    /// buffers are allocated instead.
    std::vector<std::uint64_t> compute_sizes() {
        const Library& l = library_;
        const DraftGraph draft = draft_graph();
        const OwnScheduler scheduler(l, backends_, question_);
        if (question_.assignments.empty() && l.sched_reserve_size != nullptr) {
            std::vector<std::size_t> sizes(backends_.all().size());
            l.sched_reserve_size(scheduler.get(), draft.graph, sizes.data());
            return {sizes.begin(), sizes.end()};
        }
        assign(scheduler, draft);
        if (!l.sched_reserve(scheduler.get(), draft.graph)) return {};
        std::vector<std::uint64_t> sizes;
        for (const Library::Backend backend : backends_.all())
            sizes.push_back(l.sched_get_buffer_size(scheduler.get(), backend));
        return sizes;
    }

    /// A rewired source is a copy on the node's backend.
    void add_copies(const DraftGraph& draft, ScheduleAnswer& answer) const {
        const Library& l = library_;
        for (const std::uint32_t node : question_.graph.nodes) {
            for (std::size_t s = 0; s < kWireSources; ++s) {
                const std::int32_t source = question_.graph.tensors[node].sources[s];
                if (source == kNoTensor) continue;
                const auto reads =
                    l.get<Library::Tensor>(draft.made[node], l.layout.sources + s * sizeof(void*));
                if (reads == draft.made[static_cast<std::size_t>(source)] || answer.backend[node] < 0)
                    continue;
                const std::pair copy(static_cast<std::uint32_t>(source),
                                     static_cast<std::uint32_t>(answer.backend[node]));
                if (std::ranges::find(answer.copies, copy) == answer.copies.end())
                    answer.copies.push_back(copy);
            }
        }
    }

    const Library& library_;
    const EngineFacts& facts_;
    DraftBuffers& drafts_;
    const ScheduleQuestion& question_;
    Backends backends_;
};

}  // namespace

ScheduleAnswer schedule_by_engine(const Library& library, const KnownLibrary& known, DraftBuffers& drafts,
                                  const ScheduleQuestion& question) {
    return Scheduling(library, known, drafts, question).answer();
}

}  // namespace splitscope::ggml
