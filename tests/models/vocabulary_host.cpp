// SPDX-License-Identifier: MIT
// vocabulary_host FOLDER MODEL: tokenizes with MODEL's vocabulary by the reference engine's shared libraries
// in FOLDER, through prototypes declared here. Reads texts, each preceded by its length in bytes and a line
// feed, and prints the tokens of each on one line: first as plain text, then with special tokens added and
// recognised.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/engine_library.hpp"

namespace {

using splitscope::test::fail;
using splitscope::test::function_of;
using splitscope::test::ignore_message;
using splitscope::test::Opaque;
using splitscope::test::open_library;

/// "Only the vocabulary" is the first boolean after the pointers; the third of them is set by default.
void want_only_vocabulary(Opaque& parameters) {
    constexpr std::size_t kPlace = 72;
    const auto at = [&](std::size_t i) { return std::to_integer<int>(parameters.bytes.at(kPlace + i)); };
    if (at(0) != 0 || at(1) != 0 || at(2) != 1) fail("the parameters are laid out otherwise");
    parameters.bytes.at(kPlace) = std::byte{1};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) fail("usage: vocabulary_host FOLDER MODEL");
    const std::filesystem::path folder = argv[1];
    open_library(folder, "libggml-base");
    open_library(folder, "libggml.");
    void* const llama = open_library(folder, "libllama.");
    using LogCallback = void(int, const char*, void*);
    if (std::getenv("VOCABULARY_HOST_LOG") == nullptr)
        function_of<void(LogCallback*, void*)>(llama, "llama_log_set")(ignore_message, nullptr);
    Opaque parameters = function_of<Opaque()>(llama, "llama_model_default_params")();
    want_only_vocabulary(parameters);
    void* const model =
        function_of<void*(const char*, Opaque)>(llama, "llama_model_load_from_file")(argv[2], parameters);
    if (model == nullptr) fail("the model was refused");
    const void* const vocabulary =
        function_of<const void*(const void*)>(llama, "llama_model_get_vocab")(model);
    using Tokenize =
        std::int32_t(const void*, const char*, std::int32_t, std::int32_t*, std::int32_t, bool, bool);
    auto* const tokenize = function_of<Tokenize>(llama, "llama_tokenize");
    std::string line;
    while (std::getline(std::cin, line)) {
        std::string text(std::stoul(line), '\0');
        std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
        std::vector<std::int32_t> tokens(text.size() * 4 + 16);
        for (const bool special : {false, true}) {
            const std::int32_t count =
                tokenize(vocabulary, text.data(), static_cast<std::int32_t>(text.size()), tokens.data(),
                         static_cast<std::int32_t>(tokens.size()), special, special);
            if (count < 0) fail("too many tokens");
            for (std::int32_t i = 0; i < count; ++i) std::printf("%d ", tokens[static_cast<std::size_t>(i)]);
            std::printf("\n");
        }
    }
    function_of<void(void*)>(llama, "llama_model_free")(model);
    return 0;
}
