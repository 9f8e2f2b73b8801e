// SPDX-License-Identifier: MIT
// The process of an engine, for tests that are built without the whole program.
#include <cstddef>
#include <span>

#include "backends/ggml/ggml_kind.hpp"

int main(int argc, char** argv) {
    const std::span<const char* const> arguments(argv, static_cast<std::size_t>(argc));
    return splitscope::make_ggml_kind()->run_process(arguments.subspan(1)).value_or(2);
}
