// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/layout/dot_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace splitscope::ui {
namespace {

/// Graphviz uses inches; one inch is 72 scene pixels.
constexpr double kPixelsPerInch = 72;
/// No item is longer than 4.2 inches, and edges need less in addition.
constexpr double kMaxInchesPerElement = 10;
constexpr std::size_t kMaxCurvePoints = 100'000;

/// Splits text into lines and words without copying.
class Words {
 public:
    explicit Words(std::string_view line) : rest_(line) {}

    std::string_view next() {
        const auto start = rest_.find_first_not_of(" \t\r");
        if (start == std::string_view::npos) {
            rest_ = {};
            return {};
        }
        const auto end = rest_.find_first_of(" \t\r", start);
        const std::string_view word = rest_.substr(start, end == std::string_view::npos ? end : end - start);
        rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end);
        return word;
    }
    /// Parses a number within ±limit; excludes NaN and infinities.
    std::optional<double> number(double limit) {
        const auto value = whole_word<double>(next());
        return value && std::abs(*value) <= limit ? value : std::nullopt;
    }
    std::optional<std::size_t> count() { return whole_word<std::size_t>(next()); }
    /// "n12" → 12, if below `limit`.
    std::optional<std::size_t> item(std::size_t limit) {
        const std::string_view word = next();
        if (!word.starts_with('n')) return std::nullopt;
        const auto value = whole_word<std::size_t>(word.substr(1));
        return value && *value < limit ? value : std::nullopt;
    }

 private:
    template <class Number>
    static std::optional<Number> whole_word(std::string_view word) {
        Number value = 0;
        const char* const end = word.data() + word.size();
        const auto result = std::from_chars(word.data(), end, value);
        return result.ec == std::errc() && result.ptr == end ? std::optional(value) : std::nullopt;
    }

    std::string_view rest_;
};

/// Collects the lines of one graph.
class PlainGraph {
 public:
    explicit PlainGraph(const BlockShape& shape)
        : shape_(shape), limit_(largest_side(shape) / kPixelsPerInch), placed_(shape.kinds.size()) {
        layout_.centres.resize(shape.kinds.size());
        layout_.curves.resize(shape.edges.size());
        for (std::size_t e = 0; e < shape.edges.size(); ++e) edges_[shape.edges[e]].push_back(e);
    }

    void line(std::string_view text) {
        Words words(text);
        const std::string_view what = words.next();
        if (what == "graph") {
            const auto scale = words.number(limit_);
            const auto width = words.number(limit_);
            const auto height = words.number(limit_);
            // Earlier coordinates would be flipped with another height.
            good_ = good_ && !sized_ && scale && width && height && *width >= 0 && *height >= 0;
            if (!good_) return;
            layout_.size = {*width * kPixelsPerInch, *height * kPixelsPerInch};
            sized_ = true;
        } else if (what == "node") {
            const auto item = words.item(shape_.kinds.size());
            const auto x = words.number(limit_);
            const auto y = words.number(limit_);
            good_ = good_ && sized_ && item && x && y && !placed_[*item];
            if (!good_) return;
            layout_.centres[*item] = to_scene(*x, *y);
            placed_[*item] = true;
        } else if (what == "edge") {
            read_edge(words);
        }
    }

    std::optional<BlockLayout> take() {
        if (!good_ || !sized_ || std::ranges::find(placed_, false) != placed_.end()) return std::nullopt;
        for (const Curve& curve : layout_.curves) {
            if (curve.size() < 4 || curve.size() % 3 != 1) return std::nullopt;
        }
        return std::move(layout_);
    }

 private:
    Point to_scene(double x, double y) const {
        return {x * kPixelsPerInch, layout_.size.height - y * kPixelsPerInch};
    }

    void read_edge(Words& words) {
        const auto from = words.item(shape_.kinds.size());
        const auto to = words.item(shape_.kinds.size());
        const auto count = words.count();
        good_ = good_ && sized_ && from && to && count && *count >= 4 && *count < kMaxCurvePoints;
        if (!good_) return;
        const auto found = edges_.find({static_cast<std::int32_t>(*from), static_cast<std::int32_t>(*to)});
        if (found == edges_.end() || found->second.empty()) {
            good_ = false;
            return;
        }
        Curve& curve = layout_.curves[found->second.back()];
        found->second.pop_back();
        for (std::size_t i = 0; i < *count; ++i) {
            const auto x = words.number(limit_);
            const auto y = words.number(limit_);
            good_ = x && y;
            if (!good_) return;
            curve.push_back(to_scene(*x, *y));
        }
    }

    const BlockShape& shape_;
    BlockLayout layout_;
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::size_t>> edges_;
    double limit_;              ///< inches
    std::vector<bool> placed_;  ///< per item: each has one place
    bool sized_ = false;
    bool good_ = true;
};

}  // namespace

double largest_side(const BlockShape& shape) {
    return kMaxInchesPerElement * static_cast<double>(1 + shape.kinds.size() + shape.edges.size()) *
           kPixelsPerInch;
}

std::string to_dot(const BlockShape& shape) {
    fmt::memory_buffer out;
    const auto write = std::back_inserter(out);
    fmt::format_to(write,
                   "digraph {{\nnodesep=0.2\nranksep=0.36\nnode [shape=box fixedsize=true label=\"\"]\n"
                   "edge [arrowhead=none]\n");
    for (std::size_t i = 0; i < shape.kinds.size(); ++i) {
        const Size size = size_of(shape.kinds[i]);
        fmt::format_to(write, "n{} [width={:.4f} height={:.4f}]\n", i, size.width / kPixelsPerInch,
                       size.height / kPixelsPerInch);
    }
    const auto same_rank = [&](ItemKind kind, std::string_view rank) {
        std::string names;
        for (std::size_t i = 0; i < shape.kinds.size(); ++i) {
            if (shape.kinds[i] == kind) names += fmt::format(" n{}", i);
        }
        if (!names.empty()) fmt::format_to(write, "{{rank={}{}}}\n", rank, names);
    };
    same_rank(ItemKind::in_port, "source;");
    same_rank(ItemKind::out_port, "sink;");
    for (const auto& [from, to] : shape.edges) fmt::format_to(write, "n{} -> n{}\n", from, to);
    fmt::format_to(write, "}}\n");
    return fmt::to_string(out);
}

std::vector<std::optional<BlockLayout>> parse_plain(std::string_view text,
                                                    std::span<const BlockShape> shapes) {
    std::vector<std::optional<BlockLayout>> layouts(shapes.size());
    std::size_t at = 0;
    std::optional<PlainGraph> graph;
    while (!text.empty() && at < shapes.size()) {
        const auto end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        if (!graph) graph.emplace(shapes[at]);
        if (line == "stop") {
            layouts[at++] = graph->take();
            graph.reset();
        } else {
            graph->line(line);
        }
    }
    return layouts;
}

}  // namespace splitscope::ui
