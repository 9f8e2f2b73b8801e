// SPDX-License-Identifier: MIT
#include "engine/models/bpe_tokenizer.hpp"

#include <array>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "engine/formats/gguf_place.hpp"
#include "engine/models/byte_tokens.hpp"
#include "engine/models/messages.hpp"
#include "engine/models/pre_tokenizer.hpp"
#include "engine/models/space_marks.hpp"
#include "engine/models/symbol_merging.hpp"
#include "engine/models/vocabulary_tokenizer.hpp"
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

class BpeTokenizer final : public VocabularyTokenizer {
 public:
    explicit BpeTokenizer(const GgufFile& file) : BpeTokenizer(file, pre_tokenizer_of(file)) {}

 private:
    BpeTokenizer(const GgufFile& file, const PreTokenizer& pre_tokenizer)
        : VocabularyTokenizer(file, default_ids(file, pre_tokenizer)),
          pre_tokenizer_(pre_tokenizer),
          merges_(file, pre_tokenizer_.name != "kimi-k2") {
        add_as_stated(file, pre_tokenizer_.add_begin, false);
        if (pre_tokenizer_.always_begin) begin_with(vocabulary().begin());
        const std::string kind = file.string_value("tokenizer.ggml.model").value_or("");
        if (kind == "hybriddna") find_dna();
        drops_spaces_ = kind == "whitespace";
        lower_case_ = drops_spaces_ && file.bool_value("tokenizer.ggml.normalizer.lowercase").value_or(false);
    }

    std::string text_of(std::int32_t id) const override {
        const Token& token = vocabulary()[id];
        std::string_view text = token.text;
        // Only distinguishes tokens of sequences from words.
        if (dna_ && id > dna_->unknown && text.size() > kDnaMark.size() && text.ends_with(kDnaMark))
            text.remove_suffix(kDnaMark.size());
        switch (token.kind) {
            case TokenKind::unknown:
            case TokenKind::control:
            case TokenKind::user_defined:
                return std::string(text);
            case TokenKind::byte: {
                const auto byte = byte_of(text);
                return byte ? std::string(1, *byte) : std::string();
            }
            default:
                return pre_tokenizer_.space_marks ? without_space_marks(text) : bytes_.decode(text);
        }
    }

    /// Tokens around nucleotide sequences, and the one of all that are not in the vocabulary.
    struct Dna {
        std::int32_t begin;
        std::int32_t end;
        std::int32_t unknown;
    };
    static constexpr std::string_view kDnaBegin = "<dna>";
    static constexpr std::string_view kDnaEnd = "</dna>";
    static constexpr std::string_view kDnaMark = "\xee\x80\x80";  ///< U+E000, behind sequences
    static constexpr std::size_t kDnaLength = 6;

    /// Without these tokens the vocabulary is an ordinary one.
    void find_dna() {
        const auto begin = vocabulary().find(kDnaBegin);
        const auto end = vocabulary().find(kDnaEnd);
        const auto unknown = vocabulary().find("<oov>");
        if (begin && end && unknown) dna_ = Dna{*begin, *end, *unknown};
    }

    void encode_plain(std::string_view text, std::vector<std::int32_t>& tokens) const override {
        if (dna_)
            encode_dna(text, tokens);
        else if (drops_spaces_)
            encode_unspaced(text, tokens);
        else
            encode_words(text, tokens);
    }

    void encode_words(std::string_view text, std::vector<std::int32_t>& tokens) const {
        const std::string marked = pre_tokenizer_.space_marks ? with_space_marks(text) : std::string(text);
        for (const std::string_view word : cut_words(pre_tokenizer_, marked))
            encode_word(pre_tokenizer_.raw ? std::string(word) : bytes_.encode(word), tokens);
    }

    /// Spaces only separate words.
    void encode_unspaced(std::string_view text, std::vector<std::int32_t>& tokens) const {
        std::string word;
        for (const unicode::Character& c : unicode::characters_of(text)) {
            if (!c.is_space()) {
                unicode::append_utf8(word, lower_case_ ? unicode::lower_of(c.value) : c.value);
                continue;
            }
            encode_words(word, tokens);
            word.clear();
        }
        encode_words(word, tokens);
    }

    /// Six nucleotides are a token; a shorter rest is filled up.
    void encode_sequence(std::string_view text, std::vector<std::int32_t>& tokens) const {
        for (std::size_t at = 0; at < text.size(); at += kDnaLength) {
            std::string part(text.substr(at, kDnaLength));
            for (char& c : part)
                if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
            part.resize(kDnaLength, 'A');
            tokens.push_back(vocabulary().find(part.append(kDnaMark)).value_or(dna_->unknown));
        }
    }

    void encode_dna(std::string_view text, std::vector<std::int32_t>& tokens) const {
        while (!text.empty()) {
            const std::size_t begin = text.find(kDnaBegin);
            encode_words(text.substr(0, begin), tokens);
            if (begin == std::string_view::npos) return;
            tokens.push_back(dna_->begin);
            text.remove_prefix(begin + kDnaBegin.size());
            const std::size_t end = text.find(kDnaEnd);
            encode_sequence(text.substr(0, end), tokens);
            if (end == std::string_view::npos) return;
            tokens.push_back(dna_->end);
            text.remove_prefix(end + kDnaEnd.size());
        }
    }

    bool is_taken_whole(std::string_view word) const {
        const bool line_feeds = word.find_first_not_of('\n') == std::string_view::npos;
        return pre_tokenizer_.whole_words_first || (pre_tokenizer_.whole_line_feeds && line_feeds);
    }

    void encode_word(const std::string& word, std::vector<std::int32_t>& tokens) const {
        if (is_taken_whole(word)) {
            if (const auto id = vocabulary().find(word)) {
                tokens.push_back(*id);
                return;
            }
        }
        const auto priority = [this](std::string_view left, std::string_view right) {
            return merges_.priority(left, right);
        };
        const SymbolMerging merging(std::string_view(word), priority);
        merging.for_each([&](std::string_view symbol) {
            if (const auto id = vocabulary().find(symbol)) {
                tokens.push_back(*id);
                return;
            }
            // Not a token: emit its bytes, as far as the vocabulary has them.
            for (const char byte : symbol) {
                const auto id =
                    pre_tokenizer_.raw
                        ? vocabulary().find(fmt::format("<0x{:02X}>", static_cast<unsigned char>(byte)))
                        : vocabulary().find({&byte, 1});
                if (id) tokens.push_back(*id);
            }
        });
    }

    const PreTokenizer& pre_tokenizer_;
    MergeRanks merges_;
    ByteCharacters bytes_;
    std::optional<Dna> dna_;
    bool drops_spaces_ = false;
    bool lower_case_ = false;
};

}  // namespace

std::unique_ptr<const Tokenizer> make_bpe_tokenizer(const GgufFile& file) {
    return std::make_unique<const BpeTokenizer>(file);
}

}  // namespace splitscope
