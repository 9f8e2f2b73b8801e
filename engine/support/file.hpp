// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "engine/support/limits.hpp"

namespace splitscope {

/// A file mapped read-only. Throws Error(io) with the file.
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

/// Reads at most `most` bytes from the start of a regular file, to detect its format without mapping it.
/// Throws Error(io) with the file.
std::string read_start(const std::filesystem::path& path, std::size_t most);

/// Reads a whole file as text; refuses files above `max_bytes`. "-" reads standard input. Throws Cancelled,
/// also while waiting for input.
std::string read_text_file(const std::filesystem::path& path, std::uint64_t max_bytes = kMaxTextBytes,
                           const std::stop_token& stop = {});

/// Permissions of a new file: by the user's umask, or owner only.
enum class NewFile : std::uint8_t { default_mode, owner_only };

/// Writes a file atomically: data goes to a temporary file beside the target, which commit() moves into place
/// and the destructor deletes otherwise. Links are resolved. Targets that exist and are not regular files,
/// such as pipes and devices, are written directly. All members throw Error(io) with the file.
class AtomicFile {
 public:
    explicit AtomicFile(std::filesystem::path path, NewFile access = NewFile::default_mode);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::string_view bytes);
    void commit();

 private:
    [[noreturn]] void fail(int code) const;

    std::filesystem::path path_;       ///< as given
    std::filesystem::path place_;      ///< with links resolved
    std::filesystem::path temporary_;  ///< empty when there is none
    bool replaces_ = false;
    unsigned mode_ = 0;
    int fd_ = -1;
};

/// Writes a complete file through AtomicFile.
void write_file_atomically(const std::filesystem::path& path, std::string_view content,
                           NewFile access = NewFile::default_mode);

/// Throws in advance if `path` cannot be written because of its folder or permissions. Does not detect a full
/// disk.
void require_writable(const std::filesystem::path& path);

/// Throws Error(usage) if `target` is the same file as `input`, under any name. "-" is standard input.
void require_other_file(const std::filesystem::path& target, const std::filesystem::path& input);

}  // namespace splitscope
