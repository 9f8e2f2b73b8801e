// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "engine/formats/capture_json.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// What the preloaded recorder wrote about one process (recorder/recorder.cpp), as graphs and machines. A
/// recording that breaks off is read as far as it goes. Throws Error(unsupported) with the recorder's own
/// words when it refused to record, and Error(bad_file) with the line of what cannot be.
Capture parse_recording(std::string_view text, std::string_view source = "recording",
                        const JobContext& job = {});

}  // namespace splitscope
