// SPDX-License-Identifier: MIT
#pragma once

namespace splitscope::ggml {

/// The life of a process that holds the engine's libraries: it answers until the other end has gone. Its
/// socket and area were given to it as descriptors (protocol.hpp). Returns an exit code.
int run_host();

}  // namespace splitscope::ggml
