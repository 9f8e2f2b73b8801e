// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

#include "engine/messages/message.hpp"

namespace splitscope {

/// A value of a JSON document, unparsed. `text` lies in `document`.
struct JsonPiece {
    std::string_view text;
    std::string_view document;

    /// Of its first byte in the document.
    std::size_t at() const { return static_cast<std::size_t>(text.data() - document.data()); }
    bool is_array() const { return text.starts_with('['); }
};

/// "line 3, column 12" of a byte of a document, from 0; columns count characters.
Message line_and_column(std::string_view document, std::size_t byte);

}  // namespace splitscope
