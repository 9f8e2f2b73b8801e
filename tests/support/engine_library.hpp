// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include <dlfcn.h>

/// For small programs that use an engine's shared libraries by prototypes of their own.
namespace splitscope::test {

/// A structure that the engine fills and takes back by value: only a sufficient size must be known.
struct Opaque {
    alignas(16) std::array<std::byte, 1024> bytes{};
};

[[noreturn]] inline void fail(const std::string& what) {
    std::fprintf(stderr, "%s: %s\n", ::program_invocation_short_name, what.c_str());
    std::exit(1);
}

/// The library of the folder whose file name begins with `start`.
inline void* open_library(const std::filesystem::path& folder, std::string_view start) {
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

/// A callback for the engine's log.
inline void ignore_message(int /*level*/, const char* /*text*/, void* /*data*/) {}

}  // namespace splitscope::test
