// SPDX-License-Identifier: MIT
#include "recorder/real_functions.hpp"

#include <cstdio>

#include <dlfcn.h>
#include <link.h>

namespace splitscope::recorder {
namespace {

struct Search {
    const char* name;
    void* found;
};

/// Looks the name up in one loaded library.
int search_module(dl_phdr_info* info, std::size_t /*size*/, void* data) {
    auto& search = *static_cast<Search*>(data);
    if (info->dlpi_name == nullptr || info->dlpi_name[0] == '\0') return 0;
    void* library = ::dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) return 0;
    void* const found = ::dlsym(library, search.name);
    ::dlclose(library);
    Dl_info ours{};
    Dl_info theirs{};
    if (found == nullptr || ::dladdr(found, &theirs) == 0 ||
        ::dladdr(reinterpret_cast<void*>(&find_api), &ours) == 0 || ours.dli_fbase == theirs.dli_fbase) {
        return 0;
    }
    search.found = found;
    return 1;
}

template <class F>
void find(F*& function, const char* name) {
    function = real<F>(name);
}

template <class F>
void need(F*& function, const char* name, std::string& missing) {
    find(function, name);
    if (function == nullptr) missing += (missing.empty() ? "" : ", ") + std::string(name);
}

}  // namespace

void* real_function(const char* name) {
    if (void* next = ::dlsym(RTLD_NEXT, name)) return next;
    Search search{name, nullptr};
    ::dl_iterate_phdr(search_module, &search);
    return search.found;
}

void* hidden_function(const char* name) {
    void* const function = real_function(name);
    if (function == nullptr) {
        std::fprintf(stderr, "splitscope recorder: there is no function %s behind this library\n", name);
    }
    return function;
}

Api find_api() {
    Api api{};
    std::string& missing = api.missing;
    need(api.graph_n_nodes, "ggml_graph_n_nodes", missing);
    need(api.graph_node, "ggml_graph_node", missing);
    need(api.graph_nodes, "ggml_graph_nodes", missing);
    need(api.tensor_name, "ggml_get_name", missing);
    need(api.op_name, "ggml_op_name", missing);
    need(api.type_name, "ggml_type_name", missing);
    need(api.tensor_backend, "ggml_backend_sched_get_tensor_backend", missing);
    need(api.backend_name, "ggml_backend_name", missing);
    need(api.buffer_type_name, "ggml_backend_buft_name", missing);
    need(api.buffer_type_alignment, "ggml_backend_buft_get_alignment", missing);
    need(api.buffer_type_max_size, "ggml_backend_buft_get_max_size", missing);
    need(api.buffer_type_alloc_size, "ggml_backend_buft_get_alloc_size", missing);
    need(api.buffer_type_is_host, "ggml_backend_buft_is_host", missing);
    need(api.buffer_type_of, "ggml_backend_buffer_get_type", missing);
    need(api.buffer_usage, "ggml_backend_buffer_get_usage", missing);
    need(api.buffer_size, "ggml_backend_buffer_get_size", missing);
    need(api.device_of, "ggml_backend_get_device", missing);
    need(api.device_type, "ggml_backend_dev_type", missing);
    need(api.supports_op, "ggml_backend_supports_op", missing);
    need(api.offload_op, "ggml_backend_offload_op", missing);
    need(api.supports_buffer_type, "ggml_backend_supports_buft", missing);
    find(api.device_of_buffer_type, "ggml_backend_buft_get_device");
    find(api.buffer_base, "ggml_backend_buffer_get_base");
    find(api.synchronize, "ggml_backend_synchronize");
    find(api.tensor_bytes, "ggml_nbytes");
    find(api.tensor_get, "ggml_backend_tensor_get");
    find(api.tensor_set, "ggml_backend_tensor_set");
    find(api.set_eval_callback, "ggml_backend_sched_set_eval_callback");
    find(api.scheduler_splits, "ggml_backend_sched_get_n_splits");
    find(api.scheduler_copies, "ggml_backend_sched_get_n_copies");
    find(api.scheduler_buffer, "ggml_backend_sched_get_buffer_size");
    find(api.version, "ggml_version");
    find(api.commit, "ggml_commit");
    api.has_size_only_reservation = real_function("ggml_backend_sched_reserve_size") != nullptr;
    api.has_visible_split = real_function("ggml_backend_sched_split_graph") != nullptr;
    return api;
}

}  // namespace splitscope::recorder
