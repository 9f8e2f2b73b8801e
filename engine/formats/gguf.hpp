// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "engine/support/file.hpp"
#include "engine/support/job.hpp"
#include "engine/tensor/tensor.hpp"

namespace splitscope {

struct GgufArray;

/// A metadata value with its type in the file.
using GgufValue = std::variant<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t,
                               std::int32_t, std::uint64_t, std::int64_t, float, double, bool, std::string,
                               std::shared_ptr<const GgufArray>>;

/// An array of one element type.
struct GgufArray {
    std::variant<std::vector<std::uint8_t>, std::vector<std::int8_t>, std::vector<std::uint16_t>,
                 std::vector<std::int16_t>, std::vector<std::uint32_t>, std::vector<std::int32_t>,
                 std::vector<std::uint64_t>, std::vector<std::int64_t>, std::vector<float>,
                 std::vector<double>, std::vector<bool>, std::vector<std::string>,
                 std::vector<std::shared_ptr<const GgufArray>>>
        values;
};

struct GgufTensor {
    std::string name;
    ElementType type = ElementType::f32;
    Shape ne{1, 1, 1, 1};
    std::uint64_t offset = 0;  ///< from the start of the data section of its part
    std::uint64_t bytes = 0;
    std::uint32_t part = 0;  ///< of a split model, from 0
};

/// A GGUF model, version 2 or 3, mapped read-only. A file without its data section is accepted for
/// inspection; see has_data(). A split model is opened by its first part; the other parts are looked up
/// beside it, and their tensors follow those of the first.
class GgufFile {
 public:
    /// Throws Error(bad_file) with file, byte offset or key, and remedy, also if a part is missing;
    /// Error(memory_bound) if the header exceeds the memory bound of the job.
    static std::shared_ptr<const GgufFile> open(const std::filesystem::path& path,
                                                const JobContext& job = {});

    const std::filesystem::path& path() const { return map_.path(); }
    /// Number of files, the first one included.
    std::size_t parts() const { return 1 + more_.size(); }
    const std::filesystem::path& path_of(std::size_t part) const { return map_of(part).path(); }
    /// The mapping of a whole file.
    std::span<const std::byte> mapped_bytes(std::size_t part = 0) const { return map_of(part).bytes(); }
    /// Throws Error(io) if part of a file could not be read.
    void require_readable() const;
    /// Whether the memory bound was lifted when the file was opened.
    MemoryBound memory_bound() const { return memory_bound_; }
    std::uint32_t version() const { return version_; }
    std::uint64_t alignment() const { return alignment_; }

    /// Metadata in file order.
    const std::vector<std::pair<std::string, GgufValue>>& metadata() const { return metadata_; }
    const GgufValue* find(std::string_view key) const;

    /// Typed look-ups; integers of any width are accepted if the value fits. Empty if absent; Error(bad_file)
    /// if the value has another type.
    std::optional<std::uint64_t> unsigned_value(std::string_view key) const;
    std::optional<double> float_value(std::string_view key) const;
    std::optional<bool> bool_value(std::string_view key) const;
    std::optional<std::string> string_value(std::string_view key) const;

    const std::vector<GgufTensor>& tensors() const { return tensors_; }
    std::optional<std::size_t> find_tensor(std::string_view name) const;

    /// Whether the file holds the data of every tensor; otherwise it has a header only.
    bool has_data() const { return has_data_; }
    /// The data of a tensor; empty if absent.
    std::span<const std::byte> data(std::size_t tensor) const;

 private:
    explicit GgufFile(MappedFile map) : map_(std::move(map)) {}

    static std::shared_ptr<GgufFile> read(const std::filesystem::path& path, const JobContext& job);
    void read_description(const JobContext& job);
    void add_parts(const JobContext& job);
    void add_part(std::shared_ptr<const GgufFile> part);
    const MappedFile& map_of(std::size_t part) const { return part == 0 ? map_ : more_[part - 1]->map_; }

    MappedFile map_;
    std::vector<std::shared_ptr<const GgufFile>> more_;  ///< the parts after the first
    std::vector<std::size_t> more_from_;                 ///< index of the first tensor of each
    MemoryBound memory_bound_ = MemoryBound::enforced;
    std::uint32_t version_ = 0;
    std::uint64_t alignment_ = 32;
    std::uint64_t data_start_ = 0;
    bool has_data_ = false;
    std::vector<std::pair<std::string, GgufValue>> metadata_;
    std::vector<GgufTensor> tensors_;
    // Views of the strings above, whose addresses are stable once the file is read.
    std::unordered_map<std::string_view, std::size_t> key_index_;
    std::unordered_map<std::string_view, std::size_t> tensor_index_;
};

/// Whether a file starts with the GGUF magic; false for standard input ("-"). Throws Error(io).
bool is_gguf(const std::filesystem::path& path);

}  // namespace splitscope
