// SPDX-License-Identifier: MIT
#include "backends/ggml/library.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <dlfcn.h>

#include "backends/ggml/engine_folder.hpp"
#include "backends/ggml/messages.hpp"

namespace splitscope::ggml {
namespace {

void* open_library(const std::filesystem::path& path) {
    void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) throw HostError(Message::verbatim(::dlerror()));
    return library;
}

/// Looks up functions in a library and its dependencies.
class Functions {
 public:
    explicit Functions(void* library) : library_(library) {}

    template <class F>
    void find(F*& function, const char* name) const {
        if (!find_if_there(function, name)) throw HostError(msg::kEngineLacksFunction(name));
    }
    template <class F>
    bool find_if_there(F*& function, const char* name) const {
        function = reinterpret_cast<F*>(::dlsym(library_, name));
        return function != nullptr;
    }

 private:
    void* library_;
};

}  // namespace

Library::Library(const std::filesystem::path& folder) {
    const auto main_library = engine_library(folder);
    if (!main_library) throw HostError(msg::kNoEngineThere);
    // Packages may lack a run path: load dependencies first.
    if (const auto base = base_library(folder)) open_library(*base);
    const Functions f(open_library(*main_library));

    f.find_if_there(version, "ggml_version");
    f.find_if_there(commit, "ggml_commit");
    f.find_if_there(set_abort_callback, "ggml_set_abort_callback");
    f.find_if_there(glu_op_name, "ggml_glu_op_name");
    f.find_if_there(dev_buffer_from_host_ptr, "ggml_backend_dev_buffer_from_host_ptr");
    f.find_if_there(add_registry, "ggml_backend_register");
    f.find_if_there(load, "ggml_backend_load");
    f.find_if_there(unload, "ggml_backend_unload");

    f.find(log_set, "ggml_log_set");
    f.find(op_name, "ggml_op_name");
    f.find(type_name, "ggml_type_name");
    f.find(unary_op_name, "ggml_unary_op_name");
    f.find(type_size, "ggml_type_size");
    f.find(block_size, "ggml_blck_size");
    f.find(init, "ggml_init");
    f.find(free, "ggml_free");
    f.find(new_tensor, "ggml_new_tensor_4d");
    f.find(set_name, "ggml_set_name");
    f.find(get_name, "ggml_get_name");
    f.find(nbytes, "ggml_nbytes");
    f.find(tensor_overhead, "ggml_tensor_overhead");
    f.find(graph_overhead, "ggml_graph_overhead_custom");
    f.find(new_graph, "ggml_new_graph_custom");
    f.find(build_forward_expand, "ggml_build_forward_expand");
    f.find(graph_n_nodes, "ggml_graph_n_nodes");
    f.find(dev_count, "ggml_backend_dev_count");
    f.find(dev_get, "ggml_backend_dev_get");
    f.find(dev_name, "ggml_backend_dev_name");
    f.find(dev_description, "ggml_backend_dev_description");
    f.find(dev_type, "ggml_backend_dev_type");
    f.find(dev_memory, "ggml_backend_dev_memory");
    f.find(dev_get_props, "ggml_backend_dev_get_props");
    f.find(dev_registry, "ggml_backend_dev_backend_reg");
    f.find(registry_named, "ggml_backend_reg_by_name");
    f.find(registry_name, "ggml_backend_reg_name");
    f.find(registry_function, "ggml_backend_reg_get_proc_address");
    f.find(dev_init, "ggml_backend_dev_init");
    f.find(dev_buffer_type, "ggml_backend_dev_buffer_type");
    f.find(dev_host_buffer_type, "ggml_backend_dev_host_buffer_type");
    f.find(dev_supports_op, "ggml_backend_dev_supports_op");
    f.find(dev_supports_buft, "ggml_backend_dev_supports_buft");
    f.find(dev_offload_op, "ggml_backend_dev_offload_op");
    f.find(buft_name, "ggml_backend_buft_name");
    f.find(buft_alignment, "ggml_backend_buft_get_alignment");
    f.find(buft_max_size, "ggml_backend_buft_get_max_size");
    f.find(buft_alloc_size, "ggml_backend_buft_get_alloc_size");
    f.find(buft_is_host, "ggml_backend_buft_is_host");
    f.find(buft_alloc, "ggml_backend_buft_alloc_buffer");
    f.find(buffer_free, "ggml_backend_buffer_free");
    f.find(buffer_base, "ggml_backend_buffer_get_base");
    f.find(buffer_init_tensor, "ggml_backend_buffer_init_tensor");
    f.find(buffer_clear, "ggml_backend_buffer_clear");
    f.find(buffer_set_usage, "ggml_backend_buffer_set_usage");
    f.find(tensor_set, "ggml_backend_tensor_set");
    f.find(tensor_get, "ggml_backend_tensor_get");
    f.find(tensor_copy, "ggml_backend_tensor_copy");
    f.find(tensor_copy_async, "ggml_backend_tensor_copy_async");
    f.find(view_init, "ggml_backend_view_init");
    f.find(backend_free, "ggml_backend_free");
    f.find(synchronize, "ggml_backend_synchronize");
    f.find(graph_compute_async, "ggml_backend_graph_compute_async");
    f.find(event_new, "ggml_backend_event_new");
    f.find(event_free, "ggml_backend_event_free");
    f.find(event_record, "ggml_backend_event_record");
    f.find(event_synchronize, "ggml_backend_event_synchronize");
    f.find(event_wait, "ggml_backend_event_wait");

    f.find(sched_new, "ggml_backend_sched_new");
    f.find(sched_free, "ggml_backend_sched_free");
    f.find(sched_split_graph, "ggml_backend_sched_split_graph");
    f.find(sched_set_tensor_backend, "ggml_backend_sched_set_tensor_backend");
    f.find(sched_get_tensor_backend, "ggml_backend_sched_get_tensor_backend");
    f.find(sched_get_n_splits, "ggml_backend_sched_get_n_splits");
    f.find(sched_reserve, "ggml_backend_sched_reserve");
    f.find(sched_get_buffer_size, "ggml_backend_sched_get_buffer_size");
    f.find_if_there(sched_reserve_size, "ggml_backend_sched_reserve_size");

    void (*load_all)(const char*) = nullptr;
    f.find(load_all, "ggml_backend_load_all_from_path");
    log_set([](int, const char*, void*) {}, nullptr);
    load_all(folder.c_str());
    find_layout();
}

void Library::find_layout() {
    const Context context = init({tensor_overhead() * 2, nullptr, true});
    if (context == nullptr) throw HostError(msg::kEngineCallFailed("ggml_init"));
    const Tensor t = new_tensor(context, 0, 1, 1, 1, 1);
    const auto name = static_cast<std::size_t>(get_name(t) - reinterpret_cast<const char*>(t));
    free(context);
    if (name == recorder::kLayoutSince2025.name) {
        layout = recorder::kLayoutSince2025;
    } else if (name == recorder::kLayoutOf2024.name) {
        layout = recorder::kLayoutOf2024;
    } else {
        throw HostError(msg::kEngineLayoutUnknown);
    }
    data_offset = layout.name - sizeof(void*);
}

}  // namespace splitscope::ggml
