// SPDX-License-Identifier: MIT
// reference_host FOLDER (MODEL GPU_LAYERS STEPS)…: a program that uses the reference engine as others do,
// through its shared libraries in FOLDER and prototypes declared here. For each model, reads a prompt,
// generates STEPS tokens and prints them. Environment variables exercise more of the engine:
//   REFERENCE_HOST_VALUES=NODE,FILE  appends the node's values to the file, by a callback of its own
//   REFERENCE_HOST_PLANT=NODE,N      makes the first of them not a number in the N-th computation
//   REFERENCE_HOST_SPOIL=NODE,N,WHERE changes memory as a wrong kernel of the node may in the N-th
//   computation
//                                    of one of that name: `operand` = its first operand; `beyond` = what
//                                    follows its result, in host memory
//   REFERENCE_HOST_KILL=NODE,N       is killed after the node in the N-th computation
//   REFERENCE_HOST_ABORT=1           ends with an error of the engine
//   REFERENCE_HOST_EMBEDDINGS=1      embeddings instead of logits
//   REFERENCE_HOST_EXPERTS=N         keeps the experts of the first N layers on the CPU
//   REFERENCE_HOST_MARKERS=1         before each model reserves a graph of one node, "model N"
//   REFERENCE_HOST_FORK=FILE         when the file appears, uses the engine in a forked child and writes into
//                                    FILE.result whether it ended
//   REFERENCE_HOST_SECONDS=FILE      writes the seconds that all tokens after the first took
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder/reference_api.hpp"
#include "tests/support/engine_library.hpp"

#if defined(__SANITIZE_ADDRESS__)
/// The reference engine keeps its Vulkan device until the process ends.
extern "C" const char* __lsan_default_suppressions() {  // NOLINT: the sanitizer gives the name
    return "leak:libvulkan_lvp.so\n";
}
#endif

namespace {

using splitscope::test::fail;
using splitscope::test::function_of;
using splitscope::test::ignore_message;
using splitscope::test::Opaque;
using splitscope::test::open_library;

/// The number of layers on accelerators follows two pointers; its default is checked before it is set.
void set_gpu_layers(Opaque& parameters, std::int32_t layers) {
    constexpr std::size_t kPlace = 16;
    std::int32_t standing = 0;
    std::memcpy(&standing, parameters.bytes.data() + kPlace, sizeof standing);
    if (standing != -1 && standing != 999 && standing != 0) fail("the parameters are laid out otherwise");
    std::memcpy(parameters.bytes.data() + kPlace, &layers, sizeof layers);
}

/// Data of the program's callback.
struct Watch {
    std::string node;
    std::string file;
    int plant_at = 0;
    int killed_at = 0;
    int spoil_at = 0;
    std::string spoil;
    int seen = 0;
    const char* (*name)(void*) = nullptr;
    std::size_t (*bytes)(void*) = nullptr;
    void (*get)(void*, void*, std::size_t, std::size_t) = nullptr;
    void (*set)(void*, const void*, std::size_t, std::size_t) = nullptr;
};

void spoil(const Watch& watch, void* tensor) {
    const auto& layout = splitscope::recorder::kLayoutSince2025;
    const auto pointer_at = [&](std::size_t offset) {
        void* pointer = nullptr;
        std::memcpy(&pointer, static_cast<const char*>(tensor) + offset, sizeof pointer);
        return pointer;
    };
    // No byte of memory in use is likely to have this value.
    std::array<char, 8> wrong{};
    wrong.fill('\x6b');
    if (watch.spoil == "operand") {
        watch.set(pointer_at(layout.sources), wrong.data(), 0, wrong.size());
    } else {
        std::memcpy(static_cast<char*>(pointer_at(layout.data())) + watch.bytes(tensor), wrong.data(),
                    wrong.size());
    }
}

bool watch_node(void* tensor, bool ask, void* user) {
    Watch& watch = *static_cast<Watch*>(user);
    if (watch.node != watch.name(tensor)) return !ask;
    if (ask) return true;
    if (++watch.seen == watch.killed_at) std::raise(SIGKILL);
    if (watch.seen == watch.plant_at) {
        const float not_a_number = std::nanf("");
        watch.set(tensor, &not_a_number, 0, sizeof not_a_number);
    }
    if (watch.seen == watch.spoil_at) spoil(watch, tensor);
    if (watch.file.empty()) return true;
    std::vector<char> values(watch.bytes(tensor));
    watch.get(tensor, values.data(), 0, values.size());
    std::ofstream(watch.file, std::ios::binary | std::ios::app)
        .write(values.data(), static_cast<std::streamsize>(values.size()));
    return true;
}

/// The callback is where two null pointers are followed by the types of the cache, both F16.
std::size_t place_of_callback(const Opaque& parameters) {
    constexpr std::int32_t kF16 = 1;
    const std::array<std::byte, 16> none{};
    for (std::size_t at = 16; at + 24 < 160; at += 8) {
        std::array<std::int32_t, 2> types{};
        std::memcpy(types.data(), parameters.bytes.data() + at + none.size(), sizeof types);
        if (std::memcmp(parameters.bytes.data() + at, none.data(), none.size()) != 0) continue;
        if (types[0] == kF16 && types[1] == kF16) return at;
    }
    fail("the parameters of contexts are laid out otherwise");
}

void set_callback(Opaque& parameters, Watch& watch) {
    const std::size_t at = place_of_callback(parameters);
    bool (*const callback)(void*, bool, void*) = watch_node;
    void* const user = &watch;
    std::memcpy(parameters.bytes.data() + at, &callback, sizeof callback);
    std::memcpy(parameters.bytes.data() + at + sizeof callback, &user, sizeof user);
}

/// Another callback follows the types of the cache, then the switches: this one, which is off, and others
/// that are on.
void set_embeddings(Opaque& parameters) {
    const std::size_t at = place_of_callback(parameters) + 40;
    if (parameters.bytes[at] != std::byte{0} || parameters.bytes[at + 1] != std::byte{1})
        fail("the parameters of contexts are laid out otherwise");
    parameters.bytes[at] = std::byte{1};
}

/// Names of tensors and where they belong; the second pointer of the parameters of models.
struct TensorPlaces {
    struct Place {
        const char* pattern;
        void* buffer_type;
    };
    std::vector<std::string> patterns;
    std::vector<Place> places;

    TensorPlaces(int layers, void* cpu) {
        for (int i = 0; i < layers; ++i) {
            patterns.push_back("blk\\." + std::to_string(i) + "\\.ffn_(up|down|gate|gate_up)_(ch|)exps");
        }
        for (const std::string& pattern : patterns) places.push_back({pattern.c_str(), cpu});
        places.push_back({nullptr, nullptr});
    }
    void set(Opaque& parameters) const {
        const void* const first = places.data();
        std::memcpy(parameters.bytes.data() + sizeof(void*), &first, sizeof first);
    }
};

void read_environment(Watch& watch, void* base) {
    if (const char* const values = std::getenv("REFERENCE_HOST_VALUES")) {
        const std::string text = values;
        watch.node = text.substr(0, text.find(','));
        watch.file = text.substr(text.find(',') + 1);
    }
    if (const char* const node = std::getenv("REFERENCE_HOST_PLANT")) {
        const std::string text = node;
        watch.node = text.substr(0, text.find(','));
        watch.plant_at = std::atoi(text.substr(text.find(',') + 1).c_str());
    }
    if (const char* const node = std::getenv("REFERENCE_HOST_KILL")) {
        const std::string text = node;
        watch.node = text.substr(0, text.find(','));
        watch.killed_at = std::atoi(text.substr(text.find(',') + 1).c_str());
    }
    if (const char* const node = std::getenv("REFERENCE_HOST_SPOIL")) {
        const std::string text = node;
        const std::size_t second = text.rfind(',');
        watch.node = text.substr(0, text.find(','));
        watch.spoil_at = std::atoi(text.substr(watch.node.size() + 1, second).c_str());
        watch.spoil = text.substr(second + 1);
    }
    watch.name = function_of<const char*(void*)>(base, "ggml_get_name");
    watch.bytes = function_of<std::size_t(void*)>(base, "ggml_nbytes");
    watch.get = function_of<void(void*, void*, std::size_t, std::size_t)>(base, "ggml_backend_tensor_get");
    watch.set =
        function_of<void(void*, const void*, std::size_t, std::size_t)>(base, "ggml_backend_tensor_set");
}

/// A fork from another thread, while this program may be stopped by a debugger.
void fork_once_asked(const std::string& file, void* base, void* backends) {
    auto* const backend_of = function_of<void*(int, const char*)>(backends, "ggml_backend_init_by_type");
    // As the program's own calls: the first definition that the loader finds.
    auto* const scheduler_of = function_of<void*(void**, void**, int, std::size_t, bool, bool)>(
        RTLD_DEFAULT, "ggml_backend_sched_new");
    auto* const free_scheduler = function_of<void(void*)>(base, "ggml_backend_sched_free");
    constexpr std::chrono::milliseconds kPause(5);
    while (!std::filesystem::exists(file)) std::this_thread::sleep_for(kPause);
    const pid_t child = ::fork();
    if (child == 0) {
        void* backend = backend_of(0, nullptr);
        constexpr std::size_t kNodes = 64;
        free_scheduler(scheduler_of(&backend, nullptr, 1, kNodes, false, false));
        ::_exit(0);
    }
    int status = 0;
    constexpr int kMost = 1000;
    int tries = 0;
    while (::waitpid(child, &status, WNOHANG) == 0 && ++tries < kMost) std::this_thread::sleep_for(kPause);
    if (tries == kMost) ::kill(child, SIGKILL);
    std::ofstream(file + ".part") << (tries == kMost ? "hung" : status != 0 ? "failed" : "ended");
    std::filesystem::rename(file + ".part", file + ".result");
}

struct Engine {
    void* base = nullptr;
    void* backends = nullptr;
    void* llama = nullptr;
};

/// Reserves a graph of one node with this name, by a scheduler of its own.
void reserve_marker(const Engine& engine, const std::string& name) {
    struct Pool {
        std::size_t size;
        void* memory;
        bool without_data;
    };
    constexpr std::size_t kPool = std::size_t{1} << 20;
    constexpr std::size_t kNodes = 64;
    constexpr int kF32 = 0;
    void* const base = engine.base;
    void* const pool = function_of<void*(Pool)>(base, "ggml_init")({kPool, nullptr, true});
    void* const input =
        function_of<void*(void*, int, std::int64_t)>(base, "ggml_new_tensor_1d")(pool, kF32, 1);
    function_of<void(void*)>(base, "ggml_set_input")(input);
    void* const node = function_of<void*(void*, void*)>(base, "ggml_sqr")(pool, input);
    function_of<void*(void*, const char*)>(base, "ggml_set_name")(node, name.c_str());
    void* const graph = function_of<void*(void*)>(base, "ggml_new_graph")(pool);
    function_of<void(void*, void*)>(base, "ggml_build_forward_expand")(graph, node);
    void* backend =
        function_of<void*(int, const char*)>(engine.backends, "ggml_backend_init_by_type")(0, nullptr);
    // As the program's own calls: the first definition that the loader finds.
    void* const scheduler = function_of<void*(void**, void**, int, std::size_t, bool, bool)>(
        RTLD_DEFAULT, "ggml_backend_sched_new")(&backend, nullptr, 1, kNodes, false, false);
    if (!function_of<bool(void*, void*)>(RTLD_DEFAULT, "ggml_backend_sched_reserve")(scheduler, graph))
        fail("the marker was refused");
    function_of<void(void*)>(RTLD_DEFAULT, "ggml_backend_sched_free")(scheduler);
    function_of<void(void*)>(base, "ggml_backend_free")(backend);
    function_of<void(void*)>(base, "ggml_free")(pool);
}

void run(const Engine& engine, const char* path, int layers, int steps) {
    const auto& [base, backends, llama] = engine;
    Opaque model_parameters = function_of<Opaque()>(llama, "llama_model_default_params")();
    set_gpu_layers(model_parameters, layers);
    void* const processor = function_of<void*(int)>(backends, "ggml_backend_dev_by_type")(0);
    const char* const experts = std::getenv("REFERENCE_HOST_EXPERTS");
    const TensorPlaces places(experts != nullptr ? std::atoi(experts) : 0,
                              function_of<void*(void*)>(base, "ggml_backend_dev_buffer_type")(processor));
    if (experts != nullptr) places.set(model_parameters);
    void* const model =
        function_of<void*(const char*, Opaque)>(llama, "llama_model_load_from_file")(path, model_parameters);
    if (model == nullptr) fail("the model was refused");
    Opaque context_parameters = function_of<Opaque()>(llama, "llama_context_default_params")();
    Watch watch;
    read_environment(watch, base);
    if (!watch.node.empty()) set_callback(context_parameters, watch);
    if (std::getenv("REFERENCE_HOST_EMBEDDINGS") != nullptr) set_embeddings(context_parameters);
    void* const context =
        function_of<void*(void*, Opaque)>(llama, "llama_init_from_model")(model, context_parameters);
    if (context == nullptr) fail("no context was made");
    std::thread forking;
    if (const char* const asked = std::getenv("REFERENCE_HOST_FORK"))
        forking = std::thread(fork_once_asked, std::string(asked), base, backends);
    function_of<void(void*, std::int32_t, std::int32_t)>(llama, "llama_set_n_threads")(context, 1, 1);

    auto* const batch_of = function_of<Opaque(std::int32_t*, std::int32_t)>(llama, "llama_batch_get_one");
    auto* const decode = function_of<std::int32_t(void*, Opaque)>(llama, "llama_decode");
    auto* const logits_of = function_of<float*(void*, std::int32_t)>(llama, "llama_get_logits_ith");
    void* const vocabulary = function_of<void*(void*)>(llama, "llama_model_get_vocab")(model);
    const std::int32_t words = function_of<std::int32_t(void*)>(llama, "llama_vocab_n_tokens")(vocabulary);
    if (std::getenv("REFERENCE_HOST_ABORT") != nullptr) {
        // More than the engine accepts at once.
        std::vector<std::int32_t> many(4096, 1);
        decode(context, batch_of(many.data(), static_cast<std::int32_t>(many.size())));
    }
    std::array<std::int32_t, 7> prompt = {1, 403, 407, 261, 378, 270, 281};
    for (std::int32_t& token : prompt) token %= words;
    std::int32_t* tokens = prompt.data();
    auto count = static_cast<std::int32_t>(prompt.size());
    std::int32_t next = 0;
    using Clock = std::chrono::steady_clock;
    Clock::time_point begin;
    for (int step = 0; step < steps; ++step) {
        if (step == 1) begin = Clock::now();
        if (decode(context, batch_of(tokens, count)) != 0) fail("computing failed");
        const float* const logits = logits_of(context, -1);
        next = 0;
        for (std::int32_t i = 1; i < words; ++i) {
            if (logits[i] > logits[next]) next = i;
        }
        std::printf("%d\n", next);
        std::fflush(stdout);
        tokens = &next;
        count = 1;
    }
    if (const char* const seconds = std::getenv("REFERENCE_HOST_SECONDS"))
        std::ofstream(seconds) << std::chrono::duration<double>(Clock::now() - begin).count() << '\n';
    if (forking.joinable()) forking.join();
    function_of<void(void*)>(llama, "llama_free")(context);
    function_of<void(void*)>(llama, "llama_model_free")(model);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 5 || (argc - 2) % 3 != 0) fail("usage: reference_host FOLDER (MODEL GPU_LAYERS STEPS)…");
    const std::filesystem::path folder = argv[1];
    const Engine engine = {open_library(folder, "libggml-base"), open_library(folder, "libggml."),
                           open_library(folder, "libllama.")};
    using LogCallback = void(int, const char*, void*);
    if (std::getenv("REFERENCE_HOST_LOG") == nullptr) {
        function_of<void(LogCallback*, void*)>(engine.llama, "llama_log_set")(ignore_message, nullptr);
    }
    function_of<void(const char*)>(engine.backends, "ggml_backend_load_all_from_path")(folder.c_str());
    const bool markers = std::getenv("REFERENCE_HOST_MARKERS") != nullptr;
    for (int i = 2; i < argc; i += 3) {
        if (markers) reserve_marker(engine, "model " + std::to_string((i - 2) / 3));
        run(engine, argv[i], std::atoi(argv[i + 1]), std::atoi(argv[i + 2]));
    }
    return 0;
}
