// SPDX-License-Identifier: MIT
#include "engine/session/session_json.hpp"

#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/formats/json_cursor.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kFormat = "splitscope-session";
constexpr int kVersion = 1;

/// Reads members of one object and names the JSON pointer of what is wrong.
class ObjectReader {
 public:
    ObjectReader(const ordered_json& object, std::string pointer, std::string_view source)
        : object_(object), pointer_(std::move(pointer)), source_(source) {
        if (!object_.is_object()) refuse("", "not an object", "write an object here");
    }

    [[noreturn]] void refuse(std::string_view key, std::string what, std::string remedy) const {
        const std::string at = key.empty() ? pointer_ : fmt::format("{}/{}", pointer_, key);
        throw Error(ErrorKind::bad_file, std::move(what),
                    fmt::format("{}: {}", source_, at.empty() ? "/" : at), std::move(remedy));
    }
    const ordered_json& member(std::string_view key) const {
        const auto found = object_.find(std::string(key));
        if (found == object_.end()) refuse(key, "missing", "add this member");
        return *found;
    }
    bool has(std::string_view key) const { return object_.contains(std::string(key)); }
    std::string text(std::string_view key) const {
        const auto& value = member(key);
        if (!value.is_string()) refuse(key, "not a string", "write a string here");
        return value.get<std::string>();
    }
    bool boolean(std::string_view key) const {
        const auto& value = member(key);
        if (!value.is_boolean()) refuse(key, "not true or false", "write true or false");
        return value.get<bool>();
    }
    std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high) const {
        const auto& value = member(key);
        if (!value.is_number_integer()) refuse(key, "not an integer", "write an integer here");
        const auto number = value.get<std::int64_t>();
        if (number < low || number > high || (value.is_number_unsigned() && number < 0)) {
            refuse(key, fmt::format("{} is out of range", value.dump()),
                   fmt::format("use {} … {}", low, high));
        }
        return number;
    }
    ObjectReader object(std::string_view key) const {
        return {member(key), fmt::format("{}/{}", pointer_, key), source_};
    }

 private:
    const ordered_json& object_;
    std::string pointer_;
    std::string_view source_;
};

std::string_view name_of(GraphKind kind) {
    return kind == GraphKind::decode ? "decode" : "prefill";
}

ModelOptions read_model_options(const ObjectReader& reader) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    ModelOptions options;
    const std::string kind = reader.text("kind");
    if (kind != "decode" && kind != "prefill") {
        reader.refuse("kind", fmt::format("unknown graph kind '{}'", kind), "use decode or prefill");
    }
    options.kind = kind == "decode" ? GraphKind::decode : GraphKind::prefill;
    options.context = static_cast<std::uint32_t>(reader.integer("context", 0, kMost));
    options.batch = static_cast<std::uint32_t>(reader.integer("batch", 1, kMost));
    options.gpu_layers = static_cast<std::int32_t>(reader.integer("gpu_layers", -1, kMost));
    options.flash_attention = reader.boolean("flash_attention");
    if (reader.has("cache_type")) {
        const std::string type = reader.text("cache_type");
        options.cache_type = element_type_named(type);
        if (!options.cache_type) {
            reader.refuse("cache_type", fmt::format("unknown element type '{}'", type),
                          "use f32, f16 or q8_0");
        }
    }
    return options;
}

}  // namespace

std::string write_session_json(const Session& session, const std::filesystem::path& folder) {
    namespace fs = std::filesystem;
    const fs::path file = fs::absolute(session.file->path).lexically_normal();
    const fs::path relative = file.lexically_relative(fs::absolute(folder).lexically_normal());
    const bool below = !relative.empty() && *relative.begin() != "..";

    ordered_json json;
    json["format"] = kFormat;
    json["version"] = kVersion;
    json["file"] = (below ? relative : file).generic_string();
    if (!session.file->graphs.empty()) json["graph_number"] = session.file->graph_number + 1;
    json["generation"] = splitscope::name_of(session.generation);
    const ModelOptions& options = session.model_options;
    ordered_json model;
    model["kind"] = name_of(options.kind);
    model["context"] = options.context;
    model["batch"] = options.batch;
    model["gpu_layers"] = options.gpu_layers;
    model["flash_attention"] = options.flash_attention;
    if (options.cache_type) model["cache_type"] = splitscope::name_of(*options.cache_type);
    json["model"] = std::move(model);
    json["machine"] = ordered_json::parse(write_machine_json(session.machine));
    return json.dump(2) + "\n";
}

Session parse_session_json(std::string_view text, const std::filesystem::path& folder,
                           std::string_view source, const JobContext& job) {
    try {
        // Looking up a member of an ordered object takes time in proportion to its size.
        constexpr std::size_t kMostMembers = 50'000;
        require_small_json(text, kMostMembers);
    } catch (const Error& error) {
        throw error.within(source);
    }
    const ordered_json json = ordered_json::parse(text, nullptr, false);
    if (json.is_discarded()) {
        throw Error(ErrorKind::bad_file, "not valid JSON", std::string(source),
                    "check the file for a cut or a typo");
    }
    const ObjectReader reader(json, "", source);
    if (reader.text("format") != kFormat) {
        reader.refuse("format", "not a session", fmt::format("the format must be {}", kFormat));
    }
    if (reader.integer("version", 0, std::numeric_limits<int>::max()) != kVersion) {
        reader.refuse("version", "unknown version", "open it with a newer Splitscope");
    }
    Session session;
    const std::string generation = reader.text("generation");
    const auto known = generation_named(generation);
    if (!known) {
        reader.refuse("generation", fmt::format("unknown generation '{}'", generation),
                      "use 2024-01, 2024-10, 2025-06 or 2026-08");
    }
    session.generation = *known;
    session.model_options = read_model_options(reader.object("model"));
    session.machine =
        parse_machine_json(reader.member("machine").dump(), fmt::format("{}: /machine", source));
    std::optional<std::size_t> number;
    if (reader.has("graph_number")) {
        constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
        number = static_cast<std::size_t>(reader.integer("graph_number", 1, kMost)) - 1;
    }
    session.file = open_file(folder / reader.text("file"), job, number);
    return session;
}

bool is_session_json(std::string_view text) {
    // The format comes first in every document this program writes; an edited one still has it near the
    // start.
    return text.substr(0, 4096).find(fmt::format("\"{}\"", kFormat)) != std::string_view::npos;
}

}  // namespace splitscope
