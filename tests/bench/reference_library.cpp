// SPDX-License-Identifier: MIT
#include "tests/bench/reference_library.hpp"

#include <stdexcept>
#include <string>
#include <string_view>

#include <dlfcn.h>

namespace splitscope::bench {

using ggml::Library;

namespace {

constexpr int kCpuDevice = 0;

}  // namespace

ReferenceLibrary::ReferenceLibrary(const std::filesystem::path& folder) : library_(folder) {
    for (std::size_t i = 0; i < library_.dev_count(); ++i) {
        if (library_.dev_type(library_.dev_get(i)) == kCpuDevice) cpu_ = library_.dev_get(i);
    }
    if (cpu_ == nullptr) throw std::runtime_error("the engine has no CPU");
    using ExtraMemory = Library::BufferType*(Library::Device);
    auto* const extra = reinterpret_cast<ExtraMemory*>(
        library_.registry_function(library_.dev_registry(cpu_), "ggml_backend_dev_get_extra_bufts"));
    if (extra != nullptr) {
        for (Library::BufferType* type = extra(cpu_); *type != nullptr; ++type)
            weight_memory_.push_back(*type);
    }
    weight_memory_.push_back(library_.dev_buffer_type(cpu_));
}

void* ReferenceLibrary::address_of(const char* name) {
    void* const address = ::dlsym(RTLD_DEFAULT, name);
    if (address == nullptr) throw std::runtime_error(std::string("the engine has no function ") + name);
    return address;
}

Library::Backend ReferenceLibrary::new_backend(int threads) const {
    const Library::Backend backend = library_.dev_init(cpu_, nullptr);
    if (backend == nullptr) throw std::runtime_error("ggml made no backend");
    using SetThreads = void(Library::Backend, int);
    auto* const set_threads = reinterpret_cast<SetThreads*>(
        library_.registry_function(library_.dev_registry(cpu_), "ggml_backend_set_n_threads"));
    if (set_threads == nullptr) throw std::runtime_error("the engine's threads cannot be set");
    set_threads(backend, threads);
    return backend;
}

int ReferenceLibrary::number_of(ElementType type) const {
    constexpr int kMost = 64;
    for (int number = 0; number < kMost; ++number) {
        const char* const name = library_.type_name(number);
        if (name != nullptr && name_of(type) == std::string_view(name)) return number;
    }
    return -1;
}

ReferenceProduct::ReferenceProduct(const ReferenceLibrary& library, ElementType type, const Sizes& sizes,
                                   std::span<const std::byte> weights, std::span<const float> x, int threads)
    : l_(library.functions()) {
    const auto repeat = static_cast<std::size_t>(sizes.repeat);
    context_ =
        l_.init({l_.tensor_overhead() * (repeat + 4) + l_.graph_overhead(repeat + 4, false), nullptr, true});
    if (context_ == nullptr) throw std::runtime_error("ggml made no context");
    backend_ = library.new_backend(threads);
    const Tensor w = l_.new_tensor(context_, library.number_of(type), sizes.depth, sizes.rows, 1, 1);
    const Tensor columns =
        l_.new_tensor(context_, library.number_of(ElementType::f32), sizes.depth, sizes.columns, 1, 1);
    const Library::BufferType memory = l_.dev_buffer_type(library.cpu());
    place(columns, memory);
    l_.tensor_set(columns, x.data(), 0, x.size_bytes());
    graph_ = l_.new_graph(context_, repeat + 4, false);
    auto* const multiply =
        ReferenceLibrary::function<Tensor(Library::Context, Tensor, Tensor)>("ggml_mul_mat");
    for (std::size_t i = 0; i < repeat; ++i) {
        result_ = multiply(context_, w, columns);
        if (i == 0) place_weights(w, result_, library);
        place(result_, memory);
        l_.build_forward_expand(graph_, result_);
    }
    l_.tensor_set(w, weights.data(), 0, weights.size());
}

ReferenceProduct::~ReferenceProduct() {
    for (const Library::Buffer buffer : buffers_) l_.buffer_free(buffer);
    if (backend_ != nullptr) l_.backend_free(backend_);
    if (context_ != nullptr) l_.free(context_);
}

void ReferenceProduct::place(Tensor tensor, Library::BufferType memory) {
    const Library::Buffer buffer = l_.buft_alloc(memory, l_.buft_alloc_size(memory, tensor));
    if (buffer == nullptr) throw std::runtime_error("the engine has no memory");
    buffers_.push_back(buffer);
    l_.set(tensor, recorder::TensorLayout::kBuffer, buffer);
    l_.set(tensor, l_.data_offset, l_.buffer_base(buffer));
    l_.buffer_init_tensor(buffer, tensor);
}

void ReferenceProduct::place_weights(Tensor weights, Tensor product, const ReferenceLibrary& library) {
    for (const Library::BufferType memory : library.weight_memory()) {
        place(weights, memory);
        l_.buffer_set_usage(buffers_.back(), ReferenceLibrary::kWeightsUsage);
        if (l_.dev_supports_op(library.cpu(), product)) return;
        l_.buffer_free(buffers_.back());
        buffers_.pop_back();
    }
    throw std::runtime_error("the engine does not multiply this type");
}

void ReferenceProduct::compute() {
    if (l_.graph_compute_async(backend_, graph_) != 0)
        throw std::runtime_error("the engine failed to compute");
    l_.synchronize(backend_);
}

std::vector<float> ReferenceProduct::result() const {
    std::vector<float> values(l_.nbytes(result_) / sizeof(float));
    l_.tensor_get(result_, values.data(), 0, l_.nbytes(result_));
    return values;
}

}  // namespace splitscope::bench
