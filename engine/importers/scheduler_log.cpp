// SPDX-License-Identifier: MIT
#include "engine/importers/scheduler_log.hpp"

#include <algorithm>
#include <concepts>
#include <functional>
#include <limits>
#include <span>
#include <unordered_map>
#include <utility>

#include "engine/importers/log_lines.hpp"
#include "engine/importers/log_names.hpp"
#include "engine/importers/messages.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/memory_bound.hpp"
#include "engine/tensor/tensor.hpp"

namespace splitscope {
namespace {

constexpr std::string_view kSplitMark = "## SPLIT #";
constexpr std::string_view kNodeMark = "node #";

/// What a graph takes beside its lists: its own record, twice while their list grows, and its places in
/// others.
constexpr std::uint64_t kGraphBytes = 3 * sizeof(LoggedGraph);
/// Heap overhead of a list.
constexpr std::uint64_t kListBytes = 16;

constexpr std::size_t kOpWidth = 10;
constexpr std::size_t kNameWidth = 20;
constexpr std::size_t kSizeWidth = 5;
constexpr std::size_t kBackendWidth = 5;
constexpr std::size_t kCauseWidth = 8;

/// Parses fields from the start of a text. A mismatching field consumes nothing.
class Fields {
 public:
    explicit Fields(std::string_view text) : rest_(text) {}

    std::string_view rest() const { return rest_; }
    bool literal(std::string_view text) {
        if (!rest_.starts_with(text)) return false;
        rest_.remove_prefix(text.size());
        return true;
    }
    void blanks() {
        while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    }
    void level() { skip_level(rest_); }
    std::optional<std::int64_t> number() {
        constexpr std::size_t kMaxDigits = 12;
        std::int64_t value = 0;
        std::size_t i = 0;
        for (; i < rest_.size() && i < kMaxDigits && rest_[i] >= '0' && rest_[i] <= '9'; ++i) {
            value = value * 10 + (rest_[i] - '0');
        }
        if (i == 0) return std::nullopt;
        rest_.remove_prefix(i);
        return value;
    }
    /// A right-aligned field of exactly `width` bytes, unpadded.
    std::optional<std::string_view> column(std::size_t width) {
        if (rest_.size() < width) return std::nullopt;
        std::string_view field = rest_.substr(0, width);
        rest_.remove_prefix(width);
        while (field.starts_with(' ')) field.remove_prefix(1);
        return field;
    }
    /// Five columns: a number with K or M; without a unit, MiB.
    std::optional<std::uint64_t> size() {
        const auto field = column(kSizeWidth);
        if (!field) return std::nullopt;
        Fields inside(*field);
        const auto value = inside.number();
        if (!value) return std::nullopt;
        const std::string_view unit = inside.rest();
        if (unit == "K") return static_cast<std::uint64_t>(*value) << 10;
        if (unit == "M" || (unit.empty() && field->size() == kSizeWidth)) {
            return static_cast<std::uint64_t>(*value) << 20;
        }
        return std::nullopt;
    }

 private:
    std::string_view rest_;
};

/// Positions of a marker in a line, in order. Searches lazily and only forwards, so that a line is scanned
/// once regardless of the number of markers.
class Marks {
 public:
    Marks(std::string_view line, std::string_view mark) : line_(line), mark_(mark), place_(line.find(mark)) {}

    /// The first one at or after `from`, which must not decrease.
    std::size_t next(std::size_t from) {
        if (place_ < from) place_ = line_.find(mark_, from);
        return place_;
    }

 private:
    std::string_view line_;
    std::string_view mark_;
    std::size_t place_;
};

class ContentHash {
 public:
    std::size_t value() const { return value_; }

    template <std::integral Number>
    void mix(Number number) {
        value_ = (value_ ^ static_cast<std::size_t>(number)) * 0x9E3779B97F4A7C15ULL + (value_ >> 29);
    }
    void mix(std::string_view text) { mix(std::hash<std::string_view>{}(text)); }
    template <class Number>
    void mix(const std::optional<Number>& number) {
        mix(number.has_value());
        mix(number.value_or(Number{}));
    }
    void mix(const LoggedTensor& tensor) {
        mix(tensor.name);
        mix(tensor.backend);
        mix(tensor.cause);
        mix(tensor.bytes);
    }
    void mix(const LoggedSplit& split) {
        mix(split.number);
        mix(split.backend);
        mix(split.declared_inputs);
        mix(split.inputs.size());
        for (const LoggedInput& input : split.inputs) {
            mix(input.name);
            mix(input.bytes);
        }
        mix(split.first_node);
        mix(split.node_count);
    }
    void mix(const LoggedNode& node) {
        mix(node.index);
        mix(node.op);
        mix(node.tensor);
        mix(node.uses);
        mix(node.computed);
        mix(node.first_source);
        mix(node.source_count);
    }

 private:
    std::size_t value_ = 0;
};

/// Limits names to the length that tensors store; printed names are shorter.
std::string_view kept_name(std::string_view name) {
    return name.size() <= kMaxNameBytes ? name : whole_characters(name.substr(0, kMaxNameBytes));
}

class LogReader {
 public:
    LogReader(std::string_view text, const JobContext& job)
        : text_(text), job_(job), bound_(job.memory_bound().of_file(text.size())) {}

    SchedulerLog read() {
        std::size_t at = 0;
        std::size_t next_check = 0;
        while (at < text_.size()) {
            if (at >= next_check) {
                job_.check();
                job_.report(static_cast<double>(at) / static_cast<double>(text_.size()), msg::kReadingLog);
                next_check = at + kBytesBetweenChecks;
            }
            ++log_.lines;
            const std::size_t end = std::min(text_.find('\n', at), text_.size());
            complete_ = end < text_.size();
            take_line(text_.substr(at, end - at));
            at = end + 1;
        }
        if (current_ && current_->has_nodes())
            current_->ends_early = is_cut_ || (!is_followed_ && is_beginning_of_known(*current_));
        finish_graph();
        log_.bytes = text_.size();
        log_.memory = graph_memory_ + pool_->bytes();
        log_.texts = std::move(pool_);
        job_.report(1.0, msg::kReadingLog);
        return std::move(log_);
    }

 private:
    void note(Message what) {
        flush_pending();
        ++log_.notes_total;
        if (log_.notes.size() < kMaxRemarks) log_.notes.push_back({log_.lines, std::move(what)});
    }

    /// Output between a graph's lines becomes a note only if the graph continues after it.
    void flush_pending() {
        for (LogNote& pending : pending_) {
            if (log_.notes.size() < kMaxRemarks) log_.notes.push_back(std::move(pending));
        }
        log_.notes_total += pending_total_;
        drop_pending();
    }
    void drop_pending() {
        pending_.clear();
        pending_total_ = 0;
    }

    void take_line(std::string_view raw) {
        if (raw.size() > kMaxLogLineBytes) {
            note(msg::kLineSkipped(raw.size()));
            return;
        }
        const std::string_view line = cleaner_.clean(raw);
        Marks splits(line, kSplitMark);
        Marks nodes(line, kNodeMark);
        std::size_t at = 0;
        bool took_mark = false;
        bool damaged = false;
        while (true) {
            const std::size_t split = splits.next(at);
            const std::size_t mark = std::min(split, nodes.next(at));
            if (mark == std::string_view::npos) break;
            const std::string_view before = line.substr(at, mark - at);
            if (took_mark && has_text(before)) note_rest(before);
            took_mark = true;
            // Headers have no terminator: the next line ends them.
            const std::size_t end =
                mark == split ? std::min(splits.next(mark + 1), line.size()) : line.size();
            Fields fields(line.substr(mark, end - mark));
            const bool understood = mark == split ? take_header(fields) : take_node(fields);
            if (current_) {
                limit_current();
            } else {
                pool_->forget_new();
            }
            // Parse the rest of the line again, at least after the marker.
            at = std::max(end - fields.rest().size(), mark + 1);
            if (!understood && !damaged) {
                is_cut_ = !complete_;
                note(complete_ ? msg::kDamagedLine : msg::kLogEndsHere);
            }
            damaged = damaged || !understood;
        }
        const std::string_view rest = line.substr(at);
        is_followed_ = !took_mark && complete_ && (is_followed_ || has_text(rest));
        if (damaged || !has_text(rest)) return;
        if (took_mark) {
            note_rest(rest);
        } else if (!log_.facts.take(rest) && current_) {
            take_other(rest);
        }
    }

    static bool has_text(std::string_view line) {
        skip_level(line);
        return line.find_first_not_of(" \t\r") != std::string_view::npos;
    }

    void note_rest(std::string_view rest) {
        is_cut_ = !complete_;
        note(complete_ ? msg::kNotUnderstood(shown(rest)) : Message(msg::kLogEndsHere));
    }

    /// An unrecognised line within a graph: perhaps the end of a line that other output interrupted.
    void take_other(std::string_view line) {
        Fields fields(line);
        if (!current_->nodes.empty() && take_sources(fields, current_->nodes.back()) &&
            !has_text(fields.rest()))
            return;
        ++pending_total_;
        if (log_.notes.size() + pending_.size() < kMaxRemarks) {
            pending_.push_back({log_.lines, msg::kOtherOutput(shown(line))});
        }
    }

    static std::string shown(std::string_view text) {
        constexpr std::size_t kMax = 60;
        while (text.starts_with(' ')) text.remove_prefix(1);
        return text.size() <= kMax ? std::string(text) : std::string(text.substr(0, kMax)) + "…";
    }

    bool take_header(Fields& fields) {
        LoggedSplit split;
        fields.literal(kSplitMark);
        const auto number = fields.number();
        if (!number || !fields.literal(": ")) return false;
        const std::string_view rest = fields.rest();
        std::size_t at = rest.find(" # ");
        std::optional<std::int64_t> count;
        while (at != std::string_view::npos && !count) {
            Fields tail(rest.substr(at + 3));
            count = tail.number();
            if (count && tail.literal(" inputs")) {
                split.backend = kept_name(rest.substr(0, at));
                fields = tail;
            } else {
                count.reset();
                at = rest.find(" # ", at + 1);
            }
        }
        if (!count || split.backend.empty()) return false;
        split.number = *number;
        split.declared_inputs = *count;
        fields.level();
        if (fields.literal(":")) {
            fields.blanks();
            fields.level();
            while (take_input(fields, split)) {
            }
            split.inputs.shrink_to_fit();
        }
        fields.blanks();
        begin_split(std::move(split));
        const LoggedSplit& kept = current_->splits.back();
        if (kept.inputs.size() != static_cast<std::size_t>(kept.declared_inputs)) {
            note(msg::kInputsDiffer(kept.number, kept.declared_inputs, kept.inputs.size()));
        }
        return true;
    }

    bool take_input(Fields& fields, LoggedSplit& split) {
        Fields trial = fields;
        trial.level();
        if (!trial.literal("[")) return false;
        const std::string_view rest = trial.rest();
        // Names may contain blanks and parentheses: an input ends at the first size followed by "]".
        for (std::size_t at = rest.find(" ("); at != std::string_view::npos; at = rest.find(" (", at + 1)) {
            Fields tail(rest.substr(at + 2));
            const auto bytes = tail.size();
            if (!bytes || !tail.literal(")]")) continue;
            split.inputs.push_back({kept_name(rest.substr(0, at)), *bytes});
            tail.literal(" ");
            fields = tail;
            return true;
        }
        return false;
    }

    /// `split` refers to the line.
    void begin_split(LoggedSplit split) {
        if (current_ && split.number == 0) finish_graph();
        flush_pending();
        // Finishing a graph releases the texts that only this graph uses.
        split.backend = pool_->keep(split.backend);
        for (LoggedInput& input : split.inputs) input.name = pool_->keep(input.name);
        if (!current_) {
            current_.emplace();
            current_->line = log_.lines;
            current_->starts_midway = split.number != 0;
            if (current_->starts_midway) {
                note(msg::kStartsMidway(split.number));
            }
        } else if (!current_->splits.empty() && split.number != current_->splits.back().number + 1) {
            note(msg::kSplitsMissing(split.number, current_->splits.back().number));
        }
        split.first_node = current_->nodes.size();
        current_memory_ += sizeof(LoggedSplit) + kListBytes + split.inputs.size() * sizeof(LoggedInput);
        current_->splits.push_back(std::move(split));
    }

    bool take_node(Fields& fields) {
        LoggedNode node;
        fields.literal(kNodeMark);
        Fields trial = fields;
        trial.blanks();
        const auto index = trial.number();
        if (!index || *index > std::numeric_limits<std::int32_t>::max() || !trial.literal(" (")) return false;
        const auto op = trial.column(kOpWidth);
        if (!op || !trial.literal("): ") || !take_tensor(trial, node.tensor)) return false;
        node.index = *index;
        node.op = pool_->keep(*op);
        if (trial.literal(" use=")) node.uses = trial.number();
        if (trial.literal(",c=")) {
            const auto computed = trial.number();
            if (computed) node.computed = *computed != 0;
        }
        const bool ended = trial.literal(":");
        fields = trial;
        if (!current_ || current_->splits.empty()) {
            note(msg::kNodeWithoutSplit(node.index));
            return true;
        }
        if (!current_->nodes.empty() && node.index <= current_->nodes.back().index) {
            note(msg::kNodeOutOfOrder(node.index, current_->nodes.back().index));
            return true;
        }
        flush_pending();
        node.first_source = static_cast<std::uint32_t>(current_->sources.size());
        current_->nodes.push_back(node);
        current_memory_ += sizeof(LoggedNode);
        ++current_->splits.back().node_count;
        if (!ended) return false;
        take_sources(fields, current_->nodes.back());
        return true;
    }

    /// Parses all sources. True if there is at least one.
    bool take_sources(Fields& fields, LoggedNode& node) {
        bool any = false;
        while (node.source_count < kMaxSources) {
            Fields trial = fields;
            trial.level();
            LoggedTensor source;
            if (!trial.literal(" ") || !take_tensor(trial, source)) break;
            fields = trial;
            current_->sources.push_back(source);
            current_memory_ += sizeof(LoggedTensor);
            ++node.source_count;
            any = true;
        }
        return any;
    }

    /// name20 " (" size5 ") [" be5 " " cause8 "]"
    bool take_tensor(Fields& fields, LoggedTensor& tensor) {
        const auto name = fields.column(kNameWidth);
        if (!name || !fields.literal(" (")) return false;
        const auto bytes = fields.size();
        if (!bytes || !fields.literal(") [")) return false;
        const auto backend = fields.column(kBackendWidth);
        if (!backend || !fields.literal(" ")) return false;
        const auto cause = fields.column(kCauseWidth);
        if (!cause || !fields.literal("]")) return false;
        tensor = {pool_->keep(*name), pool_->keep(*backend), pool_->keep(*cause), *bytes};
        return true;
    }

    /// Discards a graph that takes more than a sixth of the bound: growing lists need up to three times their
    /// content.
    void limit_current() {
        if (current_memory_ + pool_->new_bytes() <= bound_ / 6) return;
        left_out_ = true;
        LoggedSplit last;
        last.number = current_->splits.back().number;
        current_->splits.assign(1, last);
        current_->nodes.clear();
        current_->sources.clear();
        current_memory_ = 0;
        pool_->forget_new();
    }

    void finish_graph() {
        drop_pending();
        if (!current_) return;
        ++log_.graphs_total;
        LoggedGraph graph = std::move(*current_);
        current_.reset();
        const std::uint64_t memory = std::exchange(current_memory_, 0) + kGraphBytes;
        if (std::exchange(left_out_, false)) {
            leave_out();
            return;
        }
        const std::size_t hash = hash_of(graph);
        const auto [first, last] = known_.equal_range(hash);
        for (auto it = first; it != last; ++it) {
            LoggedGraph& known = log_.graphs[it->second];
            if (!known.same_content(graph)) continue;
            ++known.times;
            pool_->forget_new();
            return;
        }
        if (graph_memory_ + memory + pool_->bytes() > bound_ / 2) {
            leave_out();
            return;
        }
        graph.splits.shrink_to_fit();
        graph.nodes.shrink_to_fit();
        graph.sources.shrink_to_fit();
        graph_memory_ += memory;
        pool_->settle();
        known_.emplace(hash, log_.graphs.size());
        log_.graphs.push_back(std::move(graph));
    }

    /// Whether a graph has the first nodes of another, which has more: perhaps in another batch size.
    bool is_beginning_of_known(const LoggedGraph& graph) const {
        const auto same = [](const LoggedNode& a, const LoggedNode& b) {
            return a.index == b.index && a.op == b.op && a.tensor.name == b.tensor.name;
        };
        return std::ranges::any_of(log_.graphs, [&](const LoggedGraph& known) {
            return known.nodes.size() > graph.nodes.size() &&
                   std::ranges::equal(graph.nodes, std::span(known.nodes).first(graph.nodes.size()), same);
        });
    }

    void leave_out() {
        ++log_.graphs_left_out;
        pool_->forget_new();
    }

    /// Hash of everything that same_content() compares, to avoid pairwise comparisons.
    static std::size_t hash_of(const LoggedGraph& graph) {
        ContentHash hash;
        hash.mix(graph.starts_midway);
        for (const LoggedSplit& split : graph.splits) hash.mix(split);
        for (const LoggedNode& node : graph.nodes) hash.mix(node);
        for (const LoggedTensor& source : graph.sources) hash.mix(source);
        return hash.value();
    }

    std::string_view text_;
    const JobContext& job_;
    SchedulerLog log_;
    std::shared_ptr<TextPool> pool_ = std::make_shared<TextPool>();
    LineCleaner cleaner_;
    std::optional<LoggedGraph> current_;
    std::unordered_multimap<std::size_t, std::size_t> known_;  ///< hash → index in log_.graphs
    std::uint64_t bound_;                                      ///< of memory, for the whole opening
    std::uint64_t graph_memory_ = 0;                           ///< of the graphs that are kept
    std::uint64_t current_memory_ = 0;                         ///< of the lists of the current graph
    bool left_out_ = false;                                    ///< the current graph was discarded
    std::vector<LogNote> pending_;
    std::size_t pending_total_ = 0;
    bool complete_ = true;      ///< the current line ends with a line end
    bool is_cut_ = false;       ///< the last line ends within a node or a split
    bool is_followed_ = false;  ///< other output follows the current graph
};

}  // namespace

bool LoggedGraph::same_content(const LoggedGraph& other) const {
    return starts_midway == other.starts_midway && splits == other.splits && nodes == other.nodes &&
           sources == other.sources;
}

bool is_scheduler_log(std::string_view text) {
    return text.find(kSplitMark) != std::string_view::npos;
}

SchedulerLog parse_scheduler_log(std::string_view text, const JobContext& job) {
    return LogReader(text, job).read();
}

}  // namespace splitscope
