// SPDX-License-Identifier: MIT
#include "engine/models/replaced_characters.hpp"

#include "engine/formats/gguf_place.hpp"
#include "engine/models/messages.hpp"
#include "engine/models/vocabulary.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

constexpr std::string_view kKey = "tokenizer.ggml.precompiled_charsmap";

std::string table_of(const GgufFile& file) {
    if (const auto* bytes = array_of<std::uint8_t>(file, kKey)) return {bytes->begin(), bytes->end()};
    if (const auto* bytes = array_of<std::int8_t>(file, kKey)) return {bytes->begin(), bytes->end()};
    return {};
}

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
    std::uint32_t number = 0;
    for (unsigned i = 0; i < 4; ++i)
        number |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
    return number;
}

// The fields of an entry.
std::size_t base_of(std::uint32_t entry) {
    return std::size_t{entry >> 10} << ((entry & (1U << 9)) >> 6);
}
bool is_child(std::uint32_t entry, unsigned char byte) {
    return (entry & (1U << 31 | 0xFF)) == byte;
}
bool ends_a_text(std::uint32_t entry) {
    return (entry >> 8 & 1) != 0;
}
std::size_t value_of(std::uint32_t entry) {
    return entry & ((1U << 31) - 1);
}

}  // namespace

ReplacedCharacters::ReplacedCharacters(const GgufFile& file) : place_(place_of_key(file.path(), kKey)) {
    const std::string table = table_of(file);
    if (table.empty()) return;
    const auto damaged = [&] {
        return Error(ErrorKind::bad_file, msg::kReplacementsDamaged, place_, msg::kFileDamaged);
    };
    if (table.size() < 4) throw damaged();
    const std::size_t bytes = number_at(table, 0);
    if (bytes + 4 >= table.size()) throw damaged();
    for (std::size_t at = 4; at + 4 <= bytes + 4; at += 4) entries_.push_back(number_at(table, at));
    replacements_ = table.substr(4 + bytes);
    if (entries_.empty() || replacements_.back() != '\0') throw damaged();
}

ReplacedCharacters::Replacement ReplacedCharacters::at(std::string_view text) const {
    Replacement longest;
    if (entries_.empty()) return longest;
    const auto entry = [&](std::size_t index) {
        if (index < entries_.size()) return entries_[index];
        throw Error(ErrorKind::bad_file, msg::kReplacementsDamaged, place_, msg::kFileDamaged);
    };
    std::size_t node = base_of(entry(0));
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte == 0) break;
        node ^= byte;
        const std::uint32_t child = entry(node);
        if (!is_child(child, byte)) break;
        node ^= base_of(child);
        if (!ends_a_text(child)) continue;
        const std::size_t value = value_of(entry(node));
        if (value >= replacements_.size())
            throw Error(ErrorKind::bad_file, msg::kReplacementsDamaged, place_, msg::kFileDamaged);
        longest = {i + 1, std::string_view(replacements_).substr(value)};
        longest.text = longest.text.substr(0, longest.text.find('\0'));
    }
    return longest;
}

}  // namespace splitscope
