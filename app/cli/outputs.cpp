// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/outputs.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "app/cli/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "engine/support/resolve_links.hpp"

namespace splitscope::cli {
namespace {

namespace fs = std::filesystem;

/// The canonical path, without links; the file need not exist.
fs::path place_of(const fs::path& path) {
    std::error_code failed;
    fs::path place = resolve_links(fs::absolute(path, failed));
    fs::path canonical = fs::weakly_canonical(place, failed);
    return failed ? place : canonical;
}

/// Pipes and devices may receive several results.
bool is_replaced(const fs::path& path) {
    std::error_code unknown;
    const fs::file_status status = fs::status(path, unknown);
    return !fs::exists(status) || fs::is_regular_file(status);
}

}  // namespace

void require_outputs(const std::vector<fs::path>& targets) {
    std::vector<fs::path> places;
    for (const fs::path& target : targets) {
        if (target == "-") {
            throw Error(ErrorKind::usage, msg::kNotToStandardOutput, target, msg::kGiveFileName);
        }
        require_writable(target);
        if (!is_replaced(target)) continue;
        fs::path place = place_of(target);
        if (std::ranges::find(places, place) != places.end()) {
            throw Error(ErrorKind::usage, msg::kResultsInOneFile, target, msg::kGiveOwnFiles);
        }
        places.push_back(std::move(place));
    }
}

}  // namespace splitscope::cli
