// SPDX-License-Identifier: MIT
#include "recorder/memory_numbers.hpp"

#include "recorder/text_file.hpp"

namespace splitscope::recorder {

int MemoryNumbers::number_of(const Api& api, BufferType type, std::string& out) {
    const auto [known, inserted] = types_.emplace(type, static_cast<int>(types_.size()));
    if (inserted) {
        out += "buffer_type";
        append_number(out, known->second);
        append_number(out, static_cast<std::int64_t>(api.buffer_type_alignment(type)));
        out += ' ' + std::to_string(api.buffer_type_max_size(type));
        append_number(out, api.buffer_type_is_host(type) ? 1 : 0);
        out += ' ';
        append_escaped(out, api.buffer_type_name(type), kMaxName);
        out += '\n';
    }
    return known->second;
}

int MemoryNumbers::number_of(const Api& api, Buffer buffer, std::string& out) {
    const SeenBuffer seen{buffer_count_, number_of(api, api.buffer_type_of(buffer), out),
                          api.buffer_usage(buffer), api.buffer_size(buffer)};
    const auto [known, inserted] = buffers_.emplace(buffer, seen);
    SeenBuffer& before = known->second;
    if (!inserted) {
        if (before.type == seen.type && before.usage == seen.usage && before.size == seen.size)
            return before.number;
        before = seen;
    }
    ++buffer_count_;
    out += "buffer";
    append_number(out, seen.number);
    append_number(out, seen.type);
    append_number(out, seen.usage);
    out += ' ' + std::to_string(seen.size) + '\n';
    return seen.number;
}

}  // namespace splitscope::recorder
