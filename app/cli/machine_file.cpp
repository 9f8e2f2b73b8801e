// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/machine_file.hpp"

#include "engine/support/file.hpp"
#include "engine/support/limits.hpp"

namespace splitscope::cli {

KnownMachine read_known_machine_file(const std::string& path, const JobContext& job) {
    return parse_known_machine(read_text_file(path, kMaxTextBytes, job.stop_token()), path,
                               job.memory_bound());
}

Machine read_machine_file(const std::string& path, const JobContext& job) {
    return read_known_machine_file(path, job).machine;
}

}  // namespace splitscope::cli
