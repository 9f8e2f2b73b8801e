// SPDX-License-Identifier: MIT
#include "engine/formats/capture_json.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "engine/formats/graph_json.hpp"
#include "engine/formats/json_cursor.hpp"
#include "engine/formats/json_pieces.hpp"
#include "engine/formats/json_writer.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/formats/messages.hpp"
#include "engine/formats/schedule_json.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"

namespace splitscope {
namespace {

constexpr std::string_view kCaptureFormat = "splitscope-capture";

void write_recorded(JsonWriter& json, const RecordedSchedule& recorded) {
    json.member("backends", recorded.backends);
    json.member("copies", recorded.n_copies);
    json.member("backend", recorded.backend);
    write_splits(json, recorded.splits);
    if (!recorded.compute_bytes.empty()) json.member("compute_bytes", recorded.compute_bytes);
}

void write_captured(JsonWriter& json, const CapturedGraph& captured) {
    json.member("purpose", captured.purpose);
    json.member("times", captured.times);
    json.key("graph");
    write_graph(json, captured.graph);
    json.key("machine");
    write_machine(json, captured.machine);
    json.object("recorded", [&] { write_recorded(json, captured.recorded); });
    json.objects("timings", captured.timings, [&](const SplitTiming& t) {
        json.member("split", t.split);
        json.member("times", t.times);
        json.member("total_ns", t.total_ns);
        json.member("shortest_ns", t.shortest_ns);
    });
    json.member("remarks", captured.remarks);
}

/// Members are parsed one by one, because a tree of the whole recording would be too large.
class Members {
 public:
    Members(const JsonPiece& object, const JobContext& job)
        : members_(json_members(object, job)), bound_(job.memory_bound()) {}

    /// Parses a member's text with `read`; errors name the member.
    template <class Read>
    auto read(std::string_view key, Read&& read) const {
        const auto found = std::ranges::find(members_, key, &JsonMember::key);
        if (found == members_.end()) {
            throw Error(ErrorKind::bad_file, msg::kMemberMissing(key), {}, msg::kAddMember);
        }
        try {
            return read(found->value);
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& error) {
            throw error.within(fmt::format("/{}", key));
        }
    }
    template <class Read>
    auto small(std::string_view key, Read&& convert) const {
        return read(key, [&](const JsonPiece& piece) {
            const JsonTree value = parse_small_json_document(piece, bound_);
            return convert(JsonCursor(value));
        });
    }
    std::string text(std::string_view key) const {
        return small(key, [](const JsonCursor& value) { return value.text(); });
    }
    std::vector<Message> remarks() const {
        std::vector<Message> all;
        for (std::string& text : small("remarks", [](const JsonCursor& value) { return value.texts(); }))
            all.push_back(Message::verbatim(std::move(text)));
        return all;
    }

 private:
    std::vector<JsonMember> members_;
    MemoryBound bound_;
};

class CaptureReader {
 public:
    explicit CaptureReader(const JobContext& job)
        : job_(job), silent_(JobContext(job.stop_token()).with(job.memory_bound())) {}

    Capture read(std::string_view text) {
        text_bytes_ = text.size();
        const Members document({text, text}, job_);
        if (document.text("format") != kCaptureFormat) {
            throw Error(ErrorKind::bad_file, msg::kNotRecording, "/format", msg::kOpenRecording);
        }
        document.small("version", [](const JsonCursor& version) { return version.integer_between(1, 1); });
        Capture capture;
        capture.program = document.text("program");
        capture.library = document.text("library");
        capture.generation = document.small("generation", [](const JsonCursor& value) {
            const auto known = generation_named(value.text());
            if (!known) value.refuse(msg::kUnknownGeneration(value.text()), msg::kUseGeneration);
            return *known;
        });
        capture.remarks = document.remarks();
        document.read("graphs", [&](const JsonPiece& graphs) {
            read_graphs(graphs, capture);
            return 0;
        });
        return capture;
    }

 private:
    static constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

    void read_graphs(const JsonPiece& graphs, Capture& capture) {
        if (!graphs.is_array()) throw Error(ErrorKind::bad_file, msg::kExpectedArray, {}, msg::kWriteArray);
        const std::size_t count = count_elements(graphs, job_);
        if (count > kMaxGraphs) {
            throw Error(ErrorKind::limit, msg::kTooManyGraphs(kMaxGraphs), {}, msg::kLeaveSomeOut);
        }
        for_each_run(graphs, 1, job_, [&](const JsonPiece& run, std::size_t number) {
            job_.check();
            job_.report(static_cast<double>(number) / static_cast<double>(count), msg::kReadingRecording);
            try {
                capture.graphs.push_back(read_captured(Members(run, job_)));
                alloc_sizes_ += capture.graphs.back().graph.alloc_sizes.size();
                require_few_alloc_sizes(alloc_sizes_, text_bytes_, job_.memory_bound(), {});
            } catch (const Cancelled&) {
                throw;
            } catch (const Error& error) {
                throw error.within(fmt::format("/{}", number));
            }
        });
    }

    CapturedGraph read_captured(const Members& item) const {
        CapturedGraph captured;
        captured.purpose = item.text("purpose");
        captured.times = item.small("times", [](const JsonCursor& times) {
            return static_cast<std::size_t>(times.integer_between(0, kMax));
        });
        captured.graph =
            item.read("graph", [&](const JsonPiece& piece) { return read_graph(piece, silent_); });
        captured.machine = item.small("machine", [&](const JsonCursor& document) {
            Machine machine = read_machine(document, "");
            validate(machine, captured.graph);
            return machine;
        });
        captured.recorded = item.small(
            "recorded", [&](const JsonCursor& recorded) { return read_recorded(recorded, captured.graph); });
        captured.timings = item.small("timings", read_timings);
        captured.remarks = item.remarks();
        return captured;
    }

    static std::vector<SplitTiming> read_timings(const JsonCursor& timings) {
        std::vector<SplitTiming> read(timings.size());
        for (std::size_t i = 0; i < read.size(); ++i) {
            const JsonCursor timing = timings.at(i);
            const auto number = [&](std::string_view key) {
                return static_cast<std::uint64_t>(timing.at(key).integer_between(0, kMax));
            };
            read[i] = {static_cast<std::size_t>(number("split")), static_cast<std::size_t>(number("times")),
                       number("total_ns"), number("shortest_ns")};
        }
        return read;
    }

    static RecordedSchedule read_recorded(const JsonCursor& item, const Graph& graph) {
        RecordedSchedule recorded;
        recorded.backends = item.at("backends").texts();
        const auto backends = static_cast<std::int64_t>(recorded.backends.size());
        recorded.n_copies = static_cast<int>(item.at("copies").integer_between(1, kMaxCopies));
        const JsonCursor backend = item.at("backend");
        const std::size_t tensors = backend.size();
        if (tensors != graph.tensors.size()) backend.refuse(msg::kBackendPerTensor, msg::kGiveOnePerTensor);
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
            split.end = static_cast<std::size_t>(
                place.at("i_end").integer_between(static_cast<std::int64_t>(split.start), nodes));
            const JsonCursor inputs = place.at("inputs");
            for (std::size_t k = 0; k < inputs.size(); ++k) {
                split.inputs.push_back(TensorId(static_cast<std::size_t>(
                    inputs.at(k).integer_between(0, static_cast<std::int64_t>(tensors) - 1))));
            }
            recorded.splits.push_back(std::move(split));
        }
        if (item.has("compute_bytes")) {
            const JsonCursor sizes = item.at("compute_bytes");
            const std::size_t count = sizes.size(recorded.backends.size());
            for (std::size_t i = 0; i < count; ++i) {
                recorded.compute_bytes.push_back(
                    static_cast<std::uint64_t>(sizes.at(i).integer_between(0, kMax)));
            }
        }
        return recorded;
    }

    const JobContext& job_;
    JobContext silent_;  ///< for graphs, whose own progress is not that of the recording
    std::size_t text_bytes_ = 0;
    std::size_t alloc_sizes_ = 0;  ///< of the graphs so far
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
    return text.substr(0, kStart).find(fmt::format("\"{}\"", kCaptureFormat)) != std::string_view::npos;
}

Capture parse_capture_json(std::string_view text, std::string_view source, const JobContext& job) {
    try {
        return CaptureReader(job).read(text);
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& error) {
        throw error.within(source);
    }
}

std::string write_capture_json(const Capture& capture) {
    JsonWriter json;
    json.object([&] {
        json.format(kCaptureFormat, 1);
        json.member("program", capture.program);
        json.member("library", capture.library);
        json.member("generation", name_of(capture.generation));
        json.member("remarks", capture.remarks);
        json.objects("graphs", capture.graphs,
                     [&](const CapturedGraph& captured) { write_captured(json, captured); });
    });
    return std::move(json).take();
}

}  // namespace splitscope
