// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <string_view>
#include <system_error>

#include "engine/formats/graph_json.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/session/session.hpp"
#include "engine/session/session_json.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"

namespace splitscope {
namespace {

enum class Content { gguf, json, other };

Content content_of(const std::filesystem::path& path) {
    const MappedFile file(path);
    const auto bytes = file.bytes();
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                                std::min<std::size_t>(bytes.size(), 4096));
    if (text.starts_with("GGUF")) return Content::gguf;
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && text[first] == '{') return Content::json;
    return Content::other;
}

/// machine.json beside graph.json, or NAME.machine.json beside NAME.graph.json.
std::optional<std::filesystem::path> machine_beside(const std::filesystem::path& graph_file) {
    constexpr std::string_view kGraphSuffix = "graph.json";
    const std::string name = graph_file.filename().string();
    if (!name.ends_with(kGraphSuffix)) return std::nullopt;
    const auto candidate =
        graph_file.parent_path() / (name.substr(0, name.size() - kGraphSuffix.size()) + "machine.json");
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(candidate, ignored)) return std::nullopt;
    return candidate;
}

}  // namespace

std::string OpenedFile::title() const {
    if (model) return model->name();
    if (graph && !graph->name.empty()) return graph->name;
    return path.filename().string();
}

std::shared_ptr<const OpenedFile> open_file(const std::filesystem::path& path, const JobContext& job) {
    auto opened = std::make_shared<OpenedFile>();
    opened->path = path;
    switch (content_of(path)) {
        case Content::gguf: {
            job.report(0.0, "Reading the model file");
            opened->model = make_model(GgufFile::open(path, job), job);
            return opened;
        }
        case Content::json: {
            job.report(0.0, "Reading the graph");
            const std::string text = read_text_file(path);
            if (is_session_json(text)) {
                throw Error(ErrorKind::bad_file, "a session, where a model or a graph is asked for",
                            path.string(), "name the file that the session is about");
            }
            opened->graph = std::make_shared<const Graph>(parse_graph_json(text, path.string()));
            if (const auto machine = machine_beside(path)) {
                opened->machine = parse_machine_json(read_text_file(*machine), machine->string());
                validate(*opened->machine, *opened->graph);
            }
            return opened;
        }
        case Content::other:
            break;
    }
    throw Error(ErrorKind::bad_file, "neither a GGUF model (no 'GGUF' at byte 0) nor a JSON document",
                path.string(), "open a .gguf model or a .graph.json graph");
}

}  // namespace splitscope
