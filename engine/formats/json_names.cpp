// SPDX-License-Identifier: MIT
#include "engine/formats/json_names.hpp"

#include <cstddef>
#include <utility>

#include "engine/formats/messages.hpp"
#include "engine/support/nearest_name.hpp"

namespace splitscope {
namespace {

std::vector<std::string> known_ops() {
    std::vector<std::string> names;
    for (std::size_t op = 0; op < kOpCount; ++op) names.emplace_back(name_of(static_cast<Op>(op)));
    return names;
}

std::vector<std::string> known_element_types() {
    std::vector<std::string> names;
    for (const ElementTypeTraits& type : element_types()) names.emplace_back(type.name);
    return names;
}

}  // namespace

Op read_op(const JsonCursor& name) {
    const auto op = op_named(name.text());
    if (!op) {
        name.refuse(msg::kUnknownOperation(name.text()),
                    did_you_mean(known_ops(), name.text(), msg::kUseOperationName));
    }
    return *op;
}

ElementType read_element_type(const JsonCursor& name) {
    const auto type = element_type_named(name.text());
    if (!type) {
        name.refuse(msg::kUnknownType(name.text()),
                    did_you_mean(known_element_types(), name.text(), msg::kUseTypeName));
    }
    return *type;
}

Message did_you_mean(const std::vector<std::string>& known, std::string_view name, Message otherwise) {
    const std::string similar = nearest_name(known, name);
    return similar.empty() ? std::move(otherwise) : Message(msg::kDidYouMeanName(similar));
}

}  // namespace splitscope
