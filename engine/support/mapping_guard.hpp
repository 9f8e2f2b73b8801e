// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace splitscope {

/// Protects against files that shrink or fail while mapped, which would terminate the process (SIGBUS). Reads
/// in a guarded mapping return zeros instead, and the damage is recorded. Of more than 256
/// files, the size of the others is not watched, only failed reads. `fd` may be closed afterwards.
void guard_mapping(std::span<const std::byte> mapping, int fd);
void release_mapping(std::span<const std::byte> mapping) noexcept;

/// Whether a read in the guarded mapping at this address failed, or its file has shrunk.
bool is_damaged(const std::byte* address) noexcept;

/// Throws Error(io) with the file if its mapping is damaged; data read from it must then be discarded.
void require_intact(std::span<const std::byte> mapping, const std::filesystem::path& path);

}  // namespace splitscope
