// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/machine_file.hpp"

#include "engine/formats/machine_json.hpp"
#include "engine/support/file.hpp"

namespace splitscope::cli {

Machine read_machine_file(const std::string& path, const JobContext& job) {
    return parse_machine_json(read_text_file(path, kLongestText, job.stop_token()), path, job.memory_bound());
}

}  // namespace splitscope::cli
