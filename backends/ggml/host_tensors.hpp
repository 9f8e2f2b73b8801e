// SPDX-License-Identifier: MIT
// Tensors in the engine's own representation, for queries and computations (attach.md §2.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "backends/ggml/facts_of_library.hpp"
#include "backends/ggml/library.hpp"
#include "backends/ggml/protocol.hpp"

namespace splitscope::ggml {

/// An engine context with room for `tensors` tensors and, if `graph_size` is not 0, a graph of that many
/// nodes. Throws HostError.
class Tensors {
 public:
    Tensors(const Library& library, std::size_t tensors, std::size_t graph_size);
    ~Tensors();
    Tensors(Tensors&& other) noexcept
        : library_(other.library_), context_(std::exchange(other.context_, nullptr)) {}
    Tensors(const Tensors&) = delete;
    Tensors& operator=(const Tensors&) = delete;
    Tensors& operator=(Tensors&&) = delete;

    Library::Context get() const { return context_; }

    /// Creates the tensors of `graph`, in its order and without memory. Throws HostError for types and
    /// operations that the engine lacks.
    std::vector<Library::Tensor> make(const WireGraph& graph, const EngineFacts& facts) const;
    /// A byte range of a buffer as a tensor, because public functions only transfer tensors. `base` is the
    /// buffer's address. Throws HostError.
    Library::Tensor bytes_of(Library::Buffer buffer, char* base, std::uint64_t offset, std::uint64_t size,
                             const EngineFacts& facts) const;

 private:
    const Library* library_;
    Library::Context context_;
};

/// Empty buffers that make tensors count as allocated in queries. Never freed; `library` and `known` must
/// outlive the object.
class DraftBuffers {
 public:
    DraftBuffers(const Library& library, const KnownLibrary& known) : library_(library), known_(known) {}

    /// Null if the tensor has no buffer type.
    Library::Buffer buffer_for(const WireTensor& wire);

 private:
    const Library& library_;
    const KnownLibrary& known_;
    std::map<std::pair<std::size_t, std::int32_t>, Library::Buffer> made_;  ///< by buffer type and usage
};

}  // namespace splitscope::ggml
