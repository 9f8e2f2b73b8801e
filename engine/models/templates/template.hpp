// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/models/templates/value.hpp"
#include "engine/support/error.hpp"
#include "engine/support/job.hpp"

namespace splitscope::templates {

/// Renders a chat template (Jinja, as configured by `transformers`) with these variables. Throws
/// Error(bad_file) for invalid syntax, Error(unsupported) for features that this interpreter lacks, and
/// Error(usage) if the template refuses the messages; the place is a line in `place`. Time, memory and the
/// size of the text are bounded for every template, and the job may stop it.
std::string text_of_template(std::string_view source, const Dictionary& names, const ErrorPlace& place,
                             const JobContext& job = {});

}  // namespace splitscope::templates
