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

}  // namespace splitscope
