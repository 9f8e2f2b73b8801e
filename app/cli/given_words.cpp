// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/given_words.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/messages.hpp"
#include "engine/models/name_list.hpp"
#include "engine/planning/messages.hpp"
#include "engine/planning/other_switches.hpp"
#include "engine/planning/spellings.hpp"
#include "engine/support/error.hpp"

namespace splitscope::cli {
namespace {

using Words = std::vector<std::string>;

const CLI::App* command_in(const CLI::App& program, const Words& words) {
    for (const std::string& word : words)
        for (const CLI::App* command : program.get_subcommands({}))
            if (command->get_name() == word) return command;
    return nullptr;
}

class Scan {
 public:
    Scan(const CLI::App& program, const CLI::App& command, const Words& words)
        : program_(program), command_(command) {
        places_ = option_named("--gpu-layers") != nullptr;
        // A run would be sampled and drawn by the switches that a plan leaves out.
        const bool runs = std::ranges::find(words, "--run") != words.end();
        plans_ = lists("plan suggest lint schedule report", command.get_name()) && !runs;
    }

    Words left_of(const Words& words) const;

 private:
    const CLI::Option* option_named(const std::string& name) const {
        const CLI::Option* own = command_.get_option_no_throw(name);
        return own != nullptr ? own : program_.get_option_no_throw(name);
    }
    Words known_names() const;
    bool attaches_value(const std::string& word) const;
    void refuse_unknown(const std::string& word) const;

    const CLI::App& program_;
    const CLI::App& command_;
    bool places_ = false;  ///< takes llama.cpp's switches
    bool plans_ = false;   ///< ignores those without effect on the placement
};

Words Scan::known_names() const {
    Words known;
    for (const CLI::App* app : {&command_, &program_}) {
        for (const CLI::Option* option : app->get_options()) {
            for (const std::string& name : option->get_lnames()) {
                for (std::string& spelled : spellings_of("--" + name)) known.push_back(std::move(spelled));
                known.push_back("--" + name);
            }
            for (const std::string& name : option->get_snames()) known.push_back("-" + name);
        }
    }
    if (plans_)
        for (std::string& name : neutral_switches()) known.push_back(std::move(name));
    return known;
}

void Scan::refuse_unknown(const std::string& word) const {
    const std::string name = word.substr(0, word.find('='));
    const std::string help = fmt::format("splitscope {} --help", command_.get_name());
    const std::string meant = meant_switch(known_names(), name);
    throw Error(ErrorKind::usage, msg::kUnknownSwitch, name,
                meant.empty() ? msg::kSeeHelp(help) : msg::kDidYouMeanSee(meant, help));
}

/// Whether it is a one-letter option with its value, such as "-c8192" or "-oreport.html", and no misspelt
/// switch.
bool Scan::attaches_value(const std::string& word) const {
    const CLI::Option* option = word.size() > 2 ? option_named(word.substr(0, 2)) : nullptr;
    if (option == nullptr || word[2] == '-') return false;
    if (std::isalpha(static_cast<unsigned char>(word[2])) == 0) return true;
    if (option->get_items_expected_min() == 0) return false;
    if (!places_) return true;
    // llama.cpp's longer switches start with these letters, and values of the options are rarely words.
    if (std::string_view("bcnpst").find(word[1]) != std::string_view::npos) return false;
    // "-mg0" is "-mg 0" without the space.
    return meant_switch(known_names(), word).find(' ') == std::string::npos;
}

Words Scan::left_of(const Words& words) const {
    Words out;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "--") {
            out.insert(out.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
            break;
        }
        if (!is_switch(word)) {
            out.push_back(word);
            continue;
        }
        const std::size_t equals = std::min(word.find('='), word.size());
        const std::string name = word.substr(0, equals);
        const bool joined = equals < word.size();
        const bool more = !joined && i + 1 < words.size();
        const CLI::Option* option = option_named(name);
        if (places_ && option == nullptr) {
            refuse_unplanned(name, joined ? word.substr(equals + 1) : more ? words[i + 1] : std::string());
            refuse_download(name);
        }
        if (option != nullptr) {
            out.push_back(word);
            if (option->get_items_expected_min() == 0) continue;
            if (joined && equals + 1 == word.size())
                throw Error(ErrorKind::usage, msg::kValueMissing(name), name, msg::kWriteValue);
            if (more) out.push_back(words[++i]);
        } else if (const auto behind = plans_ ? neutral_switch(name) : std::nullopt) {
            const bool value = *behind == SwitchValue::value ||
                               (*behind == SwitchValue::maybe_choice && more && is_choice(words[i + 1]));
            if (value && more) ++i;
        } else if (word[1] != '-' && !attaches_value(word)) {
            refuse_unknown(word);
        } else {
            out.push_back(word);
        }
    }
    return out;
}

}  // namespace

std::vector<std::string> given_words(const CLI::App& program, int argc, const char* const* argv) {
    Words words(argv + std::min(argc, 1), argv + argc);
    const CLI::App* command = command_in(program, words);
    const std::string name = command == nullptr ? std::string() : command->get_name();
    // Arguments after these belong to another program, including capture's -ot.
    if (name == "capture") std::ranges::replace(words, std::string("-o"), std::string("--output"));
    if (name == "record" || name == "capture") return words;
    words = normalise_switches(words);
    return command == nullptr || name == "attach" ? words : Scan(program, *command, words).left_of(words);
}

}  // namespace splitscope::cli
