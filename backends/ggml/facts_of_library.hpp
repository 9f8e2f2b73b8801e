// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "backends/ggml/library.hpp"
#include "backends/ggml/protocol.hpp"

namespace splitscope::ggml {

struct KnownLibrary {
    EngineFacts facts;
    std::vector<Library::Device> devices;           ///< as in facts
    std::vector<Library::BufferType> buffer_types;  ///< likewise
};

/// Everything that a library says about itself. What it only shows by its answers, such as from how many rows
/// on a device takes over a product, is asked for.
KnownLibrary facts_of(const Library& library);

/// The engine's number of an element type; -1 = it has none of that name.
int type_named(const EngineFacts& facts, std::string_view name);

}  // namespace splitscope::ggml
