// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace splitscope {

class GgufFile;

struct EncodeOptions {
    bool add_special = true;     ///< begin/end tokens as the vocabulary says
    bool parse_special = false;  ///< control tokens written in the text are recognised
};

/// Text to tokens and back.
class Tokenizer {
 public:
    Tokenizer() = default;
    virtual ~Tokenizer() = default;
    Tokenizer(const Tokenizer&) = delete;
    Tokenizer& operator=(const Tokenizer&) = delete;

    virtual std::vector<std::int32_t> encode(std::string_view text,
                                             const EncodeOptions& options = {}) const = 0;
    /// Bytes of one token's text; special tokens are shown when asked for.
    virtual std::string piece(std::int32_t token, bool show_special = false) const = 0;
    virtual std::string decode(const std::vector<std::int32_t>& tokens, bool show_special = false) const = 0;
    virtual std::size_t vocabulary_size() const = 0;
    /// The model says it is finished with this token.
    virtual bool is_end(std::int32_t token) const = 0;
};

/// Throws Error(unsupported) naming the tokenizer model when there is none for it.
std::unique_ptr<const Tokenizer> make_tokenizer(const GgufFile& file);

}  // namespace splitscope
