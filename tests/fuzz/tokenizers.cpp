// SPDX-License-Identifier: MIT
// Arbitrary vocabularies and texts: ids stay inside the vocabulary, any ids can be decoded.
#include <array>
#include <string>

#include "engine/formats/gguf.hpp"
#include "engine/models/pre_tokenizer.hpp"
#include "engine/models/tokenizer.hpp"
#include "tests/formats/gguf_writer.hpp"
#include "tests/fuzz/byte_source.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/targets.hpp"

namespace splitscope::fuzz {

void tokenizers(Bytes bytes) {
    ByteSource source(bytes);
    constexpr std::array kKinds = {"llama", "gpt2", "bert", "gemma4", "rwkv"};
    test::GgufWriter writer;
    writer.text("tokenizer.ggml.model", kKinds[source.below(kKinds.size())]);
    writer.text("tokenizer.ggml.pre", pre_tokenizers()[source.below(pre_tokenizers().size())].name);
    std::vector<std::string> tokens;
    std::vector<float> scores;
    std::vector<std::int32_t> kinds;
    for (std::size_t n = 1 + source.below(40); n > 0; --n) {
        tokens.push_back(source.text(10));
        scores.push_back(static_cast<float>(source.byte()) - 100.0F);
        kinds.push_back(source.chance(200) ? 1 : static_cast<std::int32_t>(source.below(8)));
    }
    std::vector<std::string> merges;
    for (std::size_t n = source.below(30); n > 0; --n) {
        merges.push_back(tokens[source.below(tokens.size())] + ' ' + tokens[source.below(tokens.size())]);
    }
    writer.texts("tokenizer.ggml.tokens", tokens).texts("tokenizer.ggml.merges", merges);
    writer.numbers("tokenizer.ggml.scores", test::GgufType::f32, scores);
    writer.numbers("tokenizer.ggml.token_type", test::GgufType::i32, kinds);
    for (const char* key : {"bos_token_id", "eos_token_id", "unknown_token_id", "eot_token_id"}) {
        if (source.chance(128))
            writer.number(std::string("tokenizer.ggml.") + key, static_cast<std::uint32_t>(source.number()));
    }
    expecting_errors([&] {
        const MemoryFile stored(writer.bytes());
        const auto file = GgufFile::open(stored.path());
        const auto tokenizer = make_tokenizer(*file);
        const auto count = static_cast<std::int32_t>(tokenizer->vocabulary_size());
        std::vector<std::int32_t> any;
        for (int i = 0; i < 4; ++i) any.push_back(static_cast<std::int32_t>(source.number()));
        tokenizer->decode(any, true);
        tokenizer->is_end(any[0]);
        const std::string_view text = text_of(source.rest());
        for (const bool special : {false, true}) {
            const auto ids = tokenizer->encode(text, {special, special});
            for (const std::int32_t id : ids) require(id >= 0 && id < count, "ids are in the vocabulary");
            tokenizer->decode(ids, special);
        }
    });
}

}  // namespace splitscope::fuzz
