// SPDX-License-Identifier: MIT
// Public C functions of ggml used by the host process, declared independently (attach.md §2.1). Its objects
// are only passed through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "recorder/reference_api.hpp"

namespace splitscope::ggml {

struct Library {
    using Context = struct ContextTag*;
    using Graph = recorder::ComputeGraph;
    using Tensor = recorder::TensorPtr;
    using Backend = recorder::Backend;
    using BufferType = recorder::BufferType;
    using Buffer = recorder::Buffer;
    using Device = recorder::Device;
    using Registry = struct RegistryTag*;
    using Event = struct EventTag*;
    using Scheduler = recorder::Scheduler;
    struct ContextParameters {
        std::size_t memory_bytes;
        void* memory;
        bool no_memory_for_tensors;
    };
    using LogCallback = void (*)(int level, const char* text, void* user);
    using AbortMessage = void (*)(const char* message);
    using AbortQuestion = bool (*)(void* user);

    /// Loads the engine in this folder with all its devices. Throws HostError.
    explicit Library(const std::filesystem::path& folder);

    recorder::TensorLayout layout;
    std::size_t data_offset = 0;

    // May be null in older versions.
    const char* (*version)() = nullptr;
    const char* (*commit)() = nullptr;
    AbortMessage (*set_abort_callback)(AbortMessage) = nullptr;
    const char* (*glu_op_name)(int) = nullptr;
    Buffer (*dev_buffer_from_host_ptr)(Device, void*, std::size_t, std::size_t) = nullptr;
    void (*add_registry)(Registry) = nullptr;
    Registry (*load)(const char*) = nullptr;
    void (*unload)(Registry) = nullptr;

    void (*log_set)(LogCallback, void*);
    const char* (*op_name)(int);
    const char* (*type_name)(int);
    const char* (*unary_op_name)(int);
    std::size_t (*type_size)(int);
    std::int64_t (*block_size)(int);
    Context (*init)(ContextParameters);
    void (*free)(Context);
    Tensor (*new_tensor)(Context, int, std::int64_t, std::int64_t, std::int64_t, std::int64_t);
    void (*set_name)(Tensor, const char*);
    const char* (*get_name)(Tensor);
    std::size_t (*nbytes)(Tensor);
    std::size_t (*tensor_overhead)();
    std::size_t (*graph_overhead)(std::size_t, bool);
    Graph (*new_graph)(Context, std::size_t, bool);
    void (*build_forward_expand)(Graph, Tensor);
    int (*graph_n_nodes)(Graph);

    std::size_t (*dev_count)();
    Device (*dev_get)(std::size_t);
    const char* (*dev_name)(Device);
    const char* (*dev_description)(Device);
    int (*dev_type)(Device);
    void (*dev_memory)(Device, std::size_t*, std::size_t*);
    void (*dev_get_props)(Device, void*);
    Registry (*dev_registry)(Device);
    Registry (*registry_named)(const char*);
    const char* (*registry_name)(Registry);
    void* (*registry_function)(Registry, const char*);
    Backend (*dev_init)(Device, const char*);
    BufferType (*dev_buffer_type)(Device);
    BufferType (*dev_host_buffer_type)(Device);
    bool (*dev_supports_op)(Device, Tensor);
    bool (*dev_supports_buft)(Device, BufferType);
    bool (*dev_offload_op)(Device, Tensor);

    const char* (*buft_name)(BufferType);
    std::size_t (*buft_alignment)(BufferType);
    std::size_t (*buft_max_size)(BufferType);
    std::size_t (*buft_alloc_size)(BufferType, Tensor);
    bool (*buft_is_host)(BufferType);
    Buffer (*buft_alloc)(BufferType, std::size_t);

    void (*buffer_free)(Buffer);
    void* (*buffer_base)(Buffer);
    int (*buffer_init_tensor)(Buffer, Tensor);
    void (*buffer_clear)(Buffer, std::uint8_t);
    void (*buffer_set_usage)(Buffer, int);

    void (*tensor_set)(Tensor, const void*, std::size_t, std::size_t);
    void (*tensor_get)(Tensor, void*, std::size_t, std::size_t);
    void (*tensor_copy)(Tensor, Tensor);
    void (*tensor_copy_async)(Backend, Backend, Tensor, Tensor);
    int (*view_init)(Tensor);

    void (*backend_free)(Backend);
    void (*synchronize)(Backend);
    int (*graph_compute_async)(Backend, Graph);
    Event (*event_new)(Device);
    void (*event_free)(Event);
    void (*event_record)(Event, Backend);
    void (*event_synchronize)(Event);
    void (*event_wait)(Backend, Event);

    Scheduler (*sched_new)(Backend*, BufferType*, int, std::size_t, bool parallel, bool op_offload);
    void (*sched_free)(Scheduler);
    void (*sched_split_graph)(Scheduler, Graph);
    void (*sched_set_tensor_backend)(Scheduler, Tensor, Backend);
    Backend (*sched_get_tensor_backend)(Scheduler, Tensor);
    int (*sched_get_n_splits)(Scheduler);
    bool (*sched_reserve)(Scheduler, Graph);
    std::size_t (*sched_get_buffer_size)(Scheduler, Backend);
    /// May be null in older versions.
    void (*sched_reserve_size)(Scheduler, Graph, std::size_t*) = nullptr;

    template <class T>
    T get(Tensor t, std::size_t offset) const;
    template <class T>
    void set(Tensor t, std::size_t offset, const T& value) const;

 private:
    void find_layout();
};

template <class T>
T Library::get(Tensor t, std::size_t offset) const {
    T value{};
    __builtin_memcpy(&value, reinterpret_cast<const char*>(t) + offset, sizeof(T));  // NOLINT: pointers, too
    return value;
}

template <class T>
void Library::set(Tensor t, std::size_t offset, const T& value) const {
    __builtin_memcpy(reinterpret_cast<char*>(t) + offset, &value, sizeof(T));  // NOLINT: pointers, too
}

}  // namespace splitscope::ggml
