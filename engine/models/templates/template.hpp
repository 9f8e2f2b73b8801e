// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/models/templates/value.hpp"
#include "engine/support/error.hpp"

namespace splitscope::templates {

/// The text of a template in the language of chat templates (Jinja, as `transformers` sets it up) with these
/// names. Features that this interpreter lacks are errors: the text is right, or there is none. Throws
/// Error(bad_file) for wrong syntax, Error(unsupported), and Error(usage) if the template refuses the
/// messages; the place is a line in `place`. Time and memory are bounded for every template.
std::string text_of_template(std::string_view source, const Dictionary& names, const ErrorPlace& place);

}  // namespace splitscope::templates
