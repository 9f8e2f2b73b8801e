// SPDX-License-Identifier: MIT
#include "engine/session/model_options_json.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "engine/session/messages.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/name_pattern.hpp"

namespace splitscope::session_parts {
namespace {

constexpr std::int64_t kMaxNumber = std::numeric_limits<std::int32_t>::max();

constexpr std::array<std::string_view, 3> kSplitModes = {"none", "layer", "row"};

std::string_view name_of(GraphKind kind) {
    return kind == GraphKind::decode ? "decode" : "prefill";
}

ElementType element_type(const JsonCursor& value) {
    const auto type = element_type_named(value.text());
    if (!type) value.refuse(msg::kUnknownElementTypeName(value.text()), msg::kUseElementType);
    return *type;
}

OverrideRule read_rule(const JsonCursor& reader) {
    reader.require_members({"pattern", "target"});
    return {reader.at("pattern").text(), reader.at("target").text(), "--override-tensor"};
}

/// Optional members.
void read_placement(const JsonCursor& reader, ModelOptions& options) {
    const auto flag = [&](std::string_view key, bool& value) {
        if (reader.has(key)) value = reader.at(key).boolean();
    };
    if (reader.has("cache_type_v")) options.cache_type_v = element_type(reader.at("cache_type_v"));
    flag("flash_attention_if_supported", options.flash_attention_if_supported);
    if (reader.has("logical_batch"))
        options.logical_batch =
            static_cast<std::uint32_t>(reader.at("logical_batch").integer_between(1, kMaxNumber));
    if (reader.has("split_mode")) {
        const std::string mode = reader.at("split_mode").text();
        const auto found = std::ranges::find(kSplitModes, mode);
        if (found == kSplitModes.end())
            reader.at("split_mode").refuse(msg::kUnknownMode(mode), msg::kUseSplitMode);
        options.split_mode = static_cast<SplitMode>(found - kSplitModes.begin());
    }
    if (reader.has("main_gpu"))
        options.main_gpu = static_cast<std::int32_t>(reader.at("main_gpu").integer_between(-1, kMaxNumber));
    if (reader.has("tensor_split")) {
        const JsonCursor shares = reader.at("tensor_split");
        const std::size_t count = shares.size(kMaxShares);
        for (std::size_t i = 0; i < count; ++i)
            options.tensor_split.push_back(static_cast<float>(shares.at(i).number_between(0, kMaxRate)));
    }
    if (reader.has("overrides")) {
        const JsonCursor rules = reader.at("overrides");
        const std::size_t count = rules.size(kMaxOverrides);
        for (std::size_t i = 0; i < count; ++i) options.overrides.push_back(read_rule(rules.at(i)));
    }
    flag("cpu_experts", options.cpu_experts);
    if (reader.has("cpu_expert_blocks"))
        options.cpu_expert_blocks =
            static_cast<std::uint32_t>(reader.at("cpu_expert_blocks").integer_between(0, kMaxLayers));
    flag("kv_offload", options.kv_offload);
    flag("memory_map", options.memory_map);
    flag("repack", options.repack);
    flag("pinned_host", options.pinned_host);
    flag("unified_cache", options.unified_cache);
    flag("full_window_cache", options.full_window_cache);
    flag("embeddings", options.embeddings);
    if (reader.has("pooling")) {
        const JsonCursor name = reader.at("pooling");
        options.pooling = pooling_named(name.text());
        if (!options.pooling) name.refuse(msg::kUnknownPoolingName(name.text()), msg::kUsePooling);
    }
    if (reader.has("sequences"))
        options.sequences =
            static_cast<std::uint32_t>(reader.at("sequences").integer_between(1, kMaxSequences));
    if (reader.has("results_per_sequence"))
        options.results_per_sequence =
            static_cast<std::uint32_t>(reader.at("results_per_sequence").integer_between(0, kMaxNumber));
    if (reader.has("accelerators")) options.accelerators = reader.at("accelerators").texts(kMaxShares);
}

/// What stands for them in the file.
constexpr std::int32_t kHalf = -1;
constexpr std::int32_t kAll = -2;

std::int32_t number_of(GpuLayers layers) {
    return layers.count().value_or(layers == GpuLayers::all() ? kAll : kHalf);
}

GpuLayers layers_of(std::int32_t number) {
    if (number == kAll) return GpuLayers::all();
    return number == kHalf ? GpuLayers::half() : GpuLayers(number);
}

}  // namespace

void write_model_options(JsonWriter& json, const ModelOptions& options) {
    const ModelOptions usual;
    const auto put = [&](std::string_view key, const auto& value, const auto& fallback) {
        if (value != fallback) json.member(key, value);
    };
    json.object([&] {
        json.member("kind", name_of(options.kind));
        json.member("context", options.context);
        json.member("batch", options.batch);
        json.member("gpu_layers", number_of(options.gpu_layers));
        json.member("flash_attention", options.flash_attention);
        if (options.cache_type) json.member("cache_type", splitscope::name_of(*options.cache_type));
        if (options.cache_type_v) json.member("cache_type_v", splitscope::name_of(*options.cache_type_v));
        put("flash_attention_if_supported", options.flash_attention_if_supported,
            usual.flash_attention_if_supported);
        put("logical_batch", options.logical_batch, usual.logical_batch);
        if (options.split_mode != usual.split_mode)
            json.member("split_mode", kSplitModes[static_cast<std::size_t>(options.split_mode)]);
        put("main_gpu", options.main_gpu, usual.main_gpu);
        put("tensor_split", options.tensor_split, usual.tensor_split);
        if (!options.overrides.empty()) {
            json.objects("overrides", options.overrides, [&](const OverrideRule& rule) {
                json.member("pattern", rule.pattern);
                json.member("target", rule.target);
            });
        }
        put("cpu_experts", options.cpu_experts, usual.cpu_experts);
        put("cpu_expert_blocks", options.cpu_expert_blocks, usual.cpu_expert_blocks);
        put("kv_offload", options.kv_offload, usual.kv_offload);
        put("memory_map", options.memory_map, usual.memory_map);
        put("repack", options.repack, usual.repack);
        put("pinned_host", options.pinned_host, usual.pinned_host);
        put("unified_cache", options.unified_cache, usual.unified_cache);
        put("full_window_cache", options.full_window_cache, usual.full_window_cache);
        put("embeddings", options.embeddings, usual.embeddings);
        if (options.pooling) json.member("pooling", splitscope::name_of(*options.pooling));
        put("sequences", options.sequences, usual.sequences);
        put("results_per_sequence", options.results_per_sequence, usual.results_per_sequence);
        put("accelerators", options.accelerators, usual.accelerators);
    });
}

ModelOptions read_model_options(const JsonCursor& reader) {
    reader.require_members({"kind",
                            "context",
                            "batch",
                            "gpu_layers",
                            "flash_attention",
                            "cache_type",
                            "cache_type_v",
                            "flash_attention_if_supported",
                            "logical_batch",
                            "split_mode",
                            "main_gpu",
                            "tensor_split",
                            "overrides",
                            "cpu_experts",
                            "cpu_expert_blocks",
                            "kv_offload",
                            "memory_map",
                            "repack",
                            "pinned_host",
                            "unified_cache",
                            "full_window_cache",
                            "embeddings",
                            "pooling",
                            "sequences",
                            "results_per_sequence",
                            "accelerators"});
    ModelOptions options;
    const std::string kind = reader.at("kind").text();
    if (kind != "decode" && kind != "prefill") {
        reader.at("kind").refuse(msg::kUnknownGraphKind(kind), msg::kUseGraphKind);
    }
    options.kind = kind == "decode" ? GraphKind::decode : GraphKind::prefill;
    options.context = static_cast<std::uint32_t>(reader.at("context").integer_between(0, kMaxNumber));
    options.batch = static_cast<std::uint32_t>(reader.at("batch").integer_between(1, kMaxNumber));
    options.gpu_layers =
        layers_of(static_cast<std::int32_t>(reader.at("gpu_layers").integer_between(kAll, kMaxNumber)));
    options.flash_attention = reader.at("flash_attention").boolean();
    if (reader.has("cache_type")) options.cache_type = element_type(reader.at("cache_type"));
    read_placement(reader, options);
    return options;
}

void require_patterns(const JsonCursor& reader, const ModelOptions& options) {
    PatternBudget budget;
    for (std::size_t i = 0; i < options.overrides.size(); ++i) {
        try {
            budget.add(override_pattern(options.overrides[i]));
        } catch (const Error& error) {
            reader.at("overrides").at(i).at("pattern").refuse(error.problem(), error.remedy());
        }
    }
}

void write_devices(JsonWriter& json, const std::map<std::string, DeviceFacts>& devices) {
    json.object([&] {
        for (const auto& device : devices) {
            const DeviceFacts& facts = device.second;
            json.object(device.first, [&] {
                json.member("preset", facts.preset);
                json.member("title", facts.title);
                json.member("memory_total", facts.memory_total);
                json.member("memory_free", facts.memory_free);
                json.member("memory_bandwidth", facts.memory_bandwidth);
                json.member("link_bandwidth", facts.link_bandwidth);
                json.member("flops_f16", facts.flops_f16);
                json.member("flops_f32", facts.flops_f32);
                if (facts.link_latency > 0) json.member("link_latency", facts.link_latency);
                if (facts.node_seconds > 0) json.member("node_seconds", facts.node_seconds);
                if (!facts.weight_bandwidth.empty()) {
                    json.object("weight_bandwidth", [&] {
                        for (const auto& [type, rate] : facts.weight_bandwidth)
                            json.member(splitscope::name_of(type), rate);
                    });
                }
                if (facts.measured) json.member("measured", true);
            });
        }
    });
}

namespace {

/// Per second; 0 = not known.
double rate_of(const JsonCursor& value) {
    return value.number_between(0, kMaxRate) == 0 ? 0 : value.number_between(1, kMaxRate);
}

}  // namespace

std::map<std::string, DeviceFacts> read_devices(const JsonCursor& reader) {
    std::map<std::string, DeviceFacts> devices;
    reader.for_each_member([&](const std::string& name, const JsonCursor& entry) {
        constexpr auto most = std::numeric_limits<std::int64_t>::max();
        entry.require_members({"preset", "title", "memory_total", "memory_free", "memory_bandwidth",
                               "link_bandwidth", "flops_f16", "flops_f32", "link_latency", "node_seconds",
                               "weight_bandwidth", "measured"});
        DeviceFacts facts;
        if (entry.has("preset")) facts.preset = entry.at("preset").text();
        if (entry.has("title")) facts.title = entry.at("title").text();
        facts.memory_total = static_cast<std::uint64_t>(entry.at("memory_total").integer_between(0, most));
        facts.memory_free = static_cast<std::uint64_t>(entry.at("memory_free").integer_between(0, most));
        // A total of 0 is unknown.
        if (facts.memory_total > 0 && facts.memory_free > facts.memory_total)
            entry.at("memory_free").refuse(msg::kMoreFreeThanTotal, msg::kGiveAtMostTotal);
        facts.memory_bandwidth = rate_of(entry.at("memory_bandwidth"));
        facts.link_bandwidth = rate_of(entry.at("link_bandwidth"));
        facts.flops_f16 = rate_of(entry.at("flops_f16"));
        facts.flops_f32 = rate_of(entry.at("flops_f32"));
        if (entry.has("link_latency"))
            facts.link_latency = entry.at("link_latency").number_between(0, kMaxLatency);
        if (entry.has("node_seconds"))
            facts.node_seconds = entry.at("node_seconds").number_between(0, kMaxLatency);
        if (entry.has("weight_bandwidth")) {
            entry.at("weight_bandwidth")
                .for_each_member([&](const std::string& type, const JsonCursor& rate) {
                    const auto known = element_type_named(type);
                    if (!known) rate.refuse(msg::kUnknownElementTypeName(type), msg::kUseElementType);
                    facts.weight_bandwidth[*known] = rate.number_between(1, kMaxRate);
                });
        }
        if (entry.has("measured")) facts.measured = entry.at("measured").boolean();
        devices.emplace(name, std::move(facts));
    });
    return devices;
}

}  // namespace splitscope::session_parts
