// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "backends/ggml/library.hpp"

namespace splitscope::ggml {

/// A version of a file.
struct FileIdentity {
    std::uint64_t device = 0;
    std::uint64_t number = 0;
    std::int64_t modified_ns = 0;
    std::uint64_t size = 0;

    static FileIdentity of(int descriptor);
    friend auto operator<=>(const FileIdentity&,
                            const FileIdentity&) = default;  // NOLINT: as in strong_id.hpp
};

/// Weights of mapped files in the layouts that a device's kernels prefer (CPU_REPACK, AMX), as llama.cpp
/// places them. Converted copies of a file that is no longer mapped are kept until another file is mapped.
class RepackedWeights {
 public:
    explicit RepackedWeights(const Library& library) : library_(library) {}
    ~RepackedWeights();
    RepackedWeights(const RepackedWeights&) = delete;
    RepackedWeights& operator=(const RepackedWeights&) = delete;

    /// A placed tensor that is a weight, and the nodes that read it.
    struct Weight {
        Library::Tensor tensor;
        FileIdentity file;
        std::uint64_t offset;  ///< in the file
        std::vector<Library::Tensor> readers;
    };
    /// Moves the weight to the first other buffer type of the device that all readers support, if any.
    void place(Library::Device device, const Weight& weight);
    /// Drops the weights of all other files.
    void keep_only(const std::vector<FileIdentity>& files);

 private:
    struct Key {
        FileIdentity file;
        std::uint64_t offset = 0;
        std::int32_t type = 0;
        std::array<std::int64_t, 4> ne{};
        Library::BufferType buffer_type = nullptr;
        friend auto operator<=>(const Key&, const Key&) = default;  // NOLINT: as in strong_id.hpp
    };

    const std::vector<Library::BufferType>& others(Library::Device device);
    Library::Buffer draft(Library::BufferType type);
    bool move(const Weight& weight, Library::BufferType type);

    const Library& library_;
    std::map<Library::Device, std::vector<Library::BufferType>> others_;
    std::map<Library::BufferType, Library::Buffer> drafts_;
    std::map<Key, Library::Buffer> kept_;
};

}  // namespace splitscope::ggml
