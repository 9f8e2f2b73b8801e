// SPDX-License-Identifier: MIT
#pragma once

namespace splitscope::ggml {

/// Main function of the process that loads the engine's libraries: answers requests until the connection
/// closes. Socket and shared area are inherited descriptors (protocol.hpp). Returns an exit code.
int run_host();

}  // namespace splitscope::ggml
