// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "recorder/real_functions.hpp"
#include "recorder/reference_api.hpp"

namespace splitscope::recorder {

/// Numbers of buffer types and buffers in a recording. A new one appends its line to `out`.
class MemoryNumbers {
 public:
    int number_of(const Api& api, BufferType type, std::string& out);
    int number_of(const Api& api, Buffer buffer, std::string& out);

 private:
    /// A buffer; its address may be reused after it is freed.
    struct SeenBuffer {
        int number = 0;
        int type = 0;
        int usage = 0;
        std::size_t size = 0;
    };

    std::unordered_map<BufferType, int> types_;
    std::unordered_map<Buffer, SeenBuffer> buffers_;
    int buffer_count_ = 0;
};

}  // namespace splitscope::recorder
