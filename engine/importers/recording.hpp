// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "engine/formats/capture_json.hpp"
#include "engine/messages/message.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// Parses the recording of one process (written by recorder/recorder.cpp) into graphs and machines. A
/// truncated recording is read up to its end. Throws Error(unsupported) with the recorder's message if it
/// refused to record, and Error(bad_file) with the line of malformed data.
Capture parse_recording(std::string_view text, std::string_view source = "recording",
                        const JobContext& job = {});
/// Why the recorder stopped: the rest of its line "refused REASON".
Message refusal_of_recorder(std::string_view reason);

}  // namespace splitscope
