// SPDX-License-Identifier: MIT
// A library with the interface of the reference engine that schedules one graph on one backend. The position
// of a tensor's name is a compile-time option; STAND_IN_LACKS_NAMES omits a function. With
// STAND_IN_SCHEDULES_ODDLY there is a GPU before the CPU, and the scheduler places the root on it for no
// reason.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifndef STAND_IN_NAME_OFFSET
#define STAND_IN_NAME_OFFSET 256
#endif
#ifdef STAND_IN_SCHEDULES_ODDLY
#define STAND_IN_BACKENDS 2
#else
#define STAND_IN_BACKENDS 1
#endif

namespace {

constexpr std::size_t kName = STAND_IN_NAME_OFFSET;
constexpr std::size_t kSources = kName == 264 ? 160 : 152;

/// A tensor as bytes; unset bytes are zero.
struct Tensor {
    alignas(8) std::array<char, 400> bytes{};

    template <class T>
    void set(std::size_t offset, const T& value) {
        std::memcpy(bytes.data() + offset, &value, sizeof value);
    }
    void grow() {
        std::int64_t elements = 0;
        std::memcpy(&elements, bytes.data() + 16, sizeof elements);
        set(16, elements + 1);
    }
    Tensor(const char* name, int op, std::int32_t flags, Tensor* source) {
        set(16, std::array<std::int64_t, 4>{4, 1, 1, 1});
        set(48, std::array<std::uint64_t, 4>{4, 16, 16, 16});
        set(80, op);
        set(148, flags);
        set(kSources, source);
        std::strncpy(bytes.data() + kName, name, 63);
    }
};

struct Engine {
    Tensor input{"input", 0, 1, nullptr};
    Tensor square{"square", 1, 0, &input};
    Tensor root{"a root", 2, 0, &square};
    std::array<Tensor*, 2> nodes{&square, &root};
    bool decided = false;
    std::array<char, STAND_IN_BACKENDS> backends{};
    std::array<char, STAND_IN_BACKENDS> buffer_types{};
    std::array<char, STAND_IN_BACKENDS> devices{};
};

Engine& engine() {
    static Engine only;
    return only;
}

/// The number of a backend, buffer type or device; the CPU's is the last.
std::size_t number_in(const std::array<char, STAND_IN_BACKENDS>& all, const void* one) {
    return static_cast<std::size_t>(static_cast<const char*>(one) - all.data());
}
const char* name_of(std::size_t number) {
    return number + 1 < STAND_IN_BACKENDS ? "GPU0" : "CPU";
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

// Entry points of the program.
int stand_in_backends(void** backends) {
    for (std::size_t b = 0; b < STAND_IN_BACKENDS; ++b) backends[b] = &engine().backends[b];
    return STAND_IN_BACKENDS;
}
void* stand_in_graph() {
    return &engine();
}
/// Switches to another graph.
void stand_in_grow() {
    engine().input.grow();
    engine().square.grow();
    engine().root.grow();
}

int ggml_graph_n_nodes(void*) {
    return 2;
}
void* ggml_graph_node(void*, int i) {
    return engine().nodes[static_cast<std::size_t>(i)];
}
void* ggml_graph_nodes(void*) {
    return nullptr;
}
#ifndef STAND_IN_LACKS_NAMES
const char* ggml_get_name(void* tensor) {
    return static_cast<const char*>(tensor) + kName;
}
#endif
const char* ggml_op_name(int op) {
    return op == 0 ? "NONE" : op == 1 ? "SQR" : "SQRT";
}
const char* ggml_type_name(int) {
    return "f32";
}
const char* ggml_backend_name(void* backend) {
    return name_of(number_in(engine().backends, backend));
}
const char* ggml_backend_buft_name(void* type) {
    return name_of(number_in(engine().buffer_types, type));
}
std::size_t ggml_backend_buft_get_alignment(void*) {
    return 32;
}
std::size_t ggml_backend_buft_get_max_size(void*) {
    return SIZE_MAX;
}
std::size_t ggml_backend_buft_get_alloc_size(void*, void*) {
    return 16;
}
bool ggml_backend_buft_is_host(void* type) {
    return type == &engine().buffer_types.back();
}
void* ggml_backend_buffer_get_type(void*) {
    return &engine().buffer_types.back();
}
int ggml_backend_buffer_get_usage(void*) {
    return 0;
}
std::size_t ggml_backend_buffer_get_size(void*) {
    return 0;
}
void* ggml_backend_get_device(void* backend) {
    return &engine().devices[number_in(engine().backends, backend)];
}
int ggml_backend_dev_type(void* device) {
    return device == &engine().devices.back() ? 0 : 1;
}
void* ggml_backend_get_default_buffer_type(void* backend) {
    return &engine().buffer_types[number_in(engine().backends, backend)];
}
bool ggml_backend_supports_op(void*, void*) {
    return true;
}
bool ggml_backend_offload_op(void*, void*) {
    return false;
}
bool ggml_backend_supports_buft(void* backend, void* type) {
    return number_in(engine().backends, backend) == number_in(engine().buffer_types, type);
}
void* ggml_backend_sched_get_tensor_backend(void*, void* tensor) {
    if (!engine().decided) return nullptr;
    return tensor == &engine().root ? &engine().backends.front() : &engine().backends.back();
}

void* ggml_backend_sched_new(void**, void**, int, std::size_t, bool, bool) {
    return &engine().decided;
}
bool ggml_gallocr_alloc_graph(void*, void*) {
    return true;
}
int ggml_backend_graph_compute_async(void*, void*) {
    return 7;
}
bool ggml_backend_sched_alloc_graph(void*, void* graph) {
    // The real engine asks while it splits the graph.
    for (Tensor* node : engine().nodes) {
        for (char& backend : engine().backends) {
            ggml_backend_supports_op(&backend, node);
            ggml_backend_offload_op(&backend, node);
        }
    }
    engine().decided = true;
    return ggml_gallocr_alloc_graph(nullptr, graph);
}
int ggml_backend_sched_graph_compute(void*, void* graph) {
    engine().decided = false;
    return ggml_backend_graph_compute_async(&engine().backends.back(), graph);
}

}  // extern "C"
#pragma GCC visibility pop
