// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "recorder/reference_api.hpp"

namespace splitscope::recorder {

/// The function of this name that the recorder shadows: the next one in lookup order, or for privately loaded
/// libraries that of any loaded library. Null if there is none.
void* real_function(const char* name);

template <class F>
F* real(const char* name) {
    return reinterpret_cast<F*>(real_function(name));
}

/// As real_function(). The function should exist because the program is linked with it; if another library
/// hides it, reports that and returns null.
void* hidden_function(const char* name);

template <class F>
F* hidden(const char* name) {
    return reinterpret_cast<F*>(hidden_function(name));
}

/// ggml functions used by the recorder; all of them only read.
struct Api {
    int (*graph_n_nodes)(ComputeGraph);
    TensorPtr (*graph_node)(ComputeGraph, int);
    TensorPtr* (*graph_nodes)(ComputeGraph);
    const char* (*tensor_name)(TensorPtr);
    const char* (*op_name)(int);
    const char* (*type_name)(int);
    Backend (*tensor_backend)(Scheduler, TensorPtr);
    const char* (*backend_name)(Backend);
    const char* (*buffer_type_name)(BufferType);
    std::size_t (*buffer_type_alignment)(BufferType);
    std::size_t (*buffer_type_max_size)(BufferType);
    std::size_t (*buffer_type_alloc_size)(BufferType, TensorPtr);
    bool (*buffer_type_is_host)(BufferType);
    BufferType (*buffer_type_of)(Buffer);
    int (*buffer_usage)(Buffer);
    std::size_t (*buffer_size)(Buffer);
    Device (*device_of)(Backend);
    Device (*device_of_buffer_type)(BufferType);  ///< may be null
    int (*device_type)(Device);
    bool (*supports_op)(Backend, TensorPtr);
    bool (*offload_op)(Backend, TensorPtr);
    bool (*supports_buffer_type)(Backend, BufferType);
    void* (*buffer_base)(Buffer);                                                   ///< may be null
    void (*synchronize)(Backend);                                                   ///< may be null
    std::size_t (*tensor_bytes)(TensorPtr);                                         ///< may be null
    void (*tensor_get)(TensorPtr, void*, std::size_t, std::size_t);                 ///< may be null
    void (*tensor_set)(TensorPtr, const void*, std::size_t, std::size_t);           ///< may be null
    void (*set_eval_callback)(Scheduler, bool (*)(TensorPtr, bool, void*), void*);  ///< may be null
    int (*scheduler_splits)(Scheduler);                                             ///< may be null
    int (*scheduler_copies)(Scheduler);                                             ///< may be null
    std::size_t (*scheduler_buffer)(Scheduler, Backend);                            ///< may be null
    const char* (*version)();                                                       ///< may be null
    const char* (*commit)();                                                        ///< may be null
    bool has_size_only_reservation = false;  ///< a scheduler of 2025-11 or later
    bool has_visible_split = false;          ///< a scheduler of 2025 or later
    std::string missing;                     ///< names of required functions that were not found
};

/// Looks them up; called once, for the first scheduler.
Api find_api();

}  // namespace splitscope::recorder
