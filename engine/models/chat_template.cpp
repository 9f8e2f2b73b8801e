// SPDX-License-Identifier: MIT
#include "engine/models/chat_template.hpp"

#include <array>
#include <clocale>
#include <ctime>

#include "engine/formats/gguf_place.hpp"
#include "engine/models/messages.hpp"
#include "engine/models/templates/builtins.hpp"
#include "engine/models/templates/failures.hpp"
#include "engine/models/templates/messages.hpp"
#include "engine/models/templates/template.hpp"
#include "engine/models/vocabulary.hpp"
#include "engine/support/limits.hpp"

namespace splitscope {
namespace {

using templates::Dictionary;
using templates::Value;

constexpr std::string_view kKey = "tokenizer.chat_template";

/// Names of special tokens in templates, and the metadata keys of their ids.
struct SpecialName {
    const char* name;
    const char* key;
};
constexpr std::array<SpecialName, 5> kSpecialNames = {{
    {"bos_token", "tokenizer.ggml.bos_token_id"},
    {"eos_token", "tokenizer.ggml.eos_token_id"},
    {"unk_token", "tokenizer.ggml.unknown_token_id"},
    {"pad_token", "tokenizer.ggml.padding_token_id"},
    {"sep_token", "tokenizer.ggml.seperator_token_id"},
}};

std::string date_text(const std::string& format, std::chrono::system_clock::time_point now) {
    const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
    std::tm parts{};
    ::localtime_r(&seconds, &parts);
    if (format.size() > kMaxDateFormatBytes) throw templates::too_much(msg::kDateFormatLength);
    // Longer than any text that a format of this length requires.
    std::string text(kMaxDateFormatBytes * 64, '\0');
    // Templates expect English names, whatever the process's locale is.
    static const ::locale_t plain = ::newlocale(LC_ALL_MASK, "C", nullptr);
    text.resize(::strftime_l(text.data(), text.size(), format.c_str(), &parts, plain));
    return text;
}

Value function_of_date(std::chrono::system_clock::time_point now) {
    const auto call = [now](templates::Interpreter&, templates::Arguments& arguments) -> Value {
        const auto* format =
            arguments.given.size() == 1 ? arguments.given.front().get<std::string>() : nullptr;
        if (format == nullptr || !arguments.named.empty())
            throw templates::failed(msg::kWrongArguments("strftime_now"));
        return date_text(*format, now);
    };
    return Value(templates::function("strftime_now", call));
}

}  // namespace

std::string chat_prompt(const GgufFile& file, std::span<const ChatMessage> messages,
                        std::chrono::system_clock::time_point now, const JobContext& job) {
    const auto source = file.string_value(kKey);
    const ErrorPlace place = place_of_key(file.path(), kKey);
    if (!source)
        throw Error(ErrorKind::usage, msg::kNoChatTemplate, file.path(), msg::kGivePromptWithoutTemplate);
    templates::List list;
    for (const ChatMessage& message : messages) {
        Dictionary written;
        written.members = {{"role", Value(message.role)}, {"content", Value(message.content)}};
        list.items.emplace_back(std::move(written));
    }
    Dictionary names;
    names.members = {{"messages", Value(std::move(list))},
                     {"tools", templates::None{}},
                     {"documents", templates::None{}},
                     {"add_generation_prompt", true},
                     {"strftime_now", function_of_date(now)}};
    const auto* tokens = array_of<std::string>(file, "tokenizer.ggml.tokens");
    for (const SpecialName& special : kSpecialNames) {
        const auto id = file.unsigned_value(special.key);
        if (tokens != nullptr && id && *id < tokens->size()) names.put(special.name, Value((*tokens)[*id]));
    }
    return templates::text_of_template(*source, names, place, job);
}

}  // namespace splitscope
