// SPDX-License-Identifier: MIT
#pragma once

#include "engine/formats/gguf.hpp"
#include "engine/models/tokenizer.hpp"
#include "engine/models/vocabulary.hpp"

namespace splitscope {

/// A tokenizer over a vocabulary. Special tokens are cut out of the text; derived classes encode the rest.
class VocabularyTokenizer : public Tokenizer {
 public:
    std::vector<std::int32_t> encode(std::string_view text, const EncodeOptions& options) const final;
    std::string piece(std::int32_t id, bool show_special) const final;
    std::string decode(const std::vector<std::int32_t>& tokens, bool show_special) const override;
    std::size_t vocabulary_size() const final { return vocabulary_.tokens().size(); }
    bool is_end(std::int32_t token) const final { return vocabulary_.is_end(token); }

 protected:
    explicit VocabularyTokenizer(const GgufFile& file, const DefaultIds& defaults = {})
        : vocabulary_(file, defaults) {}

    const Vocabulary& vocabulary() const { return vocabulary_; }
    /// Sets the token added before a text; see add_as_stated() for the file's settings.
    void begin_with(std::optional<std::int32_t> token) { begin_ = token; }
    void end_with(std::optional<std::int32_t> token) { end_ = token; }
    void add_as_stated(const GgufFile& file, bool begin_by_default, bool end_by_default);

    /// Appends the tokens of a text without special tokens.
    virtual void encode_plain(std::string_view text, std::vector<std::int32_t>& tokens) const = 0;
    /// The text of a token.
    virtual std::string text_of(std::int32_t id) const = 0;

 private:
    Vocabulary vocabulary_;
    std::optional<std::int32_t> begin_;
    std::optional<std::int32_t> end_;
};

}  // namespace splitscope
