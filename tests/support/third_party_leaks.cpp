// SPDX-License-Identifier: MIT
// For builds with AddressSanitizer, in every program that may load Vulkan drivers and layers: leaks of
// third-party code.
#if defined(__SANITIZE_ADDRESS__)

/// The validation layer (1.3.239) never frees its data of pipeline layouts and shaders: several hundred
/// blocks per device. Qt's X11 platform keeps its connection to D-Bus. Everything else, including Mesa's
/// software driver, must be freed.
extern "C" const char* __lsan_default_suppressions() {  // NOLINT: the sanitizer gives the name
    return "leak:libVkLayer_khronos_validation.so\nleak:libdbus-1.so\n";
}

/// Allocations of an unloaded library cannot be distinguished from the program's: nothing is unloaded.
extern "C" int dlclose(void* /*library*/) {
    return 0;
}

#endif
