// SPDX-License-Identifier: MIT
#include "engine/models/spm_tokenizer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <queue>

#include <fmt/format.h>

#include "engine/formats/gguf.hpp"
#include "engine/models/vocabulary.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

constexpr std::string_view kSpaceMark = "\xe2\x96\x81";  // U+2581, how vocabularies write a space

std::string with_space_marks(std::string_view text) {
    std::string marked;
    marked.reserve(text.size());
    for (const char c : text) {
        if (c == ' ')
            marked += kSpaceMark;
        else
            marked += c;
    }
    return marked;
}

std::string without_space_marks(std::string_view text) {
    std::string plain;
    plain.reserve(text.size());
    while (!text.empty()) {
        if (text.starts_with(kSpaceMark)) {
            plain += ' ';
            text.remove_prefix(kSpaceMark.size());
        } else {
            plain += text.front();
            text.remove_prefix(1);
        }
    }
    return plain;
}

/// Bytes that a UTF-8 lead byte announces; 1 for anything that is no lead byte.
std::size_t utf8_length(char lead) {
    constexpr std::array<std::uint8_t, 16> by_high_nibble = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4};
    return by_high_nibble[static_cast<unsigned char>(lead) >> 4];
}

/// The byte that a token such as "<0x0A>" stands for.
std::optional<char> byte_of(std::string_view text) {
    unsigned value = 0;
    if (text.size() != 6 || !text.starts_with("<0x") || !text.ends_with('>')) return std::nullopt;
    const auto [end, error] = std::from_chars(text.data() + 3, text.data() + 5, value, 16);
    if (error != std::errc() || end != text.data() + 5) return std::nullopt;
    return static_cast<char>(value);
}

/// One text being merged: a linked list of neighbouring symbols and the pairs that could be merged.
class Merging {
 public:
    Merging(const Vocabulary& vocabulary, std::string_view text) : vocabulary_(vocabulary) {
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t length = std::min(utf8_length(text[at]), text.size() - at);
            const auto here = static_cast<int>(symbols_.size());
            symbols_.push_back({text.substr(at, length), here - 1, here + 1});
            at += length;
        }
        if (!symbols_.empty()) symbols_.back().next = -1;
        for (int i = 1; i < static_cast<int>(symbols_.size()); ++i) offer(i - 1, i);
    }

    void merge_all() {
        while (!pairs_.empty()) {
            const Pair pair = pairs_.top();
            pairs_.pop();
            Symbol& left = at(pair.left);
            Symbol& right = at(pair.right);
            // An earlier merge may have used up one side.
            if (left.text.empty() || right.text.empty() || left.text.size() + right.text.size() != pair.size)
                continue;
            left.text = {left.text.data(), pair.size};
            right.text = {};
            left.next = right.next;
            if (right.next >= 0) at(right.next).previous = pair.left;
            offer(left.previous, pair.left);
            offer(pair.left, left.next);
        }
    }

    template <class Visit>
    void for_each(Visit&& visit) const {
        for (int i = symbols_.empty() ? -1 : 0; i >= 0; i = symbols_[static_cast<std::size_t>(i)].next) {
            visit(symbols_[static_cast<std::size_t>(i)].text);
        }
    }

 private:
    struct Symbol {
        std::string_view text;
        int previous;
        int next;
    };
    struct Pair {
        int left;
        int right;
        float score;
        std::size_t size;
        /// The queue's top: highest score, of equals the leftmost.
        friend bool operator<(const Pair& a, const Pair& b) {
            return a.score < b.score || (a.score == b.score && a.left > b.left);
        }
    };

    Symbol& at(int i) { return symbols_[static_cast<std::size_t>(i)]; }

    void offer(int left, int right) {
        if (left < 0 || right < 0) return;
        const std::string_view text(at(left).text.data(), at(left).text.size() + at(right).text.size());
        if (const auto id = vocabulary_.find(text))
            pairs_.push({left, right, vocabulary_[*id].score, text.size()});
    }

    const Vocabulary& vocabulary_;
    std::vector<Symbol> symbols_;
    std::priority_queue<Pair> pairs_;
};

class SpmTokenizer final : public Tokenizer {
 public:
    explicit SpmTokenizer(const GgufFile& file)
        : vocabulary_(file),
          add_begin_(file.bool_value("tokenizer.ggml.add_bos_token").value_or(true)),
          add_end_(file.bool_value("tokenizer.ggml.add_eos_token").value_or(false)),
          add_space_prefix_(file.bool_value("tokenizer.ggml.add_space_prefix").value_or(true)) {
        for (std::size_t i = 0; i < vocabulary_.tokens().size(); ++i) {
            const Token& token = vocabulary_.tokens()[i];
            if (token.kind != TokenKind::byte) continue;
            if (const auto byte = byte_of(token.text)) {
                byte_tokens_[static_cast<unsigned char>(*byte)] = static_cast<std::int32_t>(i);
            }
        }
    }

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
            // The space that encoding put in front is taken away again.
            if (i == 0 && add_space_prefix_ && part.starts_with(' ')) part.erase(0, 1);
            text += part;
        }
        return text;
    }

    std::size_t vocabulary_size() const override { return vocabulary_.tokens().size(); }
    bool is_end(std::int32_t token) const override { return vocabulary_.is_end(token); }

 private:
    void encode_plain(std::string_view text, std::vector<std::int32_t>& tokens) const {
        Merging merging(vocabulary_, text);
        merging.merge_all();
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

    static std::array<std::int32_t, 256> no_byte_tokens() {
        std::array<std::int32_t, 256> none{};
        none.fill(-1);
        return none;
    }

    Vocabulary vocabulary_;
    bool add_begin_;
    bool add_end_;
    bool add_space_prefix_;
    std::array<std::int32_t, 256> byte_tokens_ = no_byte_tokens();
};

}  // namespace

std::unique_ptr<const Tokenizer> make_spm_tokenizer(const GgufFile& file) {
    return std::make_unique<const SpmTokenizer>(file);
}

}  // namespace splitscope
