// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ignored_options.hpp"

#include <CLI/CLI.hpp>

#include "engine/support/error.hpp"

namespace splitscope::cli {

void refuse_ignored(const CLI::App& command, std::initializer_list<const char*> options, const Message& why,
                    const Message& remedy) {
    for (const char* name : options) {
        const CLI::Option* option = command.get_option_no_throw(name);
        if (option != nullptr && option->count() > 0) throw Error(ErrorKind::usage, why, name, remedy);
    }
}

}  // namespace splitscope::cli
