// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "backends/ggml/library.hpp"
#include "engine/tensor/element_type.hpp"

namespace splitscope::bench {

/// The reference engine's CPU, in this process.
class ReferenceLibrary {
 public:
    /// Throws std::runtime_error. Only one may exist: the engine's devices belong to the process.
    explicit ReferenceLibrary(const std::filesystem::path& folder);

    const ggml::Library& functions() const { return library_; }
    ggml::Library::Device cpu() const { return cpu_; }
    ggml::Library::Backend new_backend(int threads) const;
    /// The engine's number of an element type, or −1.
    int number_of(ElementType type) const;
    /// Types of memory for weights in the order in which llama.cpp prefers them.
    std::span<const ggml::Library::BufferType> weight_memory() const { return weight_memory_; }

    /// What memory is used for.
    static constexpr int kWeightsUsage = 1;

    /// A function that the library of the backends does not declare. Throws std::runtime_error if it is
    /// missing.
    template <class F>
    static F* function(const char* name) {
        return reinterpret_cast<F*>(address_of(name));
    }

 private:
    static void* address_of(const char* name);

    ggml::Library library_;
    ggml::Library::Device cpu_ = nullptr;
    std::vector<ggml::Library::BufferType> weight_memory_;
};

/// Products of the same weights and columns, one after the other, computed by the reference engine's CPU.
class ReferenceProduct {
 public:
    struct Sizes {
        std::int64_t depth = 0;
        std::int64_t rows = 0;
        std::int64_t columns = 0;
        int repeat = 1;
    };
    /// `weights`: rows as stored in a file. Throws std::runtime_error.
    ReferenceProduct(const ReferenceLibrary& library, ElementType type, const Sizes& sizes,
                     std::span<const std::byte> weights, std::span<const float> x, int threads);
    ~ReferenceProduct();
    ReferenceProduct(const ReferenceProduct&) = delete;
    ReferenceProduct& operator=(const ReferenceProduct&) = delete;

    void compute();
    /// Of the last product, after compute().
    std::vector<float> result() const;

 private:
    using Tensor = ggml::Library::Tensor;

    void place(Tensor tensor, ggml::Library::BufferType memory);
    void place_weights(Tensor weights, Tensor product, const ReferenceLibrary& library);

    const ggml::Library& l_;
    ggml::Library::Context context_ = nullptr;
    ggml::Library::Backend backend_ = nullptr;
    ggml::Library::Graph graph_ = nullptr;
    Tensor result_ = nullptr;
    std::vector<ggml::Library::Buffer> buffers_;
};

}  // namespace splitscope::bench
