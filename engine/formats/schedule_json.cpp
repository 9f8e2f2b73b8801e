// SPDX-License-Identifier: MIT
#include "engine/formats/schedule_json.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/formats/json_writer.hpp"

namespace splitscope {
namespace {

void write_passes(JsonWriter& json, const Schedule& schedule) {
    // State is updated incrementally, so that each decision is applied once.
    std::vector<BackendId> backend(schedule.graph->tensors.size());
    std::vector<Cause> cause(backend.size());
    std::size_t applied = 0;
    for (const Schedule::PassEnd& pass : schedule.passes) {
        for (; applied < pass.decisions_end; ++applied) {
            const Decision& d = schedule.decisions[applied];
            if (schedule.is_added(d.tensor)) continue;
            backend[d.tensor.index()] = d.to;
            if (d.cause.kind != CauseKind::none) cause[d.tensor.index()] = d.cause;
        }
        if (pass.pass == Pass::user) continue;
        json.object([&] {
            json.member("pass", name_of(pass.pass));
            json.member("backend", backend);
            json.array("cause", [&] {
                for (const Cause& c : cause) json.value(label_of(c));
            });
        });
    }
}

void write_rewired(JsonWriter& json, const Schedule& schedule) {
    json.objects("rewired", schedule.rewired, [&](const RewiredSource& r) {
        json.member("node", r.node);
        json.member("src", r.slot);
        json.member("tensor", r.original);
        json.member("backend", schedule.added_of(r.copy).backend);
    });
}

void write_items(JsonWriter& json, std::string_view name, const Schedule& schedule,
                 const std::vector<ScheduledItem>& items, std::string_view own_kind) {
    json.objects(name, items, [&](const ScheduledItem& item) {
        std::string_view kind = own_kind;
        TensorId tensor = item.tensor;
        int copy = 0;
        if (schedule.is_added(tensor)) {
            const AddedTensor& added = schedule.added_of(tensor);
            kind = added.kind == AddedTensor::Kind::copy ? "copy" : "dep";
            copy = added.copy;
            tensor = added.original;
        }
        json.member("kind", kind);
        json.member("tensor", tensor);
        json.member("backend", item.backend);
        json.member("copy", copy);
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

void write_alloc(JsonWriter& json, const Schedule& schedule, const AllocationPlan& plan) {
    const bool has_chunks = schedule.generation == Generation::g2026_08;
    json.array("buffer_sizes", [&] {
        for (const auto& buffer : plan.buffers) json.value(buffer.size);
    });
    if (schedule.generation == Generation::g2024_01) {
        json.array("measured_sizes", [&] {
            for (const auto& buffer : plan.buffers) json.value(buffer.measured_size);
        });
    }
    if (has_chunks) {
        json.array("chunk_sizes", [&] {
            for (const auto& buffer : plan.buffers) json.value(buffer.chunk_sizes);
        });
    }
    json.objects("tensors", placed_tensors(schedule, plan), [&](const PlacedTensor& p) {
        json.member("kind", p.is_copy ? "copy" : "tensor");
        json.member("tensor", p.tensor);
        json.member("backend", p.backend);
        json.member("copy", p.copy);
        json.member("buffer", p.place.buffer);
        if (has_chunks) json.member("chunk", p.place.chunk);
        json.member("offset", p.place.offset);
    });
}

void write_members(JsonWriter& json, const Schedule& schedule, const AllocationPlan& plan) {
    json.member("generation", name_of(schedule.generation));
    if (schedule.error || plan.error) {
        json.member("error", schedule.error ? schedule.error->message : *plan.error);
        for (const char* key : {"passes", "splits", "rewired", "schedule_nodes", "schedule_leafs", "alloc"})
            json.member(key, nullptr);
        return;
    }
    json.member("error", nullptr);
    json.array("passes", [&] { write_passes(json, schedule); });
    write_splits(json, schedule.splits);
    write_rewired(json, schedule);
    write_items(json, "schedule_nodes", schedule, schedule.nodes, "node");
    write_items(json, "schedule_leafs", schedule, schedule.leafs, "leaf");
    json.object("alloc", [&] { write_alloc(json, schedule, plan); });
}

}  // namespace

void write_splits(JsonWriter& json, const std::vector<Split>& splits) {
    json.objects("splits", splits, [&](const Split& split) {
        json.member("backend", split.backend);
        json.member("i_start", split.start);
        json.member("i_end", split.end);
        json.member("inputs", split.inputs);
    });
}

std::string write_schedule_json(const Schedule& schedule, const AllocationPlan& plan) {
    JsonWriter json;
    json.object([&] { write_members(json, schedule, plan); });
    return std::move(json).take();
}

}  // namespace splitscope
