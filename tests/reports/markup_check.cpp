// SPDX-License-Identifier: MIT
#include "tests/reports/markup_check.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace splitscope::test {
namespace {

constexpr std::array<std::string_view, 4> kVoid = {"meta", "link", "input", "br"};

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// Every "=" outside quotes must be followed by a quote.
bool attributes_are_quoted(std::string_view tag) {
    bool quoted = false;
    for (std::size_t i = 0; i < tag.size(); ++i) {
        if (tag[i] == '"') quoted = !quoted;
        if (!quoted && tag[i] == '=' && (i + 1 >= tag.size() || tag[i + 1] != '"')) return false;
        if (quoted && tag[i] == '<') return false;
    }
    return !quoted;
}

/// Whether a browser that reads the tag would fetch something. What stands in the text between tags is only
/// text.
bool loads(std::string_view tag) {
    constexpr std::array<std::string_view, 7> elements = {"iframe", "object", "embed", "img",
                                                          "base",   "audio",  "video"};
    constexpr std::array<std::string_view, 8> attributes = {"src",    "srcset",     "data",       "poster",
                                                            "action", "formaction", "background", "ping"};
    const std::string_view element = tag.substr(0, tag.find_first_of(" /"));
    if (std::ranges::find(elements, element) != elements.end()) return true;
    for (std::size_t at = tag.find("=\""); at != std::string_view::npos;) {
        const std::string_view name = tag.substr(0, at).substr(tag.substr(0, at).find_last_of(' ') + 1);
        const std::size_t end = tag.find('"', at + 2);
        const std::string_view value = tag.substr(at + 2, end - at - 2);
        if (std::ranges::find(attributes, name) != attributes.end()) return true;
        if (name.ends_with("href") && !value.starts_with('#') && !value.starts_with("data:")) return true;
        if (name == "style" && contains(value, "url(")) return true;
        if (end == std::string_view::npos) return false;
        at = tag.find("=\"", end);
    }
    return false;
}

}  // namespace

std::string markup_problem(std::string_view page) {
    std::vector<std::string> open;
    std::size_t at = 0;
    while ((at = page.find('<', at)) != std::string_view::npos) {
        const std::size_t end = page.find('>', at);
        if (end == std::string_view::npos) return "a tag has no end";
        std::string_view tag = page.substr(at + 1, end - at - 1);
        at = end + 1;
        if (tag.starts_with('!')) continue;
        const bool closes = tag.starts_with('/');
        if (closes) tag.remove_prefix(1);
        std::size_t length = 0;
        while (length < tag.size() && std::isalnum(static_cast<unsigned char>(tag[length])) != 0) ++length;
        const std::string name(tag.substr(0, length));
        if (name.empty()) return "a bare '<' before: " + std::string(page.substr(at, 40));
        if (!attributes_are_quoted(tag)) return "attributes of <" + std::string(tag) + ">";
        if (closes) {
            if (open.empty() || open.back() != name) {
                return "</" + name + "> closes <" + (open.empty() ? "nothing" : open.back()) + ">";
            }
            open.pop_back();
            continue;
        }
        if (tag.ends_with('/') || std::ranges::find(kVoid, name) != kVoid.end()) continue;
        open.push_back(name);
        if (name == "script" || name == "style") at = page.find("</" + name, at);
    }
    return open.empty() ? std::string() : "<" + open.back() + "> is not closed";
}

std::string first_load(std::string_view page) {
    std::size_t at = 0;
    while ((at = page.find('<', at)) != std::string_view::npos) {
        const std::size_t end = std::min(page.find('>', at), page.size());
        const std::string_view tag = page.substr(at + 1, end - at - 1);
        if (loads(tag)) return std::string(tag);
        at = end;
        for (const std::string_view name : {"script", "style"}) {
            if (!tag.starts_with(name)) continue;
            at = std::min(page.find("</" + std::string(name), end), page.size());
            const std::string_view code = page.substr(end, at - end);
            for (const std::string_view what :
                 {"http://", "https://", "@import", "import(", "url(", "fetch(", "XMLHttpRequest"}) {
                if (contains(code, what)) return std::string(what);
            }
        }
    }
    return {};
}

}  // namespace splitscope::test
