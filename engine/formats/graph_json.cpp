// SPDX-License-Identifier: MIT
#include "engine/formats/graph_json.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <unordered_map>

#include <fmt/format.h>

#include "engine/formats/json_cursor.hpp"
#include "engine/formats/json_names.hpp"
#include "engine/formats/json_pieces.hpp"
#include "engine/formats/json_writer.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/formats/messages.hpp"
#include "engine/support/checked.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/utf8.hpp"

namespace splitscope {
namespace {

struct FlagName {
    TensorFlags flag;
    std::string_view name;
};
constexpr std::array kFlagNames = {
    FlagName{TensorFlags::input, "input"}, FlagName{TensorFlags::output, "output"},
    FlagName{TensorFlags::param, "param"}, FlagName{TensorFlags::loss, "loss"}};

/// Elements parsed at once: enough for speed, few enough for their memory not to matter.
constexpr std::size_t kTensorsAtOnce = 256;
constexpr std::size_t kIdsAtOnce = 4096;

/// A document of our kind in two parts: the few members that are parsed at once, and the long lists.
struct GraphDocument {
    GraphDocument(const JsonPiece& piece, const JobContext& job)
        : bytes(piece.text.size()), bound(job.memory_bound()), members(parse_json_document("{}")) {
        const std::string_view text = piece.text;
        // If the document is not an object, the parser reports a more specific error.
        if (const auto first = text.find_first_not_of(" \t\r\n"); first != text.npos && text[first] != '{')
            parse_small_json_document(piece, bound);
        for (const JsonMember& member : json_members(piece, job)) {
            JsonPiece* const list = list_named(member.key);
            if (list != nullptr && member.value.is_array()) {
                *list = member.value;
                members.put(member.key, parse_json_document("[]"));
            } else if (list != nullptr || member.key == "format" || member.key == "version" ||
                       member.key == "name") {
                members.put(member.key, parse_small_json_document(member.value, bound));
            } else {
                // Its value does not matter: the reader refuses the member.
                members.put(member.key, parse_json_document("null"));
            }
        }
    }

    JsonPiece* list_named(std::string_view key) {
        if (key == "tensors") return &tensors;
        if (key == "nodes") return &nodes;
        return key == "leafs" ? &leafs : nullptr;
    }

    std::size_t bytes;
    MemoryBound bound;
    JsonTree members;  ///< lists are empty here
    JsonPiece tensors;
    JsonPiece nodes;
    JsonPiece leafs;
};

class GraphReader {
 public:
    GraphReader(const GraphDocument& parts, const JobContext& job)
        : parts_(parts), job_(job), document_(parts.members) {}

    Graph read() {
        require_format(document_, "splitscope-graph", 1);
        document_.require_members({"format", "version", "name", "tensors", "nodes", "leafs"});
        if (document_.has("name")) graph_.name = cut_text(document_.at("name").text(), kMaxGraphNameBytes);
        count_ = require_list("tensors", parts_.tensors);
        // An element that is not a tensor could be as short as its comma.
        constexpr std::size_t kMinTensorText = 48;
        graph_.tensors.reserve(std::min(count_, parts_.tensors.text.size() / kMinTensorText));
        for_each_run(parts_.tensors, kTensorsAtOnce, job_, [&](const JsonPiece& run, std::size_t first) {
            job_.check();
            if (graph_.tensors.size() != first) refuse_changed();
            job_.report(static_cast<double>(first) / static_cast<double>(count_), msg::kReadingGraph);
            const JsonTree built = parse_json_run(run, parts_.bound);
            const JsonCursor tensors(built, "/tensors", first);
            for (std::size_t i = 0; i < tensors.size(); ++i) {
                graph_.tensors.emplace_back();
                read_tensor(tensors.at(i), first + i);
            }
        });
        if (graph_.tensors.size() != count_) refuse_changed();
        collapse_nested_views();
        graph_.nodes = references("nodes", "/nodes", parts_.nodes);
        graph_.leafs = references("leafs", "/leafs", parts_.leafs);
        return std::move(graph_);
    }

 private:
    /// Another program may write to the file while it is read.
    [[noreturn]] void refuse_changed() const {
        document_.at("tensors").refuse(msg::kListChanged, msg::kOpenAgain);
    }

    std::size_t require_list(std::string_view key, const JsonPiece& list) const {
        document_.at(key).size();
        const std::size_t count = count_elements(list, job_);
        if (count > kMaxJsonElements) {
            document_.at(key).refuse(msg::kTooManyInList(count, kMaxJsonElements), msg::kUseFewerElements);
        }
        return count;
    }

    TensorId reference(const JsonCursor& value) const {
        if (count_ == 0) value.refuse(msg::kNoTensors, msg::kAddTensors);
        return TensorId(
            static_cast<std::size_t>(value.integer_between(0, static_cast<std::int64_t>(count_) - 1)));
    }

    std::vector<TensorId> references(std::string_view key, std::string_view pointer,
                                     const JsonPiece& list) const {
        std::vector<TensorId> ids;
        ids.reserve(require_list(key, list));
        for_each_run(list, kIdsAtOnce, job_, [&](const JsonPiece& run, std::size_t first) {
            job_.check();
            const JsonTree built = parse_json_run(run, parts_.bound);
            const JsonCursor numbers(built, pointer, first);
            for (std::size_t i = 0; i < numbers.size(); ++i) ids.push_back(reference(numbers.at(i)));
        });
        return ids;
    }

    static Shape shape(const JsonCursor& list) {
        if (list.size() != kMaxDims) list.refuse(msg::kExpectedShape, msg::kGiveShape);
        Shape numbers{};
        for (std::size_t d = 0; d < kMaxDims; ++d) numbers[d] = list.at(d).integer();
        return numbers;
    }

    BufferRef buffer(const JsonCursor& value) {
        const std::string& name = value.text();
        if (name.size() > kMaxMachineNameBytes) {
            value.refuse(msg::kNameTooLongFor(name.size()), msg::kUseAtMostBytes(kMaxMachineNameBytes));
        }
        const auto [found, added] = buffer_index_.try_emplace(name, graph_.buffers.size());
        if (added) graph_.buffers.push_back(name);
        return BufferRef(found->second);
    }

    void read_tensor(const JsonCursor& item, std::size_t index) {
        item.require_members({"name", "type", "ne", "nb", "op", "op_params", "src", "view_src", "view_offs",
                              "flags", "buffer", "alloc_size"});
        Tensor& t = graph_.tensors[index];
        t.name = cut_name(item.at("name").text());
        t.type = read_element_type(item.at("type"));
        t.ne = shape(item.at("ne"));
        t.nb = shape(item.at("nb"));
        t.op = read_op(item.at("op"));
        read_optional_members(item, t, index);
    }

    void read_optional_members(const JsonCursor& item, Tensor& t, std::size_t index) {
        if (item.has("op_params")) {
            const JsonCursor list = item.at("op_params");
            const std::size_t n = list.size(kMaxOpParams);
            for (std::size_t i = 0; i < n; ++i) {
                t.op_params[i] = static_cast<std::int32_t>(list.at(i).integer_between(INT32_MIN, INT32_MAX));
            }
        }
        if (item.has("src")) {
            const JsonCursor list = item.at("src");
            const std::size_t n = list.size(kMaxSources);
            for (std::size_t i = 0; i < n; ++i) {
                const JsonCursor source = list.at(i);
                if (!source.is_null()) t.src[i] = reference(source);
            }
        }
        if (item.has("view_src")) {
            const JsonCursor view_src = item.at("view_src");
            t.view_src = reference(view_src);
            if (t.view_src == TensorId(index)) view_src.refuse(msg::kViewOfItself, msg::kNameItsBase);
        }
        if (item.has("view_offs")) t.view_offs = item.at("view_offs").integer();
        if (item.has("flags")) read_flags(item.at("flags"), t);
        if (item.has("buffer")) t.buffer = buffer(item.at("buffer"));
        if (item.has("alloc_size")) {
            item.at("alloc_size").for_each_member([&](const std::string& type, const JsonCursor& bytes) {
                graph_.alloc_sizes[{TensorId(index), type}] =
                    static_cast<std::uint64_t>(bytes.integer_between(0, INT64_MAX));
                require_few_alloc_sizes(graph_.alloc_sizes.size(), parts_.bytes, parts_.bound,
                                        bytes.pointer());
            });
        }
    }

    static void read_flags(const JsonCursor& list, Tensor& t) {
        const std::size_t n = list.size(kFlagNames.size());
        for (std::size_t i = 0; i < n; ++i) {
            const JsonCursor flag = list.at(i);
            bool known = false;
            for (const FlagName& row : kFlagNames) {
                if (row.name != flag.text()) continue;
                t.flags = t.flags | row.flag;
                known = true;
            }
            if (!known) flag.refuse(msg::kUnknownFlag(flag.text()), msg::kUseFlag);
        }
    }

    /// A view of a view becomes a view of the base with the offsets added (scheduler.md §13).
    void collapse_nested_views() {
        std::vector<std::size_t> chain;
        for (std::size_t i = 0; i < count_; ++i) {
            chain.clear();
            std::size_t at = i;
            while (graph_.tensors[at].is_view() &&
                   graph_.tensors[graph_.tensors[at].view_src.index()].is_view()) {
                chain.push_back(at);
                at = graph_.tensors[at].view_src.index();
                if (chain.size() > count_) refuse_view(i, msg::kViewsInCircle, msg::kNameItsBase);
            }
            // From the innermost outwards, each now refers to a view one level deep.
            for (auto view = chain.rbegin(); view != chain.rend(); ++view) {
                Tensor& outer = graph_.tensors[*view];
                const Tensor& inner = graph_.tensors[outer.view_src.index()];
                const auto offset = checked_add(outer.view_offs, inner.view_offs);
                if (!offset) refuse_view(*view, msg::kOffsetsOverflow, msg::kUseSmallerOffsets);
                outer.view_offs = *offset;
                outer.view_src = inner.view_src;
            }
        }
    }

    [[noreturn]] static void refuse_view(std::size_t tensor, Message problem, Message remedy) {
        throw Error(ErrorKind::bad_file, std::move(problem), fmt::format("/tensors/{}/view_src", tensor),
                    std::move(remedy));
    }

    const GraphDocument& parts_;
    const JobContext& job_;
    JsonCursor document_;
    Graph graph_;
    std::size_t count_ = 0;
    std::unordered_map<std::string, std::size_t> buffer_index_;
};

/// Number of entries up to the last one that is not `empty`.
template <class Array, class Value>
std::size_t used_entries(const Array& entries, const Value& empty) {
    std::size_t n = entries.size();
    while (n > 0 && entries[n - 1] == empty) --n;
    return n;
}

void write_sources(JsonWriter& json, const Sources& sources) {
    const std::size_t n = used_entries(sources, TensorId());
    if (n == 0) return;
    json.array("src", [&] {
        for (std::size_t i = 0; i < n; ++i) {
            json.value(sources[i].valid() ? std::optional(sources[i]) : std::nullopt);
        }
    });
}

void write_flags(JsonWriter& json, TensorFlags flags) {
    if (flags == TensorFlags::none) return;
    json.array("flags", [&] {
        for (const FlagName& row : kFlagNames)
            if (has_flag(flags, row.flag)) json.value(row.name);
    });
}

void write_tensor(JsonWriter& json, const Graph& graph, const Tensor& t) {
    json.member("name", t.name);
    json.member("type", name_of(t.type));
    json.member("ne", t.ne);
    json.member("nb", t.nb);
    json.member("op", name_of(t.op));
    if (const std::size_t n = used_entries(t.op_params, 0); n > 0)
        json.member("op_params", std::span(t.op_params).first(n));
    write_sources(json, t.src);
    if (t.is_view()) {
        json.member("view_src", t.view_src);
        json.member("view_offs", t.view_offs);
    }
    write_flags(json, t.flags);
    if (t.buffer.valid()) json.member("buffer", graph.buffers[t.buffer.index()]);
}

}  // namespace

void require_few_alloc_sizes(std::size_t count, std::size_t text_bytes, MemoryBound bound,
                             const std::string& where) {
    // They cost many times their text; so many are free, and beyond one for so many bytes of text.
    constexpr std::uint64_t kFreeAllocSizes = 200'000;
    constexpr std::uint64_t kTextPerAllocSize = 64;
    if (count > std::max(bound.scaled(kFreeAllocSizes), text_bytes / kTextPerAllocSize))
        throw beyond_memory_bound(msg::kTooManySizes, where);
}

Graph read_graph(const JsonPiece& piece, const JobContext& job) {
    job.check();
    const GraphDocument document(piece, job);
    Graph graph = GraphReader(document, job).read();
    validate(graph);
    return graph;
}

Graph parse_graph_json(std::string_view text, std::string_view source, const JobContext& job) {
    try {
        return read_graph({text, text}, job);
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& error) {
        throw error.within(source);
    }
}

void write_graph(JsonWriter& json, const Graph& graph) {
    json.object([&] {
        json.format("splitscope-graph", 1);
        json.member("name", graph.name);
        json.array("tensors", [&] {
            auto size = graph.alloc_sizes.begin();
            const auto is_of = [&](std::size_t tensor) {
                return size != graph.alloc_sizes.end() && size->first.first.index() == tensor;
            };
            for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
                json.object([&] {
                    write_tensor(json, graph, graph.tensors[i]);
                    if (!is_of(i)) return;
                    json.object("alloc_size", [&] {
                        for (; is_of(i); ++size) json.member(size->first.second, size->second);
                    });
                });
            }
        });
        json.member("nodes", graph.nodes);
        json.member("leafs", graph.leafs);
    });
}

std::string write_graph_json(const Graph& graph) {
    JsonWriter json;
    write_graph(json, graph);
    return std::move(json).take();
}

}  // namespace splitscope
