// SPDX-License-Identifier: MIT
#include "tests/bench/reference_engine.hpp"

#include <array>
#include <string>
#include <vector>

#include <dlfcn.h>

#include "engine/support/error.hpp"

namespace splitscope::bench {
namespace {

/// A structure that the engine fills and takes back by value. This platform passes such structures in memory,
/// so only a sufficient size must be known.
struct Opaque {
    alignas(16) std::array<std::byte, 1024> bytes{};
};

void* open_library(const std::filesystem::path& path) {
    void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) {
        throw Error(ErrorKind::io, Message::verbatim(::dlerror()), path,
                    Message::verbatim("install the reference package again"));
    }
    return library;
}

/// The library of a folder whose name begins with `start`.
std::filesystem::path library_named(const std::filesystem::path& folder, std::string_view start) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().filename().string().starts_with(start)) return entry.path();
    }
    throw Error(ErrorKind::io, Message::verbatim(std::string("there is no library ").append(start)), folder,
                Message::verbatim("install the reference package again"));
}

template <class F>
F* function_of(void* library, const char* name) {
    void* address = ::dlsym(library, name);
    if (address == nullptr) {
        throw Error(ErrorKind::io, Message::verbatim(std::string("the library has no function ") + name),
                    "reference engine",
                    Message::verbatim("use the version of the package that the benchmark was written for"));
    }
    return reinterpret_cast<F*>(address);
}

void ignore_message(int, const char*, void*) {}

}  // namespace

struct ReferenceEngine::Functions {
    using LogCallback = void(int, const char*, void*);

    explicit Functions(const std::filesystem::path& folder) {
        open_library(library_named(folder, "libggml-base"));
        void* backends = open_library(library_named(folder, "libggml."));
        void* llama = open_library(library_named(folder, "libllama."));
        function_of<void(LogCallback*, void*)>(llama, "llama_log_set")(ignore_message, nullptr);
        function_of<void(const char*)>(backends, "ggml_backend_load_all_from_path")(folder.c_str());
        model_defaults = function_of<Opaque()>(llama, "llama_model_default_params");
        context_defaults = function_of<Opaque()>(llama, "llama_context_default_params");
        load = function_of<void*(const char*, Opaque)>(llama, "llama_model_load_from_file");
        make_context = function_of<void*(void*, Opaque)>(llama, "llama_init_from_model");
        free_model = function_of<void(void*)>(llama, "llama_model_free");
        free_context = function_of<void(void*)>(llama, "llama_free");
        set_threads = function_of<void(void*, std::int32_t, std::int32_t)>(llama, "llama_set_n_threads");
        batch_of = function_of<Opaque(std::int32_t*, std::int32_t)>(llama, "llama_batch_get_one");
        decode = function_of<std::int32_t(void*, Opaque)>(llama, "llama_decode");
        synchronize = function_of<void(void*)>(llama, "llama_synchronize");
        memory_of = function_of<void*(const void*)>(llama, "llama_get_memory");
        clear_memory = function_of<void(void*, bool)>(llama, "llama_memory_clear");
    }

    Opaque (*model_defaults)();
    Opaque (*context_defaults)();
    void* (*load)(const char*, Opaque);
    void* (*make_context)(void*, Opaque);
    void (*free_model)(void*);
    void (*free_context)(void*);
    void (*set_threads)(void*, std::int32_t, std::int32_t);
    Opaque (*batch_of)(std::int32_t*, std::int32_t);
    std::int32_t (*decode)(void*, Opaque);
    void (*synchronize)(void*);
    void* (*memory_of)(const void*);
    void (*clear_memory)(void*, bool);
};

ReferenceEngine::ReferenceEngine(const std::filesystem::path& folder, const std::filesystem::path& model,
                                 int threads)
    : functions_(std::make_unique<Functions>(folder)) {
    model_ = functions_->load(model.c_str(), functions_->model_defaults());
    if (model_ == nullptr) {
        throw Error(ErrorKind::internal, Message::verbatim("the reference engine refused the model"), model,
                    Message::verbatim("use a model it can load"));
    }
    context_ = functions_->make_context(model_, functions_->context_defaults());
    if (context_ == nullptr) {
        functions_->free_model(model_);
        throw Error(ErrorKind::internal, Message::verbatim("the reference engine made no context"), model,
                    Message::verbatim("use a smaller model"));
    }
    functions_->set_threads(context_, threads, threads);
}

ReferenceEngine::~ReferenceEngine() {
    functions_->free_context(context_);
    functions_->free_model(model_);
}

void ReferenceEngine::clear() {
    functions_->clear_memory(functions_->memory_of(context_), true);
}

void ReferenceEngine::feed(std::span<const std::int32_t> tokens) {
    std::vector<std::int32_t> copy(tokens.begin(), tokens.end());
    const Opaque batch = functions_->batch_of(copy.data(), static_cast<std::int32_t>(copy.size()));
    if (functions_->decode(context_, batch) != 0) {
        throw Error(ErrorKind::internal, Message::verbatim("the reference engine failed to compute"),
                    "reference engine", Message::verbatim("use a smaller batch"));
    }
    functions_->synchronize(context_);
}

}  // namespace splitscope::bench
