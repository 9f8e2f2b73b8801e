// SPDX-License-Identifier: MIT
// Templates against Jinja, if Python has it: the same text, or an error.
#include "engine/models/templates/template.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stop_token>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/models/templates/builtins.hpp"
#include "engine/models/templates/failures.hpp"
#include "engine/models/templates/interpreter.hpp"
#include "tests/cli/process.hpp"

namespace splitscope::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using templates::Dictionary;
using templates::Value;

Value value_of(const json& document) {
    if (document.is_null()) return templates::None{};
    if (document.is_boolean()) return document.get<bool>();
    if (document.is_number_integer()) return document.get<std::int64_t>();
    if (document.is_number()) return document.get<double>();
    if (document.is_string()) return document.get<std::string>();
    if (document.is_array()) {
        templates::List list;
        for (const json& item : document) list.items.push_back(value_of(item));
        return list;
    }
    Dictionary dictionary;
    for (const auto& [key, member] : document.items()) dictionary.put(key, value_of(member));
    return dictionary;
}

Dictionary names_of(const json& document) {
    Dictionary names;
    for (const auto& [key, member] : document.items()) names.put(key, value_of(member));
    names.put("strftime_now",
              Value(templates::function(
                  "strftime_now",
                  [](templates::Interpreter& interpreter, templates::Arguments& arguments) -> Value {
                      const std::string format =
                          templates::printed(arguments.given.at(0), interpreter.budget());
                      if (format == "%d %b %Y") return "01 Aug 2026";
                      if (format == "%Y-%m-%d") return "2026-08-01";
                      throw templates::unsupported(Message::verbatim(format));
                  })));
    return names;
}

std::string text_of(std::string_view source, const json& names = json::object()) {
    return templates::text_of_template(source, names_of(names), {});
}

std::string problem_of(std::string_view source, const json& names = json::object()) {
    try {
        const std::string text = text_of(source, names);
        ADD_FAILURE() << source << " gave " << text;
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

const json& chat() {
    static const json names = json::parse(R"({
        "messages": [
            {"role": "system", "content": "Be short.\n"},
            {"role": "user", "content": "  What is 2 < 3 & \"x\"?\nSecond line äöü 中文 "},
            {"role": "assistant", "content": "<think>\nwell\n</think>\n\nYes."},
            {"role": "user", "content": "Why?"}],
        "tools": null, "documents": null, "add_generation_prompt": true, "bos_token": "<s>", "eos_token": "</s>",
        "n": 7, "x": 1.5, "empty": "", "list": [3, 1, 2, true, null, "b", "A"], "words": ["pear", "Apple", "fig"],
        "call": {"name": "f", "arguments": {"b": [1, 2.5, "é\u0007\u007f"], "a": {"nested": null}}, "items": 5}})");
    return names;
}

/// Each covers a part of the language.
const std::vector<std::string>& cases() {
    static const std::vector<std::string> all = {
        // Spaces.
        "a\n  {% if true %}\n  b\n  {% endif %}\nc\n",
        "a\n  {%- if true -%}\n  b\n  {%- endif -%}\nc\n\n",
        "a {%+ if true +%}\nb{%+ endif %}\nc {# note #}\n  {# note #}\nd {#- note -#} e",
        "{{- 'a' -}}  \n {{ 'b' }}\n\n{{ 'c' }}\n",
        "  {% raw %} {{ x }} {% if %}\n {% endraw %}\n  z{%- raw -%}  q {%- endraw -%} w",
        "a\r\nb\rc{% if true %}\r\nd{% endif %}\r\n",
        "{% if true %} x {% endif %} {% if true %} y{% endif %}\n",
        // Values as printed.
        "{{ 1 }} {{ -3 }} {{ 1.0 }} {{ 1e3 }} {{ 2.5e-3 }} {{ 2.5 }} {{ 100000000000000000000.5 }} {{ "
        "0.00001 }} "
        "{{ 1/3 }}",
        "{{ true }} {{ none }} {{ missing }} {{ [1, 'a', none, 2.0, [true]] }} {{ (1,) }} {{ (1, 'b') }} {{ "
        "{'a': 'x', 'b': [\"it's\", 'say \"hi\"', 'both \\' and \"', 'new\\nline\\t\\\\']} }}",
        "{{ 'a' 'b' \"c\" }} {{ 'tab\\tnew\\n\\u00e9\\x41 \\d \\'q\\'' }}",
        "{{ '<&>\"' }} {{ call | tojson }} {{ call | tojson(indent=2) }} {{ list | tojson }} {{ [] | "
        "tojson(indent=4) }} {{ {} | tojson }}",
        "{{ {'b': 1, 'a': [1, {'z': 'é'}]} | tojson(sort_keys=true, indent=1) }}",
        // Arithmetic.
        "{{ 7 // 2 }} {{ -7 // 2 }} {{ -7 % 3 }} {{ 7 % -3 }} {{ 7 / 2 }} {{ 2 ** 10 }} {{ 2 ** -1 }} {{ 7.5 "
        "// 2 }} {{ -7.5 % 2 }} {{ 1 + 2 * 3 - 4 }}",
        "{{ 'a' + 'b' }} {{ 'ab' * 3 }} {{ 3 * 'x' }} {{ 1 ~ 'a' ~ none ~ 2.0 }} {{ [1] + [2, 3] }} {{ true "
        "+ 1 }} {{ -2 ** 2 }}",
        "{{ 1 < 2 < 3 }} {{ 1 < 3 < 2 }} {{ 'a' < 'b' }} {{ 1 == 1.0 }} {{ true == 1 }} {{ 'a' != 'b' }} {{ "
        "[1, 2] == [1, 2] }} {{ none == missing }} {{ not 1 == 2 }}",
        "{{ 'b' in 'abc' }} {{ 'x' not in ['x'] }} {{ 'name' in call }} {{ 1 in list }} {{ missing in "
        "missing }} {{ 'a' and 0 }} {{ '' or 'z' }} {{ not '' }}",
        "{{ 'yes' if n > 3 else 'no' }} {{ 'yes' if n > 30 }}| {{ (1 if true else 2) + 1 }}",
        "{{ messages[0].role }} {{ messages[-1]['content'] }} {{ messages[0].missing }} {{ messages[9] }} {{ "
        "call['items'] }} {{ call.arguments.a.nested }}",
        "{{ 'hello'[1] }} {{ 'hello'[-1] }} {{ 'héllo'[1:3] }} {{ 'hello'[::-1] }} {{ messages[1:] | length "
        "}} {{ list[:2] }} {{ list[-2:] }} {{ list[::2] }} {{ 'abc'[5:] }} {{ list[1:-1:2] }}",
        // Statements.
        "{% for m in messages %}{{ loop.index }}/{{ loop.length }}{{ loop.first }}{{ loop.last }}{{ "
        "loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.previtem.role }}{{ loop.nextitem.role "
        "}} {{ loop.cycle('x', 'y') }};{% endfor %}",
        "{% for k, v in call.arguments.items() %}{{ k }}={{ v }};{% endfor %}{% for k in call %}{{ k }} {% "
        "endfor %}{% for c in 'aé' %}{{ c }},{% endfor %}{% for x in missing %}{% else %}none{% endfor %}",
        "{% for m in messages if m.role == 'user' %}{{ loop.index }}{{ loop.last }}{{ m.content }}{% endfor "
        "%}",
        "{% for i in range(10) %}{% if i == 2 %}{% continue %}{% endif %}{% if i > 5 %}{% break %}{% endif "
        "%}{{ i }}{% endfor %}{% for i in range(5, 0, -2) %}{{ i }}{% endfor %}",
        "{% set x = 1 %}{% for i in range(3) %}{{ x }}{% set x = i + 10 %}{{ x }}{% endfor %}{{ x }}",
        "{% set ns = namespace(found=false, n=0) %}{% for i in range(3) %}{% set ns.n = ns.n + i %}{% set "
        "ns.found = true %}{% endfor %}{{ ns.n }}{{ ns.found }}{{ ns.other }}",
        "{% set t %}  text {{ n }}{% set inner = 5 %}\n{% endset %}[{{ t }}]{{ inner }}{% set a, b = 1, 'z' "
        "%}{{ a }}{{ b }}{% set c = 1, 2 %}{{ c }}",
        "{% if n == 1 %}a{% elif n == 7 and x %}b{% else %}c{% endif %}{% if missing %}d{% endif %}{% if "
        "list %}e{% endif %}",
        "{% macro greet(name, mark='!', other='') %}Hello {{ name }}{{ mark }}{{ other }}{{ n }}{% endmacro "
        "%}{{ greet('you') }} {{ greet('a', mark='?') }} {{ greet() }}|{{ greet('x', 'y', 'z') | upper }}",
        "{% macro outer(x) %}[{{ inner(x) }}]{% endmacro %}{% macro inner(x) %}{{ x }}{% if x > 0 %}{{ "
        "inner(x - 1) }}{% endif %}{% endmacro %}{{ outer(3) }}",
        "{% set v = 1 %}{% macro f() %}{{ v }}{% endmacro %}{% set v = 2 %}{{ f() }}",
        "{% generation %}x{% set q = 1 %}{% endgeneration %}{{ q }}",
        // Filters.
        "{{ '  a b ' | trim }}| {{ 'xxaxx' | trim('x') }} {{ 'Ab cD' | upper | lower }} {{ 'ab cd-ef (gh' | "
        "title }} {{ 'aB cD' | capitalize }} {{ 'a-b-c' | replace('-', '+') }} {{ 'aaa' | replace('a', 'b', "
        "2) }}",
        "{{ list | length }} {{ 'é中' | length }} {{ call | count }} {{ missing | length }} {{ words | "
        "join(', ') }} {{ words | join }} {{ messages | join('|', attribute='role') }}",
        "{{ words | first }} {{ words | last }} {{ words | sort | join(' ') }} {{ words | reverse | list }} "
        "{{ [3, 1, 2] | sort(reverse=true) }} {{ [3, 1, 2] | max }} {{ [3, 1, 2] | min }} {{ 'abc' | reverse "
        "}}",
        "{{ missing | default('d') }} {{ '' | default('d') }} {{ '' | default('d', true) }} {{ none | d('d', "
        "boolean=true) }} {{ none | default('d') }}",
        "{{ '12' | int }} {{ 'x' | int }} {{ 'x' | int(5) }} {{ 3.9 | int }} {{ -3 | abs }} {{ 3 | float }} "
        "{{ 5 | string + 'x' }} {{ true | int }}",
        "{{ messages | map(attribute='role') | list }} {{ words | map('upper') | join(',') }} {{ messages | "
        "selectattr('role', 'equalto', 'user') | map(attribute='content') | list }} {{ messages | "
        "rejectattr('role', 'in', ['user', 'system']) | list | length }} {{ list | select('string') | list "
        "}} {{ list | reject('none') | list }} {{ list | select | list }}",
        "{% for k, v in call | dictsort %}{{ k }} {% endfor %}{% for k, v in call.arguments | items %}{{ k "
        "}} {% endfor %}{{ 'a\nb\n\nc' | indent }}|{{ 'a\nb' | indent(2, true) }}|{{ 'a\n\nb' | indent(1, "
        "blank=true) }}",
        "{{ messages | map(attribute='content') | map('trim') | map('length') | list }} {{ (messages | "
        "selectattr('role', '==', 'x') | list) | length }}",
        // Tests.
        "{{ n is defined }} {{ missing is undefined }} {{ none is none }} {{ n is number }} {{ x is float }} "
        "{{ n is integer }} {{ true is boolean }} {{ 'a' is string }} {{ call is mapping }} {{ list is "
        "sequence }} {{ 'a' is iterable }} {{ call is iterable }} {{ n is odd }} {{ n is even }} {{ n is "
        "divisibleby 7 }} {{ n is divisibleby(2) }} {{ 1 is eq 1 }} {{ n is not none }} {{ true is true }} "
        "{{ 1 is true }} {{ missing is not defined and n is defined }}",
        "{{ 'a' is in ['a'] }} {{ 3 is gt 2 }} {{ 3 is ge(3) }} {{ missing is string or n is number }} {{ "
        "missing is sequence }} {{ none is sequence }}",
        // Methods.
        "{{ ' a '.strip() }}|{{ 'xax'.strip('x') }} {{ ' a '.lstrip() }}| {{ ' a '.rstrip() }}| {{ "
        "'a,b,c'.split(',') }} {{ 'a,b,c'.split(',', 1) }} {{ ' a  b '.split() }} {{ 'a.b.c'.rsplit('.', 1) "
        "}} {{ 'a</think>b'.split('</think>')[-1] }}",
        "{{ 'abc'.startswith('ab') }} {{ 'abc'.endswith(('x', 'c')) }} {{ 'abc'.upper() }} {{ 'ABC'.lower() "
        "}} {{ 'hello world'.title() }} {{ 'aBC'.capitalize() }} {{ 'a-b'.replace('-', '+') }} {{ "
        "'abc'.find('c') }} {{ 'éc'.find('c') }} {{ 'abcb'.rfind('b') }} {{ ','.join(words) }} {{ "
        "'aXa'.count('a') }} {{ 'a\nb\r\nc'.splitlines() }}",
        "{{ call.get('name') }} {{ call.get('zzz') }} {{ call.get('zzz', 'd') }} {{ call.keys() | list }} {{ "
        "call.arguments.values() | list | length }} {{ '12'.isdigit() }} {{ 'ab'.isalpha() }} {{ ' "
        "'.isspace() }} {{ 'abc'.removeprefix('a') }} {{ 'abc'.removesuffix('c') }} {{ words.index('fig') }} "
        "{{ words.count('fig') }}",
        "{{ dict(a=1, b='x') }} {{ dict({'a': 2}, c=3)['c'] }} {{ range(3) | list }} {{ range(1, 4) | join "
        "}} {{ strftime_now('%d %b %Y') }}",
        // Errors in Python are errors here.
        "{{ missing.x.y }}",
        "{{ missing() }}",
        "{{ 'a' + 1 }}",
        "{{ 1 < 'a' }}",
        "{{ none | length }}",
        "{% for x in 5 %}{% endfor %}",
        "{{ 1 / 0 }}",
        "{{ raise_exception('No: ' + bos_token) }}",
        "{% if %}",
        "{{ 'open",
        "{% for x in y %}",
        "{{ messages[0].content.foo() }}",
        "{{ list | join(1, 2, 3) }}",
        "{{ }}",
        "{% else %}",
        "{{ [1, 2 }}",
    };
    return all;
}

/// Chat templates in the style of those of models.
const std::vector<std::string>& chats() {
    static const std::vector<std::string> all = {
        "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + "
        "'<|im_end|>' + "
        "'\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}",
        "{{- bos_token }}\n{%- if not date_string is defined %}\n    {%- if strftime_now is defined %}\n     "
        "   {%- set "
        "date_string = strftime_now(\"%d %b %Y\") %}\n    {%- else %}\n        {%- set date_string = \"26 "
        "Jul 2024\" "
        "%}\n    {%- endif %}\n{%- endif %}\n{%- if messages[0]['role'] == 'system' %}\n    {%- set "
        "system_message = "
        "messages[0]['content']|trim %}\n    {%- set messages = messages[1:] %}\n{%- else %}\n    {%- set "
        "system_message = \"\" %}\n{%- endif %}\n{{- \"<|start|>system<|end|>\\n\\n\" }}\n{{- \"Today Date: "
        "\" + "
        "date_string + \"\\n\\n\" }}\n{{- system_message }}\n{%- for message in messages %}\n    {%- if not "
        "(message.role == 'ipython' or 'tool_calls' in message) %}\n        {{- '<|start|>' + "
        "message['role'] + "
        "'<|end|>\\n\\n'+ message['content'] | trim + '<|eot|>' }}\n    {%- elif 'tool_calls' in message "
        "%}\n        "
        "{{- raise_exception(\"tools\") }}\n    {%- endif %}\n{%- endfor %}\n{%- if add_generation_prompt "
        "%}\n    {{- "
        "'<|start|>assistant<|end|>\\n\\n' }}\n{%- endif %}\n",
        "{%- if messages[0][\"role\"] == \"system\" %}\n    {%- set system_message = "
        "messages[0][\"content\"] %}\n    "
        "{%- set loop_messages = messages[1:] %}\n{%- else %}\n    {%- set loop_messages = messages %}\n{%- "
        "endif "
        "%}\n{%- set ns = namespace() %}\n{%- set ns.index = 0 %}\n{{- bos_token }}\n{%- for message in "
        "loop_messages "
        "%}\n    {%- if (message[\"role\"] == \"user\") != (ns.index % 2 == 0) %}\n        {{- "
        "raise_exception(\"alternate\") }}\n    {%- endif %}\n    {%- set ns.index = ns.index + 1 %}\n    "
        "{%- if "
        "message.role == 'user' and loop.last and system_message is defined %}\n        {{- '[INST] ' + "
        "system_message + '\\n\\n' + message.content + '[/INST]' }}\n    {%- else %}\n        {{- ' ' + "
        "message.content + eos_token }}\n    {%- endif %}\n{%- endfor %}\n",
        "{%- set ns = namespace(multi=true, last=messages|length - 1) %}\n{%- for message in messages[::-1] "
        "%}\n    "
        "{%- set index = (messages|length - 1) - loop.index0 %}\n    {%- if ns.multi and message.role == "
        "\"user\" and "
        "message.content is string and not(message.content.startswith('<tool>') and "
        "message.content.endswith('</tool>')) %}\n        {%- set ns.multi = false %}\n        {%- set "
        "ns.last = "
        "index %}\n    {%- endif %}\n{%- endfor %}\n{%- for message in messages %}\n    {%- set content = "
        "message.content if message.content is string else '' %}\n    {%- if message.role == 'assistant' "
        "%}\n        "
        "{%- set reasoning = '' %}\n        {%- if '</think>' in content %}\n            {%- set reasoning = "
        "content.split('</think>')[0].rstrip('\\n').split('<think>')[-1].lstrip('\\n') %}\n            {%- "
        "set content "
        "= content.split('</think>')[-1].lstrip('\\n') %}\n        {%- endif %}\n        {%- if loop.index0 "
        "> ns.last "
        "%}\n            {{- '<a>\\n' + reasoning.strip('\\n') + content }}\n        {%- else %}\n           "
        " {{- "
        "'<a>\\n' + content }}\n        {%- endif %}\n    {%- else %}\n        {{- '<' + message.role + "
        "'>\\n' + content "
        "}}\n    {%- endif %}\n{%- endfor %}\n{%- if add_generation_prompt %}\n    {{- '<a>\\n' }}\n    {%- "
        "if "
        "enable_thinking is defined and enable_thinking is false %}\n        {{- "
        "'<think>\\n\\n</think>\\n\\n' }}\n    "
        "{%- endif %}\n{%- endif %}",
        "{{ bos_token }}{%- macro render(content, trim) -%}{%- if content is string -%}{{ content | trim if "
        "trim else "
        "content }}{%- else -%}{%- for part in content -%}{%- if part.type == 'text' -%}{{ part.text }}{%- "
        "endif "
        "-%}{%- endfor -%}{%- endif -%}{%- endmacro -%}{% for m in messages %}<start_of_turn>{{ 'model' if "
        "m.role == "
        "'assistant' else m.role }}\n{{ render(m.content, true) }}<end_of_turn>\n{% endfor %}{% if "
        "add_generation_prompt %}<start_of_turn>model\n{% endif %}",
    };
    return all;
}

struct Case {
    std::string source;
    json names;
};

std::vector<Case> all_cases() {
    std::vector<Case> all;
    for (const auto* sources : {&cases(), &chats()}) {
        for (const std::string& source : *sources) all.push_back({source, chat()});
    }
    // Arbitrary templates.
    if (const char* folder = std::getenv("SPLITSCOPE_TEMPLATES")) {
        for (const auto& entry : fs::directory_iterator(folder)) {
            std::ifstream file(entry.path(), std::ios::binary);
            const std::string source{std::istreambuf_iterator<char>(file), {}};
            all.push_back({source, chat()});
            json one = chat();
            one["messages"] = json::array({one["messages"][3]});
            all.push_back({source, one});
        }
    }
    return all;
}

TEST(Template, MatchesJinja) {
    const std::vector<Case> all = all_cases();
    json input = json::array();
    for (const Case& each : all) input.push_back({{"template", each.source}, {"names", each.names}});
    Start start;
    start.input = input.dump();
    const Outcome outcome = run_program("/usr/bin/env", {"python3", SPLITSCOPE_REFERENCE_TEMPLATES}, start);
    if (outcome.exit_code != 0 && outcome.err.find("no jinja2") != std::string::npos)
        GTEST_SKIP() << "NO JINJA: python3-jinja2 is not installed";
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const json results = json::parse(outcome.out);
    std::size_t equal = 0;
    std::size_t refused = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::string ours;
        bool failed = false;
        bool is_unsupported = false;
        try {
            ours = text_of(all[i].source, all[i].names);
        } catch (const Error& error) {
            failed = true;
            is_unsupported = error.kind() == ErrorKind::unsupported;
            ours = error.what();
        }
        if (results[i].contains("error")) {
            EXPECT_TRUE(failed) << all[i].source << "\n ours: " << ours
                                << "\n Jinja: " << results[i]["error"];
        } else if (is_unsupported) {
            ++refused;
            std::cout << "refused: " << ours << "\n";
            // These cases use supported features only.
            EXPECT_GE(i, cases().size() + chats().size()) << all[i].source << "\n " << ours;
        } else {
            EXPECT_EQ(ours, results[i]["text"].get<std::string>()) << all[i].source;
            equal += ours == results[i]["text"].get<std::string>() ? 1 : 0;
        }
    }
    std::cout << equal << " of " << all.size() << " texts equal, " << refused << " refused\n";
}

TEST(Template, NamesUnsupportedFeatures) {
    EXPECT_NE(problem_of("a\n{{ 'x' | urlencode }}")
                  .find("line 2 of the template: the chat template uses the filter 'urlencode'"),
              std::string::npos);
    for (const char* source :
         {"{% include 'x' %}", "{{ 1 is sameas 1 }}", "{{ 'é' | upper }}", "{{ 'a'.format(1) }}",
          "{{ '%s' % 1 }}", "{{ f(*args) }}", "{% for x in y recursive %}{% endfor %}", "{{ [1].append(2) }}",
          "{% for x in [1] %}{{ loop.depth }}{% endfor %}",
          "{% set g = [1] | map('string') %}{% for x in g %}{% endfor %}{% for x in g %}{% endfor %}",
          "{{ 9223372036854775807 + 1 }}", "{{ 99999999999999999999 }}", "{{ cycler(1) }}",
          "{% for x in [1] %}{% macro m() %}{% endmacro %}{% endfor %}", "{{ {1: 2} }}"}) {
        EXPECT_NE(problem_of(source).find("not supported"), std::string::npos) << source;
    }
    EXPECT_NE(problem_of("{{ raise_exception('roles must alternate') }}")
                  .find("refuses the messages: roles must alternate"),
              std::string::npos);
}

TEST(Template, LimitsTimeMemoryAndDepth) {
    const json messages = {{"messages", json::object()}};
    for (const char* source :
         {"{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}",
          "{{ range(1000000000000) | length }}", "{{ 'x' * 10000000000 }}",
          "{% set ns = namespace(x='xxxxxxxxxxxxxxxx') %}{% for i in range(100) %}{% set ns.x = ns.x + ns.x "
          "%}{% endfor %}",
          "{% set ns = namespace(x=[]) %}{% for i in range(100000) %}{% set ns.x = [ns.x] %}{% endfor %}{{ "
          "ns.x }}",
          "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
          // Nesting through methods.
          "{% set n = namespace(x=[1]) %}{% for i in range(400000) %}{% set n.x = [n.x.index] %}{% endfor "
          "%}hi",
          // Texts and lists, counted before they are made.
          "{% set t = 'x' * 200000000 %}{{ t | list | length }}",
          "{{ ('x' * 100000) | replace('x', 'y' * 100000) }}",
          "{{ ('x' * 100000).replace('x', 'y' * 100000) }}", "{{ ('x,' * 20000000).split(',') | length }}",
          "{% set x = namespace(t=[]) %}{% for i in range(1000) %}{% set x.t = x.t + [messages['m' * "
          "1000000]] "
          "%}{% endfor %}",
          "{{ 'x' * 100000000 }}",
          // Values that contain another twice, over and over.
          "{% set n = namespace(x=[1]) %}{% for i in range(60) %}{% set n.x = [n.x, n.x] %}{% endfor %}"
          "{{ n.x }}",
          "{% set n = namespace(x=[1], y=[1]) %}{% for i in range(60) %}{% set n.x = [n.x, n.x] %}"
          "{% set n.y = [n.y, n.y] %}{% endfor %}{{ n.x == n.y }}",
          "{% set n = namespace(x=[]) %}{% for i in range(60) %}{% set n.x = [n.x, n.x] %}{% endfor %}"
          "{{ n.x | tojson }}"}) {
        EXPECT_NE(problem_of(source, messages).find("exceeds a limit"), std::string::npos) << source;
    }
    // The depth of a namespace can change after it was stored.
    for (const char* source :
         {"{% set n = namespace(x=1) %}{% set n.x = [n] %}",
          "{% set n = namespace(x=[1]) %}{% for i in range(400000) %}{% set n.x = [namespace(x=n.x)] %}"
          "{% endfor %}hi"}) {
        EXPECT_NE(problem_of(source).find("a namespace inside a namespace"), std::string::npos) << source;
    }
    // Long texts without copies of each character, and searches in linear time.
    EXPECT_EQ(text_of("{% set t = 'x' * 20000000 %}{{ t | length }} {{ t[0] }}{{ t | last }} {{ t[-3:] }} "
                      "{{ t.strip('y' * 1000000 + 'x') }}"),
              "20000000 xx xxx ");
    EXPECT_EQ(text_of("{{ ('a' * 1000000 + 'b') in ('a' * 20000000) }} "
                      "{{ ('a' * 20000000).rfind('b' + 'a' * 1000000) }}"),
              "False -1");
    for (const char* part :
         {"(", "[", "not ", "-", "{'a':", "'x' if ", "{{ 'a' }}{% if x %}", "a.b[", "1+"}) {
        std::string source = "{{ ";
        for (int i = 0; i < 100000; ++i) source += part;
        EXPECT_FALSE(problem_of(source).empty()) << part;
    }
    // Consecutive statements do not nest.
    std::string source;
    for (int i = 0; i < 20000; ++i) source += "{% if false %}{% elif true %}x{% endif %}";
    EXPECT_EQ(text_of(source).size(), 20000U);
}

TEST(Template, StopsWithTheJob) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(templates::text_of_template("{% for i in range(100000) %}{% endfor %}", {}, {},
                                             JobContext(stop.get_token())),
                 Cancelled);
}

TEST(Template, SplitsAndSlicesByCharacters) {
    EXPECT_EQ(text_of("{{ 'a\u00e9b'[1] }}{{ 'a\u00e9b'[-1] }}{{ 'a\u00e9b'[1:] }}{{ 'a\u00e9b'[::-1] }}"
                      "{{ 'a\u00e9b' | reverse }}{{ 'abc'[-9:2] }}|{{ 'abc'[2:1] }}|{{ '\u00e9' | first }}"),
              "\u00e9b\u00e9bb\u00e9ab\u00e9aab||\u00e9");
    EXPECT_EQ(text_of("{{ ' a  b c '.split() }}{{ ' a  b c '.split(none, 1) }}{{ 'a,b,c'.rsplit(',', 1) }}"
                      "{{ 'aaa'.rsplit('aa') }}{{ 'a\\r\\n\\nb\\r'.splitlines() }}"),
              "['a', 'b', 'c']['a', 'b c ']['a,b', 'c']['a', '']['a', '', 'b']");
    EXPECT_EQ(text_of("{{ 'abcab'.find('ab') }}{{ 'abcab'.rfind('ab') }}{{ 'abcab'.rfind('x') }}"
                      "{{ 'abcab'.rfind('') }}{{ 'aaaa'.count('aa') }}{{ 'ab'.replace('', '-') }}"),
              "03-152-a-b-");
}

}  // namespace
}  // namespace splitscope::test
