// SPDX-License-Identifier: MIT
// The functions of Jinja, and raise_exception.
#include "engine/models/templates/argument_reader.hpp"
#include "engine/models/templates/builtins.hpp"
#include "engine/models/templates/collections.hpp"
#include "engine/models/templates/failures.hpp"
#include "engine/models/templates/interpreter.hpp"
#include "engine/models/templates/messages.hpp"

namespace splitscope::templates {
namespace {

Value range(Interpreter& interpreter, Arguments& arguments) {
    ArgumentReader reader("range", arguments);
    std::int64_t begin = 0;
    std::int64_t end = reader.number_or("stop", 0);
    if (arguments.given.empty()) throw failed(msg::kArgumentMissing("range"));
    if (arguments.given.size() > 1) {
        begin = end;
        end = reader.number_or("", 0);
    }
    const std::int64_t step = reader.number_or("", 1);
    reader.done();
    if (step == 0) throw failed(msg::kZeroStep);
    List list;
    for (std::int64_t i = begin; step > 0 ? i < end : i > end;) {
        interpreter.budget().count_steps(1);
        interpreter.budget().count_bytes(sizeof(Value));
        list.items.emplace_back(i);
        if (__builtin_add_overflow(i, step, &i)) break;
    }
    return view(std::move(list));
}

Dictionary named(std::string_view of, Arguments& arguments, Budget& budget) {
    Dictionary members;
    for (const Value& given : arguments.given) {
        const auto* dictionary = given.get<Dictionary>();
        if (dictionary == nullptr) throw unsupported(msg::kOnType(of, kind_of(given)));
        for (const auto& [name, value] : dictionary->members) members.put(name, value, budget);
    }
    for (const auto& [name, value] : arguments.named) members.put(name, value, budget);
    return members;
}

}  // namespace

std::shared_ptr<const Function> function(std::string name,
                                         std::function<Value(Interpreter&, Arguments&)> call,
                                         const Value& bound) {
    Nesting nesting;
    nesting.include(bound);
    return std::make_shared<const Function>(Function{std::move(name), std::move(call), nesting});
}

Dictionary functions() {
    Dictionary names;
    names.put("range", Value(function("range", range)));
    names.put("dict", Value(function("dict", [](Interpreter& interpreter, Arguments& arguments) -> Value {
                  return named("dict", arguments, interpreter.budget());
              })));
    names.put("namespace",
              Value(function("namespace", [](Interpreter& interpreter, Arguments& arguments) -> Value {
                  auto space = std::make_shared<Namespace>();
                  Dictionary members = named("namespace", arguments, interpreter.budget());
                  for (auto& [name, value] : members.members)
                      space->put(name, std::move(value), interpreter.budget());
                  return space;
              })));
    names.put("raise_exception",
              Value(function("raise_exception", [](Interpreter& interpreter, Arguments& arguments) -> Value {
                  const std::string text = arguments.given.empty()
                                               ? std::string()
                                               : printed(arguments.given.front(), interpreter.budget());
                  throw Failure{Failure::Kind::raised, Message::verbatim(text)};
              })));
    return names;
}

}  // namespace splitscope::templates
