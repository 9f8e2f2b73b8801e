// SPDX-License-Identifier: MIT
// The entry of libFuzzer for one target, chosen when the program is built.
#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    splitscope::fuzz::SPLITSCOPE_FUZZ_TARGET({data, size});
    return 0;
}
