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

/// Converts text to tokens and back.
class Tokenizer {
 public:
    Tokenizer() = default;
    virtual ~Tokenizer() = default;
    Tokenizer(const Tokenizer&) = delete;
    Tokenizer& operator=(const Tokenizer&) = delete;

    virtual std::vector<std::int32_t> encode(std::string_view text,
                                             const EncodeOptions& options = {}) const = 0;
    /// Text of one token; special tokens are included on request.
    virtual std::string piece(std::int32_t token, bool show_special = false) const = 0;
    virtual std::string decode(const std::vector<std::int32_t>& tokens, bool show_special = false) const = 0;
    virtual std::size_t vocabulary_size() const = 0;
    /// End of text, or of a turn.
    virtual bool is_end(std::int32_t token) const = 0;
};

/// Throws Error(unsupported) with the tokenizer model if it is not supported.
std::unique_ptr<const Tokenizer> make_tokenizer(const GgufFile& file);

}  // namespace splitscope
