// SPDX-License-Identifier: MIT
#include "recorder/recorder.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "recorder/forked_child.hpp"
#include "recorder/text_file.hpp"

namespace splitscope::recorder {
namespace {

constexpr std::size_t kMaxGraphs = 256;
constexpr int kMaxComputations = 4096;  ///< written per graph
constexpr int kMaxNodes = 1 << 20;

const char* name_of(Purpose purpose) {
    switch (purpose) {
        case Purpose::split:
            return "split";
        case Purpose::reserve:
            return "reserve";
        case Purpose::decode:
            return "decode";
    }
    return "split";
}

/// Runs observing code; its errors must not propagate to the program.
template <class F>
void harmlessly(bool& stopped, F&& watch) noexcept {
    try {
        watch();
    } catch (...) {
        stopped = true;
    }
}

/// Also sends the block to the debugger.
class AgentSink final : public TextSink {
 public:
    explicit AgentSink(Agent& agent) : agent_(agent) {}
    bool write(std::string_view block) override {
        agent_.send_text(block);
        return true;
    }

 private:
    Agent& agent_;
};

Recorder* make_recorder() {
    if (Agent* const agent = Agent::active()) return new Recorder(*agent);
    const char* const folder = std::getenv("SPLITSCOPE_RECORD_FOLDER");
    if (folder == nullptr || folder[0] != '/') return nullptr;
    std::size_t limit = std::size_t{256} << 20;
    if (const char* const asked = std::getenv("SPLITSCOPE_RECORD_LIMIT")) {
        const unsigned long long bytes = std::strtoull(asked, nullptr, 10);
        if (bytes > 0) limit = bytes;
    }
    return new Recorder(std::make_unique<TextFile>(folder, limit));
}

}  // namespace

Recorder::Recorder(Agent& agent) : sink_(std::make_unique<AgentSink>(agent)), agent_(&agent) {}

Recorder* Recorder::active() {
    // Never destroyed: calls may arrive during process exit.
    static Recorder* const recorder = make_recorder();
    return recorder != nullptr && recorder->agent_ != nullptr && is_forked_child() ? nullptr : recorder;
}

Recorder::Pending* Recorder::pending() {
    // Calls may arrive after thread-local objects were destroyed, from a program that schedules during exit.
    thread_local bool gone = false;
    struct OfThread {
        Pending pending;
        ~OfThread() { gone = true; }
    };
    if (gone) return nullptr;
    thread_local OfThread own;
    return &own.pending;
}

void Recorder::stop(const std::string& why) {
    sink_->write("refused " + why + "\n");
    stopped_ = true;
}

/// Looks up the functions and writes the file's header. Requires the lock.
bool Recorder::ready() {
    if (agent_ != nullptr && !agent_->is_attached()) stopped_ = true;
    if (stopped_) return false;
    if (api_) return true;
    api_ = find_api();
    std::string head = "splitscope-recording 1\nlibrary ";
    append_escaped(head, api_->version ? api_->version() : "?", kMaxName);
    head += ' ';
    append_escaped(head, api_->commit ? api_->commit() : "?", kMaxName);
    head += '\n';
    if (!sink_->write(head)) {
        stopped_ = true;
        return false;
    }
    if (!api_->missing.empty()) {
        stop("functions " + api_->missing);
        return false;
    }
    return true;
}

/// Reads a tensor's name at its offset.
bool Recorder::choose_layout(TensorPtr tensor) {
    if (layout_) return true;
    const auto offset =
        static_cast<std::size_t>(api_->tensor_name(tensor) - reinterpret_cast<const char*>(tensor));
    for (const TensorLayout& known : {kLayoutSince2025, kLayoutOf2024}) {
        if (known.name == offset) layout_ = known;
    }
    if (!layout_) {
        stop("layout " + std::to_string(offset));
        return false;
    }
    const bool of_2024 = offset == kLayoutOf2024.name;
    sink_->write("layout " + std::to_string(offset) + "\ngeneration " +
                 (of_2024                           ? "2024-10"
                  : api_->has_size_only_reservation ? "2026-08"
                                                    : "2025-06") +
                 "\n");
    return true;
}

int Recorder::index_of(const SchedulerFacts& facts, Backend backend) {
    const auto found = std::find(facts.backends.begin(), facts.backends.end(), backend);
    return found == facts.backends.end() ? -1 : static_cast<int>(found - facts.backends.begin());
}

void Recorder::scheduler_made(Scheduler scheduler, const Backend* backends, const BufferType* buffer_types,
                              int count, bool parallel, bool op_offload) {
    const std::lock_guard lock(mutex_);
    harmlessly(stopped_, [&] {
        constexpr int kMaxLogBackends = 64;
        if (scheduler == nullptr || backends == nullptr || count < 1 || count > kMaxLogBackends || !ready())
            return;
        auto facts = std::make_unique<SchedulerFacts>();
        facts->id = static_cast<int>(schedulers_.size() + replaced_.size());
        std::string text;
        std::string lines = "scheduler";
        append_number(lines, facts->id);
        append_number(lines, parallel ? 1 : 0);
        append_number(lines, op_offload ? 1 : 0);
        append_number(lines, api_->scheduler_copies ? api_->scheduler_copies(scheduler) : 1);
        lines += '\n';
        for (int i = 0; i < count; ++i) {
            const Device device = api_->device_of(backends[i]);
            facts->backends.push_back(backends[i]);
            BufferType type = buffer_types != nullptr ? buffer_types[i] : nullptr;
            if (type == nullptr) {
                using DefaultType = BufferType(Backend);
                auto* const default_type = real<DefaultType>("ggml_backend_get_default_buffer_type");
                if (default_type == nullptr) return stop("buffer_types");
                type = default_type(backends[i]);
            }
            facts->buffer_types.push_back(type);
            lines += "backend";
            append_number(lines, facts->id);
            append_number(lines, i);
            append_number(lines, device ? api_->device_type(device) : -1);
            append_number(lines, memory_.number_of(*api_, type, text));
            lines += ' ';
            append_escaped(lines, api_->backend_name(backends[i]), kMaxName);
            lines += '\n';
        }
        sink_->write(text + lines);
        auto& place = schedulers_[scheduler];
        if (place) replaced_.push_back(std::move(place));
        place = std::move(facts);
    });
}

void Recorder::begin(Scheduler scheduler, ComputeGraph graph, Purpose purpose) {
    Pending* const own = pending();
    if (own == nullptr || own->depth++ > 0) return;
    Pending& p = *own;
    p.ignored = true;
    const std::lock_guard lock(mutex_);
    harmlessly(stopped_, [&] {
        if (!ready()) return;
        const auto facts = schedulers_.find(scheduler);
        const int nodes = api_->graph_n_nodes(graph);
        if (facts == schedulers_.end() || nodes < 1 || nodes > kMaxNodes) return;
        if (!choose_layout(api_->graph_node(graph, 0))) return;
        const int depth = p.depth;
        p = Pending();
        p.depth = depth;
        p.ignored = true;  // cleared when it is complete
        p.scheduler = scheduler;
        p.facts = facts->second.get();
        p.purpose = purpose;
        p.before = take_snapshot(*api_, *layout_, graph);
        p.fingerprint = p.before.fingerprint(*api_) * 4 + static_cast<std::uint64_t>(purpose);
        const auto known = known_.find({p.facts->id, p.fingerprint});
        if (known != known_.end()) {
            p.known = known->second;
        } else if (known_.size() >= kMaxGraphs && agent_ == nullptr) {
            return stop("graphs " + std::to_string(kMaxGraphs));
        } else {
            ask_before(p);
        }
        p.ignored = false;
    });
}

/// Records every backend's support of every node, and the user's assignments.
void Recorder::ask_before(Pending& p) {
    const auto first = static_cast<std::size_t>(p.before.leafs);
    const auto nodes = static_cast<std::size_t>(p.before.nodes);
    for (const Backend backend : p.facts->backends) {
        std::string& supports = p.supports.emplace_back(nodes, '0');
        std::string& offloads = p.offloads.emplace_back(nodes, '0');
        for (std::size_t i = 0; i < nodes; ++i) {
            const TensorPtr node = p.before.tensors[first + i].self;
            if (api_->supports_op(backend, node)) supports[i] = '1';
            if (api_->offload_op(backend, node)) offloads[i] = '1';
        }
    }
    for (std::size_t i = 0; i < first + nodes; ++i) {
        const Backend backend = api_->tensor_backend(p.scheduler, p.before.tensors[i].self);
        if (backend != nullptr) p.assigned.emplace_back(static_cast<int>(i), index_of(*p.facts, backend));
    }
}

void Recorder::support_answered(Backend backend, TensorPtr node, bool answer) {
    note_answer(&Pending::supports, backend, node, answer);
}

void Recorder::offload_answered(Backend backend, TensorPtr node, bool answer) {
    note_answer(&Pending::offloads, backend, node, answer);
}

void Recorder::note_answer(std::vector<std::string> Pending::*answers, Backend backend, TensorPtr node,
                           bool answer) {
    Pending* const p = pending();
    if (p == nullptr || !p->is_asking()) return;
    const int b = index_of(*p->facts, backend);
    const int i = p->before.id_of(node) - p->before.leafs;
    if (b < 0 || i < 0 || i >= p->before.nodes) return;
    (p->*answers)[static_cast<std::size_t>(b)][static_cast<std::size_t>(i)] = answer ? '1' : '0';
}

void Recorder::decided(ComputeGraph scheduled) {
    Pending* const own = pending();
    if (own == nullptr || own->depth == 0 || own->ignored) return;
    Pending& p = *own;
    const std::lock_guard lock(mutex_);
    harmlessly(stopped_, [&] {
        if (stopped_) return;
        if (!p.read) read_decisions(p);
        if (scheduled == nullptr || std::exchange(p.has_splits, true)) return;
        p.splits = derive_splits(*api_, *layout_, p.before, {p.backend, p.rewired}, scheduled);
        const int real = api_->scheduler_splits != nullptr ? api_->scheduler_splits(p.scheduler) : 0;
        if (real > 0 && static_cast<std::size_t>(real) != p.splits.size()) p.splits.clear();
    });
}

void Recorder::read_decisions(Pending& p) {
    p.read = true;
    const std::size_t asked = static_cast<std::size_t>(p.before.leafs + p.before.nodes);
    p.backend.assign(p.before.tensors.size(), -1);
    for (std::size_t i = 0; i < asked; ++i) {
        const Backend backend = api_->tensor_backend(p.scheduler, p.before.tensors[i].self);
        if (backend != nullptr) p.backend[i] = index_of(*p.facts, backend);
    }
    for (int i = 0; i < p.before.nodes; ++i) {
        const TensorFacts& before = p.before.tensors[static_cast<std::size_t>(p.before.leafs + i)];
        const TensorFacts now = read_tensor(*layout_, before.self);
        for (std::size_t s = 0; s < before.sources.size(); ++s) {
            if (now.sources[s] == before.sources[s] || before.sources[s] == nullptr) continue;
            p.rewired.push_back({p.before.leafs + i, static_cast<int>(s), p.before.id_of(before.sources[s])});
        }
    }
}

void Recorder::measured(const std::size_t* sizes) {
    Pending* const own = pending();
    if (own == nullptr || own->depth != 1 || own->ignored || sizes == nullptr) return;
    harmlessly(stopped_, [&] { own->sizes.assign(sizes, sizes + own->facts->backends.size()); });
}

void Recorder::end() {
    Pending* const own = pending();
    if (own == nullptr || own->depth == 0 || --own->depth > 0) return;
    Pending& p = *own;
    if (p.ignored) return;
    p.ignored = true;
    const std::lock_guard lock(mutex_);
    harmlessly(stopped_, [&] {
        if (stopped_ || !p.read) return;
        if (p.known < 0) {
            p.known = number_for(p);
            write_graph(p);
        } else if (agent_ == nullptr) {
            sink_->write("again " + std::to_string(p.known) + "\n");
        }
        if (p.purpose != Purpose::decode) return;
        if (agent_ != nullptr) {
            agent_->graph_ready(p.scheduler, *api_, *layout_,
                                {p.known, std::move(p.before), std::move(p.splits)});
            return;
        }
        computing_.clear();
        for (std::size_t s = 0; s < p.splits.size(); ++s) {
            for (int i = p.splits[s].start; i < p.splits[s].end; ++i) {
                computing_.emplace(p.before.tensors[static_cast<std::size_t>(p.before.leafs + i)].self,
                                   Computed{p.known, static_cast<int>(s)});
            }
        }
    });
    p.before = GraphSnapshot();
}

int Recorder::number_for(const Pending& p) {
    // In a long debugging session, repeated graphs are sent again.
    if (known_.size() >= kMaxGraphs) known_.clear();
    known_.emplace(std::pair(p.facts->id, p.fingerprint), graph_count_);
    computations_.push_back(0);
    return graph_count_++;
}

void Recorder::write_graph(Pending& p) {
    std::string text;
    std::string lines = "graph";
    append_number(lines, p.known);
    append_number(lines, p.facts->id);
    lines += ' ';
    lines += name_of(p.purpose);
    lines += '\n';
    std::vector<BufferType> types = p.facts->buffer_types;
    write_tensors(p, types, lines, text);
    lines += "shape";
    append_number(lines, p.before.leafs);
    append_number(lines, p.before.nodes);
    append_number(lines, p.before.leafs_listed ? 1 : 0);
    lines += '\n';
    write_support(p, types, lines, text);
    write_decisions(p, lines);
    write_compute_sizes(p, lines);
    write_sizes(p, types, lines, text);
    lines += "end\n";
    sink_->write(text + lines);
}

void Recorder::write_tensors(const Pending& p, std::vector<BufferType>& types, std::string& lines,
                             std::string& text) {
    Buffer last = nullptr;  // neighbours share a buffer, which is queried once
    int last_number = -1;
    for (const TensorFacts& t : p.before.tensors) {
        int buffer = -1;
        if (t.buffer != nullptr && t.view_source == nullptr) {
            if (t.buffer != last) {
                last = t.buffer;
                last_number = memory_.number_of(*api_, last, text);
                const BufferType type = api_->buffer_type_of(last);
                if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
            }
            buffer = last_number;
        }
        lines += "tensor ";
        append_escaped(lines, api_->type_name(t.type), kMaxName);
        lines += ' ';
        append_escaped(lines, api_->op_name(t.op), kMaxName);
        append_number(lines, t.flags);
        append_number(lines, buffer);
        append_number(lines, t.view_source != nullptr ? p.before.id_of(t.view_source) : -1);
        append_number(lines, static_cast<std::int64_t>(t.view_offset));
        for (const std::int64_t n : t.ne) append_number(lines, n);
        for (const std::uint64_t n : t.nb) append_number(lines, static_cast<std::int64_t>(n));
        for (const TensorPtr source : t.sources)
            append_number(lines, source != nullptr ? p.before.id_of(source) : -1);
        for (const std::int32_t parameter : t.parameters) append_number(lines, parameter);
        lines += ' ';
        append_escaped(lines, api_->tensor_name(t.self), kMaxName);
        lines += '\n';
    }
}

void Recorder::write_support(const Pending& p, const std::vector<BufferType>& types, std::string& lines,
                             std::string& text) {
    for (std::size_t b = 0; b < p.facts->backends.size(); ++b) {
        lines += "takes";
        append_number(lines, static_cast<std::int64_t>(b));
        for (const BufferType type : types) {
            if (api_->supports_buffer_type(p.facts->backends[b], type))
                append_number(lines, memory_.number_of(*api_, type, text));
        }
        lines += "\nsupports";
        append_number(lines, static_cast<std::int64_t>(b));
        lines += ' ' + p.supports[b] + "\noffloads";
        append_number(lines, static_cast<std::int64_t>(b));
        lines += ' ' + p.offloads[b] + '\n';
    }
}

void Recorder::write_decisions(const Pending& p, std::string& lines) {
    for (const auto& [tensor, backend] : p.assigned) {
        lines += "assigned";
        append_number(lines, tensor);
        append_number(lines, backend);
        lines += '\n';
    }
    lines += "decided";
    for (const int backend : p.backend) append_number(lines, backend);
    lines += '\n';
    for (const auto& [node, slot, original] : p.rewired) {
        lines += "rewired";
        append_number(lines, node);
        append_number(lines, slot);
        append_number(lines, original);
        lines += '\n';
    }
    for (const RecordedSplit& split : p.splits) {
        lines += "split";
        append_number(lines, split.backend);
        append_number(lines, split.start);
        append_number(lines, split.end);
        for (const int input : split.inputs) append_number(lines, input);
        lines += '\n';
    }
}

/// Only splitting allocates nothing.
void Recorder::write_compute_sizes(const Pending& p, std::string& lines) const {
    const bool has_allocated = p.purpose != Purpose::split && api_->scheduler_buffer != nullptr;
    if (p.sizes.empty() && !has_allocated) return;
    lines += "memory";
    for (std::size_t b = 0; b < p.facts->backends.size(); ++b) {
        const std::size_t size =
            p.sizes.empty() ? api_->scheduler_buffer(p.scheduler, p.facts->backends[b]) : p.sizes[b];
        append_number(lines, static_cast<std::int64_t>(size));
    }
    lines += '\n';
}

/// Buffer types may need more memory for a tensor than its size.
void Recorder::write_sizes(const Pending& p, const std::vector<BufferType>& types, std::string& lines,
                           std::string& text) {
    const auto last = std::min(p.before.tensors.size(), static_cast<std::size_t>(p.before.leafs) +
                                                            static_cast<std::size_t>(p.before.nodes));
    for (std::size_t i = 0; i < last; ++i) {
        const TensorFacts& t = p.before.tensors[i];
        if (t.buffer != nullptr || t.view_source != nullptr) continue;
        for (const BufferType type : types) {
            lines += "room";
            append_number(lines, static_cast<std::int64_t>(i));
            append_number(lines, memory_.number_of(*api_, type, text));
            append_number(lines, static_cast<std::int64_t>(api_->buffer_type_alloc_size(type, t.self)));
            lines += '\n';
        }
    }
}

void Recorder::computed(ComputeGraph split, std::chrono::nanoseconds took) {
    const std::lock_guard lock(mutex_);
    harmlessly(stopped_, [&] {
        if (stopped_ || agent_ != nullptr || !api_ || computing_.empty() || api_->graph_n_nodes(split) < 1)
            return;
        const auto found = computing_.find(api_->graph_node(split, 0));
        if (found == computing_.end()) return;
        int& written = computations_[static_cast<std::size_t>(found->second.graph)];
        if (written++ >= kMaxComputations) return;
        std::string line = "computed";
        append_number(line, found->second.graph);
        append_number(line, found->second.split);
        append_number(line, took.count());
        line += '\n';
        sink_->write(line);
    });
}

}  // namespace splitscope::recorder
