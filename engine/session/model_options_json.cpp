// SPDX-License-Identifier: MIT
#include "engine/session/model_options_json.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "engine/session/messages.hpp"
#include "engine/support/name_pattern.hpp"

namespace splitscope::session_parts {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kMaxShares = 64;
/// The engine's limit.
constexpr std::int64_t kMaxSequences = 256;
constexpr std::size_t kMaxRules = 4096;
/// Upper bound for bytes, bytes per second and operations per second.
constexpr double kMaxRate = 1e18;

constexpr std::array<std::string_view, 3> kSplitModes = {"none", "layer", "row"};

std::string_view name_of(GraphKind kind) {
    return kind == GraphKind::decode ? "decode" : "prefill";
}

ElementType element_type(const ObjectReader& reader, std::string_view key) {
    const std::string name = reader.text(key);
    const auto type = element_type_named(name);
    if (!type) reader.refuse(key, msg::kUnknownElementTypeName(name), msg::kUseElementType);
    return *type;
}

OverrideRule read_rule(const ObjectReader& reader) {
    return {reader.text("pattern"), reader.text("target"), "--override-tensor"};
}

/// Optional members.
void read_placement(const ObjectReader& reader, ModelOptions& options) {
    const auto flag = [&](std::string_view key, bool& value) {
        if (reader.has(key)) value = reader.boolean(key);
    };
    if (reader.has("cache_type_v")) options.cache_type_v = element_type(reader, "cache_type_v");
    flag("flash_attention_if_supported", options.flash_attention_if_supported);
    if (reader.has("logical_batch"))
        options.logical_batch = static_cast<std::uint32_t>(reader.integer("logical_batch", 1, kMax));
    if (reader.has("split_mode")) {
        const std::string mode = reader.text("split_mode");
        const auto found = std::ranges::find(kSplitModes, mode);
        if (found == kSplitModes.end())
            reader.refuse("split_mode", msg::kUnknownMode(mode), msg::kUseSplitMode);
        options.split_mode = static_cast<SplitMode>(found - kSplitModes.begin());
    }
    if (reader.has("main_gpu"))
        options.main_gpu = static_cast<std::int32_t>(reader.integer("main_gpu", -1, kMax));
    if (reader.has("tensor_split")) {
        for (const nlohmann::json& share : reader.array("tensor_split", kMaxShares)) {
            if (!share.is_number() || !(share.get<double>() >= 0 && share.get<double>() <= kMaxRate))
                reader.refuse("tensor_split", msg::kNotShare(share.dump()), msg::kUseShares);
            options.tensor_split.push_back(share.get<float>());
        }
    }
    if (reader.has("overrides")) {
        const std::size_t rules = reader.array("overrides", kMaxRules).size();
        for (std::size_t i = 0; i < rules; ++i)
            options.overrides.push_back(read_rule(reader.element("overrides", i)));
    }
    flag("cpu_experts", options.cpu_experts);
    if (reader.has("cpu_expert_blocks"))
        options.cpu_expert_blocks = static_cast<std::uint32_t>(reader.integer("cpu_expert_blocks", 0, 4096));
    flag("kv_offload", options.kv_offload);
    flag("memory_map", options.memory_map);
    flag("repack", options.repack);
    flag("pinned_host", options.pinned_host);
    flag("unified_cache", options.unified_cache);
    flag("full_window_cache", options.full_window_cache);
    if (reader.has("sequences"))
        options.sequences = static_cast<std::uint32_t>(reader.integer("sequences", 1, kMaxSequences));
    if (reader.has("results_per_sequence"))
        options.results_per_sequence =
            static_cast<std::uint32_t>(reader.integer("results_per_sequence", 0, kMax));
    if (reader.has("accelerators")) {
        for (const nlohmann::json& name : reader.array("accelerators", kMaxShares)) {
            if (!name.is_string())
                reader.refuse("accelerators", msg::kNotBackendName, msg::kWriteBackendNames);
            options.accelerators.push_back(name.get<std::string>());
        }
    }
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
        json.member("gpu_layers", options.gpu_layers);
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
        put("sequences", options.sequences, usual.sequences);
        put("results_per_sequence", options.results_per_sequence, usual.results_per_sequence);
        put("accelerators", options.accelerators, usual.accelerators);
    });
}

ModelOptions read_model_options(const ObjectReader& reader) {
    ModelOptions options;
    const std::string kind = reader.text("kind");
    if (kind != "decode" && kind != "prefill") {
        reader.refuse("kind", msg::kUnknownGraphKind(kind), msg::kUseGraphKind);
    }
    options.kind = kind == "decode" ? GraphKind::decode : GraphKind::prefill;
    options.context = static_cast<std::uint32_t>(reader.integer("context", 0, kMax));
    options.batch = static_cast<std::uint32_t>(reader.integer("batch", 1, kMax));
    options.gpu_layers = static_cast<std::int32_t>(reader.integer("gpu_layers", kAllLayers, kMax));
    options.flash_attention = reader.boolean("flash_attention");
    if (reader.has("cache_type")) options.cache_type = element_type(reader, "cache_type");
    read_placement(reader, options);
    return options;
}

void require_patterns(const ObjectReader& reader, const ModelOptions& options) {
    PatternBudget budget;
    for (std::size_t i = 0; i < options.overrides.size(); ++i) {
        try {
            budget.add(override_pattern(options.overrides[i]));
        } catch (const Error& error) {
            reader.element("overrides", i).refuse("pattern", error.problem(), error.remedy());
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
                if (facts.measured) json.member("measured", true);
            });
        }
    });
}

std::map<std::string, DeviceFacts> read_devices(const ObjectReader& reader) {
    std::map<std::string, DeviceFacts> devices;
    for (const auto& [name, value] : reader.json().items()) {
        const ObjectReader entry = reader.object(name);
        constexpr auto most = std::numeric_limits<std::int64_t>::max();
        DeviceFacts facts;
        if (entry.has("preset")) facts.preset = entry.text("preset");
        if (entry.has("title")) facts.title = entry.text("title");
        facts.memory_total = static_cast<std::uint64_t>(entry.integer("memory_total", 0, most));
        facts.memory_free = static_cast<std::uint64_t>(entry.integer("memory_free", 0, most));
        facts.memory_bandwidth = entry.number("memory_bandwidth", 0, kMaxRate);
        facts.link_bandwidth = entry.number("link_bandwidth", 0, kMaxRate);
        facts.flops_f16 = entry.number("flops_f16", 0, kMaxRate);
        facts.flops_f32 = entry.number("flops_f32", 0, kMaxRate);
        constexpr double kMaxSeconds = 60;
        if (entry.has("link_latency")) facts.link_latency = entry.number("link_latency", 0, kMaxSeconds);
        if (entry.has("node_seconds")) facts.node_seconds = entry.number("node_seconds", 0, kMaxSeconds);
        if (entry.has("measured")) facts.measured = entry.boolean("measured");
        devices.emplace(name, std::move(facts));
    }
    return devices;
}

}  // namespace splitscope::session_parts
