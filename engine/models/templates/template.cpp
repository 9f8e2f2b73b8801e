// SPDX-License-Identifier: MIT
#include "engine/models/templates/template.hpp"

#include <optional>

#include "engine/models/messages.hpp"
#include "engine/models/templates/failures.hpp"
#include "engine/models/templates/interpreter.hpp"
#include "engine/models/templates/syntax.hpp"

namespace splitscope::templates {
namespace {

Error error_of(const Failure& failure, std::size_t line, const ErrorPlace& place) {
    const ErrorPlace at = ErrorPlace(msg::kTemplateLine(line)).within(place);
    switch (failure.kind) {
        case Failure::Kind::syntax:
            return {ErrorKind::bad_file, msg::kTemplateSyntax(failure.what), at,
                    msg::kGivePromptWithoutTemplate};
        case Failure::Kind::unsupported:
            return {ErrorKind::unsupported, msg::kTemplateUnsupported(failure.what), at,
                    msg::kGivePromptWithoutTemplate};
        case Failure::Kind::failed:
            return {ErrorKind::bad_file, msg::kTemplateFailed(failure.what), at,
                    msg::kGivePromptWithoutTemplate};
        case Failure::Kind::too_much:
            return {ErrorKind::limit, msg::kTemplateTooMuch(failure.what), at,
                    msg::kGivePromptWithoutTemplate};
        case Failure::Kind::raised:
            break;
    }
    return {ErrorKind::usage, msg::kTemplateRefuses(failure.what), at, msg::kChangeMessages};
}

}  // namespace

std::string text_of_template(std::string_view source, const Dictionary& names, const ErrorPlace& place,
                             const JobContext& job) {
    std::size_t line = 1;
    Body body;
    try {
        body = parsed(source, line);
    } catch (const Failure& failure) {
        throw error_of(failure, line, place);
    }
    std::optional<Interpreter> interpreter;
    try {
        interpreter.emplace(names, job);
        return interpreter->text_of(body);
    } catch (const Failure& failure) {
        throw error_of(failure, interpreter ? interpreter->line() : 1, place);
    }
}

}  // namespace splitscope::templates
