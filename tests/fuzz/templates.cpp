// SPDX-License-Identifier: MIT
// An arbitrary chat template, for a file with a few tokens.
#include <array>
#include <chrono>
#include <string>

#include "engine/formats/gguf.hpp"
#include "engine/models/chat_template.hpp"
#include "engine/support/limits.hpp"
#include "tests/formats/gguf_writer.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/targets.hpp"

namespace splitscope::fuzz {

void templates(Bytes bytes) {
    test::GgufWriter writer;
    writer.text("tokenizer.chat_template", text_of(bytes))
        .texts("tokenizer.ggml.tokens", {"<s>", "</s>", "a"})
        .number("tokenizer.ggml.bos_token_id", 0)
        .number("tokenizer.ggml.eos_token_id", 1);
    expecting_errors([&] {
        const MemoryFile stored(writer.bytes());
        const auto file = GgufFile::open(stored.path());
        const std::array<ChatMessage, 3> messages = {
            {{"system", "Be short."}, {"user", "Hi \xc3\xa9"}, {"user", "?"}}};
        const std::string text = chat_prompt(*file, messages, std::chrono::system_clock::time_point{});
        require(text.size() <= kMaxPromptBytes, "prompts are bounded");
    });
}

}  // namespace splitscope::fuzz
