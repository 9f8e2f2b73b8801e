// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace splitscope {

/// A file mapped read-only into memory for the life of the object. Throws Error(io) naming the file.
class MappedFile {
 public:
    explicit MappedFile(const std::filesystem::path& path);
    ~MappedFile();
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return bytes_; }
    const std::filesystem::path& path() const { return path_; }

 private:
    void unmap() noexcept;

    std::filesystem::path path_;
    std::span<const std::byte> bytes_;
};

/// The whole file as text; refuses files above `max_bytes`. "-" reads standard input.
std::string read_text_file(const std::filesystem::path& path,
                           std::uint64_t max_bytes = std::uint64_t{1} << 30);

/// Who may read a file that is new: as the user's umask says, or its owner alone.
enum class NewFile : std::uint8_t { as_usual, owner_only };

/// Writes through a temporary file beside `path` and renames it, so that an existing file is never lost.
void write_file_atomically(const std::filesystem::path& path, std::string_view content,
                           NewFile access = NewFile::as_usual);

}  // namespace splitscope
