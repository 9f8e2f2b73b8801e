// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/open_session.hpp"

#include "engine/session/session_json.hpp"
#include "engine/support/file.hpp"

namespace splitscope::ui {

Session open_any(const std::filesystem::path& path, const JobContext& job) {
    if (path.extension() == ".json") {
        const std::string text = read_text_file(path);
        job.check();
        if (is_session_json(text)) return parse_session_json(text, path.parent_path(), path.string(), job);
    }
    auto file = open_file(path, job);
    job.check();
    return default_session(std::move(file));
}

}  // namespace splitscope::ui
