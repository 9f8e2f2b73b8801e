// SPDX-License-Identifier: MIT
#include "engine/models/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "engine/formats/gguf_place.hpp"
#include "engine/models/limits.hpp"
#include "engine/models/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

std::optional<std::int32_t> token_id(const GgufFile& file, std::string_view key, std::size_t tokens) {
    const auto id = file.unsigned_value(key);
    if (!id || *id >= tokens) return std::nullopt;
    return static_cast<std::int32_t>(*id);
}

/// End-of-turn tokens of chat models, independent of the file's metadata.
constexpr std::array<std::string_view, 7> kEndTexts = {
    "<|eot_id|>", "<|im_end|>", "<|end|>", "<end_of_turn>", "<|endoftext|>", "<|return|>", "</s>"};

}  // namespace

Vocabulary::Vocabulary(const GgufFile& file) {
    const auto* texts = array_of<std::string>(file, "tokenizer.ggml.tokens");
    if (texts == nullptr || texts->empty()) {
        throw Error(ErrorKind::bad_file, msg::kNoTokens, place_of_key(file.path(), "tokenizer.ggml.tokens"),
                    msg::kConvertWithTokenizer);
    }
    if (texts->size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
        throw Error(ErrorKind::bad_file, msg::kTooManyTokens, file.path(), msg::kFileDamaged);
    }
    // The token index takes several times the memory of the texts.
    constexpr std::uint64_t kFileBytesPerEntry = 64;
    const auto* merges = array_of<std::string>(file, "tokenizer.ggml.merges");
    const std::size_t entries = texts->size() + (merges != nullptr ? merges->size() : 0);
    if (entries > std::max(file.memory_bound().scaled(kMaxFreeTokens),
                           file.mapped_bytes().size() / kFileBytesPerEntry)) {
        throw beyond_memory_bound(msg::kMoreTokensThanAnyModel(entries),
                                  place_of_key(file.path(), "tokenizer.ggml.tokens"));
    }
    const auto* scores = array_of<float>(file, "tokenizer.ggml.scores");
    const auto* kinds = array_of<std::int32_t>(file, "tokenizer.ggml.token_type");
    tokens_.resize(texts->size());
    by_text_.reserve(texts->size());
    for (std::size_t i = 0; i < texts->size(); ++i) {
        Token& token = tokens_[i];
        token.text = (*texts)[i];
        if (scores != nullptr && i < scores->size()) token.score = (*scores)[i];
        if (kinds != nullptr && i < kinds->size() && (*kinds)[i] >= 0 && (*kinds)[i] <= 6) {
            token.kind = static_cast<TokenKind>((*kinds)[i]);
        }
    }
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        // On duplicate texts the last one applies, as in llama.cpp.
        by_text_.insert_or_assign(tokens_[i].text, static_cast<std::int32_t>(i));
        const TokenKind kind = tokens_[i].kind;
        const bool special =
            kind == TokenKind::control || kind == TokenKind::user_defined || kind == TokenKind::unknown;
        if (special && !tokens_[i].text.empty()) special_.push_back(static_cast<std::int32_t>(i));
    }
    std::ranges::stable_sort(special_, std::ranges::greater{},
                             [&](std::int32_t id) { return (*this)[id].text.size(); });

    begin_ = token_id(file, "tokenizer.ggml.bos_token_id", tokens_.size());
    end_ = token_id(file, "tokenizer.ggml.eos_token_id", tokens_.size());
    unknown_ = token_id(file, "tokenizer.ggml.unknown_token_id", tokens_.size());
    if (end_) ends_.push_back(*end_);
    if (const auto turn = token_id(file, "tokenizer.ggml.eot_token_id", tokens_.size()))
        ends_.push_back(*turn);
    for (const std::string_view text : kEndTexts) {
        if (const auto id = find(text); id && (*this)[*id].kind == TokenKind::control) ends_.push_back(*id);
    }
}

std::optional<std::int32_t> Vocabulary::find(std::string_view text) const {
    const auto found = by_text_.find(text);
    if (found == by_text_.end()) return std::nullopt;
    return found->second;
}

bool Vocabulary::is_end(std::int32_t id) const {
    return std::ranges::find(ends_, id) != ends_.end();
}

}  // namespace splitscope
