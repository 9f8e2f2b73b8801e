// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "engine/messages/message.hpp"

namespace splitscope {

/// Text of a row with placeholders, in English or translated. `count` is set for rows with a plural.
using Wording = std::function<std::string(const MessageText&, std::optional<std::uint64_t> count)>;

std::string render(const Message& message, const Wording& wording);

/// The English text of a row.
std::string_view english_words(const MessageText& text, std::optional<std::uint64_t> count);
std::string english(const Message& message);

/// The message with other names, also in the messages among its arguments.
Message with_names(const Message& message, const std::function<std::string(const std::string&)>& renamed);

}  // namespace splitscope
