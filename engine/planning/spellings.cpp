// SPDX-License-Identifier: MIT
#include "engine/planning/spellings.hpp"

#include <algorithm>
#include <array>

#include "engine/models/name_list.hpp"

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
    {"-np", "--parallel"},
    {"-kvu", "--kv-unified", SwitchValue::nothing},
    {"-no-kvu", "--no-kv-unified", SwitchValue::nothing},
    {"-nr", "--no-repack", SwitchValue::nothing},
    {"-lm", "--load-mode"},
    {"-dev", "--device"},
    {"-mm", "--mmproj"},
    {"-md", "--model-draft"},
    {"-ngld", "--gpu-layers-draft"},
    {"-devd", "--device-draft"},
    {"-ctkd", "--cache-type-k-draft"},
    {"-ctvd", "--cache-type-v-draft"},
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

bool is_choice(std::string_view word) {
    return word == "on" || word == "off" || word == "auto" || word == "true" || word == "false" ||
           is_bit(word);
}

// Switches of llama.cpp's programs without effect on the placement.
constexpr std::string_view kNeutralValues =
    "-t --threads -tb --threads-batch --threads-http -C --cpu-mask -Cr --cpu-range --cpu-strict --prio "
    "--poll "
    "-s --seed --temp --temperature --top-k --top-p --top-nsigma --min-p --typical --samplers "
    "--sampling-seq --repeat-last-n --repeat-penalty --presence-penalty --frequency-penalty --dry-multiplier "
    "--dry-base --dry-allowed-length --mirostat --mirostat-lr --mirostat-ent --grammar --grammar-file -j "
    "--json-schema -jf --json-schema-file -l --logit-bias -f --file -sys --system-prompt -sysf "
    "--system-prompt-file -r --reverse-prompt --keep --image --audio --host --port -a --alias --api-key "
    "--api-key-file --api-prefix --path --ssl-key-file --ssl-cert-file -to --timeout --chat-template "
    "--chat-template-file --chat-template-kwargs --reasoning-format --reasoning-budget --cache-reuse "
    "--slot-save-path -sps --slot-prompt-similarity -cram --cache-ram --ctx-checkpoints --draft --draft-n "
    "--draft-max --draft-min --draft-n-min --draft-p-min --log-file --log-colors -lv --verbosity";
constexpr std::string_view kNeutralFlags =
    "-cb --cont-batching -nocb --no-cont-batching --jinja --no-jinja --metrics --props --slots --no-slots "
    "--webui --no-webui --context-shift --no-context-shift --warmup --no-warmup --perf --no-perf "
    "--escape --no-escape --ignore-eos --prefill-assistant --no-prefill-assistant -cnv --conversation "
    "-no-cnv "
    "--no-conversation -st --single-turn -i --interactive -if --interactive-first -co --color --simple-io "
    "--no-display-prompt -sp --special --log-disable -v --verbose --log-verbose --log-prefix "
    "--log-timestamps --verbose-prompt --offline --check-tensors";

/// Without those switches, so that a command line of llama-server can follow the command.
std::vector<std::string> without_neutral(const std::vector<std::string>& words) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        const std::string_view name = word.substr(0, word.find('='));
        if (!word.starts_with('-') || !(lists(kNeutralValues, name) || lists(kNeutralFlags, name)))
            out.push_back(words[i]);
        else if (lists(kNeutralValues, name) && name == word)
            ++i;
    }
    return out;
}

}  // namespace

std::vector<std::string> spellings_of(std::string_view option) {
    std::vector<std::string> out;
    for (const Spelling& spelling : kSpellings)
        if (spelling.option == option) out.emplace_back(spelling.spelled);
    return out;
}

std::vector<std::string> normalise_switches(int argc, const char* const* argv) {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    // Arguments after these belong to another program, including capture's -ot.
    if (!words.empty() && words.front() == "record") return words;
    if (!words.empty() && words.front() == "capture") {
        std::ranges::replace(words, std::string("-o"), std::string("--output"));
        return words;
    }
    const bool plans =
        !words.empty() && (words.front() == "plan" || words.front() == "suggest" || words.front() == "lint");
    return normalise_switches(plans ? without_neutral(words) : words);
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
        const std::string_view name = std::string_view(word).substr(0, equals);
        const Spelling* spelling = spelling_of(name);
        const SwitchValue behind = spelling != nullptr ? spelling->behind
                                   : std::ranges::find(kMaybeChoice, name) != kMaybeChoice.end()
                                       ? SwitchValue::maybe_choice
                                       : SwitchValue::value;
        std::string made =
            (spelling != nullptr ? std::string(spelling->option) : std::string(name)) + word.substr(equals);
        const bool open = behind != SwitchValue::value && equals == word.size();
        const std::string_view next =
            i + 1 < words.size() ? std::string_view(words[i + 1]) : std::string_view();
        if (open && (behind == SwitchValue::maybe_choice ? is_choice(next) : is_bit(next))) {
            made += "=" + words[++i];
        } else if (open && behind == SwitchValue::maybe_choice) {
            made += "=on";
        }
        out.push_back(std::move(made));
    }
    return out;
}

std::vector<std::string> shell_words(std::string_view line) {
    std::vector<std::string> words;
    std::string word;
    bool open = false;  // inside a word, which may be empty
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        const bool more = i + 1 < line.size();
        if (quote != 0 && c == quote) {
            quote = 0;
        } else if (c == '\\' && quote != '\'' && more) {
            if (line[++i] == '\n') continue;
            word += line[i];
            open = true;
        } else if (quote == 0 && (c == '\'' || c == '"')) {
            quote = c;
            open = true;
        } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
            if (open) words.push_back(std::move(word));
            word.clear();
            open = false;
        } else {
            word += c;
            open = true;
        }
    }
    if (open) words.push_back(std::move(word));
    return words;
}

}  // namespace splitscope
