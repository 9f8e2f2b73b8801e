// SPDX-License-Identifier: MIT
// reference_host FOLDER MODEL GPU_LAYERS STEPS: a program that uses the reference engine as any other does,
// through its shared libraries in FOLDER and prototypes of our own. Reads a prompt, generates four tokens,
// prints them.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

#include <dlfcn.h>

#if defined(__SANITIZE_ADDRESS__)
/// The reference engine leaves its Vulkan device to the end of the process.
extern "C" const char* __lsan_default_suppressions() {  // NOLINT: the sanitizer gives the name
    return "leak:libvulkan_lvp.so\n";
}
#endif

namespace {

/// A structure that the engine fills and takes back by value: room enough is all that has to be known.
struct Opaque {
    alignas(16) std::array<std::byte, 1024> bytes{};
};

[[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "reference_host: %s\n", what.c_str());
    std::exit(1);
}

void* open_library(const std::filesystem::path& folder, std::string_view start) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (!entry.path().filename().string().starts_with(start)) continue;
        void* library = ::dlopen(entry.path().c_str(), RTLD_NOW | RTLD_GLOBAL);
        if (library == nullptr) fail(::dlerror());
        return library;
    }
    fail(std::string("no library ").append(start));
}

template <class F>
F* function_of(void* library, const char* name) {
    void* address = ::dlsym(library, name);
    if (address == nullptr) fail(std::string("no function ") + name);
    return reinterpret_cast<F*>(address);
}

void ignore_message(int /*level*/, const char* /*text*/, void* /*data*/) {}

/// The number of layers on accelerators stands behind two pointers; its default is checked before it is set.
void set_gpu_layers(Opaque& parameters, std::int32_t layers) {
    constexpr std::size_t kPlace = 16;
    std::int32_t standing = 0;
    std::memcpy(&standing, parameters.bytes.data() + kPlace, sizeof standing);
    if (standing != -1 && standing != 999 && standing != 0) fail("the parameters are laid out otherwise");
    std::memcpy(parameters.bytes.data() + kPlace, &layers, sizeof layers);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) fail("usage: reference_host FOLDER MODEL GPU_LAYERS STEPS");
    const std::filesystem::path folder = argv[1];
    open_library(folder, "libggml-base");
    void* const backends = open_library(folder, "libggml.");
    void* const llama = open_library(folder, "libllama.");
    using LogCallback = void(int, const char*, void*);
    if (std::getenv("REFERENCE_HOST_LOG") == nullptr) {
        function_of<void(LogCallback*, void*)>(llama, "llama_log_set")(ignore_message, nullptr);
    }
    function_of<void(const char*)>(backends, "ggml_backend_load_all_from_path")(folder.c_str());

    Opaque model_parameters = function_of<Opaque()>(llama, "llama_model_default_params")();
    set_gpu_layers(model_parameters, std::atoi(argv[3]));
    void* const model = function_of<void*(const char*, Opaque)>(llama, "llama_model_load_from_file")(
        argv[2], model_parameters);
    if (model == nullptr) fail("the model was refused");
    void* const context = function_of<void*(void*, Opaque)>(llama, "llama_init_from_model")(
        model, function_of<Opaque()>(llama, "llama_context_default_params")());
    if (context == nullptr) fail("no context was made");
    function_of<void(void*, std::int32_t, std::int32_t)>(llama, "llama_set_n_threads")(context, 1, 1);

    auto* const batch_of = function_of<Opaque(std::int32_t*, std::int32_t)>(llama, "llama_batch_get_one");
    auto* const decode = function_of<std::int32_t(void*, Opaque)>(llama, "llama_decode");
    auto* const logits_of = function_of<float*(void*, std::int32_t)>(llama, "llama_get_logits_ith");
    constexpr std::int32_t kVocabulary = 512;
    std::array<std::int32_t, 7> prompt = {1, 403, 407, 261, 378, 270, 281};
    std::int32_t* tokens = prompt.data();
    auto count = static_cast<std::int32_t>(prompt.size());
    std::int32_t next = 0;
    const int steps = std::atoi(argv[4]);
    for (int step = 0; step < steps; ++step) {
        if (decode(context, batch_of(tokens, count)) != 0) fail("computing failed");
        const float* const logits = logits_of(context, -1);
        next = 0;
        for (std::int32_t i = 1; i < kVocabulary; ++i) {
            if (logits[i] > logits[next]) next = i;
        }
        std::printf("%d\n", next);
        tokens = &next;
        count = 1;
    }
    function_of<void(void*)>(llama, "llama_free")(context);
    function_of<void(void*)>(llama, "llama_model_free")(model);
    return 0;
}
