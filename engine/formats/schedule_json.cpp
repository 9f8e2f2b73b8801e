// SPDX-License-Identifier: MIT
#include "engine/formats/schedule_json.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "engine/formats/json_append.hpp"
#include "engine/formats/json_writer.hpp"
#include "engine/messages/render.hpp"

namespace splitscope {
namespace {

void append_passes(std::string& out, const Schedule& schedule) {
    // State is updated incrementally, so that each decision is applied once.
    std::vector<BackendId> backend(schedule.graph->tensors.size());
    std::vector<Cause> cause(backend.size());
    std::size_t applied = 0;
    out += '[';
    bool first = true;
    for (const Schedule::PassEnd& pass : schedule.passes) {
        for (; applied < pass.decisions_end; ++applied) {
            const Decision& d = schedule.decisions[applied];
            if (schedule.is_added(d.tensor)) continue;
            backend[d.tensor.index()] = d.to;
            if (d.cause.kind != CauseKind::none) cause[d.tensor.index()] = d.cause;
        }
        if (pass.pass == Pass::user) continue;
        append(out, R"({}{{"pass":"{}","backend":)", first ? "" : ",", name_of(pass.pass));
        first = false;
        append_list(out, backend, [&](BackendId b) { append(out, "{}", b.value); });
        out += ",\"cause\":";
        append_list(out, cause, [&](Cause c) { append(out, "\"{}\"", label_of(c)); });
        out += '}';
    }
    out += ']';
}

void append_splits(std::string& out, const Schedule& schedule) {
    append_list(out, schedule.splits, [&](const Split& split) {
        append(out, R"({{"backend":{},"i_start":{},"i_end":{},"inputs":)", split.backend.value, split.start,
               split.end);
        append_list(out, split.inputs, [&](TensorId t) { append(out, "{}", t.value); });
        out += '}';
    });
}

void append_rewired(std::string& out, const Schedule& schedule) {
    append_list(out, schedule.rewired, [&](const RewiredSource& r) {
        append(out, R"({{"node":{},"src":{},"tensor":{},"backend":{}}})", r.node.value, r.slot,
               r.original.value, schedule.added_of(r.copy).backend.value);
    });
}

void append_items(std::string& out, const Schedule& schedule, const std::vector<ScheduledItem>& items,
                  std::string_view own_kind) {
    append_list(out, items, [&](const ScheduledItem& item) {
        std::string_view kind = own_kind;
        TensorId tensor = item.tensor;
        int copy = 0;
        if (schedule.is_added(tensor)) {
            const AddedTensor& added = schedule.added_of(tensor);
            kind = added.kind == AddedTensor::Kind::copy ? "copy" : "dep";
            copy = added.copy;
            tensor = added.original;
        }
        append(out, R"({{"kind":"{}","tensor":{},"backend":{},"copy":{}}})", kind, tensor.value,
               item.backend.value, copy);
    });
}

struct PlacedTensor {
    bool is_copy;
    TensorId tensor;
    BackendId backend;
    int copy;
    PlannedPlace place;
};

std::vector<PlacedTensor> placed_tensors(const Schedule& schedule, const AllocationPlan& plan) {
    std::vector<PlacedTensor> placed;
    for (std::size_t i = 0; i < plan.places.size(); ++i) {
        if (!plan.places[i]) continue;
        const TensorId id(i);
        if (schedule.is_added(id)) {
            const AddedTensor& added = schedule.added_of(id);
            placed.push_back({true, added.original, added.backend, added.copy, *plan.places[i]});
        } else {
            placed.push_back({false, id, schedule.backend[i], 0, *plan.places[i]});
        }
    }
    std::ranges::sort(
        placed, {}, [](const PlacedTensor& p) { return std::tuple(p.is_copy, p.tensor, p.backend, p.copy); });
    return placed;
}

void append_alloc(std::string& out, const Schedule& schedule, const AllocationPlan& plan) {
    const bool has_chunks = schedule.generation == Generation::g2026_08;
    out += "{\"buffer_sizes\":";
    append_list(out, plan.buffers, [&](const auto& buffer) { append(out, "{}", buffer.size); });
    if (schedule.generation == Generation::g2024_01) {
        out += ",\"measured_sizes\":";
        append_list(out, plan.buffers, [&](const auto& buffer) { append(out, "{}", buffer.measured_size); });
    }
    if (has_chunks) {
        out += ",\"chunk_sizes\":";
        append_list(out, plan.buffers, [&](const auto& buffer) {
            append_list(out, buffer.chunk_sizes, [&](std::uint64_t size) { append(out, "{}", size); });
        });
    }
    out += ",\"tensors\":";
    append_list(out, placed_tensors(schedule, plan), [&](const PlacedTensor& p) {
        append(out, R"({{"kind":"{}","tensor":{},"backend":{},"copy":{},"buffer":{},)",
               p.is_copy ? "copy" : "tensor", p.tensor.value, p.backend.value, p.copy, p.place.buffer.value);
        if (has_chunks) append(out, "\"chunk\":{},", p.place.chunk);
        append(out, "\"offset\":{}}}", p.place.offset);
    });
    out += '}';
}

}  // namespace

std::string write_schedule_json(const Schedule& schedule, const AllocationPlan& plan) {
    std::string out = fmt::format("{{\"generation\":\"{}\",\"error\":", name_of(schedule.generation));
    if (schedule.error || plan.error) {
        append_json_string(out, english(schedule.error ? schedule.error->message : *plan.error));
        for (const char* key : {"passes", "splits", "rewired", "schedule_nodes", "schedule_leafs", "alloc"}) {
            append(out, ",\"{}\":null", key);
        }
        return out + "}\n";
    }
    out += "null,\"passes\":";
    append_passes(out, schedule);
    out += ",\"splits\":";
    append_splits(out, schedule);
    out += ",\"rewired\":";
    append_rewired(out, schedule);
    out += ",\"schedule_nodes\":";
    append_items(out, schedule, schedule.nodes, "node");
    out += ",\"schedule_leafs\":";
    append_items(out, schedule, schedule.leafs, "leaf");
    out += ",\"alloc\":";
    append_alloc(out, schedule, plan);
    out += "}\n";
    return out;
}

}  // namespace splitscope
