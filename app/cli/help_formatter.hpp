// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace splitscope::cli {

/// Lists llama.cpp's spellings of options, and leaves out the parser's notation for ranges and for flags that
/// turn something off.
class HelpFormatter final : public CLI::Formatter {
 public:
    std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
    std::string make_option_opts(const CLI::Option* option) const override;
    std::string make_option(const CLI::Option* option, bool is_positional) const override;
};

}  // namespace splitscope::cli
