// SPDX-License-Identifier: MIT
// For builds with AddressSanitizer, in every program that may load Vulkan drivers and layers: whose leaks are
// not ours.
#if defined(__SANITIZE_ADDRESS__)

/// The validation layer (1.3.239) never frees what it knows of pipeline layouts and shaders: some hundred
/// blocks for each device. Qt's X11 platform keeps its connection to D-Bus. Everything else, Mesa's software
/// driver included, has to be freed.
extern "C" const char* __lsan_default_suppressions() {  // NOLINT: the sanitizer gives the name
    return "leak:libVkLayer_khronos_validation.so\nleak:libdbus-1.so\n";
}

/// What is allocated in a library that was unloaded cannot be told from what we allocate: nothing is
/// unloaded.
extern "C" int dlclose(void* /*library*/) {
    return 0;
}

#endif
