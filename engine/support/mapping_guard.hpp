// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace splitscope {

/// Files can become shorter while they are mapped, or their disk can fail; reading there would end the
/// process (SIGBUS). Inside guarded mappings such a read finds zeros instead, and the damage is remembered.
/// More mappings at once than there is room for stay unguarded.
/// `fd` is the mapped file; it may be closed afterwards.
void guard_mapping(std::span<const std::byte> mapping, int fd);
void release_mapping(std::span<const std::byte> mapping) noexcept;

/// Something of the guarded mapping that holds this address could not be read, or its file is shorter now.
bool is_damaged(const std::byte* address) noexcept;

/// Throws Error(io) naming the file when something of its mapping could not be read: what was made of it is
/// worthless.
void require_intact(std::span<const std::byte> mapping, const std::filesystem::path& path);

}  // namespace splitscope
