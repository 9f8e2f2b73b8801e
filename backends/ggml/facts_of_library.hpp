// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backends/ggml/library.hpp"
#include "backends/ggml/peer_address.hpp"
#include "backends/ggml/protocol.hpp"

namespace splitscope::ggml {

/// An RPC server. Its devices follow those of the library, from `first_device` to the next server's first.
struct AddedServer {
    std::string name;
    std::size_t first_device = 0;
    std::optional<PeerAddress> address{};
};

struct KnownLibrary {
    EngineFacts facts;
    std::vector<Library::Device> devices;           ///< as in facts
    std::vector<Library::BufferType> buffer_types;  ///< likewise
};

/// All facts that a library reports, and some that are determined by probing, such as the batch size for op
/// offload.
KnownLibrary facts_of(const Library& library, const std::vector<AddedServer>& servers = {});

/// The engine's number of an element type; -1 = unknown to it.
int type_named(const EngineFacts& facts, std::string_view name);

}  // namespace splitscope::ggml
