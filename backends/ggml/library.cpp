// SPDX-License-Identifier: MIT
#include "backends/ggml/library.hpp"

#include <dlfcn.h>

#include "backends/ggml/engine_folder.hpp"
#include "backends/ggml/host_error.hpp"
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

/// May be missing in older versions.
void find_optional(const Functions& f, Library& l) {
    f.find_if_there(l.version, "ggml_version");
    f.find_if_there(l.commit, "ggml_commit");
    f.find_if_there(l.set_abort_callback, "ggml_set_abort_callback");
    f.find_if_there(l.glu_op_name, "ggml_glu_op_name");
    f.find_if_there(l.dev_buffer_from_host_ptr, "ggml_backend_dev_buffer_from_host_ptr");
    f.find_if_there(l.add_registry, "ggml_backend_register");
    f.find_if_there(l.load, "ggml_backend_load");
    f.find_if_there(l.unload, "ggml_backend_unload");
}

void find_tensors_and_graphs(const Functions& f, Library& l) {
    f.find(l.log_set, "ggml_log_set");
    f.find(l.op_name, "ggml_op_name");
    f.find(l.type_name, "ggml_type_name");
    f.find(l.unary_op_name, "ggml_unary_op_name");
    f.find(l.type_size, "ggml_type_size");
    f.find(l.block_size, "ggml_blck_size");
    f.find(l.init, "ggml_init");
    f.find(l.free, "ggml_free");
    f.find(l.new_tensor, "ggml_new_tensor_4d");
    f.find(l.set_name, "ggml_set_name");
    f.find(l.get_name, "ggml_get_name");
    f.find(l.nbytes, "ggml_nbytes");
    f.find(l.tensor_overhead, "ggml_tensor_overhead");
    f.find(l.graph_overhead, "ggml_graph_overhead_custom");
    f.find(l.new_graph, "ggml_new_graph_custom");
    f.find(l.build_forward_expand, "ggml_build_forward_expand");
    f.find(l.graph_n_nodes, "ggml_graph_n_nodes");
}

void find_devices(const Functions& f, Library& l) {
    f.find(l.dev_count, "ggml_backend_dev_count");
    f.find(l.dev_get, "ggml_backend_dev_get");
    f.find(l.dev_name, "ggml_backend_dev_name");
    f.find(l.dev_description, "ggml_backend_dev_description");
    f.find(l.dev_type, "ggml_backend_dev_type");
    f.find(l.dev_memory, "ggml_backend_dev_memory");
    f.find(l.dev_get_props, "ggml_backend_dev_get_props");
    f.find(l.dev_registry, "ggml_backend_dev_backend_reg");
    f.find(l.registry_named, "ggml_backend_reg_by_name");
    f.find(l.registry_name, "ggml_backend_reg_name");
    f.find(l.registry_function, "ggml_backend_reg_get_proc_address");
    f.find(l.dev_init, "ggml_backend_dev_init");
    f.find(l.dev_buffer_type, "ggml_backend_dev_buffer_type");
    f.find(l.dev_host_buffer_type, "ggml_backend_dev_host_buffer_type");
    f.find(l.dev_supports_op, "ggml_backend_dev_supports_op");
    f.find(l.dev_supports_buft, "ggml_backend_dev_supports_buft");
    f.find(l.dev_offload_op, "ggml_backend_dev_offload_op");
}

void find_buffers(const Functions& f, Library& l) {
    f.find(l.buft_name, "ggml_backend_buft_name");
    f.find(l.buft_alignment, "ggml_backend_buft_get_alignment");
    f.find(l.buft_max_size, "ggml_backend_buft_get_max_size");
    f.find(l.buft_alloc_size, "ggml_backend_buft_get_alloc_size");
    f.find(l.buft_is_host, "ggml_backend_buft_is_host");
    f.find(l.buft_alloc, "ggml_backend_buft_alloc_buffer");
    f.find(l.buffer_free, "ggml_backend_buffer_free");
    f.find(l.buffer_base, "ggml_backend_buffer_get_base");
    f.find(l.buffer_init_tensor, "ggml_backend_buffer_init_tensor");
    f.find(l.buffer_clear, "ggml_backend_buffer_clear");
    f.find(l.buffer_set_usage, "ggml_backend_buffer_set_usage");
    f.find(l.tensor_set, "ggml_backend_tensor_set");
    f.find(l.tensor_get, "ggml_backend_tensor_get");
    f.find(l.tensor_copy, "ggml_backend_tensor_copy");
    f.find(l.tensor_copy_async, "ggml_backend_tensor_copy_async");
    f.find(l.view_init, "ggml_backend_view_init");
}

void find_backends(const Functions& f, Library& l) {
    f.find(l.backend_free, "ggml_backend_free");
    f.find(l.synchronize, "ggml_backend_synchronize");
    f.find(l.graph_compute_async, "ggml_backend_graph_compute_async");
    f.find(l.event_new, "ggml_backend_event_new");
    f.find(l.event_free, "ggml_backend_event_free");
    f.find(l.event_record, "ggml_backend_event_record");
    f.find(l.event_synchronize, "ggml_backend_event_synchronize");
    f.find(l.event_wait, "ggml_backend_event_wait");
}

void find_scheduler(const Functions& f, Library& l) {
    f.find(l.sched_new, "ggml_backend_sched_new");
    f.find(l.sched_free, "ggml_backend_sched_free");
    f.find(l.sched_split_graph, "ggml_backend_sched_split_graph");
    f.find(l.sched_set_tensor_backend, "ggml_backend_sched_set_tensor_backend");
    f.find(l.sched_get_tensor_backend, "ggml_backend_sched_get_tensor_backend");
    f.find(l.sched_get_n_splits, "ggml_backend_sched_get_n_splits");
    f.find(l.sched_reserve, "ggml_backend_sched_reserve");
    f.find(l.sched_get_buffer_size, "ggml_backend_sched_get_buffer_size");
    f.find_if_there(l.sched_reserve_size, "ggml_backend_sched_reserve_size");
}

}  // namespace

Library::Library(const std::filesystem::path& folder) {
    const auto main_library = engine_library(folder);
    if (!main_library) throw HostError(msg::kNoEngineThere);
    // Packages may lack a run path: load dependencies first.
    if (const auto base = base_library(folder)) open_library(*base);
    const Functions f(open_library(*main_library));
    find_optional(f, *this);
    find_tensors_and_graphs(f, *this);
    find_devices(f, *this);
    find_buffers(f, *this);
    find_backends(f, *this);
    find_scheduler(f, *this);

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
