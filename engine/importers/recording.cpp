// SPDX-License-Identifier: MIT
#include "engine/importers/recording.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "backends/interface/known_names.hpp"
#include "backends/interface/offload_batch.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/formats/messages.hpp"
#include "engine/importers/messages.hpp"
#include "engine/scheduler/vocabulary.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/parse_number.hpp"
#include "engine/support/utf8.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// Splits a line into words.
class Words {
 public:
    Words(std::string_view line, std::string_view source, std::size_t number)
        : rest_(line), source_(source), number_(number) {}

    [[noreturn]] void refuse(Message problem) const {
        throw Error(ErrorKind::bad_file, std::move(problem), msg::kFileLine(source_, number_),
                    msg::kRecordAgain);
    }
    bool empty() const { return rest_.empty(); }
    std::string_view rest() const { return rest_; }
    std::string_view word() {
        if (rest_.empty()) refuse(msg::kRecordingLineEnds);
        const auto end = std::min(rest_.find(' '), rest_.size());
        const std::string_view word = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        return word;
    }
    template <class T = std::int64_t>
    T number() {
        const auto value = parse_number<T>(word());
        if (!value) refuse(msg::kRecordingNotNumber);
        return *value;
    }
    std::size_t index(std::size_t below) {
        const auto value = number<std::int64_t>();
        if (value < 0 || static_cast<std::uint64_t>(value) >= below) refuse(msg::kRecordingNumberRange);
        return static_cast<std::size_t>(value);
    }
    /// -1 = none.
    std::optional<std::size_t> reference(std::size_t below) {
        const auto value = number<std::int64_t>();
        if (value == -1) return std::nullopt;
        if (value < 0 || static_cast<std::uint64_t>(value) >= below) refuse(msg::kRecordingNumberRange);
        return static_cast<std::size_t>(value);
    }
    /// Names are truncated at a byte count; replacing invalid UTF-8 would change the length when written.
    std::string name() {
        if (rest_.empty()) return {};
        const std::string_view text = word();
        std::string out;
        for (std::size_t i = 0; i < text.size(); ++i) {
            unsigned byte = 0;
            const bool escaped =
                text[i] == '%' && i + 2 < text.size() &&
                std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16).ec == std::errc();
            if (escaped) {
                out += static_cast<char>(byte);
                i += 2;
            } else {
                out += text[i];
            }
        }
        return well_formed_utf8(out);
    }

 private:
    std::string_view rest_;
    std::string_view source_;
    std::size_t number_;
};

struct SeenBuffer {
    std::size_t type = 0;
    std::int64_t usage = 0;
};
struct SeenBackend {
    std::string name;
    std::int64_t device = 0;
    std::size_t type = 0;
};
struct SeenScheduler {
    bool parallel = false;
    bool op_offload = false;
    int copies = 1;
    std::vector<SeenBackend> backends;
};

/// Collects remarks: the first ones, and the number of the rest.
class Remarks {
 public:
    void add(Message text) {
        if (texts_.size() < kMaxRemarks) {
            texts_.push_back(std::move(text));
        } else {
            ++more_;
        }
    }
    std::vector<Message> take() {
        if (more_ > 0) texts_.push_back(msg::kMoreRemarks(more_));
        return std::move(texts_);
    }

 private:
    std::vector<Message> texts_;
    std::size_t more_ = 0;
};

/// State of a graph until its end.
struct SeenGraph {
    CapturedGraph captured;
    Remarks remarks;
    bool leafs_as_read = false;
    std::unordered_map<std::size_t, BufferRef> buffers;  ///< the recorder's number → ref
    std::size_t scheduler = 0;
    std::vector<std::vector<std::size_t>> takes;
    std::vector<std::string> supports;
    std::vector<std::string> offloads;
    std::vector<std::array<std::int64_t, 10>> sources;
    std::vector<std::int64_t> view_sources;
    std::set<std::string> unknown_ops;
};

class RecordingReader {
 public:
    RecordingReader(std::string_view text, std::string_view source, const JobContext& job)
        : text_(text), source_(source), job_(job) {}

    Capture read() {
        std::size_t number = 0;
        for (std::size_t at = 0; at < text_.size();) {
            const std::size_t end = text_.find('\n', at);
            if (end == std::string_view::npos) break;  // the program was killed while writing
            constexpr std::size_t kLinesPerCheck = 1024;
            if (++number % kLinesPerCheck == 0) {
                job_.check();
                job_.report(static_cast<double>(at) / static_cast<double>(text_.size()),
                            msg::kReadingRecording);
            }
            Words words(text_.substr(at, end - at), source_, number);
            read_line(words);
            at = end + 1;
        }
        finish();
        return std::move(capture_);
    }

 private:
    void read_line(Words& words) {
        const std::string_view kind = words.word();
        if (kind == "library") {
            const std::string version = words.name();
            capture_.library = fmt::format("{} ({})", version, words.name());
        } else if (kind == "generation") {
            capture_.generation = generation_named(words.word()).value_or(Generation::g2026_08);
        } else if (kind == "refused") {
            refused_ = refusal_of_recorder(words.rest());
        } else if (kind == "limit") {
            if (!std::exchange(cut_, true)) remarks_.add(msg::kRecordingTooLarge);
        } else if (kind == "buffer_type") {
            read_buffer_type(words);
        } else if (kind == "buffer") {
            words.index(buffers_.size() + 1);
            SeenBuffer buffer;
            buffer.type = words.index(types_.size());
            buffer.usage = words.number();
            buffers_.push_back(buffer);
        } else if (kind == "scheduler") {
            words.number();
            SeenScheduler scheduler;
            scheduler.parallel = words.number() != 0;
            scheduler.op_offload = words.number() != 0;
            scheduler.copies = static_cast<int>(std::clamp<std::int64_t>(words.number(), 1, 64));
            schedulers_.push_back(std::move(scheduler));
        } else if (kind == "backend") {
            if (graph_) words.refuse(msg::kBackendInGraph);
            SeenScheduler& scheduler = schedulers_[words.index(schedulers_.size())];
            if (scheduler.backends.size() >= kMaxBackends) words.refuse(msg::kRecordingBackends);
            words.number();
            SeenBackend backend;
            backend.device = words.number();
            backend.type = words.index(types_.size());
            backend.name = short_name(words);
            scheduler.backends.push_back(std::move(backend));
        } else if (kind == "again") {
            ++capture_times(words.number());
        } else if (kind == "computed") {
            read_computed(words);
        } else if (kind == "graph") {
            if (ended_graphs_ >= kMaxGraphs || ended_graphs_ * types_.size() >= kMaxRecordedBufferTypes)
                words.refuse(msg::kRecordingGraphs);
            graph_.emplace();
            number_ = words.number();
            graph_->scheduler = words.index(schedulers_.size());
            graph_->captured.purpose = cut_text(words.name(), kMaxPurposeBytes);
            const std::size_t backends = schedulers_[graph_->scheduler].backends.size();
            graph_->takes.resize(backends);
            graph_->supports.resize(backends);
            graph_->offloads.resize(backends);
        } else if (graph_) {
            read_graph_line(kind, words);
        }
    }

    std::size_t& capture_times(std::int64_t number) {
        const auto found = numbers_.find(number);
        return found == numbers_.end() ? lost_ : capture_.graphs[found->second].times;
    }

    /// The machine's names are copied for each graph; the recorder limits their length.
    static std::string short_name(Words& words) {
        return std::string(cut_text(words.name(), kMaxMachineNameBytes));
    }

    void read_buffer_type(Words& words) {
        if (words.index(types_.size() + 1) >= kMaxBufferTypes) words.refuse(msg::kRecordingBufferTypes);
        MachineBufferType type;
        type.alignment = std::bit_ceil(std::clamp<std::uint64_t>(words.number<std::uint64_t>(), 1, 1U << 30));
        const auto most = words.number<std::uint64_t>();
        constexpr std::uint64_t kUnlimited = std::uint64_t{1} << 62;
        if (most > 0 && most < kUnlimited) type.max_size = most;
        type.is_host = words.number() != 0;
        type.name = short_name(words);
        type.row_pad = row_pad_named(type.name);
        // Different buffer types may have equal names.
        const auto same = static_cast<std::size_t>(
            std::ranges::count_if(type_names_, [&](const std::string& name) { return name == type.name; }));
        type_names_.push_back(type.name);
        if (same > 0) type.name += fmt::format("#{}", same + 1);
        types_.push_back(std::move(type));
    }

    void read_computed(Words& words) {
        const auto found = numbers_.find(words.number());
        const auto split = static_cast<std::size_t>(std::max<std::int64_t>(0, words.number()));
        const auto took = static_cast<std::uint64_t>(std::max<std::int64_t>(0, words.number()));
        ++computations_;
        if (found == numbers_.end()) return;
        if (split >= capture_.graphs[found->second].recorded.splits.size()) return;
        SplitTiming& timing =
            timings_[found->second].try_emplace(split, SplitTiming{split, 0, 0, took}).first->second;
        ++timing.times;
        timing.total_ns += took;
        timing.shortest_ns = std::min(timing.shortest_ns, took);
    }

    void read_graph_line(std::string_view kind, Words& words) {
        Graph& graph = graph_->captured.graph;
        RecordedSchedule& recorded = graph_->captured.recorded;
        const std::size_t backends = graph_->takes.size();
        if (kind == "tensor") {
            read_tensor(words);
        } else if (kind == "shape") {
            if (!recorded.backend.empty()) words.refuse(msg::kGraphClosed);
            const std::size_t leafs = words.index(graph.tensors.size() + 1);
            const std::size_t nodes = words.index(graph.tensors.size() - leafs + 1);
            for (std::size_t i = 0; i < leafs; ++i) graph.leafs.emplace_back(i);
            for (std::size_t i = 0; i < nodes; ++i) graph.nodes.emplace_back(leafs + i);
            if (words.number() == 0) graph_->leafs_as_read = true;
            recorded.backend.resize(graph.tensors.size());
        } else if (kind == "takes") {
            auto& takes = graph_->takes[words.index(backends)];
            while (!words.empty()) takes.push_back(words.index(types_.size()));
        } else if (kind == "supports") {
            std::string& answers = graph_->supports[words.index(backends)];
            answers = words.word();
        } else if (kind == "offloads") {
            std::string& answers = graph_->offloads[words.index(backends)];
            answers = words.word();
        } else if (kind == "assigned") {
            const TensorId tensor(words.index(graph.tensors.size()));
            const auto backend = words.reference(backends);
            if (backend) graph_->captured.machine.assignments.push_back({tensor, BackendId(*backend)});
        } else if (kind == "decided") {
            for (std::size_t i = 0; !words.empty(); ++i) {
                if (i >= recorded.backend.size()) words.refuse(msg::kTooManyDecisions);
                const auto backend = words.reference(backends);
                if (backend) recorded.backend[i] = BackendId(*backend);
            }
        } else if (kind == "split") {
            Split split;
            split.backend = BackendId(words.index(backends));
            split.start = words.index(graph.nodes.size() + 1);
            split.end = words.index(graph.nodes.size() + 1);
            if (split.end < split.start) words.refuse(msg::kSplitReversed);
            while (!words.empty()) split.inputs.emplace_back(words.index(graph.tensors.size()));
            recorded.splits.push_back(std::move(split));
        } else if (kind == "memory") {
            while (!words.empty() && recorded.compute_bytes.size() < backends)
                recorded.compute_bytes.push_back(
                    static_cast<std::uint64_t>(std::max<std::int64_t>(0, words.number())));
        } else if (kind == "room") {
            const TensorId tensor(words.index(graph.tensors.size()));
            const std::string& type = types_[words.index(types_.size())].name;
            const auto bytes = words.number<std::uint64_t>();
            if (bytes != byte_size(graph[tensor])) graph.alloc_sizes[{tensor, type}] = bytes;
        } else if (kind == "end") {
            finish_graph(words);
        }
    }

    void remark(Message text) { graph_->remarks.add(std::move(text)); }

    void read_tensor(Words& words) {
        if (!graph_->captured.recorded.backend.empty()) words.refuse(msg::kGraphClosed);
        Tensor t;
        const std::string type = words.name();
        const auto known_type = element_type_named(type);
        if (!known_type) words.refuse(msg::kRecordedTypeUnknown(type));
        t.type = *known_type;
        const std::string op = words.name();
        const auto known_op = op_named(op);
        if (!known_op) graph_->unknown_ops.insert(op);
        t.op = known_op.value_or(Op::custom);
        constexpr std::int64_t kKnownFlags = 15;
        t.flags = static_cast<TensorFlags>(words.number() & kKnownFlags);
        const auto buffer = words.reference(buffers_.size());
        graph_->view_sources.push_back(words.number());
        const std::int64_t view_offset = words.number();
        for (std::int64_t& n : t.ne) n = words.number();
        for (std::int64_t& n : t.nb) n = words.number();
        for (std::int64_t& source : graph_->sources.emplace_back()) source = words.number();
        for (std::int32_t& parameter : t.op_params) parameter = words.number<std::int32_t>();
        t.name = cut_name(words.name());
        if (graph_->view_sources.back() >= 0) t.view_offs = view_offset;
        if (buffer) t.buffer = graph_buffer(*buffer);
        graph_->captured.graph.tensors.push_back(std::move(t));
    }

    BufferRef graph_buffer(std::size_t buffer) {
        std::vector<std::string>& names = graph_->captured.graph.buffers;
        const auto [known, inserted] = graph_->buffers.try_emplace(buffer, names.size());
        if (inserted) names.push_back(buffer_name(buffer));
        return known->second;
    }

    std::string buffer_name(std::size_t buffer) const {
        return fmt::format("{}.{}", types_[buffers_[buffer].type].name, buffer);
    }

    void finish_graph(const Words& words) {
        ++ended_graphs_;
        CapturedGraph& captured = graph_->captured;
        Graph& graph = captured.graph;
        const auto tensor_at = [&](std::int64_t index) {
            if (index < -1 || index >= static_cast<std::int64_t>(graph.tensors.size())) {
                words.refuse(msg::kRecordedTensorRange);
            }
            return index < 0 ? TensorId() : TensorId(static_cast<std::size_t>(index));
        };
        for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
            for (std::size_t s = 0; s < kMaxSources; ++s) {
                graph.tensors[i].src[s] = tensor_at(graph_->sources[i][s]);
            }
            graph.tensors[i].view_src = tensor_at(graph_->view_sources[i]);
        }
        captured.recorded.backend.resize(graph.tensors.size());
        graph.name = fmt::format("{}, {} nodes", captured.purpose, graph.nodes.size());
        if (graph_->leafs_as_read) remark(msg::kLeafsAsRead);
        for (const std::string& op : graph_->unknown_ops) remark(msg::kRecordedOperationUnknown(op));
        make_machine(captured);
        if (captured.recorded.splits.empty()) {
            remark(msg::kSplitsNotSeen);
        }
        captured.remarks = graph_->remarks.take();
        try {
            validate(graph);
            validate(captured.machine);
            validate(captured.machine, graph);
            numbers_[number_] = capture_.graphs.size();
            capture_.graphs.push_back(std::move(captured));
            timings_.emplace_back();
        } catch (const Error& error) {
            remarks_.add(msg::kGraphLeftOut(error.message()));
        }
        graph_.reset();
    }

    void make_machine(CapturedGraph& captured) {
        const SeenScheduler& scheduler = schedulers_[graph_->scheduler];
        Machine& machine = captured.machine;
        machine.name = "as recorded";
        machine.buffer_types = types_;
        machine.parallel = scheduler.parallel;
        machine.op_offload = scheduler.op_offload;
        for (const std::string& name : captured.graph.buffers) {
            const auto number = static_cast<std::size_t>(std::stoul(name.substr(name.rfind('.') + 1)));
            constexpr std::int64_t kWeights = 1;
            constexpr std::int64_t kCompute = 2;
            const std::int64_t usage = buffers_[number].usage;
            machine.buffers.push_back({name, BufferTypeId(buffers_[number].type),
                                       usage == kWeights   ? BufferUsage::weights
                                       : usage == kCompute ? BufferUsage::compute
                                                           : BufferUsage::any});
        }
        captured.recorded.n_copies = scheduler.copies;
        for (std::size_t b = 0; b < scheduler.backends.size(); ++b) {
            const SeenBackend& seen = scheduler.backends[b];
            MachineBackend backend;
            backend.name = seen.name;
            captured.recorded.backends.push_back(seen.name);
            backend.device = device_kind(seen);
            backend.kind = kind_named(seen.name, backend.device);
            backend.buffer_type = BufferTypeId(seen.type);
            for (const std::size_t type : graph_->takes[b]) backend.supports_buffer_types.emplace_back(type);
            const std::string& answers = graph_->supports[b];
            for (std::size_t i = 0; i < std::min(answers.size(), captured.graph.nodes.size()); ++i) {
                if (answers[i] == '0') backend.supports[static_cast<std::int64_t>(i)] = false;
            }
            backend.reorders = capture_.generation == Generation::g2026_08 && reorders_splits(seen.name);
            if (backend.device == DeviceKind::gpu) {
                backend.async = true;
                backend.events = scheduler.copies > 1 || !scheduler.parallel;
                find_offload_rule(captured.graph, graph_->offloads[b], backend);
            }
            machine.backends.push_back(std::move(backend));
        }
    }

    /// Device types: CPU, GPU, accelerator; since August 2025, integrated GPUs precede the last one.
    DeviceKind device_kind(const SeenBackend& seen) const {
        if (seen.device <= 0) return DeviceKind::cpu;
        if (seen.device == 1) return DeviceKind::gpu;
        return types_[seen.type].is_host || seen.device > 2 ? DeviceKind::accel : DeviceKind::gpu;
    }

    /// The threshold that explains all answers; 32, the common value, if possible.
    void find_offload_rule(const Graph& graph, const std::string& answers, MachineBackend& backend) {
        constexpr std::int64_t kDefaultThreshold = 32;
        std::int64_t best_min = 0;
        for (const OffloadRule rule :
             {OffloadRule::g2026_08, OffloadRule::format_default, OffloadRule::g2024_10}) {
            std::optional<std::int64_t> accepted;
            std::int64_t refused = 0;
            for (std::size_t i = 0; i < std::min(answers.size(), graph.nodes.size()); ++i) {
                const std::int64_t batch = offload_batch(rule, graph[graph.nodes[i]]);
                if (answers[i] == '1') {
                    accepted = std::min(accepted.value_or(batch), batch);
                } else {
                    refused = std::max(refused, batch);
                }
            }
            backend.offload_rule = rule;
            const bool by_default =
                refused < kDefaultThreshold && accepted.value_or(kDefaultThreshold) >= kDefaultThreshold;
            if (by_default) backend.offload_min_batch = kDefaultThreshold;
            if (by_default || (!accepted && rule == OffloadRule::g2026_08)) return;
            if (accepted && refused < *accepted) {
                backend.offload_min_batch = accepted;
                return;
            }
            best_min = accepted.value_or(0);
        }
        backend.offload_rule = OffloadRule::g2026_08;
        backend.offload_min_batch = std::max<std::int64_t>(1, best_min);
        remark(msg::kNoThreshold(backend.name));
    }

    void finish() {
        for (std::size_t g = 0; g < timings_.size(); ++g) {
            for (const auto& [split, timing] : timings_[g]) capture_.graphs[g].timings.push_back(timing);
        }
        for (const CapturedGraph& captured : capture_.graphs) {
            capture_.generation = generation_that_knows(captured.graph, capture_.generation);
        }
        capture_.remarks = remarks_.take();
        if (capture_.graphs.empty() && !refused_.empty()) {
            throw Error(ErrorKind::unsupported, msg::kLibraryRefused(refused_), source_,
                        msg::kImportLogInstead);
        }
        if (!refused_.empty()) capture_.remarks.push_back(msg::kRecordingEnded(refused_));
        if (!capture_.graphs.empty() && computations_ == 0) {
            capture_.remarks.push_back(msg::kNothingComputed);
        }
    }

    std::string_view text_;
    std::string_view source_;
    const JobContext& job_;
    Capture capture_;
    Remarks remarks_;
    bool cut_ = false;  ///< the recording says that it is not whole
    Message refused_;
    std::vector<MachineBufferType> types_;
    std::vector<std::string> type_names_;
    std::vector<SeenBuffer> buffers_;
    std::vector<SeenScheduler> schedulers_;
    std::optional<SeenGraph> graph_;
    std::int64_t number_ = 0;
    std::map<std::int64_t, std::size_t> numbers_;              ///< the recorder's number of a graph → index
    std::vector<std::map<std::size_t, SplitTiming>> timings_;  ///< by index of a graph, by split
    std::size_t ended_graphs_ = 0;                             ///< with those that were left out
    std::size_t lost_ = 0;                                     ///< repetitions of graphs that were left out
    std::size_t computations_ = 0;
};

}  // namespace

Capture parse_recording(std::string_view text, std::string_view source, const JobContext& job) {
    if (!text.starts_with("splitscope-recording 1\n")) {
        throw Error(ErrorKind::bad_file, msg::kNotRecording, source, msg::kRecordAgain);
    }
    return RecordingReader(text, source, job).read();
}

Message refusal_of_recorder(std::string_view reason) {
    const std::size_t blank = std::min(reason.find(' '), reason.size());
    const std::string_view kind = reason.substr(0, blank);
    const std::string_view rest = reason.substr(std::min(blank + 1, reason.size()));
    if (kind == "functions" && !rest.empty()) return msg::kLibraryLacksFunctions(rest);
    if (kind == "layout" && !rest.empty()) return msg::kUnknownTensorLayout(rest);
    if (kind == "graphs" && !rest.empty()) return msg::kMostGraphs(rest);
    if (reason == "buffer_types") return msg::kNoBufferTypes;
    return Message::verbatim(std::string(reason));
}

}  // namespace splitscope
