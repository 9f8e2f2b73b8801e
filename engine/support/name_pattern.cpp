// SPDX-License-Identifier: MIT
#include "engine/support/name_pattern.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/support/error.hpp"
#include "engine/support/messages.hpp"

namespace splitscope {
namespace {

constexpr std::size_t kMaxPattern = 4096;
/// Counted repetitions multiply: a pattern may be short and its automaton not.
constexpr std::size_t kMaxStates = 20000;
constexpr std::size_t kMaxCount = 1000;
constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

[[noreturn]] void refuse(Message problem, std::size_t place) {
    throw Error(ErrorKind::usage, msg::kPatternMistake(std::move(problem), place + 1), msg::kPlacePattern,
                msg::kCorrectPattern);
}

std::size_t byte_of(char c) {
    return static_cast<unsigned char>(c);
}

void add_range(std::bitset<256>& set, std::size_t first, std::size_t last) {
    for (std::size_t b = first; b <= last; ++b) set.set(b);
}

/// What stands for itself or for a set after a backslash; `place` is that of the sign.
std::bitset<256> escaped_set(char c, std::size_t place) {
    std::bitset<256> set;
    switch (c) {
        case 'd':
        case 'D':
            add_range(set, '0', '9');
            break;
        case 'w':
        case 'W':
            add_range(set, '0', '9');
            add_range(set, 'a', 'z');
            add_range(set, 'A', 'Z');
            set.set('_');
            break;
        case 's':
        case 'S':
            for (const char space : {' ', '\t', '\n', '\r', '\f', '\v'}) set.set(byte_of(space));
            break;
        case 't':
            set.set(byte_of('\t'));
            break;
        case 'n':
            set.set(byte_of('\n'));
            break;
        default:
            if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
                refuse(msg::kEscapeNotSupported(std::string{'\\', c}), place);
            set.set(byte_of(c));
    }
    return c == 'D' || c == 'W' || c == 'S' ? ~set : set;
}

/// The plain text that an expression begins with; nothing where it has alternatives outside of groups.
std::string leading_text(std::string_view text) {
    std::size_t depth = 0;
    bool in_set = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\\') {
            ++i;
        } else if (in_set) {
            in_set = c != ']';
        } else if (c == '[') {
            in_set = true;
        } else if (c == '(' || c == ')') {
            depth += c == '(' ? 1 : -1;
        } else if (c == '|' && depth == 0) {
            return {};
        }
    }
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (std::string_view("^$.[]()*+?{|").find(c) != std::string_view::npos) {
            // What may be missing does not count.
            if ((c == '*' || c == '?' || c == '{') && !out.empty()) out.pop_back();
            return out;
        }
        if (c == '\\') {
            if (++i == text.size()) return out;
            c = text[i];
            if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return out;
        }
        out += c;
    }
    return out;
}

}  // namespace

/// Thompson's construction: a parsed piece is a first state and the states that still lead nowhere. Groups
/// are kept on a stack of our own.
class PatternParser {
 public:
    PatternParser(std::string_view text, bool glob) : text_(text), glob_(glob) {
        if (text.size() > kMaxPattern) refuse(msg::kPatternTooLong(kMaxPattern), kMaxPattern);
    }

    NamePattern parse() {
        Piece all = parse_all();
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
        Piece last;                  ///< what a following * + ? { repeats
        std::size_t last_begin = 0;  ///< where its text begins
        std::size_t open = 0;        ///< where the group's ( is
    };

    Piece parse_all() {
        groups_.emplace_back();
        while (at_ < text_.size()) {
            if (glob_) {
                read_glob();
            } else {
                read_regex();
            }
        }
        if (groups_.size() > 1) refuse(msg::kUnclosedGroup, text_.size());
        return close_group();
    }

    /// Parses a text of our own in place of the pattern.
    Piece parse_instead(const std::string& text) {
        PatternParser::Position saved{text_, at_, std::move(groups_)};
        text_ = text;
        at_ = 0;
        groups_.clear();
        Piece all = parse_all();
        text_ = saved.text;
        at_ = saved.at;
        groups_ = std::move(saved.groups);
        return all;
    }

    struct Position {
        std::string_view text;
        std::size_t at;
        std::vector<Group> groups;
    };

    std::size_t add(NamePattern::State state) {
        if (pattern_.states_.size() >= kMaxStates) refuse(msg::kTooManyRepetitions, at_);
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

    void push(Piece piece, std::size_t begin) {
        Group& group = groups_.back();
        group.last_begin = begin;
        group.sequence = joined(std::move(group.sequence), std::move(group.last));
        group.last = std::move(piece);
    }

    void push_state(NamePattern::Kind kind, std::size_t begin, const std::bitset<256>& bytes = {}) {
        const std::size_t state = add({kind, bytes, 0, 0});
        push({state, {{state, false}}}, begin);
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
        if (last.first == kNowhere) refuse(msg::kNothingToRepeat(std::string(1, sign)), at_);
        const std::size_t split = add({NamePattern::Kind::split, {}, last.first, 0});
        if (sign == '?') {
            last.first = split;
            last.loose_ends.emplace_back(split, true);
            return;
        }
        connect(last, split);
        last = {sign == '*' ? split : last.first, {{split, true}}};
    }

    std::size_t read_count() {
        std::size_t count = 0;
        const std::size_t begin = at_;
        for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
            count = count * 10 + static_cast<std::size_t>(text_[at_] - '0');
            if (count > kMaxCount) refuse(msg::kCountTooLarge(kMaxCount), begin);
        }
        if (at_ == begin) refuse(msg::kCountWithoutNumber, begin - 1);
        return count;
    }

    /// {2} {2,} {2,5}: the text of the last piece is written down that often and read again.
    void repeat_counted() {
        const std::size_t open = at_++;
        const std::size_t least = read_count();
        std::size_t most = least;
        bool unbounded = false;
        if (at_ < text_.size() && text_[at_] == ',') {
            ++at_;
            unbounded = at_ < text_.size() && text_[at_] == '}';
            if (!unbounded) most = read_count();
        }
        if (at_ >= text_.size() || text_[at_] != '}') refuse(msg::kUnclosedCount, open);
        if (most < least) refuse(msg::kCountReversed, open);
        Group& group = groups_.back();
        if (group.last.first == kNowhere) refuse(msg::kNothingToRepeat("{"), open);
        const std::string atom =
            fmt::format("(?:{})", text_.substr(group.last_begin, open - group.last_begin));
        if ((most + 1) * atom.size() > kMaxStates) refuse(msg::kTooManyRepetitions, open);
        std::string text;
        for (std::size_t i = 0; i < least; ++i) text += atom;
        for (std::size_t i = least; i < most; ++i) text += atom + '?';
        if (unbounded) text += atom + '*';
        const std::size_t begin = group.last_begin;
        group.last = {};
        Piece repeated = parse_instead(text);
        groups_.back().last = std::move(repeated);
        groups_.back().last_begin = begin;
    }

    /// Fewest first or most first finds the same names.
    void skip_laziness() {
        if (at_ + 1 < text_.size() && text_[at_ + 1] == '?') ++at_;
    }

    std::bitset<256> read_set(char negation) {
        const std::size_t open = at_++;
        std::bitset<256> set;
        const bool negated = at_ < text_.size() && (text_[at_] == negation || text_[at_] == '^');
        if (negated) ++at_;
        for (bool first = true; at_ < text_.size() && (first || text_[at_] != ']'); first = false) {
            if (!glob_ && text_[at_] == '\\' && at_ + 1 < text_.size()) {
                set |= escaped_set(text_[at_ + 1], at_);
                at_ += 2;
                continue;
            }
            if (!glob_ && text_[at_] == '[' && at_ + 1 < text_.size() && text_[at_ + 1] == ':')
                refuse(msg::kNamedClass, at_);
            const std::size_t low = byte_of(text_[at_++]);
            std::size_t high = low;
            if (at_ + 1 < text_.size() && text_[at_] == '-' && text_[at_ + 1] != ']') {
                high = byte_of(text_[at_ + 1]);
                at_ += 2;
            }
            if (high < low) refuse(msg::kRangeReversed, at_ - 1);
            add_range(set, low, high);
        }
        if (at_ >= text_.size()) refuse(msg::kUnclosedSet, open);
        ++at_;
        return negated ? ~set : set;
    }

    void read_glob() {
        const char c = text_[at_];
        if (c == '[') {
            const std::size_t begin = at_;
            push_state(NamePattern::Kind::bytes, begin, read_set('!'));
            return;
        }
        std::bitset<256> set;
        if (c == '*' || c == '?') {
            set.set();
        } else {
            set.set(byte_of(c));
        }
        push_state(NamePattern::Kind::bytes, at_, set);
        if (c == '*') repeat('*');
        ++at_;
    }

    void read_regex() {
        const std::size_t begin = at_;
        const char c = text_[at_];
        switch (c) {
            case '(':
                groups_.emplace_back();
                groups_.back().open = begin;
                if (at_ + 1 < text_.size() && text_[at_ + 1] == '?') {
                    if (at_ + 2 >= text_.size() || text_[at_ + 2] != ':') refuse(msg::kGroupKind, begin);
                    at_ += 2;
                }
                break;
            case ')': {
                if (groups_.size() == 1) refuse(msg::kUnopenedGroup, at_);
                const std::size_t open = groups_.back().open;
                Piece group = close_group();
                push(std::move(group), open);
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
                skip_laziness();
                break;
            case '{':
                repeat_counted();
                skip_laziness();
                break;
            case '^':
                push_state(NamePattern::Kind::begin, begin);
                break;
            case '$':
                push_state(NamePattern::Kind::end, begin);
                break;
            case '.':
                push_state(NamePattern::Kind::bytes, begin, std::bitset<256>().set());
                break;
            case '[':
                push_state(NamePattern::Kind::bytes, begin, read_set('^'));
                return;
            case '\\':
                if (++at_ == text_.size()) refuse(msg::kTrailingBackslash, at_ - 1);
                push_state(NamePattern::Kind::bytes, begin, escaped_set(text_[at_], at_));
                break;
            default: {
                std::bitset<256> set;
                set.set(byte_of(c));
                push_state(NamePattern::Kind::bytes, begin, set);
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
    NamePattern pattern = PatternParser(text, false).parse();
    pattern.literal_ = leading_text(text);
    return pattern;
}

/// The states that the automaton can be in after each byte of a name.
class NamePattern::Run {
 public:
    explicit Run(const NamePattern& pattern) : p_(pattern), mark_(pattern.states_.size(), kNowhere) {}

    bool matches(std::string_view name) {
        follow(0, p_.start_, true, name.empty());
        for (std::size_t i = 0; i < name.size(); ++i) {
            now_.swap(next_);
            if (p_.anywhere_ && has_match()) return true;
            next_.clear();
            const bool at_end = i + 1 == name.size();
            for (const std::size_t s : now_) {
                const State& state = p_.states_[s];
                if (state.kind == Kind::bytes && state.bytes[byte_of(name[i])])
                    follow(i + 1, state.next, false, at_end);
            }
            steps_ += now_.size();
            if (p_.anywhere_) follow(i + 1, p_.start_, false, at_end);
        }
        now_.swap(next_);
        return has_match();
    }
    std::uint64_t steps() const { return steps_; }

 private:
    bool has_match() const {
        return std::ranges::any_of(now_, [&](std::size_t s) { return p_.states_[s].kind == Kind::match; });
    }
    /// Adds `start` and what is reached from it without reading a byte to the next states.
    void follow(std::size_t step, std::size_t start, bool at_begin, bool at_end) {
        open_.push_back(start);
        while (!open_.empty()) {
            const std::size_t s = open_.back();
            open_.pop_back();
            ++steps_;
            if (mark_[s] == step) continue;
            mark_[s] = step;
            const State& state = p_.states_[s];
            switch (state.kind) {
                case Kind::split:
                    open_.push_back(state.next);
                    open_.push_back(state.other);
                    break;
                case Kind::begin:
                    if (at_begin) open_.push_back(state.next);
                    break;
                case Kind::end:
                    if (at_end) open_.push_back(state.next);
                    break;
                case Kind::bytes:
                case Kind::match:
                    next_.push_back(s);
            }
        }
    }

    const NamePattern& p_;
    std::vector<std::size_t> now_;
    std::vector<std::size_t> next_;
    std::vector<std::size_t> open_;
    std::vector<std::size_t> mark_;  ///< the step at which a state was reached last
    std::uint64_t steps_ = 0;
};

bool NamePattern::matches(std::string_view name) const {
    std::uint64_t steps = 0;
    return matches(name, steps);
}

bool NamePattern::matches(std::string_view name, std::uint64_t& steps) const {
    ++steps;
    if (!literal_.empty() && name.find(literal_) == std::string_view::npos) return false;
    Run run(*this);
    const bool matched = run.matches(name);
    // A run begins with a mark for each state.
    steps += run.steps() + states_.size() / 8;
    return matched;
}

void PatternBudget::add(const NamePattern& pattern) {
    constexpr std::size_t kMax = 400'000;
    if (pattern.size() > kMax - states_) {
        throw Error(ErrorKind::usage, msg::kPatternsTooLarge, msg::kPlacePattern, msg::kUseFewerPatterns);
    }
    states_ += pattern.size();
}

}  // namespace splitscope
