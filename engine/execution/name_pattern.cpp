// SPDX-License-Identifier: MIT
#include "engine/execution/name_pattern.hpp"

#include <utility>

#include <fmt/format.h>

#include "engine/support/error.hpp"

namespace splitscope {
namespace {

constexpr std::size_t kMaxPattern = 256;
constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

[[noreturn]] void refuse(std::string what, std::size_t place) {
    throw Error(ErrorKind::usage, fmt::format("{} at character {} of the pattern", what, place + 1),
                "pattern", "correct the pattern, or use * and ? instead");
}

std::size_t byte_of(char c) {
    return static_cast<unsigned char>(c);
}

void add_range(std::bitset<256>& set, std::size_t first, std::size_t last) {
    for (std::size_t b = first; b <= last; ++b) set.set(b);
}

std::bitset<256> escaped_set(char c) {
    std::bitset<256> set;
    switch (c) {
        case 'd':
            add_range(set, '0', '9');
            break;
        case 'w':
            add_range(set, '0', '9');
            add_range(set, 'a', 'z');
            add_range(set, 'A', 'Z');
            set.set('_');
            break;
        case 's':
            for (const char space : {' ', '\t', '\n', '\r', '\f', '\v'}) set.set(byte_of(space));
            break;
        default:
            set.set(byte_of(c));
    }
    return set;
}

}  // namespace

/// Thompson's construction: a parsed piece is a first state and the states that still lead nowhere. Groups
/// are kept on a stack of our own.
class PatternParser {
 public:
    PatternParser(std::string_view text, bool glob) : text_(text), glob_(glob) {
        if (text.size() > kMaxPattern) refuse("more than 256 characters", kMaxPattern);
    }

    NamePattern parse() {
        groups_.emplace_back();
        while (at_ < text_.size()) {
            if (glob_) {
                read_glob();
            } else {
                read_regex();
            }
        }
        if (groups_.size() > 1) refuse("a ( without its )", text_.size());
        Piece all = close_group();
        const std::size_t match = add({NamePattern::Kind::match, {}, 0, 0});
        connect(all, match);
        pattern_.start_ = all.first == kNowhere ? match : all.first;
        pattern_.anywhere_ = !glob_;
        return std::move(pattern_);
    }

 private:
    struct Piece {
        std::size_t first = kNowhere;                          ///< kNowhere: nothing at all
        std::vector<std::pair<std::size_t, bool>> loose_ends;  ///< state, and whether it is `other`
    };
    struct Group {
        std::vector<Piece> alternatives;
        Piece sequence;
        Piece last;  ///< what a following * + ? repeats
    };

    std::size_t add(NamePattern::State state) {
        pattern_.states_.push_back(state);
        return pattern_.states_.size() - 1;
    }

    void connect(const Piece& piece, std::size_t target) {
        for (const auto& [state, other] : piece.loose_ends) {
            (other ? pattern_.states_[state].other : pattern_.states_[state].next) = target;
        }
    }

    Piece joined(Piece a, Piece b) {
        if (a.first == kNowhere) return b;
        if (b.first == kNowhere) return a;
        connect(a, b.first);
        return {a.first, std::move(b.loose_ends)};
    }

    void push(Piece piece) {
        Group& group = groups_.back();
        group.sequence = joined(std::move(group.sequence), std::move(group.last));
        group.last = std::move(piece);
    }

    void push_state(NamePattern::Kind kind, const std::bitset<256>& bytes = {}) {
        const std::size_t state = add({kind, bytes, 0, 0});
        push({state, {{state, false}}});
    }

    Piece close_group() {
        Group group = std::move(groups_.back());
        groups_.pop_back();
        Piece all = joined(std::move(group.sequence), std::move(group.last));
        for (Piece& piece : group.alternatives) {
            const std::size_t split = add({NamePattern::Kind::split, {}, 0, 0});
            Piece either{split, {}};
            const auto lead = [&](Piece& way, bool other) {
                if (way.first == kNowhere) {
                    either.loose_ends.emplace_back(split, other);
                    return;
                }
                (other ? pattern_.states_[split].other : pattern_.states_[split].next) = way.first;
                either.loose_ends.insert(either.loose_ends.end(), way.loose_ends.begin(),
                                         way.loose_ends.end());
            };
            lead(piece, false);
            lead(all, true);
            all = std::move(either);
        }
        return all;
    }

    void repeat(char sign) {
        Piece& last = groups_.back().last;
        if (last.first == kNowhere) refuse(fmt::format("'{}' repeats nothing", sign), at_);
        const std::size_t split = add({NamePattern::Kind::split, {}, last.first, 0});
        if (sign == '?') {
            last.first = split;
            last.loose_ends.emplace_back(split, true);
            return;
        }
        connect(last, split);
        last = {sign == '*' ? split : last.first, {{split, true}}};
    }

    std::bitset<256> read_set(char negation) {
        const std::size_t open = at_++;
        std::bitset<256> set;
        const bool negated = at_ < text_.size() && (text_[at_] == negation || text_[at_] == '^');
        if (negated) ++at_;
        for (bool first = true; at_ < text_.size() && (first || text_[at_] != ']'); first = false) {
            if (!glob_ && text_[at_] == '\\' && at_ + 1 < text_.size()) {
                set |= escaped_set(text_[at_ + 1]);
                at_ += 2;
                continue;
            }
            const std::size_t low = byte_of(text_[at_++]);
            std::size_t high = low;
            if (at_ + 1 < text_.size() && text_[at_] == '-' && text_[at_ + 1] != ']') {
                high = byte_of(text_[at_ + 1]);
                at_ += 2;
            }
            if (high < low) refuse("a range from high to low", at_ - 1);
            add_range(set, low, high);
        }
        if (at_ >= text_.size()) refuse("a [ without its ]", open);
        ++at_;
        return negated ? ~set : set;
    }

    void read_glob() {
        const char c = text_[at_];
        if (c == '[') {
            push_state(NamePattern::Kind::bytes, read_set('!'));
            return;
        }
        std::bitset<256> set;
        if (c == '*' || c == '?') {
            set.set();
        } else {
            set.set(byte_of(c));
        }
        push_state(NamePattern::Kind::bytes, set);
        if (c == '*') repeat('*');
        ++at_;
    }

    void read_regex() {
        const char c = text_[at_];
        switch (c) {
            case '(':
                groups_.emplace_back();
                break;
            case ')': {
                if (groups_.size() == 1) refuse("a ) without its (", at_);
                Piece group = close_group();
                push(std::move(group));
                break;
            }
            case '|': {
                Group& group = groups_.back();
                group.alternatives.push_back(joined(std::move(group.sequence), std::move(group.last)));
                group.sequence = {};
                group.last = {};
                break;
            }
            case '*':
            case '+':
            case '?':
                repeat(c);
                break;
            case '^':
                push_state(NamePattern::Kind::begin);
                break;
            case '$':
                push_state(NamePattern::Kind::end);
                break;
            case '.':
                push_state(NamePattern::Kind::bytes, std::bitset<256>().set());
                break;
            case '[':
                push_state(NamePattern::Kind::bytes, read_set('^'));
                return;
            case '\\':
                if (++at_ == text_.size()) refuse("nothing after \\", at_ - 1);
                push_state(NamePattern::Kind::bytes, escaped_set(text_[at_]));
                break;
            default: {
                std::bitset<256> set;
                set.set(byte_of(c));
                push_state(NamePattern::Kind::bytes, set);
            }
        }
        ++at_;
    }

    std::string_view text_;
    bool glob_;
    std::size_t at_ = 0;
    std::vector<Group> groups_;
    NamePattern pattern_;
};

NamePattern NamePattern::glob(std::string_view text) {
    return PatternParser(text, true).parse();
}

NamePattern NamePattern::regex(std::string_view text) {
    return PatternParser(text, false).parse();
}

/// Adds `start` and what is reached from it without reading a byte.
void NamePattern::follow(std::vector<std::size_t>& states, std::vector<std::size_t>& mark, std::size_t step,
                         std::size_t start, bool at_begin, bool at_end) const {
    std::vector<std::size_t> open{start};
    while (!open.empty()) {
        const std::size_t s = open.back();
        open.pop_back();
        if (mark[s] == step) continue;
        mark[s] = step;
        const State& state = states_[s];
        switch (state.kind) {
            case Kind::split:
                open.push_back(state.next);
                open.push_back(state.other);
                break;
            case Kind::begin:
                if (at_begin) open.push_back(state.next);
                break;
            case Kind::end:
                if (at_end) open.push_back(state.next);
                break;
            case Kind::bytes:
            case Kind::match:
                states.push_back(s);
        }
    }
}

bool NamePattern::matches(std::string_view name) const {
    std::vector<std::size_t> now;
    std::vector<std::size_t> next;
    std::vector<std::size_t> mark(states_.size(), kNowhere);
    const auto has_match = [&] {
        for (const std::size_t s : now) {
            if (states_[s].kind == Kind::match) return true;
        }
        return false;
    };
    follow(now, mark, 0, start_, true, name.empty());
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (anywhere_ && has_match()) return true;
        next.clear();
        const bool at_end = i + 1 == name.size();
        for (const std::size_t s : now) {
            if (states_[s].kind == Kind::bytes && states_[s].bytes[byte_of(name[i])])
                follow(next, mark, i + 1, states_[s].next, false, at_end);
        }
        if (anywhere_) follow(next, mark, i + 1, start_, false, at_end);
        now.swap(next);
    }
    return has_match();
}

}  // namespace splitscope
