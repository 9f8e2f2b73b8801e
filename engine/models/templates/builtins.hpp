// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/models/templates/value.hpp"

namespace splitscope::templates {

class Interpreter;

/// `value | name(arguments)`. Throws Failure, also for an unknown name.
Value filtered(Interpreter& interpreter, const std::string& name, const Value& value,
               const Arguments& arguments);
/// `value is name(arguments)`
bool tested(Interpreter& interpreter, const std::string& name, const Value& value,
            const Arguments& arguments);
/// A method of strings, lists and dictionaries; none if the type has no such method. Throws Failure
/// for methods of Python that this interpreter lacks.
std::optional<Value> method_of(const Value& value, const std::string& name);
/// range, namespace, dict and raise_exception.
Dictionary functions();

/// A function named `name` that calls `call`. Of captured values, it takes the nesting of `bound`.
std::shared_ptr<const Function> function(std::string name,
                                         std::function<Value(Interpreter&, Arguments&)> call,
                                         const Value& bound = {});

}  // namespace splitscope::templates
