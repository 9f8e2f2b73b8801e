// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/machine_file.hpp"

#include "engine/formats/machine_json.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"

namespace splitscope::cli {

Machine read_machine_file(const std::string& path) {
    Machine machine = parse_machine_json(read_text_file(path), path);
    try {
        validate(machine);
    } catch (const Error& error) {
        throw error.within(path);
    }
    return machine;
}

}  // namespace splitscope::cli
