// SPDX-License-Identifier: MIT
#include "engine/models/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "engine/formats/gguf_place.hpp"
#include "engine/models/architectures.hpp"
#include "engine/models/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"

namespace splitscope {
namespace {

std::optional<std::int32_t> token_id(const GgufFile& file, std::string_view key, std::size_t tokens,
                                     std::optional<std::int32_t> fallback = {}) {
    if (const auto id = file.unsigned_value(key); id && *id < tokens) return static_cast<std::int32_t>(*id);
    if (fallback && static_cast<std::size_t>(*fallback) < tokens) return fallback;
    return std::nullopt;
}

/// Texts that end an answer, whatever their type in the file: they are also control tokens.
constexpr std::array<std::string_view, 22> kEndTexts = {"<|eot_id|>",
                                                        "<|im_end|>",
                                                        "<|end|>",
                                                        "<|return|>",
                                                        "<|call|>",
                                                        "<|flush|>",
                                                        "<|calls|>",
                                                        "<end_of_turn>",
                                                        "<|endoftext|>",
                                                        "</s>",
                                                        "<|eom_id|>",
                                                        "<EOT>",
                                                        "_<EOT>",
                                                        "[EOT]",
                                                        "[EOS]",
                                                        "<|end_of_text|>",
                                                        "<end_of_utterance>",
                                                        "<eos>",
                                                        "<turn|>",
                                                        "<|tool_response>",
                                                        "<｜end▁of▁sentence｜>",
                                                        "[e~["};
/// Texts of code models that end an answer where the file names no such token: paddings, names of
/// repositories, separators of files.
struct EndOfCode {
    std::string_view key;
    std::array<std::string_view, 5> texts;
};
constexpr std::array<EndOfCode, 3> kEndsOfCode = {{
    {"tokenizer.ggml.fim_pad_token_id", {"<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]"}},
    {"tokenizer.ggml.fim_rep_token_id",
     {"<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>"}},
    {"tokenizer.ggml.fim_sep_token_id", {"<|file_sep|>"}},
}};
/// The parts of an answer with channels are always shown.
constexpr std::array<std::string_view, 4> kParts = {"<|channel|>", "<|message|>", "<|start|>",
                                                    "<|constrain|>"};

}  // namespace

Vocabulary::Vocabulary(const GgufFile& file, const DefaultIds& defaults) {
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
    // On duplicate texts the last one applies, as in llama.cpp.
    for (std::size_t i = 0; i < tokens_.size(); ++i)
        by_text_.insert_or_assign(tokens_[i].text, static_cast<std::int32_t>(i));
    read_ids(file, defaults);
    know_by_text();
    list_special_tokens();
    know_by_model(file);
}

void Vocabulary::read_ids(const GgufFile& file, const DefaultIds& defaults) {
    begin_ = token_id(file, "tokenizer.ggml.bos_token_id", tokens_.size(), defaults.begin);
    end_ = token_id(file, "tokenizer.ggml.eos_token_id", tokens_.size(), defaults.end);
    unknown_ = token_id(file, "tokenizer.ggml.unknown_token_id", tokens_.size(), defaults.unknown);
    if (end_) ends_.push_back(*end_);
    for (const char* key : {"tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"}) {
        if (const auto id = token_id(file, key, tokens_.size())) ends_.push_back(*id);
    }
    for (const EndOfCode& end : kEndsOfCode) {
        if (const auto id = token_id(file, end.key, tokens_.size())) {
            ends_.push_back(*id);
            continue;
        }
        for (const std::string_view text : end.texts) {
            if (const auto id = find(text); !text.empty() && id) ends_.push_back(*id);
        }
    }
}

void Vocabulary::know_by_text() {
    const auto kind_of = [&](std::int32_t id) -> TokenKind& {
        return tokens_[static_cast<std::size_t>(id)].kind;
    };
    for (const std::string_view text : kEndTexts) {
        if (const auto id = find(text)) {
            ends_.push_back(*id);
            kind_of(*id) = TokenKind::control;
        }
    }
    for (const std::string_view text : kParts) {
        if (const auto id = find(text)) kind_of(*id) = TokenKind::user_defined;
    }
    const auto is_no_end = [&](std::string_view text, TokenKind kind) {
        const auto id = find(text);
        if (!id) return;
        std::erase(ends_, *id);
        kind_of(*id) = kind;
    };
    const auto has = [&](std::string_view text) { return find(text).has_value(); };
    // In answers with channels, this ends only one of them.
    const bool calls = has("<|call|>") || has("<|calls|>");
    if (calls && (has("<|return|>") || has("<|flush|>"))) is_no_end("<|end|>", TokenKind::user_defined);
    if (has("<|tool_response>")) is_no_end("</s>", TokenKind::normal);
}

void Vocabulary::list_special_tokens() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        const TokenKind kind = tokens_[i].kind;
        const bool special =
            kind == TokenKind::control || kind == TokenKind::user_defined || kind == TokenKind::unknown;
        if (special && !tokens_[i].text.empty()) special_.push_back(static_cast<std::int32_t>(i));
    }
    std::ranges::stable_sort(special_, std::ranges::greater{},
                             [&](std::int32_t id) { return (*this)[id].text.size(); });
}

/// Files do not state which tokens absorb adjacent spaces: engines know them by name.
void Vocabulary::know_by_model(const GgufFile& file) {
    const auto token_of = [&](std::string_view text) -> Token* {
        const auto id = find(text);
        return id ? &tokens_[static_cast<std::size_t>(*id)] : nullptr;
    };
    const std::string pre = file.string_value("tokenizer.ggml.pre").value_or("");
    const std::string architecture = file.string_value("general.architecture").value_or("");
    std::string name = file.string_value("general.name").value_or("");
    std::ranges::transform(name, name.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    const auto contains = [](const std::string& text, std::string_view part) {
        return text.find(part) != std::string::npos;
    };
    const bool masks = contains(pre, "jina-v2-de") || contains(pre, "jina-v2-es") ||
                       contains(pre, "jina-v2-code") || architecture_or_default(architecture).mask_lstrip;
    if (masks) {
        if (Token* const mask = token_of("<mask>")) mask->lstrip = true;
    } else if (contains(name, "phi-3") || contains(name, "phi3")) {
        for (const std::int32_t id : special_) tokens_[static_cast<std::size_t>(id)].rstrip = true;
        if (Token* const end = token_of("</s>")) end->rstrip = true;
        for (const char* text : {"<unk>", "<s>", "<|endoftext|>"}) {
            if (Token* const token = token_of(text)) token->rstrip = false;
        }
    } else if (contains(name, "modern-bert")) {
        if (Token* const mask = token_of("[MASK]")) mask->lstrip = true;
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
