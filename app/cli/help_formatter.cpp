// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/help_formatter.hpp"

#include <algorithm>
#include <regex>
#include <sstream>

#include "engine/planning/spellings.hpp"

namespace splitscope::cli {
namespace {

/// Bytes of a text beyond one for each character.
std::size_t continuation_bytes(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }));
}

}  // namespace

std::string HelpFormatter::make_option_name(const CLI::Option* option, bool is_positional) const {
    std::string names = CLI::Formatter::make_option_name(option, is_positional);
    if (is_positional) return names;
    // "--no-mmap{false}"
    static const std::regex kOff(R"(\{[^}]*\})");
    names = std::regex_replace(names, kOff, "");
    for (const std::string& name : option->get_lnames())
        for (const std::string& spelled : spellings_of("--" + name)) names.insert(0, spelled + ",");
    return names;
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
    static const std::regex kNotation(R"(:(INT|UINT|FLOAT) in \[[^\]]*\]|:DIR\b)");
    return std::regex_replace(CLI::Formatter::make_option_opts(option), kNotation, "");
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
    const std::string name = make_option_name(option, is_positional) + make_option_opts(option);
    std::ostringstream out;
    // The library counts bytes.
    CLI::detail::format_help(out, name, make_option_desc(option), column_width_ + continuation_bytes(name));
    return out.str();
}

}  // namespace splitscope::cli
