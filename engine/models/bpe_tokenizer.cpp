// SPDX-License-Identifier: MIT
#include "engine/models/bpe_tokenizer.hpp"

#include <array>
#include <unordered_map>

#include "engine/formats/gguf.hpp"
#include "engine/formats/gguf_place.hpp"
#include "engine/models/byte_tokens.hpp"
#include "engine/models/messages.hpp"
#include "engine/models/pre_tokenizer.hpp"
#include "engine/models/space_marks.hpp"
#include "engine/models/special_tokens.hpp"
#include "engine/models/symbol_merging.hpp"
#include "engine/models/vocabulary.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

/// Byte-level vocabularies represent bytes by printable characters: printable ones by themselves, the others
/// by U+0100 and up.
class ByteCharacters {
 public:
    ByteCharacters() {
        char32_t next = 0x100;
        for (unsigned byte = 0; byte < 256; ++byte) {
            const bool printable =
                (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
            const char32_t character = printable ? byte : next++;
            unicode::append_utf8(by_byte_[byte], character);
            bytes_[character] = static_cast<char>(static_cast<unsigned char>(byte));
        }
    }

    std::string encode(std::string_view bytes) const {
        std::string text;
        text.reserve(bytes.size() * 2);
        for (const char byte : bytes) text += by_byte_[static_cast<unsigned char>(byte)];
        return text;
    }
    /// Characters that represent no byte are kept.
    std::string decode(std::string_view text) const {
        std::string bytes;
        for (const unicode::Character& character : unicode::characters_of(text)) {
            const auto found = bytes_.find(character.value);
            if (found != bytes_.end())
                bytes += found->second;
            else
                unicode::append_utf8(bytes, character.value);
        }
        return bytes;
    }

 private:
    std::array<std::string, 256> by_byte_;
    std::unordered_map<char32_t, char> bytes_;
};

/// Ranks of merges, each written as "left right".
class MergeRanks {
 public:
    MergeRanks(const GgufFile& file, bool required) {
        const auto* merges = array_of<std::string>(file, "tokenizer.ggml.merges");
        if (merges == nullptr && !required) return;
        if (merges == nullptr) {
            throw Error(ErrorKind::bad_file, msg::kNoMerges,
                        place_of_key(file.path(), "tokenizer.ggml.merges"), msg::kConvertWithTokenizer);
        }
        merges_ = *merges;
        ranks_.reserve(merges_.size());
        for (std::size_t i = 0; i < merges_.size(); ++i) ranks_.try_emplace(merges_[i], i);
    }

    std::optional<float> priority(std::string_view left, std::string_view right) const {
        std::string pair;
        pair.reserve(left.size() + right.size() + 1);
        pair.append(left).append(1, ' ').append(right);
        const auto found = ranks_.find(pair);
        if (found == ranks_.end()) return std::nullopt;
        return -static_cast<float>(found->second);
    }

 private:
    std::vector<std::string> merges_;
    std::unordered_map<std::string_view, std::size_t> ranks_;  ///< by the strings above
};

const PreTokenizer& pre_tokenizer_of(const GgufFile& file) {
    // Vocabularies of this kind have their own splitting rule, whatever the file states.
    const bool gemma = file.string_value("tokenizer.ggml.model") == "gemma4";
    const std::string name = gemma ? "gemma4" : file.string_value("tokenizer.ggml.pre").value_or("default");
    if (const PreTokenizer* known = pre_tokenizer_named(name)) return *known;
    throw Error(ErrorKind::unsupported, msg::kPreTokenizerUnsupported(name),
                place_of_key(file.path(), "tokenizer.ggml.pre"),
                msg::kUsePreTokenizer(pre_tokenizer_names()));
}

/// Ids used by engines if the file names none.
DefaultIds default_ids(const GgufFile& file, const PreTokenizer& pre_tokenizer) {
    if (file.string_value("tokenizer.ggml.model") == "gemma4") return {};
    const bool begins = pre_tokenizer.name != "glm4" && pre_tokenizer.name != "chatglm-bpe";
    return {.begin = begins ? std::optional(11) : std::nullopt, .end = 11};
}

class BpeTokenizer final : public Tokenizer {
 public:
    explicit BpeTokenizer(const GgufFile& file)
        : pre_tokenizer_(pre_tokenizer_of(file)),
          vocabulary_(file, default_ids(file, pre_tokenizer_)),
          merges_(file, pre_tokenizer_.name != "kimi-k2"),
          add_begin_(pre_tokenizer_.always_begin ||
                     file.bool_value("tokenizer.ggml.add_bos_token").value_or(pre_tokenizer_.add_begin)),
          add_end_(file.bool_value("tokenizer.ggml.add_eos_token").value_or(false)) {
        if (pre_tokenizer_.space_marks) bytes_of_file_ = byte_tokens_of(vocabulary_);
    }

    std::vector<std::int32_t> encode(std::string_view text, const EncodeOptions& options) const override {
        std::vector<std::int32_t> tokens;
        if (options.add_special && add_begin_ && vocabulary_.begin()) tokens.push_back(*vocabulary_.begin());
        for (const TextFragment& fragment : cut_at_special_tokens(vocabulary_, text, options.parse_special)) {
            if (fragment.token) {
                tokens.push_back(*fragment.token);
                continue;
            }
            if (pre_tokenizer_.space_marks) {
                const std::string marked = with_space_marks(fragment.text);
                for (const std::string_view word : cut_words(pre_tokenizer_, marked))
                    encode_word(std::string(word), tokens);
                continue;
            }
            for (const std::string_view word : cut_words(pre_tokenizer_, fragment.text))
                encode_word(bytes_.encode(word), tokens);
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
            default:
                return pre_tokenizer_.space_marks ? without_space_marks(token.text)
                                                  : bytes_.decode(token.text);
        }
    }

    std::string decode(const std::vector<std::int32_t>& tokens, bool show_special) const override {
        std::string text;
        for (const std::int32_t id : tokens) text += piece(id, show_special);
        return text;
    }

    std::size_t vocabulary_size() const override { return vocabulary_.tokens().size(); }
    bool is_end(std::int32_t token) const override { return vocabulary_.is_end(token); }

 private:
    bool is_taken_whole(std::string_view word) const {
        const bool line_feeds = word.find_first_not_of('\n') == std::string_view::npos;
        return pre_tokenizer_.whole_words_first || (pre_tokenizer_.whole_line_feeds && line_feeds);
    }

    void encode_word(const std::string& word, std::vector<std::int32_t>& tokens) const {
        if (is_taken_whole(word)) {
            if (const auto id = vocabulary_.find(word)) {
                tokens.push_back(*id);
                return;
            }
        }
        const auto priority = [this](std::string_view left, std::string_view right) {
            return merges_.priority(left, right);
        };
        const SymbolMerging merging(std::string_view(word), priority);
        merging.for_each([&](std::string_view symbol) {
            if (const auto id = vocabulary_.find(symbol)) {
                tokens.push_back(*id);
                return;
            }
            // Not a token: emit its bytes, as far as the vocabulary has them.
            for (const char byte : symbol) {
                if (!pre_tokenizer_.space_marks) {
                    if (const auto id = vocabulary_.find({&byte, 1})) tokens.push_back(*id);
                } else if (const std::int32_t id = bytes_of_file_[static_cast<unsigned char>(byte)];
                           id >= 0) {
                    tokens.push_back(id);
                }
            }
        });
    }

    const PreTokenizer& pre_tokenizer_;
    Vocabulary vocabulary_;
    MergeRanks merges_;
    ByteCharacters bytes_;
    ByteTokens bytes_of_file_{};  ///< for texts that are not merged as bytes
    bool add_begin_;
    bool add_end_;
};

}  // namespace

std::unique_ptr<const Tokenizer> make_bpe_tokenizer(const GgufFile& file) {
    return std::make_unique<const BpeTokenizer>(file);
}

}  // namespace splitscope
