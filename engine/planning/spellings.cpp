// SPDX-License-Identifier: MIT
#include "engine/planning/spellings.hpp"

#include <algorithm>
#include <array>

#include "engine/support/nearest_name.hpp"

namespace splitscope {
namespace {

constexpr auto kSpellings = std::to_array<Spelling>({
    {"-ngl", "--gpu-layers"},
    {"-ub", "--ubatch"},
    {"-fa", "--flash-attention", SwitchValue::maybe_choice},
    {"-ctk", "--cache-type-k"},
    {"-ctv", "--cache-type-v"},
    {"-ot", "--override-tensor"},
    {"-cmoe", "--cpu-moe", SwitchValue::nothing},
    {"-ncmoe", "--n-cpu-moe"},
    {"-ts", "--tensor-split"},
    {"-sm", "--split-mode"},
    {"-mg", "--main-gpu"},
    {"-nkvo", "--no-kv-offload", SwitchValue::nothing},
    {"-kvo", "--kv-offload", SwitchValue::nothing},
    {"-nopo", "--no-op-offload", SwitchValue::nothing},
    {"-embd", "--embeddings", SwitchValue::nothing},
    {"--embeddings", "--embeddings", SwitchValue::nothing},
    {"-np", "--parallel"},
    {"-kvu", "--kv-unified", SwitchValue::nothing},
    {"-no-kvu", "--no-kv-unified", SwitchValue::nothing},
    {"-nr", "--no-repack", SwitchValue::nothing},
    {"-lm", "--load-mode"},
    {"-mmp", "--mmap", SwitchValue::nothing},
    {"-dio", "--direct-io", SwitchValue::nothing},
    {"-ndio", "--no-direct-io", SwitchValue::nothing},
    {"--direct-io", "--direct-io", SwitchValue::nothing},
    {"-dev", "--device"},
    {"-mm", "--mmproj"},
    {"-md", "--model-draft"},
    {"-ngld", "--gpu-layers-draft"},
    {"-devd", "--device-draft"},
    {"-ctkd", "--cache-type-k-draft"},
    {"-ctvd", "--cache-type-v-draft"},
    {"-otd", "--override-tensor-draft"},
    {"-cmoed", "--cpu-moe-draft", SwitchValue::nothing},
    {"-ncmoed", "--n-cpu-moe-draft"},
    {"-fit", "--fit"},
    {"-fitt", "--fit-target"},
    {"-fitc", "--fit-ctx"},
});

/// Long options whose value is a separate word only if it is one of the choices.
constexpr auto kMaybeChoice = std::to_array<std::string_view>({"--flash-attention", "--flash-attn"});

const Spelling* spelling_of(std::string_view word) {
    const auto found = std::ranges::find(kSpellings, word, &Spelling::spelled);
    return found == kSpellings.end() ? nullptr : &*found;
}

bool is_bit(std::string_view word) {
    return word == "0" || word == "1";
}

/// Deprecated switches that set the load mode; the newest programs let the last one win.
std::string_view load_mode_of(std::string_view name, bool on) {
    if (name == "--mlock") return on ? "mlock" : std::string_view();
    if (name == "--direct-io") return on ? "dio" : "none";
    if (name == "--no-direct-io") return "none";
    return {};
}

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789.+-eE") == std::string_view::npos;
}

/// The files of "FILE:SCALE,…".
std::string without_scales(std::string_view list) {
    std::string files;
    for (;;) {
        const std::string_view item = list.substr(0, list.find(','));
        const std::size_t colon = item.rfind(':');
        const bool scaled = colon != std::string_view::npos && is_number(item.substr(colon + 1));
        files += scaled ? item.substr(0, colon) : item;
        if (item.size() == list.size()) return files;
        files += ',';
        list.remove_prefix(item.size() + 1);
    }
}

}  // namespace

std::vector<std::string> spellings_of(std::string_view option) {
    std::vector<std::string> out;
    for (const Spelling& spelling : kSpellings)
        if (spelling.option == option && spelling.spelled != option) out.emplace_back(spelling.spelled);
    return out;
}

std::vector<std::string> normalise_switches(const std::vector<std::string>& words) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "--") {
            out.insert(out.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
            break;
        }
        const std::size_t equals = std::min(word.find('='), word.size());
        std::string name = word.substr(0, equals);
        // llama.cpp accepts both.
        if (name.starts_with("--")) std::ranges::replace(name, '_', '-');
        const Spelling* spelling = spelling_of(name);
        const SwitchValue behind = spelling != nullptr ? spelling->behind
                                   : std::ranges::find(kMaybeChoice, name) != kMaybeChoice.end()
                                       ? SwitchValue::maybe_choice
                                       : SwitchValue::value;
        if (spelling != nullptr) name = spelling->option;
        std::string made = name + word.substr(equals);
        const bool open = behind != SwitchValue::value && equals == word.size();
        const std::string_view next =
            i + 1 < words.size() ? std::string_view(words[i + 1]) : std::string_view();
        if (open && (behind == SwitchValue::maybe_choice ? is_choice(next) : is_bit(next))) {
            made += "=" + words[++i];
        } else if (open && behind == SwitchValue::maybe_choice) {
            made += "=on";
        }
        const bool on = !made.ends_with("=0");
        if (const std::string_view mode = load_mode_of(name, on); !mode.empty()) {
            made = "--load-mode=" + std::string(mode);
        } else if (name == "--lora-scaled" && (equals < word.size() || !next.empty())) {
            const std::string_view list =
                equals < word.size() ? std::string_view(word).substr(equals + 1) : next;
            out.emplace_back("--lora");
            made = without_scales(list);
            if (equals == word.size()) ++i;
            // Older programs take the scale as a word of its own.
            if (made == list && i + 1 < words.size() && is_number(words[i + 1])) ++i;
        }
        out.push_back(std::move(made));
    }
    return out;
}

bool is_switch(std::string_view word) {
    return word.size() > 1 && word[0] == '-' && word[1] != '.' && (word[1] < '0' || word[1] > '9');
}

bool is_choice(std::string_view word) {
    return word == "on" || word == "off" || word == "auto" || word == "true" || word == "false" ||
           is_bit(word);
}

std::string meant_switch(const std::vector<std::string>& known, std::string_view word) {
    const std::string_view name = word.substr(0, word.find('='));
    const std::size_t digits = name.find_last_not_of("0123456789.,") + 1;
    const std::string_view letters = name.substr(0, digits);
    if (digits < name.size() && std::ranges::find(known, letters) != known.end())
        return std::string(letters) + " " + std::string(name.substr(digits));
    return nearest_name(known, name);
}

}  // namespace splitscope
