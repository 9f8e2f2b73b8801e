// SPDX-License-Identifier: MIT
// Options of a session by name.
#include <array>
#include <string>

#include "engine/library/messages.hpp"
#include "python/module/bind.hpp"

namespace splitscope::python {
namespace {

ElementType type_named(const py::handle& value) {
    const auto name = value.cast<std::string>();
    if (const auto type = element_type_named(name)) return *type;
    throw py::value_error("there is no element type '" + name + "'");
}

std::optional<ElementType> type_or_none(const py::handle& value) {
    return value.is_none() ? std::nullopt : std::optional(type_named(value));
}

py::object name_or_none(const std::optional<ElementType>& type) {
    return type ? py::object(text(name_of(*type))) : py::none();
}

GpuLayers layers_of(const py::handle& value) {
    if (py::isinstance<py::str>(value)) {
        const auto word = value.cast<std::string>();
        if (word == "all") return GpuLayers::all();
        if (word == "half") return GpuLayers::half();
        throw py::value_error("gpu_layers is a number, 'half' or 'all'");
    }
    const auto layers = value.cast<std::int32_t>();
    if (layers < 0) throw py::value_error("gpu_layers is a number from 0, 'half' or 'all'");
    return layers;
}

py::object layers_of(GpuLayers layers) {
    if (const auto count = layers.count()) return py::int_(*count);
    return py::str(layers == GpuLayers::all() ? "all" : "half");
}

void set_flash(ModelOptions& options, const py::handle& value) {
    const bool automatic = py::isinstance<py::str>(value) && value.cast<std::string>() == "auto";
    options.flash_attention = automatic || value.cast<bool>();
    options.flash_attention_if_supported = automatic;
}

constexpr std::array<std::pair<std::string_view, SplitMode>, 3> kSplitModes{
    {{"none", SplitMode::none}, {"layer", SplitMode::layer}, {"row", SplitMode::row}}};

SplitMode split_mode_of(const py::handle& value) {
    const auto name = value.cast<std::string>();
    for (const auto& [known, mode] : kSplitModes)
        if (known == name) return mode;
    throw py::value_error("split_mode is 'none', 'layer' or 'row'");
}

GraphKind graph_of(const py::handle& value) {
    const auto name = value.cast<std::string>();
    if (name == "decode") return GraphKind::decode;
    if (name == "prefill") return GraphKind::prefill;
    throw py::value_error("graph is 'decode' or 'prefill'");
}

std::optional<Pooling> pooling_or_none(const py::handle& value) {
    if (value.is_none()) return std::nullopt;
    const auto pooling = pooling_named(value.cast<std::string>());
    if (!pooling) throw py::value_error("pooling is None, 'none', 'mean', 'cls', 'last' or 'rank'");
    return pooling;
}

std::vector<OverrideRule> rules_of(const py::handle& value) {
    std::vector<OverrideRule> rules;
    for (const auto& text : value.cast<std::vector<std::string>>())
        for (OverrideRule& rule : parse_overrides(text)) rules.push_back(std::move(rule));
    return rules;
}

/// One option with its conversion functions. `machine` options apply to graphs too.
struct Option {
    std::string_view name;
    bool of_machine;
    void (*set)(Session&, const py::handle&);
    py::object (*get)(const Session&);
};

/// A member with Python's default conversion.
template <auto Member>
constexpr Option plain(std::string_view name) {
    return {name, false,
            [](Session& session, const py::handle& value) {
                auto& member = session.model_options.*Member;
                member = value.cast<std::remove_reference_t<decltype(member)>>();
            },
            [](const Session& session) -> py::object { return py::cast(session.model_options.*Member); }};
}

const std::array kOptions = {
    Option{"graph", false, [](Session& s, const py::handle& v) { s.model_options.kind = graph_of(v); },
           [](const Session& s) -> py::object {
               return py::str(s.model_options.kind == GraphKind::decode ? "decode" : "prefill");
           }},
    plain<&ModelOptions::context>("context"),
    plain<&ModelOptions::batch>("batch"),
    Option{"gpu_layers", false,
           [](Session& s, const py::handle& v) { s.model_options.gpu_layers = layers_of(v); },
           [](const Session& s) -> py::object { return layers_of(s.model_options.gpu_layers); }},
    Option{"flash_attention", false, [](Session& s, const py::handle& v) { set_flash(s.model_options, v); },
           [](const Session& s) -> py::object {
               if (s.model_options.flash_attention_if_supported) return py::str("auto");
               return py::bool_(s.model_options.flash_attention);
           }},
    Option{"cache_type_k", false,
           [](Session& s, const py::handle& v) {
               // Without an explicit type, values keep their current one.
               if (!s.model_options.cache_type_v) s.model_options.cache_type_v = s.model_options.cache_type;
               s.model_options.cache_type = type_or_none(v);
           },
           [](const Session& s) { return name_or_none(s.model_options.cache_type); }},
    Option{"cache_type_v", false,
           [](Session& s, const py::handle& v) { s.model_options.cache_type_v = type_or_none(v); },
           [](const Session& s) {
               return name_or_none(s.model_options.cache_type_v ? s.model_options.cache_type_v
                                                                : s.model_options.cache_type);
           }},
    plain<&ModelOptions::logical_batch>("logical_batch"),
    plain<&ModelOptions::sequences>("sequences"),
    plain<&ModelOptions::unified_cache>("unified_cache"),
    plain<&ModelOptions::results_per_sequence>("results_per_sequence"),
    plain<&ModelOptions::full_window_cache>("full_window_cache"),
    plain<&ModelOptions::embeddings>("embeddings"),
    Option{"pooling", false,
           [](Session& s, const py::handle& v) { s.model_options.pooling = pooling_or_none(v); },
           [](const Session& s) -> py::object {
               if (!s.model_options.pooling) return py::none();
               return text(name_of(*s.model_options.pooling));
           }},
    plain<&ModelOptions::accelerators>("accelerators"),
    Option{"split_mode", false,
           [](Session& s, const py::handle& v) { s.model_options.split_mode = split_mode_of(v); },
           [](const Session& s) -> py::object {
               return text(kSplitModes[static_cast<std::size_t>(s.model_options.split_mode)].first);
           }},
    plain<&ModelOptions::main_gpu>("main_gpu"),
    plain<&ModelOptions::tensor_split>("tensor_split"),
    Option{"overrides", false,
           [](Session& s, const py::handle& v) { s.model_options.overrides = rules_of(v); },
           [](const Session& s) -> py::object {
               py::list rules;
               for (const OverrideRule& rule : s.model_options.overrides)
                   rules.append(text(rule.pattern + "=" + rule.target));
               return rules;
           }},
    plain<&ModelOptions::cpu_experts>("cpu_experts"),
    plain<&ModelOptions::cpu_expert_blocks>("cpu_expert_blocks"),
    plain<&ModelOptions::kv_offload>("kv_offload"),
    plain<&ModelOptions::memory_map>("memory_map"),
    plain<&ModelOptions::repack>("repack"),
    plain<&ModelOptions::pinned_host>("pinned_host"),
    Option{"op_offload", true, [](Session& s, const py::handle& v) { s.machine.op_offload = v.cast<bool>(); },
           [](const Session& s) -> py::object { return py::bool_(s.machine.op_offload); }},
    Option{"pipeline", true, [](Session& s, const py::handle& v) { s.machine.parallel = v.cast<bool>(); },
           [](const Session& s) -> py::object { return py::bool_(s.machine.parallel); }},
};

const Option& option_named(const std::string& name) {
    std::string known;
    for (const Option& option : kOptions) {
        if (option.name == name) return option;
        known += (known.empty() ? "" : ", ") + std::string(option.name);
    }
    throw py::type_error("unknown option '" + name + "'; choose from " + known);
}

}  // namespace

Session with_options(Session session, const py::dict& changes) {
    for (const auto& [key, value] : changes) {
        const auto name = key.cast<std::string>();
        const Option& option = option_named(name);
        if (!option.of_machine && !session.file->model)
            throw Error(ErrorKind::usage, msg::kNothingToPlace, name, msg::kOpenModel);
        try {
            option.set(session, value);
        } catch (const py::cast_error&) {
            throw py::type_error(name + ": " + py::repr(value).cast<std::string>() + " has the wrong type");
        }
    }
    return session;
}

py::dict options_of(const Session& session) {
    py::dict out;
    for (const Option& option : kOptions) {
        if (!session.file->model && !option.of_machine) continue;
        out[text(option.name)] = option.get(session);
    }
    return out;
}

}  // namespace splitscope::python
