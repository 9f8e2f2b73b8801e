// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "backends/ggml/facts_of_library.hpp"
#include "backends/ggml/host_error.hpp"
#include "backends/ggml/library.hpp"
#include "backends/ggml/messages.hpp"
#include "backends/ggml/protocol.hpp"

namespace splitscope::ggml {

/// The library of the host process, and what its requests refer to. Its address must not change.
struct HostEngine {
    /// `shared`: the area of both processes (protocol.hpp). Throws HostError.
    HostEngine(const std::filesystem::path& path, std::span<std::byte> shared);
    HostEngine(const HostEngine&) = delete;
    HostEngine& operator=(const HostEngine&) = delete;

    /// Prints the log of the library to stderr.
    void print_log() const;

    // These throw HostError for values that the request must not have.
    std::size_t device_index(channel::BodyReader& in) const;
    std::size_t type_index(channel::BodyReader& in) const;
    /// The first bytes of the shared area.
    std::span<std::byte> area(std::uint64_t size) const;

    /// Whether the program asks to end the computation; for the library, with the engine as `user`.
    static bool asked_to_stop(void* user);

    /// A handle of a buffer, backend, graph or event.
    std::uint64_t new_handle() { return ++last_handle; }

    Library library;
    std::filesystem::path folder;
    KnownLibrary known;
    std::span<std::byte> shared_area;
    std::uint64_t last_handle = 0;
};

/// Throws HostError if the request is shorter or longer than what was read.
inline void require_whole(const channel::BodyReader& in) {
    if (!in.whole()) throw HostError(msg::kBadEngineRequest("length"));
}

/// The object with this handle. Throws HostError if there is none.
template <class Map>
auto& object_of(Map& map, std::uint64_t id) {
    const auto found = map.find(id);
    if (found == map.end()) throw HostError(msg::kBadEngineRequest("handle"));
    return found->second;
}

}  // namespace splitscope::ggml
