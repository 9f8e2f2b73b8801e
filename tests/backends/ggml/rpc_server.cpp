// SPDX-License-Identifier: MIT
// An RPC server of the engine for tests: rpc_server FOLDER HOST:PORT offers the engine's CPU until it is
// terminated.
#include <cstdio>
#include <exception>
#include <stdexcept>

#include "backends/ggml/library.hpp"

int main(int argc, char** argv) {
    using splitscope::ggml::Library;
    if (argc != 3) return 2;
    try {
        const Library library(argv[1]);
        const Library::Registry rpc = library.registry_named("RPC");
        if (rpc == nullptr) throw std::runtime_error("the engine has no RPC");
        using Start = void (*)(const char*, const char*, std::size_t, std::size_t, Library::Device*);
        const auto start =
            reinterpret_cast<Start>(library.registry_function(rpc, "ggml_backend_rpc_start_server"));
        Library::Device cpu = nullptr;
        for (std::size_t i = 0; i < library.dev_count() && cpu == nullptr; ++i)
            if (library.dev_type(library.dev_get(i)) == 0) cpu = library.dev_get(i);
        if (start == nullptr || cpu == nullptr) throw std::runtime_error("the engine offers no server");
        start(argv[2], nullptr, 1, 1, &cpu);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    return 1;
}
