// SPDX-License-Identifier: MIT
#include "engine/planning/given_switches.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <utility>

#include <fmt/ranges.h>

#include "backends/interface/known_names.hpp"
#include "engine/planning/messages.hpp"
#include "engine/planning/other_switches.hpp"
#include "engine/planning/spellings.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/shell_words.hpp"

namespace splitscope {
namespace {

template <typename Number>
std::optional<Number> number_in(const std::string& text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// llama.cpp has places for this many devices; since 2024-10 its programs take one share less, except
/// llama-bench.
constexpr std::size_t kDevicesOfLlama = 16;

std::vector<float> shares_of(std::string text, Generation generation, std::optional<Program> program) {
    std::vector<float> out;
    for (char& c : text)
        if (c == '/') c = ',';
    for (std::size_t start = 0; start <= text.size() && !text.empty();) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        const std::string part = text.substr(start, end - start);
        const auto value = number_in<float>(part);
        if (!value || !std::isfinite(*value) || *value < 0)
            throw Error(ErrorKind::usage, msg::kNotShareOfDevice(part), "--tensor-split", msg::kGiveShares);
        out.push_back(*value);
        start = end + 1;
    }
    const bool all = program == Program::llama_bench || generation == Generation::g2024_01;
    const std::size_t most = all ? kDevicesOfLlama : kDevicesOfLlama - 1;
    if (out.size() > most)
        throw Error(ErrorKind::usage, msg::kTooManyShares(out.size()), "--tensor-split",
                    msg::kGiveAtMostShares(most));
    return out;
}

}  // namespace

GpuLayers gpu_layers_of(const std::string& text, const char* option, Generation generation, GpuLayers usual) {
    const bool newest = generation == Generation::g2026_08;
    if (text == "all" || text == "auto") {
        if (newest) return GpuLayers::all();
        throw Error(ErrorKind::usage, msg::kNumbersOnly(name_of(generation), text), option,
                    msg::kGiveNumberOfLayers);
    }
    if (text == "half") return GpuLayers::half();
    const auto layers = number_in<std::int32_t>(text);
    if (!layers || *layers > kMaxGpuLayers)
        throw Error(ErrorKind::usage, msg::kNotLayers(text), option, msg::kGiveLayers);
    if (newest) return *layers < 0 ? GpuLayers::all() : *layers;
    return *layers == -1 ? usual : GpuLayers(*layers);
}

namespace {

bool is_off(const std::string& choice) {
    return choice == "off" || choice == "false" || choice == "0";
}

void put_caches(const GivenSwitches& given, ModelOptions& options, Generation generation,
                std::optional<Program> program) {
    if (given.cache_type) {
        options.cache_type = element_type_of(*given.cache_type, "--cache-type");
        options.cache_type_v.reset();
    }
    if (given.cache_type_v) options.cache_type_v = element_type_of(*given.cache_type_v, "--cache-type-v");
    if (given.cache_type_k) {
        // Without an explicit type, values keep their current one.
        if (!options.cache_type_v) options.cache_type_v = options.cache_type;
        options.cache_type = element_type_of(*given.cache_type_k, "--cache-type-k");
    }
    if (given.full_window_cache) options.full_window_cache = true;
    // The server refuses it, and the other programs use 1.
    if (given.sequences == 0)
        throw Error(ErrorKind::usage, msg::kNotInRange("0"), "--parallel",
                    msg::kGiveBetween(1, kMaxSequences));
    if (given.sequences || given.unified) {
        PlacementFlags flags;
        set_parallel(flags, program.value_or(Program::llama_cli), generation, given.sequences, given.unified);
        options.sequences = flags.sequences;
        options.unified_cache = flags.unified_cache;
    }
}

/// The meaning of -1 in older programs. llama-bench passes it on, which places no layers.
GpuLayers usual_layers(Generation generation, std::optional<Program> program, const Machine& machine) {
    if (program == Program::llama_bench) return 0;
    const bool metal = std::ranges::any_of(
        machine.backends, [](const MachineBackend& backend) { return offloads_by_default(backend.name); });
    return default_flags(Program::llama_cli, generation, metal).gpu_layers;
}

/// Options for experts come after the rules: where they were given before some, they become rules.
void put_overrides(const std::vector<GivenOverride>& given, ModelOptions& options,
                   std::optional<Program> program) {
    using Kind = GivenOverride::Kind;
    const auto last = std::find_if(given.rbegin(), given.rend(),
                                   [](const GivenOverride& o) { return o.kind == Kind::rules; });
    if (last != given.rend()) options.overrides.clear();
    // llama-bench appends them to the rules.
    const auto before = program == Program::llama_bench ? 0 : given.rend() - last;
    std::uint32_t blocks = 0;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const GivenOverride& o = given[i];
        const bool early = static_cast<std::ptrdiff_t>(i) < before;
        if (o.kind == Kind::rules) {
            for (OverrideRule& rule : parse_overrides(o.rules)) options.overrides.push_back(std::move(rule));
        } else if (early) {
            add_cpu_experts(options.overrides, o.kind == Kind::all_experts, o.blocks);
        } else if (o.kind == Kind::all_experts) {
            options.cpu_experts = true;
        } else {
            options.cpu_expert_blocks = blocks = std::max(blocks, o.blocks);
        }
    }
}

/// Parses the value of one option.
struct Reader {
    std::string_view option;
    std::string value;

    template <typename Number>
    Number number(std::int64_t least, std::int64_t most) const {
        const auto found = number_in<std::int64_t>(value);
        if (!found || *found < least || *found > most)
            throw Error(ErrorKind::usage, msg::kNotInRange(value), std::string(option),
                        msg::kGiveBetween(least, most));
        return static_cast<Number>(*found);
    }
    /// A switch without a value is enabled.
    bool flag() const { return value.empty() || !is_off(value); }
    std::string one_of(std::initializer_list<std::string_view> choices) const {
        if (std::ranges::find(choices, value) != choices.end()) return value;
        std::string known;
        for (const std::string_view choice : choices)
            known += (known.empty() ? "" : ", ") + std::string(choice);
        throw Error(ErrorKind::usage, msg::kNotChoice(value), std::string(option), msg::kGiveOneOf(known));
    }
};

/// A switch with its long names and the member that stores it.
struct Known {
    std::vector<std::string_view> names;
    SwitchValue behind;
    std::function<void(GivenSwitches&, const Reader&)> put;
};

std::vector<std::string> parts_of(const std::string& list) {
    std::vector<std::string> parts;
    for (std::size_t start = 0; start <= list.size();) {
        const std::size_t end = std::min(list.find(',', start), list.size());
        if (end > start) parts.push_back(list.substr(start, end - start));
        start = end + 1;
    }
    return parts;
}

using Given = GivenSwitches;

const std::vector<Known>& known_switches() {
    static const std::vector<Known> known = {
        {{"--gpu-layers", "--n-gpu-layers", "--ngl"},
         SwitchValue::value,
         [](Given& g, const Reader& r) { g.gpu_layers = r.value; }},
        {{"-c", "--context", "--ctx-size"},
         SwitchValue::value,
         [](Given& g, const Reader& r) { g.context = r.number<std::uint32_t>(0, kMaxCells); }},
        {{"-b", "--batch", "--batch-size"},
         SwitchValue::value,
         [](Given& g, const Reader& r) { g.batch = r.number<std::uint32_t>(1, kMaxBatch); }},
        {{"--ubatch", "--ubatch-size"},
         SwitchValue::value,
         [](Given& g, const Reader& r) { g.micro_batch = r.number<std::uint32_t>(1, kMaxBatch); }},
        {{"--flash-attention", "--flash-attn"},
         SwitchValue::maybe_choice,
         [](Given& g, const Reader& r) {
             g.flash_attention = r.one_of({"on", "off", "auto", "true", "false", "1", "0"});
         }},
        {{"--cache-type"}, SwitchValue::value, [](Given& g, const Reader& r) { g.cache_type = r.value; }},
        {{"--cache-type-k"}, SwitchValue::value, [](Given& g, const Reader& r) { g.cache_type_k = r.value; }},
        {{"--cache-type-v"}, SwitchValue::value, [](Given& g, const Reader& r) { g.cache_type_v = r.value; }},
        {{"--parallel"},
         SwitchValue::value,
         [](Given& g, const Reader& r) { g.sequences = r.number<std::int32_t>(-1, kMaxSequences); }},
        {{"--kv-unified"}, SwitchValue::nothing, [](Given& g, const Reader& r) { g.unified = r.flag(); }},
        {{"--no-kv-unified"}, SwitchValue::nothing, [](Given& g, const Reader& r) { g.unified = !r.flag(); }},
        {{"--embeddings", "--embedding"},
         SwitchValue::nothing,
         [](Given& g, const Reader& r) { g.embeddings = r.flag(); }},
        {{"--pooling"},
         SwitchValue::value,
         [](Given& g, const Reader& r) {
             g.pooling = pooling_named(r.one_of({"none", "mean", "cls", "last", "rank"}));
         }},
        {{"--reranking", "--rerank"},
         SwitchValue::nothing,
         [](Given& g, const Reader& r) {
             if (r.flag()) g.set_reranking();
         }},
        {{"--swa-full"},
         SwitchValue::nothing,
         [](Given& g, const Reader& r) { g.full_window_cache = r.flag(); }},
        {{"--split-mode"},
         SwitchValue::value,
         [](Given& g, const Reader& r) {
             g.split_mode = r.one_of({"none", "layer", "row"});
         }},
        {{"--main-gpu"},
         SwitchValue::value,
         [](Given& g, const Reader& r) { g.main_gpu = r.number<std::int32_t>(-1, kMaxGpuLayers); }},
        {{"--tensor-split"}, SwitchValue::value, [](Given& g, const Reader& r) { g.tensor_split = r.value; }},
        {{"--override-tensor"},
         SwitchValue::value,
         [](Given& g, const Reader& r) {
             g.overrides.push_back({GivenOverride::Kind::rules, r.value});
         }},
        {{"--cpu-moe"},
         SwitchValue::nothing,
         [](Given& g, const Reader& r) {
             if (r.flag()) g.overrides.push_back({GivenOverride::Kind::all_experts, {}});
         }},
        {{"--n-cpu-moe"},
         SwitchValue::value,
         [](Given& g, const Reader& r) {
             g.overrides.push_back(
                 {GivenOverride::Kind::expert_blocks, {}, r.number<std::uint32_t>(0, kMaxLayers)});
         }},
        {{"--kv-offload"}, SwitchValue::nothing, [](Given& g, const Reader& r) { g.kv_offload = r.flag(); }},
        {{"--no-kv-offload"},
         SwitchValue::nothing,
         [](Given& g, const Reader& r) { g.kv_offload = !r.flag(); }},
        {{"--op-offload"}, SwitchValue::nothing, [](Given& g, const Reader& r) { g.op_offload = r.flag(); }},
        {{"--no-op-offload"},
         SwitchValue::nothing,
         [](Given& g, const Reader& r) { g.op_offload = !r.flag(); }},
        {{"--mmap"}, SwitchValue::nothing, [](Given& g, const Reader& r) { g.set_memory_map(r.flag()); }},
        {{"--no-mmap"}, SwitchValue::nothing, [](Given& g, const Reader& r) { g.set_memory_map(!r.flag()); }},
        {{"--load-mode"},
         SwitchValue::value,
         [](Given& g, const Reader& r) {
             g.load_mode = r.one_of({"none", "mmap", "mlock", "mmap+mlock", "dio"});
         }},
        {{"--repack"}, SwitchValue::nothing, [](Given& g, const Reader& r) { g.repack = r.flag(); }},
        {{"--no-repack"}, SwitchValue::nothing, [](Given& g, const Reader& r) { g.repack = !r.flag(); }},
        {{"--no-host"}, SwitchValue::nothing, [](Given& g, const Reader& r) { g.no_host = r.flag(); }},
        {{"--fit"},
         SwitchValue::value,
         [](Given& g, const Reader& r) {
             g.fit = r.one_of({"on", "off"}) == "on";
         }},
        {{"--fit-target"},
         SwitchValue::value,
         [](Given& g, const Reader& r) {
             g.fit_margin = r.number<std::uint64_t>(0, kMaxFitMarginMib) << 20;
         }},
    };
    return known;
}

/// All names that a command line may have, for a misspelt one.
std::vector<std::string> all_switches() {
    std::vector<std::string> names;
    for (const Known& known : known_switches()) {
        for (const std::string_view name : known.names) {
            for (std::string& spelled : spellings_of(name)) names.push_back(std::move(spelled));
            names.emplace_back(name);
        }
    }
    for (std::string& name : neutral_switches()) names.push_back(std::move(name));
    return names;
}

[[noreturn]] void refuse_unknown(const std::string& name) {
    const std::string meant = meant_switch(all_switches(), name);
    throw Error(ErrorKind::usage, msg::kUnknownSwitch, name,
                meant.empty() ? Message(msg::kCheckSpelling) : msg::kDidYouMean(meant));
}

/// The program named by a word, with or without its folder.
std::optional<Program> program_in(const std::string& word) {
    const std::size_t slash = word.find_last_of("/\\");
    return program_named(slash == std::string::npos ? word : word.substr(slash + 1));
}

}  // namespace

std::string names_of(std::string_view option) {
    std::string names;
    for (const Known& known : known_switches()) {
        if (std::ranges::find(known.names, option) == known.names.end()) continue;
        for (const std::string_view name : known.names)
            names += (names.empty() ? "" : ",") + std::string(name);
    }
    return names;
}

ElementType element_type_of(const std::string& name, const char* option) {
    const auto type = element_type_named(name);
    if (!type) throw Error(ErrorKind::usage, msg::kNoElementType(name), option, msg::kGiveElementType);
    return *type;
}

void GivenSwitches::apply_to(ModelOptions& options, Machine& machine, Generation generation,
                             std::optional<Program> program) const {
    if (gpu_layers)
        options.gpu_layers = gpu_layers_of(*gpu_layers, "--gpu-layers", generation,
                                           usual_layers(generation, program, machine));
    if (context) options.context = *context;
    if (batch) options.logical_batch = *batch;
    if (batch && !program) options.batch = *batch;
    if (micro_batch) options.batch = *micro_batch;
    if (flash_attention) {
        options.flash_attention = !is_off(*flash_attention);
        options.flash_attention_if_supported = *flash_attention == "auto";
    }
    put_caches(*this, options, generation, program);
    if (embeddings) options.embeddings = true;
    if (pooling) options.pooling = pooling;
    if (split_mode)
        options.split_mode = *split_mode == "none"  ? SplitMode::none
                             : *split_mode == "row" ? SplitMode::row
                                                    : SplitMode::layer;
    if (main_gpu) options.main_gpu = *main_gpu;
    if (tensor_split) options.tensor_split = shares_of(*tensor_split, generation, program);
    put_overrides(overrides, options, program);
    if (kv_offload) options.kv_offload = *kv_offload;
    if (memory_map) options.memory_map = *memory_map;
    // Before, mlock did not stop mapping.
    if (load_mode && (*load_mode != "mlock" || generation == Generation::g2026_08))
        options.memory_map = load_mode->starts_with("mmap");
    if (op_offload) machine.op_offload = *op_offload;
    if (repack) options.repack = *repack;
    if (no_host) options.pinned_host = false;
}

PastedSwitches parse_switches(std::string_view line) {
    PastedSwitches pasted;
    const std::vector<std::string> words = normalise_switches(shell_words(line));
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (const auto program = program_in(word)) {
            pasted.program = program;
            continue;
        }
        if (!is_switch(word)) continue;
        const std::size_t equals = std::min(word.find('='), word.size());
        const std::string name = word.substr(0, equals);
        const bool has_value = equals < word.size();
        std::string value = has_value ? word.substr(equals + 1) : std::string();
        const bool next = i + 1 < words.size() && !is_switch(words[i + 1]);
        const auto found = std::ranges::find_if(known_switches(), [&](const Known& known) {
            return std::ranges::find(known.names, name) != known.names.end();
        });
        const bool device = name == "--device" || name == "-d";
        if (found == known_switches().end() && !device) {
            refuse_unplanned(name, has_value ? value : next ? words[i + 1] : std::string());
            const std::optional<SwitchValue> neutral = neutral_switch(name);
            const std::optional<SwitchValue> behind = neutral ? neutral : switch_beside_placement(name);
            if (!behind) refuse_unknown(name);
            pasted.ignored.push_back(name);
            if (*behind == SwitchValue::value && !has_value && i + 1 < words.size()) ++i;
            continue;
        }
        if (!has_value && (device || found->behind == SwitchValue::value)) {
            if (!next) throw Error(ErrorKind::usage, msg::kValueMissing(name), name, msg::kWriteValue);
            value = words[++i];
        }
        if (value.empty() && (has_value || device || found->behind == SwitchValue::value))
            throw Error(ErrorKind::usage, msg::kValueMissing(name), name, msg::kWriteValue);
        if (device)
            pasted.accelerators = parts_of(value);
        else
            found->put(pasted.given, {name, value});
    }
    return pasted;
}

void apply_switches(Session& session, const PastedSwitches& pasted) {
    if (!session.file || !session.file->model) return;
    const std::uint32_t results = session.model_options.results_per_sequence;
    use_defaults(session, pasted.program.value_or(Program::llama_server));
    ModelOptions& options = session.model_options;
    // Not expressed by switches: without a program, the line refers to the current one.
    if (!pasted.program) options.results_per_sequence = results;
    pasted.given.apply_to(options, session.machine, session.generation,
                          pasted.program.value_or(Program::llama_cli));
    if (options.context == 0) options.context = std::max(trained_context(session.file->model->file()), 1U);
    options.accelerators = pasted.accelerators;
}

std::string switches_of(const Session& session) {
    return command_line_of(placement_flags(session));
}

DifferentSwitches different_switches(const Session& a, const Session& b) {
    const std::vector<std::string> of_a = switches_of(placement_flags(a));
    const std::vector<std::string> of_b = switches_of(placement_flags(b));
    const auto only = [](const std::vector<std::string>& own, const std::vector<std::string>& other) {
        std::vector<std::string> words;
        std::ranges::copy_if(own, std::back_inserter(words), [&](const std::string& word) {
            return std::ranges::find(other, word) == other.end();
        });
        return fmt::format("{}", fmt::join(words, " "));
    };
    return {only(of_a, of_b), only(of_b, of_a)};
}

}  // namespace splitscope
