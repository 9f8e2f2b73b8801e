// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/formats/capture_json.hpp"
#include "engine/formats/graph_json.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/formats/messages.hpp"
#include "engine/importers/dot_graph.hpp"
#include "engine/importers/messages.hpp"
#include "engine/importers/scheduler_log.hpp"
#include "engine/session/import_capture.hpp"
#include "engine/session/import_log.hpp"
#include "engine/session/messages.hpp"
#include "engine/session/session.hpp"
#include "engine/session/session_json.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/mapping_guard.hpp"

namespace splitscope {
namespace {

enum class Content { gguf, json, dot, log, other };

/// File content in memory: standard input is read, files are mapped.
class Text {
 public:
    Text(const std::filesystem::path& path, const JobContext& job) {
        if (path == "-") {
            read_ = read_text_file(path, kMaxTextBytes, job.stop_token());
        } else {
            mapped_.emplace(path);
        }
    }
    /// Strips the zeros with which reads beyond a truncated end are filled.
    void require_whole(const std::filesystem::path& path) const {
        if (mapped_) require_intact(mapped_->bytes(), path);
    }
    std::string_view view() const {
        if (!mapped_) return read_;
        return {reinterpret_cast<const char*>(mapped_->bytes().data()), mapped_->bytes().size()};
    }

 private:
    std::optional<MappedFile> mapped_;
    std::string read_;
};

Content content_of(std::string_view text) {
    if (text.starts_with("GGUF")) return Content::gguf;
    const auto first = text.substr(0, 4096).find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && text[first] == '{') return Content::json;
    if (is_dot_graph(text)) return Content::dot;
    if (is_scheduler_log(text)) return Content::log;
    return Content::other;
}

std::optional<std::filesystem::path> machine_beside(const std::filesystem::path& graph_file) {
    auto candidate = machine_path_beside(graph_file);
    std::error_code ignored;
    if (candidate && !std::filesystem::is_regular_file(*candidate, ignored)) return std::nullopt;
    return candidate;
}

std::shared_ptr<OpenedFile> read_model(const std::filesystem::path& path, const JobContext& job) {
    auto opened = std::make_shared<OpenedFile>();
    job.report(0.0, msg::kReadingModel);
    opened->model = make_model(GgufFile::open(path, job), job);
    return opened;
}

/// For all files but models, which are mapped only once, by the reader of their weights.
std::shared_ptr<OpenedFile> read_content(const Text& text, const std::filesystem::path& path,
                                         const JobContext& job, std::optional<std::size_t> number) {
    auto opened = std::make_shared<OpenedFile>();
    switch (content_of(text.view())) {
        case Content::gguf:
            throw Error(ErrorKind::usage, msg::kModelFromStandardInput, path, msg::kNameModelFile);
        case Content::json: {
            job.report(0.0, msg::kReadingGraph);
            if (is_session_json(text.view())) {
                throw Error(ErrorKind::bad_file, msg::kSessionNotModel, path, msg::kNameSessionFile);
            }
            if (is_capture_json(text.view())) {
                opened = open_captured_graph(parse_capture_json(text.view(), path.string(), job), number);
                break;
            }
            opened->graph = std::make_shared<const Graph>(parse_graph_json(text.view(), path.string(), job));
            if (const auto machine = machine_beside(path)) {
                opened->machine =
                    parse_machine_json(read_text_file(*machine, kMaxTextBytes, job.stop_token()),
                                       machine->string(), job.memory_bound());
                validate(*opened->machine, *opened->graph);
            }
            break;
        }
        case Content::dot: {
            job.report(0.0, msg::kReadingDump);
            DotGraph dumped = parse_dot_graph(text.view(), path.string(), job);
            opened->graph = std::make_shared<const Graph>(std::move(dumped.graph));
            opened->remarks = std::move(dumped.remarks);
            break;
        }
        case Content::log: {
            job.report(0.0, msg::kReadingLog);
            try {
                const SchedulerLog log = parse_scheduler_log(text.view(), job);
                opened = open_logged_graph(log, number ? *number : main_graph_of(log), job);
            } catch (const Cancelled&) {
                throw;
            } catch (const Error& error) {
                throw error.within(path.string());
            }
            break;
        }
        case Content::other:
            if (text.view().empty())
                throw Error(ErrorKind::bad_file, msg::kFileEmpty, path, msg::kOpenOtherFile);
            throw Error(ErrorKind::bad_file, msg::kUnknownContent, path, msg::kOpenKnownContent);
    }
    return opened;
}

std::shared_ptr<OpenedFile> read_text(const std::filesystem::path& path, const JobContext& job,
                                      std::optional<std::size_t> number) {
    const Text text(path, job);
    std::shared_ptr<OpenedFile> opened;
    try {
        opened = read_content(text, path, job, number);
    } catch (const Cancelled&) {
        throw;
    } catch (const Error&) {
        text.require_whole(path);
        throw;
    }
    text.require_whole(path);
    return opened;
}

}  // namespace

std::optional<std::filesystem::path> machine_path_beside(const std::filesystem::path& graph_file) {
    constexpr std::string_view kGraphSuffix = "graph.json";
    const std::string name = graph_file.filename().string();
    if (!name.ends_with(kGraphSuffix)) return std::nullopt;
    return graph_file.parent_path() / (name.substr(0, name.size() - kGraphSuffix.size()) + "machine.json");
}

void require_other_file(const std::filesystem::path& target, const OpenedFile& opened) {
    require_other_file(target, opened.path);
    if (opened.model) {
        const GgufFile& file = opened.model->file();
        for (std::size_t part = 1; part < file.parts(); ++part)
            require_other_file(target, file.path_of(part));
    }
    if (!opened.machine) return;
    if (const auto machine = machine_path_beside(opened.path)) require_other_file(target, *machine);
}

std::string OpenedFile::title() const {
    if (model) return model->name();
    // Graphs of a log or a recording have a name within it only.
    if (graph && !graph->name.empty() && !recorded && graphs.empty()) return graph->name;
    return path.filename().string();
}

std::shared_ptr<const OpenedFile> open_file(const std::filesystem::path& path, const JobContext& job,
                                            std::optional<std::size_t> number) {
    const auto opened = is_gguf(path) ? read_model(path, job) : read_text(path, job, number);
    opened->path = path;
    return opened;
}

}  // namespace splitscope
