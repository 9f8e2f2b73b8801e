// SPDX-License-Identifier: MIT
#include "engine/formats/capture_json.hpp"

#include <iterator>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "engine/formats/graph_json.hpp"
#include "engine/formats/json_cursor.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

constexpr std::string_view kFormat = "splitscope-capture";

template <class... Args>
void append(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

/// "[a,b,…]" with each element written by `write(element)`.
template <class Range, class Write>
void append_list(std::string& out, const Range& range, Write&& write) {
    out += '[';
    bool first = true;
    for (const auto& element : range) {
        if (!first) out += ',';
        first = false;
        write(element);
    }
    out += ']';
}

void append_texts(std::string& out, const std::vector<std::string>& texts) {
    append_list(out, texts, [&](const std::string& text) { append_json_string(out, text); });
}

void append_recorded(std::string& out, const RecordedSchedule& recorded) {
    out += "{\"backends\":";
    append_texts(out, recorded.backends);
    append(out, ",\"copies\":{},\"backend\":", recorded.n_copies);
    append_list(out, recorded.backend, [&](BackendId b) { append(out, "{}", b.value); });
    out += ",\"splits\":";
    append_list(out, recorded.splits, [&](const Split& split) {
        append(out, R"({{"backend":{},"i_start":{},"i_end":{},"inputs":)", split.backend.value, split.start,
               split.end);
        append_list(out, split.inputs, [&](TensorId t) { append(out, "{}", t.value); });
        out += '}';
    });
    out += '}';
}

void append_graph(std::string& out, const CapturedGraph& captured) {
    out += "\n{\"purpose\":";
    append_json_string(out, captured.purpose);
    append(out, ",\"times\":{},\"graph\":", captured.times);
    out += write_graph_json(captured.graph);
    out += ",\"machine\":";
    out += write_machine_json(captured.machine);
    out += ",\"recorded\":";
    append_recorded(out, captured.recorded);
    out += ",\"timings\":";
    append_list(out, captured.timings, [&](const SplitTiming& t) {
        append(out, R"({{"split":{},"times":{},"total_ns":{},"shortest_ns":{}}})", t.split, t.times,
               t.total_ns, t.shortest_ns);
    });
    out += ",\"remarks\":";
    append_texts(out, captured.remarks);
    out += '}';
}

class CaptureReader {
 public:
    explicit CaptureReader(const JobContext& job) : job_(job) {}

    Capture read(const JsonCursor& document) {
        require_format(document, kFormat, 1);
        Capture capture;
        capture.program = document.at("program").text();
        capture.library = document.at("library").text();
        const JsonCursor generation = document.at("generation");
        const auto known = generation_named(generation.text());
        if (!known) generation.refuse("unknown generation", "use 2024-01, 2024-10, 2025-06 or 2026-08");
        capture.generation = *known;
        capture.remarks = document.at("remarks").texts();
        const JsonCursor graphs = document.at("graphs");
        const std::size_t count = graphs.size(kMostGraphs);
        for (std::size_t i = 0; i < count; ++i) {
            job_.check();
            job_.report(static_cast<double>(i) / static_cast<double>(count), "Reading the recording");
            capture.graphs.push_back(read_graph(graphs.at(i)));
        }
        return capture;
    }

 private:
    static constexpr std::size_t kMostGraphs = 4096;
    static constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

    /// A document of its own inside of this one; complaints name the place of both.
    template <class Parse>
    static auto inner(const JsonCursor& place, Parse&& parse) {
        try {
            return parse(place.value().dump());
        } catch (const Error& error) {
            throw error.within(place.pointer());
        }
    }

    static CapturedGraph read_graph(const JsonCursor& item) {
        CapturedGraph captured;
        captured.purpose = item.at("purpose").text();
        captured.times = static_cast<std::size_t>(item.at("times").integer_between(0, kMost));
        captured.graph =
            inner(item.at("graph"), [](const std::string& text) { return parse_graph_json(text, ""); });
        captured.machine = inner(item.at("machine"), [&](const std::string& text) {
            Machine machine = parse_machine_json(text, "");
            validate(machine);
            validate(machine, captured.graph);
            return machine;
        });
        captured.recorded = read_recorded(item.at("recorded"), captured.graph);
        const JsonCursor timings = item.at("timings");
        for (std::size_t i = 0; i < timings.size(); ++i) {
            const JsonCursor timing = timings.at(i);
            const auto number = [&](std::string_view key) {
                return static_cast<std::uint64_t>(timing.at(key).integer_between(0, kMost));
            };
            captured.timings.push_back({static_cast<std::size_t>(number("split")),
                                        static_cast<std::size_t>(number("times")), number("total_ns"),
                                        number("shortest_ns")});
        }
        captured.remarks = item.at("remarks").texts();
        return captured;
    }

    static RecordedSchedule read_recorded(const JsonCursor& item, const Graph& graph) {
        RecordedSchedule recorded;
        recorded.backends = item.at("backends").texts();
        const auto backends = static_cast<std::int64_t>(recorded.backends.size());
        constexpr std::int64_t kMostCopies = 64;
        recorded.n_copies = static_cast<int>(item.at("copies").integer_between(1, kMostCopies));
        const JsonCursor backend = item.at("backend");
        const std::size_t tensors = backend.size();
        if (tensors != graph.tensors.size())
            backend.refuse("not as many as tensors", "give one for each tensor");
        for (std::size_t i = 0; i < tensors; ++i) {
            const std::int64_t b = backend.at(i).integer_between(-1, backends - 1);
            recorded.backend.push_back(b < 0 ? BackendId() : BackendId(static_cast<std::size_t>(b)));
        }
        const JsonCursor splits = item.at("splits");
        const auto nodes = static_cast<std::int64_t>(graph.nodes.size());
        for (std::size_t i = 0; i < splits.size(); ++i) {
            const JsonCursor place = splits.at(i);
            Split split;
            split.backend =
                BackendId(static_cast<std::size_t>(place.at("backend").integer_between(0, backends - 1)));
            split.start = static_cast<std::size_t>(place.at("i_start").integer_between(0, nodes));
            split.end = static_cast<std::size_t>(place.at("i_end").integer_between(0, nodes));
            const JsonCursor inputs = place.at("inputs");
            for (std::size_t k = 0; k < inputs.size(); ++k) {
                split.inputs.push_back(TensorId(static_cast<std::size_t>(
                    inputs.at(k).integer_between(0, static_cast<std::int64_t>(tensors) - 1))));
            }
            recorded.splits.push_back(std::move(split));
        }
        return recorded;
    }

    const JobContext& job_;
};

}  // namespace

std::size_t Capture::main_graph() const {
    for (std::size_t i = graphs.size(); i-- > 0;) {
        if (graphs[i].purpose == "decode") return i;
    }
    return graphs.empty() ? 0 : graphs.size() - 1;
}

bool is_capture_json(std::string_view text) {
    constexpr std::size_t kStart = 4096;
    return text.substr(0, kStart).find(fmt::format("\"{}\"", kFormat)) != std::string_view::npos;
}

Capture parse_capture_json(std::string_view text, std::string_view source, const JobContext& job) {
    try {
        const nlohmann::json document = parse_json_document(text);
        return CaptureReader(job).read(JsonCursor(document));
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& error) {
        throw error.within(source);
    }
}

std::string write_capture_json(const Capture& capture) {
    std::string out = fmt::format("{{\"format\":\"{}\",\"version\":1,\"program\":", kFormat);
    append_json_string(out, capture.program);
    out += ",\"library\":";
    append_json_string(out, capture.library);
    append(out, ",\"generation\":\"{}\",\"remarks\":", name_of(capture.generation));
    append_texts(out, capture.remarks);
    out += ",\"graphs\":[";
    for (std::size_t i = 0; i < capture.graphs.size(); ++i) {
        if (i > 0) out += ',';
        append_graph(out, capture.graphs[i]);
    }
    return out + "]}\n";
}

}  // namespace splitscope
