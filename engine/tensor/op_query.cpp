// SPDX-License-Identifier: MIT
#include "engine/tensor/op_query.hpp"

namespace splitscope {

std::string_view name_of(RefusalRule rule) {
    switch (rule) {
        case RefusalRule::none:
            return "none";
        case RefusalRule::op:
            return "op";
        case RefusalRule::type:
            return "type";
        case RefusalRule::op_with_type:
            return "op-with-type";
        case RefusalRule::layout:
            return "layout";
        case RefusalRule::parameter:
            return "parameter";
        case RefusalRule::source_memory:
            return "source-memory";
        case RefusalRule::recorded:
            return "recorded";
        case RefusalRule::limit:
            return "limit";
    }
    return "none";
}

}  // namespace splitscope
