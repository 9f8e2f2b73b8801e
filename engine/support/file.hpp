// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stop_token>
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

/// Of texts that are read whole, unless said otherwise.
inline constexpr std::uint64_t kLongestText = std::uint64_t{1} << 30;

/// The whole file as text; refuses files above `max_bytes`. "-" reads standard input. Throws Cancelled when
/// it is to stop while it waits for what others write.
std::string read_text_file(const std::filesystem::path& path, std::uint64_t max_bytes = kLongestText,
                           const std::stop_token& stop = {});

/// Who may read a file that is new: as the user's umask says, or its owner alone.
enum class NewFile : std::uint8_t { as_usual, owner_only };

/// A file that is written piece by piece and takes its place in one step when it is whole, so that an
/// existing one is never lost: until then it is a temporary file beside what `path` leads to, which is
/// removed when it is not committed. What exists and is no regular file, such as a pipe or a device, is
/// written into straight away. Everything throws Error(io) naming the file.
class AtomicFile {
 public:
    explicit AtomicFile(std::filesystem::path path, NewFile access = NewFile::as_usual);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::string_view bytes);
    void commit();

 private:
    [[noreturn]] void fail(int code) const;

    std::filesystem::path path_;       ///< as it was named
    std::filesystem::path place_;      ///< where its links end
    std::filesystem::path temporary_;  ///< empty when there is none
    bool replaces_ = false;
    unsigned mode_ = 0;
    int fd_ = -1;
};

/// The whole of an AtomicFile at once.
void write_file_atomically(const std::filesystem::path& path, std::string_view content,
                           NewFile access = NewFile::as_usual);

/// Throws now what writing to `path` would throw later because of its folder or permissions; a full disk
/// shows only then.
void require_writable(const std::filesystem::path& path);

/// Throws Error(usage) when `target` is the same file as `input`, by whatever name, and would replace it. "-"
/// is standard input.
void require_other_file(const std::filesystem::path& target, const std::filesystem::path& input);

}  // namespace splitscope
