// SPDX-License-Identifier: MIT
// Recordings of whole architectures (golden/archs): a model's header, a recipe for its weights, and what the
// reference engine did with it under many flags.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/formats/gguf.hpp"
#include "engine/importers/scheduler_log.hpp"
#include "engine/models/model.hpp"
#include "engine/models/placement/hardware.hpp"
#include "engine/models/placement/place_model.hpp"
#include "engine/models/placement/placement_flags.hpp"
#include "tests/formats/gguf_writer.hpp"

namespace splitscope::golden {

/// One file NAME.json of such a folder with what lies beside it.
class ArchCase {
 public:
    explicit ArchCase(const std::filesystem::path& json);

    const std::string& name() const { return name_; }
    std::string architecture() const { return document_.at("architecture"); }
    const nlohmann::json& document() const { return document_; }
    const std::vector<nlohmann::json>& runs() const { return runs_; }
    const GgufFile& file() const { return *file_; }
    /// Null when there is no graph builder; why_no_model() says why.
    const Model* model() const { return model_.get(); }
    const std::string& why_no_model() const { return why_no_model_; }
    /// Layers that the recordings with half of the model on the device were made with.
    std::int32_t half_layers() const { return document_.value("half_ngl", 0); }

    /// The graphs of NAME.`kind`.log.xz; nothing when it was not recorded.
    std::optional<SchedulerLog> log(const std::string& kind) const;
    /// The model with its weights, as the recipe says.
    test::TemporaryFile with_weights() const;
    /// Rows of NAME.logits.bin.
    std::vector<std::vector<float>> rows(const nlohmann::json& number) const;

 private:
    std::filesystem::path path_;
    std::string name_;
    nlohmann::json document_;
    std::vector<nlohmann::json> runs_;
    std::shared_ptr<const GgufFile> file_;
    std::shared_ptr<const Model> model_;
    std::string why_no_model_;
};

/// The cases of the golden folder, its shapes/ and split/ included: NAME → file, e.g. "shapes/qwen3-8b".
std::map<std::string, std::filesystem::path> arch_cases();

/// The backends that a run names "cpu", "vk" or "vk2", with what the driver refuses.
Hardware recorded_hardware(const std::string& backends);

/// The switches of a run in llama.cpp's spelling, on top of the recording program's defaults.
PlacementFlags recorded_flags(const std::string& backends, const std::string& text);

/// Bytes by the names of buffer types.
using TypeBytes = std::map<std::string, std::uint64_t>;
struct TypeMemory {
    TypeBytes weights;
    TypeBytes caches;
};
/// What a layout takes of each type. `allocated`: pinned buffers have their slack.
TypeMemory memory_of(const ModelLayout& layout, bool allocated);
/// One column of a run's "memory", zeros left out.
TypeBytes recorded_memory(const nlohmann::json& memory, const std::string& column);
std::string text_of(const TypeBytes& bytes);

/// Bytes that pinned buffers of the recorded driver have more than was asked for.
inline constexpr std::uint64_t kPinnedSlack = 32;
inline constexpr std::string_view kPinnedType = "Vulkan_Host";

}  // namespace splitscope::golden
