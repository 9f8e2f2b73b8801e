// SPDX-License-Identifier: MIT
#include "engine/scheduler/decision.hpp"

#include <fmt/format.h>

namespace splitscope {

std::string_view name_of(Pass pass) {
    switch (pass) {
        case Pass::user:
            return "usr";
        case Pass::p1:
            return "1";
        case Pass::p2_1:
            return "2.1";
        case Pass::p2_2:
            return "2.2";
        case Pass::p2_3:
            return "2.3";
        case Pass::p2_4:
            return "2.4";
        case Pass::p3:
            return "3";
        case Pass::p4:
            return "4";
        case Pass::p5:
            return "5";
    }
    return "";
}

std::string label_of(Cause cause) {
    switch (cause.kind) {
        case CauseKind::none:
            return "";
        case CauseKind::usr:
            return "usr";
        case CauseKind::dst:
            return "1.dst";
        case CauseKind::vsrc1:
            return "1.vsrc";
        case CauseKind::inp:
            return "1.inp";
        case CauseKind::off:
            return "1.off";
        case CauseKind::wgt:
            return fmt::format("1.wgt{}", cause.source);
        case CauseKind::sup:
            return "2.sup";
        case CauseKind::best:
            return "3.best";
        case CauseKind::upg:
            return "3.upg";
        case CauseKind::vsrc4:
            return "4.vsrc";
        case CauseKind::cur4:
            return "4.cur";
        case CauseKind::cpy:
            return "4.cpy";
        case CauseKind::sweep1:
            return "2.1";
        case CauseKind::sweep2:
            return "2.2";
        case CauseKind::sweep3:
            return "2.3";
        case CauseKind::sweep4:
            return "2.4";
        case CauseKind::vsrc3:
            return "3.vsrc";
        case CauseKind::cur3:
            return "3.cur";
    }
    return "";
}

std::string explain(Cause cause) {
    switch (cause.kind) {
        case CauseKind::none:
            return "no reason was noted";
        case CauseKind::usr:
            return "assigned by the user";
        case CauseKind::dst:
            return "already lives in a buffer of this backend";
        case CauseKind::vsrc1:
            return "the tensor it views lives in a buffer of this backend";
        case CauseKind::inp:
            return "an input; inputs start on the last backend";
        case CauseKind::off:
            return "its weights are on the last backend, and this one offered to take the operation";
        case CauseKind::wgt:
            return fmt::format("follows the weights in source {}", cause.source);
        case CauseKind::sup:
            return "spread from a neighbour; this backend supports the operation";
        case CauseKind::best:
            return "the backend that can use most of its sources";
        case CauseKind::upg:
            return "moved to a higher-priority backend with the same buffer type";
        case CauseKind::vsrc3:
        case CauseKind::vsrc4:
            return "takes the backend of the tensor it views";
        case CauseKind::cur3:
        case CauseKind::cur4:
            return "takes the backend of the first node that reads it";
        case CauseKind::cpy:
            return "copied to the backend of the split that reads it";
        case CauseKind::sweep1:
        case CauseKind::sweep3:
            return "spread upwards from a later node";
        case CauseKind::sweep2:
        case CauseKind::sweep4:
            return "spread downwards from an earlier node";
    }
    return "";
}

}  // namespace splitscope
