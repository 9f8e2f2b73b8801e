// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/labels.hpp"

#include "ui/models/messages.hpp"

namespace splitscope::ui {

Message label_of(Severity severity) {
    switch (severity) {
        case Severity::note:
            return msg::kNote;
        case Severity::warning:
            return msg::kWarning;
        case Severity::error:
            return msg::kError;
    }
    return {};
}

Message label_of(StopKind kind) {
    switch (kind) {
        case StopKind::tensor:
            return msg::kStopTensor;
        case StopKind::cause:
            return msg::kStopCause;
        case StopKind::backend:
            return msg::kStopBackend;
    }
    return {};
}

}  // namespace splitscope::ui
