// SPDX-License-Identifier: MIT
#include "engine/importers/dot_graph.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include "engine/importers/log_names.hpp"
#include "engine/importers/messages.hpp"
#include "engine/importers/tensor_memory.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// Check for cancellation every few milliseconds, regardless of line length.

struct SymbolOp {
    std::string_view symbol;
    Op op;
};
/// Operations printed as a formula; the others have name and arguments.
constexpr auto kSymbols = std::to_array<SymbolOp>({
    {"none", Op::none},
    {"x", Op::dup},
    {"x+y", Op::add},
    {"x[i]+y", Op::add_id},
    {"x-y", Op::sub},
    {"x*y", Op::mul},
    {"x/y", Op::div},
    {"x^2", Op::sqr},
    {"√x", Op::sqrt},
    {"Σx", Op::sum},
    {"Σx_k", Op::sum_rows},
    {"Σx/n", Op::mean},
    {"X*Y", Op::mul_mat},
    {"X[i]*Y", Op::mul_mat_id},
    {"x*v", Op::scale},
    {"y-\\>view(x)", Op::set},
    {"x-\\>y", Op::cpy},
    {"view(x,nb,offset)+=y->x", Op::acc},
    {"map_custom(x,f)", Op::map_custom1},
    {"map_custom(x,y,f)", Op::map_custom2},
    {"map_custom(x,y,z,f)", Op::map_custom3},
    {"adamw(x)", Op::opt_step_adamw},
    {"sgd(x)", Op::opt_step_sgd},
});

std::optional<Op> op_of_symbol(std::string_view symbol) {
    const auto* const known = std::ranges::find(kSymbols, symbol, &SymbolOp::symbol);
    if (known != kSymbols.end()) return known->op;
    if (symbol.starts_with("A X = B")) return Op::solve_tri;
    std::string name(symbol.substr(0, symbol.find('(')));
    for (char& c : name) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    return op_named(name);
}

/// Removes the prefix `start`.
bool take(std::string_view& text, std::string_view start) {
    if (!text.starts_with(start)) return false;
    text.remove_prefix(start.size());
    return true;
}

std::optional<std::int64_t> take_number(std::string_view& text) {
    std::int64_t number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc() || number < 0) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

/// Parses `"0x55…"` at the start of the text.
std::optional<std::string_view> take_pointer(std::string_view& text) {
    if (!take(text, "\"")) return std::nullopt;
    const auto end = text.find('"');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view pointer = text.substr(0, end);
    text.remove_prefix(end + 1);
    return pointer;
}

/// The parts of a label "name (type)|12 [64, 2] | <x>X*Y".
struct Label {
    std::string_view name;
    std::string_view type;
    std::int64_t index = 0;
    Shape ne{1, 1, 1, 1};
    std::string_view symbol;
};

std::optional<Label> parse_label(std::string_view text, bool leaf) {
    Label label;
    // Names are not escaped: use the last "|index [".
    for (std::size_t bar = text.rfind('|'); bar != std::string_view::npos;
         bar = bar == 0 ? std::string_view::npos : text.rfind('|', bar - 1)) {
        std::string_view rest = text.substr(bar + 1);
        if (leaf && !take(rest, "CONST ")) continue;
        const auto index = take_number(rest);
        if (!index || !take(rest, " [")) continue;
        label.index = *index;
        for (std::size_t d = 0; d < 3; ++d) {
            const auto n = take_number(rest);
            if (!n) return std::nullopt;
            label.ne[d] = *n;
            if (!take(rest, ", ")) break;
        }
        if (!take(rest, "]")) return std::nullopt;
        if (take(rest, " | <x>")) label.symbol = rest.substr(0, rest.find(" | <g>"));
        const std::string_view before = text.substr(0, bar);
        const std::size_t open = before.rfind('(');
        if (open == std::string_view::npos || !before.ends_with(')')) return std::nullopt;
        label.type = before.substr(open + 1, before.size() - open - 2);
        label.name = before.substr(0, open);
        if (label.name.ends_with(' ')) label.name.remove_suffix(1);
        return label;
    }
    return std::nullopt;
}

class DotReader {
 public:
    DotReader(std::string_view text, std::string_view source, const JobContext& job)
        : text_(text), source_(source), job_(job), bound_(job.memory_bound().of_file(text.size())) {}

    DotGraph read() {
        std::size_t next_check = 0;
        for (std::size_t at = 0; at < text_.size();) {
            ++line_;
            if (at >= next_check) {
                job_.check();
                job_.report(static_cast<double>(at) / static_cast<double>(text_.size()), msg::kReadingDump);
                next_check = at + kBytesBetweenChecks;
            }
            const std::size_t end = std::min(text_.find('\n', at), text_.size());
            std::string_view line = text_.substr(at, end - at);
            if (line.ends_with('\r')) line.remove_suffix(1);
            if (take(line, "  \"")) {
                line = text_.substr(at + 2, line.size() + 1);
                if (line.size() > kMaxDotLineBytes || !read_line(line)) not_understood();
            }
            at = end + 1;
        }
        return finish();
    }

 private:
    struct Numbered {
        std::int64_t index;
        TensorId tensor;
    };

    void not_understood() {
        if (lost_++ == 0) first_lost_ = line_;
    }

    TensorId tensor_at(std::string_view pointer) {
        const auto [known, inserted] = by_pointer_.try_emplace(pointer, TensorId(out_.graph.tensors.size()));
        if (inserted) {
            if (!has_memory_for_tensor(listed_.size(), bound_))
                throw graph_beyond_memory_bound(bound_, msg::kFileLine(source_, line_));
            out_.graph.tensors.emplace_back();
            out_.graph.tensors.back().nb = contiguous_strides(ElementType::f32, Shape{1, 1, 1, 1});
            listed_.push_back(false);
        }
        return known->second;
    }

    bool read_line(std::string_view line) {
        const auto pointer = take_pointer(line);
        if (!pointer) return false;
        if (take(line, " [ style = filled; fillcolor = ")) return read_tensor(*pointer, line);
        return read_edge(*pointer, line);
    }

    bool read_tensor(std::string_view pointer, std::string_view line) {
        constexpr std::string_view kLabel = "label=\"";
        const auto start = line.find(kLabel);
        const auto end = line.rfind("\"; ]");
        if (start == std::string_view::npos || end == std::string_view::npos || end < start + kLabel.size()) {
            return false;
        }
        std::string_view text = line.substr(start + kLabel.size(), end - start - kLabel.size());
        const bool leaf = take(text, "<x>");
        const auto label = parse_label(text, leaf);
        if (!label) return false;
        const TensorId id = tensor_at(pointer);
        if (listed_[id.index()]) return false;
        listed_[id.index()] = true;

        Tensor& t = out_.graph[id];
        t.name = cut_name(std::string(whole_characters(label->name.substr(0, kMaxNameBytes))));
        t.ne = label->ne;
        const auto type = element_type_named(label->type);
        // The size contradicts the type: a row is not a multiple of its block.
        if (type && t.ne[0] % traits_of(*type).block_elements == 0) {
            t.type = *type;
        } else {
            ++unknown_types_;
        }
        if (!is_plausible(t.ne)) {
            t.ne = {traits_of(t.type).block_elements, 1, 1, 1};
            not_understood();
        }
        t.nb = contiguous_strides(t.type, t.ne);
        if (leaf) {
            leafs_.push_back({label->index, id});
            return true;
        }
        const auto op = op_of_symbol(label->symbol);
        if (!op) ++unknown_ops_;
        t.op = op.value_or(Op::custom);
        nodes_.push_back({label->index, id});
        return true;
    }

    /// Limits the element count so that byte sizes fit. Empty dimensions do not compensate for others,
    /// because strides are products of the preceding ones.
    static bool is_plausible(const Shape& ne) {
        std::int64_t elements = 1;
        for (const std::int64_t n : ne) {
            if (n > kMaxDumpElements / elements) return false;
            elements *= std::max<std::int64_t>(n, 1);
        }
        return true;
    }

    bool read_edge(std::string_view from, std::string_view line) {
        const auto take_port = [&line] { return take(line, ":x") || take(line, ":g"); };
        take_port();
        if (!take(line, " -> ")) return false;
        const auto to = take_pointer(line);
        if (!to) return false;
        take_port();
        constexpr std::string_view kLabel = "label = \"src ";
        const auto label = line.find(kLabel);
        if (label == std::string_view::npos) return false;
        line.remove_prefix(label + kLabel.size());
        const auto slot = take_number(line);
        if (!slot || *slot >= static_cast<std::int64_t>(kMaxSources)) return false;
        const TensorId source = tensor_at(from);
        out_.graph[tensor_at(*to)].src[static_cast<std::size_t>(*slot)] = source;
        return true;
    }

    DotGraph finish() {
        Graph& graph = out_.graph;
        if (nodes_.empty()) {
            throw Error(ErrorKind::bad_file, msg::kNoDumpedNodes, source_, msg::kMakeDump);
        }
        graph.name = "DOT dump";
        const auto in_order = [](std::vector<Numbered>& numbered, std::vector<TensorId>& list) {
            std::ranges::stable_sort(numbered, {}, &Numbered::index);
            for (const Numbered& entry : numbered) list.push_back(entry.tensor);
        };
        in_order(nodes_, graph.nodes);
        in_order(leafs_, graph.leafs);
        connect_views();
        // Tensors named only by edges are in neither list.
        const auto nameless = static_cast<std::size_t>(std::ranges::count(listed_, false));
        if (nameless > 0) out_.remarks.push_back(msg::kNamedByEdges(nameless));
        if (unknown_ops_ > 0) out_.remarks.push_back(msg::kOperationsUnknown(unknown_ops_));
        if (unknown_types_ > 0) out_.remarks.push_back(msg::kTypesUnknown(unknown_types_));
        if (lost_ > 0) out_.remarks.push_back(msg::kLinesNotUnderstood(lost_, first_lost_));
        out_.remarks.push_back(msg::kDumpLacks);
        try {
            validate(graph);
        } catch (const Error& error) {
            throw error.within(source_);
        }
        return std::move(out_);
    }

    /// A view's source is its base; the offset is not in the file.
    void connect_views() {
        for (const TensorId node : out_.graph.nodes) {
            Tensor& t = out_.graph[node];
            const TensorId source = t.src[0];
            if (!is_view_op(t.op) || !source.valid() || source == node) continue;
            const Tensor& viewed = out_.graph[source];
            const TensorId memory = viewed.is_view() ? viewed.view_src : source;
            if (memory != node && byte_size(t) <= byte_size(out_.graph[memory])) t.view_src = memory;
        }
    }

    std::string_view text_;
    std::string_view source_;
    const JobContext& job_;
    std::uint64_t bound_;  ///< of memory, for the whole opening
    DotGraph out_;
    std::unordered_map<std::string_view, TensorId> by_pointer_;
    std::vector<bool> listed_;  ///< per tensor: has its own line
    std::vector<Numbered> nodes_;
    std::vector<Numbered> leafs_;
    std::size_t line_ = 0;
    std::size_t lost_ = 0;
    std::size_t first_lost_ = 0;
    std::size_t unknown_ops_ = 0;
    std::size_t unknown_types_ = 0;
};

}  // namespace

bool is_dot_graph(std::string_view text) {
    return text.starts_with("digraph G {");
}

DotGraph parse_dot_graph(std::string_view text, std::string_view source, const JobContext& job) {
    return DotReader(text, source, job).read();
}

}  // namespace splitscope
