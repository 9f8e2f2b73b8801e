// SPDX-License-Identifier: MIT
#include "engine/models/spm_tokenizer.hpp"

#include "engine/formats/gguf.hpp"
#include "engine/models/byte_tokens.hpp"
#include "engine/models/space_marks.hpp"
#include "engine/models/special_tokens.hpp"
#include "engine/models/symbol_merging.hpp"
#include "engine/models/vocabulary.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

class SpmTokenizer final : public Tokenizer {
 public:
    explicit SpmTokenizer(const GgufFile& file)
        : vocabulary_(file, {.begin = 1, .end = 2, .unknown = 0}),
          add_begin_(file.bool_value("tokenizer.ggml.add_bos_token").value_or(true)),
          add_end_(file.bool_value("tokenizer.ggml.add_eos_token").value_or(false)),
          add_space_prefix_(file.bool_value("tokenizer.ggml.add_space_prefix").value_or(true)),
          byte_tokens_(byte_tokens_of(vocabulary_)) {}

    std::vector<std::int32_t> encode(std::string_view text, const EncodeOptions& options) const override {
        std::vector<std::int32_t> tokens;
        if (options.add_special && add_begin_ && vocabulary_.begin()) tokens.push_back(*vocabulary_.begin());
        bool after_special = true;
        for (const TextFragment& fragment : cut_at_special_tokens(vocabulary_, text, options.parse_special)) {
            if (fragment.token) {
                tokens.push_back(*fragment.token);
                after_special = true;
                continue;
            }
            std::string marked = with_space_marks(fragment.text);
            if (add_space_prefix_ && after_special) marked.insert(0, kSpaceMark);
            encode_plain(marked, tokens);
            after_special = false;
        }
        if (options.add_special && add_end_ && vocabulary_.end()) tokens.push_back(*vocabulary_.end());
        return tokens;
    }

    std::string piece(std::int32_t id, bool show_special) const override {
        if (!vocabulary_.contains(id)) return {};
        const Token& token = vocabulary_[id];
        switch (token.kind) {
            case TokenKind::unknown:
            case TokenKind::control:
                return show_special ? token.text : std::string();
            case TokenKind::user_defined:
                return token.text;
            case TokenKind::byte: {
                const auto byte = byte_of(token.text);
                return byte ? std::string(1, *byte) : std::string();
            }
            case TokenKind::normal:
                return without_space_marks(token.text);
            case TokenKind::undefined:
            case TokenKind::unused:
                break;
        }
        return {};
    }

    std::string decode(const std::vector<std::int32_t>& tokens, bool show_special) const override {
        std::string text;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            std::string part = piece(tokens[i], show_special);
            // Removes the space that encoding prepended.
            if (i == 0 && add_space_prefix_ && part.starts_with(' ')) part.erase(0, 1);
            text += part;
        }
        return text;
    }

    std::size_t vocabulary_size() const override { return vocabulary_.tokens().size(); }
    bool is_end(std::int32_t token) const override { return vocabulary_.is_end(token); }

 private:
    void encode_plain(std::string_view text, std::vector<std::int32_t>& tokens) const {
        const auto score = [this](std::string_view left, std::string_view right) -> std::optional<float> {
            // Neighbours are adjacent in the text.
            const auto id = vocabulary_.find({left.data(), left.size() + right.size()});
            return id ? std::optional(vocabulary_[*id].score) : std::nullopt;
        };
        const SymbolMerging merging(text, score);
        merging.for_each([&](std::string_view symbol) {
            if (const auto id = vocabulary_.find(symbol)) {
                tokens.push_back(*id);
                return;
            }
            for (const char c : symbol) {
                const auto byte = byte_tokens_[static_cast<unsigned char>(c)];
                if (byte >= 0)
                    tokens.push_back(byte);
                else if (vocabulary_.unknown())
                    tokens.push_back(*vocabulary_.unknown());
            }
        });
    }

    Vocabulary vocabulary_;
    bool add_begin_;
    bool add_end_;
    bool add_space_prefix_;
    ByteTokens byte_tokens_;
};

}  // namespace

std::unique_ptr<const Tokenizer> make_spm_tokenizer(const GgufFile& file) {
    return std::make_unique<const SpmTokenizer>(file);
}

}  // namespace splitscope
