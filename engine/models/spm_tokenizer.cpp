// SPDX-License-Identifier: MIT
#include "engine/models/spm_tokenizer.hpp"

#include "engine/models/byte_tokens.hpp"
#include "engine/models/sentencepiece_tokenizer.hpp"
#include "engine/models/space_marks.hpp"
#include "engine/models/symbol_merging.hpp"

namespace splitscope {
namespace {

class SpmTokenizer final : public SentencePieceTokenizer {
 public:
    explicit SpmTokenizer(const GgufFile& file)
        : SentencePieceTokenizer(file, {.begin = 1, .end = 2, .unknown = 0}, true),
          byte_tokens_(byte_tokens_of(vocabulary())) {
        add_as_stated(file, true, false);
    }

 private:
    void encode_plain(std::string_view text, std::vector<std::int32_t>& tokens) const override {
        std::string marked = with_space_marks(text);
        if (add_space_prefix()) marked.insert(0, kSpaceMark);
        const auto score = [this](std::string_view left, std::string_view right) -> std::optional<float> {
            // Neighbours are adjacent in the text.
            const auto id = vocabulary().find({left.data(), left.size() + right.size()});
            return id ? std::optional(vocabulary()[*id].score) : std::nullopt;
        };
        const SymbolMerging merging(std::string_view(marked), score);
        merging.for_each([&](std::string_view symbol) {
            if (const auto id = vocabulary().find(symbol)) {
                tokens.push_back(*id);
                return;
            }
            for (const char c : symbol) {
                const auto byte = byte_tokens_[static_cast<unsigned char>(c)];
                if (byte >= 0)
                    tokens.push_back(byte);
                else if (vocabulary().unknown())
                    tokens.push_back(*vocabulary().unknown());
            }
        });
    }

    ByteTokens byte_tokens_;
};

}  // namespace

std::unique_ptr<const Tokenizer> make_spm_tokenizer(const GgufFile& file) {
    return std::make_unique<const SpmTokenizer>(file);
}

}  // namespace splitscope
