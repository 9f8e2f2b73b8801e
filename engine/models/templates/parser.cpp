// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>

#include "engine/models/templates/failures.hpp"
#include "engine/models/templates/lexer.hpp"
#include "engine/models/templates/messages.hpp"
#include "engine/models/templates/syntax.hpp"
#include "engine/support/limits.hpp"

namespace splitscope::templates {
namespace {

/// Deeper than any template, and low enough that neither parsing nor rendering overflows the stack.

class Parser {
 public:
    Parser(std::vector<Token> tokens, std::size_t& line) : tokens_(std::move(tokens)), line_(line) {}

    Body run() {
        Body body = body_until({});
        if (current().type != TokenType::end) throw wrong_syntax(msg::kUnexpectedToken(current().text));
        return body;
    }

 private:
    using Words = std::initializer_list<std::string_view>;

    /// Counts the nesting while parsing.
    class Level {
     public:
        explicit Level(Parser& parser) : parser_(parser) {
            if (++parser_.level_ > kMaxTemplateDepth) throw too_much(msg::kBlockDepth);
        }
        ~Level() { --parser_.level_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

     private:
        Parser& parser_;
    };

    // --- tokens

    const Token& current() const { return tokens_[at_]; }
    Token next() {
        line_ = current().line;
        return current().type == TokenType::end ? current() : tokens_[at_++];
    }
    bool is_sign(std::string_view sign) const {
        return current().type == TokenType::sign && current().text == sign;
    }
    bool is_word(std::string_view word) const {
        return current().type == TokenType::name && current().text == word;
    }
    bool is_one_of(Words words) const {
        return std::ranges::any_of(words, [&](auto word) { return is_word(word); });
    }
    bool skip_sign(std::string_view sign) {
        if (!is_sign(sign)) return false;
        next();
        return true;
    }
    bool skip_word(std::string_view word) {
        if (!is_word(word)) return false;
        next();
        return true;
    }
    [[noreturn]] void unexpected(const Message& wanted) {
        line_ = current().line;
        throw wrong_syntax(msg::kOtherExpected(wanted, current().text));
    }
    void expect_sign(std::string_view sign) {
        if (!skip_sign(sign)) unexpected(msg::kToken(sign));
    }
    std::string expect_name() {
        if (current().type != TokenType::name) unexpected(msg::kAName);
        return next().text;
    }
    void expect_end_of_statement() {
        if (current().type != TokenType::end_statement) unexpected(msg::kToken("%}"));
        next();
    }

    // --- expressions

    ExpressionPtr made(Expression expression) {
        expression.line = line_;
        const auto deepen = [&](const ExpressionPtr& part) {
            if (part != nullptr) expression.depth = std::max(expression.depth, part->depth + 1);
        };
        for (const ExpressionPtr& part : expression.parts) deepen(part);
        for (const auto& [name, part] : expression.named) deepen(part);
        if (expression.depth > kMaxTemplateDepth) throw too_much(msg::kExpressionDepth);
        return std::make_unique<const Expression>(std::move(expression));
    }
    template <class... Parts>
    ExpressionPtr made(ExpressionKind kind, std::string name, Parts... parts) {
        Expression expression;
        expression.kind = kind;
        expression.name = std::move(name);
        (expression.parts.push_back(std::move(parts)), ...);
        return made(std::move(expression));
    }
    ExpressionPtr constant(Value value) {
        Expression expression;
        expression.value = std::move(value);
        return made(std::move(expression));
    }

    ExpressionPtr expression() {
        const Level level(*this);
        ExpressionPtr value = either();
        while (skip_word("if")) {
            ExpressionPtr condition = either();
            ExpressionPtr fallback = skip_word("else") ? expression() : nullptr;
            value =
                made(ExpressionKind::choice, {}, std::move(condition), std::move(value), std::move(fallback));
        }
        return value;
    }
    ExpressionPtr either() {
        ExpressionPtr left = both();
        while (skip_word("or")) left = made(ExpressionKind::either, {}, std::move(left), both());
        return left;
    }
    ExpressionPtr both() {
        ExpressionPtr left = negated();
        while (skip_word("and")) left = made(ExpressionKind::both, {}, std::move(left), negated());
        return left;
    }
    ExpressionPtr negated() {
        const Level level(*this);
        if (skip_word("not")) return made(ExpressionKind::unary, "not", negated());
        return compared();
    }
    ExpressionPtr compared() {
        Expression comparison;
        comparison.kind = ExpressionKind::comparison;
        comparison.parts.push_back(sum());
        for (;;) {
            constexpr std::array<std::string_view, 6> signs = {"==", "!=", "<", "<=", ">", ">="};
            const bool is_operator =
                current().type == TokenType::sign && std::ranges::find(signs, current().text) != signs.end();
            if (is_operator) {
                comparison.operators.push_back(next().text);
            } else if (skip_word("in")) {
                comparison.operators.emplace_back("in");
            } else if (is_word("not") && tokens_[at_ + 1].type == TokenType::name &&
                       tokens_[at_ + 1].text == "in") {
                next();
                next();
                comparison.operators.emplace_back("not in");
            } else {
                break;
            }
            comparison.parts.push_back(sum());
        }
        return comparison.operators.empty() ? std::move(comparison.parts.front())
                                            : made(std::move(comparison));
    }
    template <class Operand>
    ExpressionPtr chain(Words signs, Operand operand) {
        ExpressionPtr left = operand();
        for (;;) {
            const auto found = std::ranges::find_if(signs, [&](auto sign) { return is_sign(sign); });
            if (found == signs.end()) return left;
            next();
            left = made(ExpressionKind::binary, std::string(*found), std::move(left), operand());
        }
    }
    ExpressionPtr sum() {
        return chain({"+", "-"}, [&] { return joined(); });
    }
    ExpressionPtr joined() {
        return chain({"~"}, [&] { return product(); });
    }
    ExpressionPtr product() {
        return chain({"*", "/", "//", "%"}, [&] { return power(); });
    }
    ExpressionPtr power() {
        return chain({"**"}, [&] { return signed_value(true); });
    }
    ExpressionPtr signed_value(bool with_filter) {
        const Level level(*this);
        ExpressionPtr value;
        if (is_sign("-") || is_sign("+")) {
            const std::string sign = next().text;
            value = made(ExpressionKind::unary, sign, signed_value(false));
        } else {
            value = primary();
        }
        value = with_postfix(std::move(value));
        return with_filter ? with_filters(std::move(value)) : std::move(value);
    }

    ExpressionPtr primary() {
        const Token token = current();
        switch (token.type) {
            case TokenType::name:
                next();
                if (token.text == "true" || token.text == "True") return constant(true);
                if (token.text == "false" || token.text == "False") return constant(false);
                if (token.text == "none" || token.text == "None") return constant(None{});
                return made(ExpressionKind::name, token.text);
            case TokenType::text: {
                std::string text;
                while (current().type == TokenType::text) text += next().text;
                return constant(Value(std::move(text)));
            }
            case TokenType::integer: {
                next();
                std::int64_t number = 0;
                const auto [end, error] =
                    std::from_chars(token.text.data(), token.text.data() + token.text.size(), number);
                if (error != std::errc()) throw unsupported(msg::kWideIntegers);
                return constant(number);
            }
            case TokenType::decimal: {
                next();
                double number = 0;
                std::from_chars(token.text.data(), token.text.data() + token.text.size(), number);
                return constant(number);
            }
            case TokenType::sign:
                if (skip_sign("(")) {
                    ExpressionPtr value =
                        is_sign(")") ? made(ExpressionKind::tuple, {}) : tuple(&Parser::expression);
                    expect_sign(")");
                    return value;
                }
                if (skip_sign("[")) return list();
                if (skip_sign("{")) return dictionary();
                break;
            default:
                break;
        }
        unexpected(msg::kAnExpression);
    }
    ExpressionPtr list() {
        Expression list;
        list.kind = ExpressionKind::list;
        while (!is_sign("]")) {
            list.parts.push_back(expression());
            if (!skip_sign(",")) break;
        }
        expect_sign("]");
        return made(std::move(list));
    }
    ExpressionPtr dictionary() {
        Expression dictionary;
        dictionary.kind = ExpressionKind::dictionary;
        while (!is_sign("}")) {
            dictionary.parts.push_back(expression());
            expect_sign(":");
            dictionary.parts.push_back(expression());
            if (!skip_sign(",")) break;
        }
        expect_sign("}");
        return made(std::move(dictionary));
    }
    /// A value, or several separated by commas.
    ExpressionPtr tuple(ExpressionPtr (Parser::*value)()) {
        ExpressionPtr first = (this->*value)();
        if (!is_sign(",")) return first;
        Expression tuple;
        tuple.kind = ExpressionKind::tuple;
        tuple.parts.push_back(std::move(first));
        while (skip_sign(",")) {
            const bool ends = is_sign(")") || current().type == TokenType::end_statement ||
                              current().type == TokenType::end_print || is_sign("=") || is_word("in");
            if (ends) break;
            tuple.parts.push_back((this->*value)());
        }
        return made(std::move(tuple));
    }

    ExpressionPtr with_postfix(ExpressionPtr value) {
        for (;;) {
            if (skip_sign(".")) {
                if (current().type == TokenType::integer) {
                    value = made(ExpressionKind::item, {}, std::move(value), primary());
                } else {
                    std::string name = expect_name();
                    value = made(ExpressionKind::attribute, std::move(name), std::move(value));
                }
            } else if (skip_sign("[")) {
                value = subscript(std::move(value));
            } else if (is_sign("(")) {
                value = call(std::move(value));
            } else {
                return value;
            }
        }
    }
    ExpressionPtr subscript(ExpressionPtr value) {
        const auto bound = [&]() -> ExpressionPtr {
            return is_sign(":") || is_sign("]") ? nullptr : expression();
        };
        ExpressionPtr first = bound();
        if (!is_sign(":")) {
            if (first == nullptr || is_sign(",")) unexpected(msg::kToken("]"));
            expect_sign("]");
            return made(ExpressionKind::item, {}, std::move(value), std::move(first));
        }
        next();
        ExpressionPtr last = bound();
        ExpressionPtr step = skip_sign(":") ? bound() : nullptr;
        expect_sign("]");
        return made(ExpressionKind::slice, {}, std::move(value), std::move(first), std::move(last),
                    std::move(step));
    }
    void arguments(Expression& call) {
        expect_sign("(");
        while (!is_sign(")")) {
            if (is_sign("*") || is_sign("**")) throw unsupported(msg::kUnpackedArguments);
            const bool is_named = current().type == TokenType::name &&
                                  tokens_[at_ + 1].type == TokenType::sign && tokens_[at_ + 1].text == "=";
            if (is_named) {
                std::string name = next().text;
                next();
                call.named.emplace_back(std::move(name), expression());
            } else {
                if (!call.named.empty()) unexpected(msg::kANamedArgument);
                call.parts.push_back(expression());
            }
            if (!skip_sign(",")) break;
        }
        expect_sign(")");
    }
    ExpressionPtr call(ExpressionPtr function) {
        Expression call;
        call.kind = ExpressionKind::call;
        call.parts.push_back(std::move(function));
        arguments(call);
        return made(std::move(call));
    }

    ExpressionPtr with_filters(ExpressionPtr value) {
        for (;;) {
            if (is_sign("|")) {
                value = filter(std::move(value));
            } else if (is_word("is")) {
                value = test(std::move(value));
            } else if (is_sign("(")) {
                value = call(std::move(value));
            } else {
                return value;
            }
        }
    }
    ExpressionPtr filter(ExpressionPtr value) {
        expect_sign("|");
        Expression filter;
        filter.kind = ExpressionKind::filter;
        filter.name = expect_name();
        if (is_sign(".")) throw unsupported(msg::kDottedFilter);
        filter.parts.push_back(std::move(value));
        if (is_sign("(")) arguments(filter);
        return made(std::move(filter));
    }
    ExpressionPtr test(ExpressionPtr value) {
        next();
        const bool is_negated = skip_word("not");
        Expression test;
        test.kind = ExpressionKind::test;
        test.name = expect_name();
        test.parts.push_back(std::move(value));
        const bool begins_value = current().type == TokenType::text || current().type == TokenType::integer ||
                                  current().type == TokenType::decimal || is_sign("[") || is_sign("{") ||
                                  (current().type == TokenType::name && !is_one_of({"else", "or", "and"}));
        if (is_sign("(")) {
            arguments(test);
        } else if (begins_value) {
            // As in Jinja: a word after a test is its argument, also "if" and "in".
            if (is_one_of({"is", "if", "in", "not"})) unexpected(msg::kAndOrElse);
            test.parts.push_back(with_postfix(primary()));
        }
        ExpressionPtr made_test = made(std::move(test));
        return is_negated ? made(ExpressionKind::unary, "not", std::move(made_test)) : std::move(made_test);
    }

    // --- statements

    Statement statement_of(StatementKind kind) {
        Statement statement;
        statement.kind = kind;
        statement.line = line_;
        return statement;
    }

    /// Statements up to one of these words, which stays; up to the end of the template where there are none.
    Body body_until(Words words) {
        const Level level(*this);
        Body body;
        for (;;) {
            const Token token = current();
            line_ = token.line;
            switch (token.type) {
                case TokenType::data: {
                    Statement data = statement_of(StatementKind::data);
                    data.text = next().text;
                    body.push_back(std::move(data));
                    break;
                }
                case TokenType::begin_print: {
                    next();
                    Statement print = statement_of(StatementKind::print);
                    print.expression = tuple(&Parser::expression);
                    if (current().type != TokenType::end_print) unexpected(msg::kToken("}}"));
                    next();
                    body.push_back(std::move(print));
                    break;
                }
                case TokenType::begin_statement:
                    next();
                    if (is_one_of(words)) return body;
                    body.push_back(statement());
                    break;
                default:
                    if (words.size() > 0) unexpected(msg::kToken(*(words.end() - 1)));
                    return body;
            }
        }
    }

    /// A body with its own names, inside loops that it may leave.
    Body scoped(Words words, std::size_t loops) {
        const std::size_t outside = std::exchange(loops_, loops);
        ++scopes_;
        Body body = body_until(words);
        --scopes_;
        loops_ = outside;
        return body;
    }

    Statement statement() {
        const std::string word = expect_name();
        if (word == "if") return choose();
        if (word == "for") return loop();
        if (word == "set") return set();
        if (word == "macro") return macro();
        if (word == "break" || word == "continue") {
            if (loops_ == 0) throw wrong_syntax(msg::kOutsideLoop(word));
            expect_end_of_statement();
            return statement_of(word == "break" ? StatementKind::leave_loop : StatementKind::next_in_loop);
        }
        if (word == "generation") {
            expect_end_of_statement();
            Statement part = statement_of(StatementKind::part);
            part.body = scoped({"endgeneration"}, 0);
            next();
            expect_end_of_statement();
            return part;
        }
        throw unsupported(msg::kStatement(word));
    }

    Statement choose() {
        Statement choose = statement_of(StatementKind::choose);
        bool is_last = false;
        ExpressionPtr condition = tuple(&Parser::either);
        for (;;) {
            expect_end_of_statement();
            Body body = is_last ? body_until({"endif"}) : body_until({"elif", "else", "endif"});
            choose.branches.push_back({std::move(condition), std::move(body)});
            const std::string word = next().text;
            if (word == "endif") break;
            is_last = word == "else";
            condition = is_last ? nullptr : tuple(&Parser::either);
        }
        expect_end_of_statement();
        return choose;
    }

    std::vector<std::string> targets() {
        const bool in_brackets = skip_sign("(");
        std::vector<std::string> names = {expect_name()};
        while (skip_sign(",")) {
            if (current().type != TokenType::name) break;
            names.push_back(expect_name());
        }
        if (in_brackets) expect_sign(")");
        return names;
    }

    Statement loop() {
        Statement loop = statement_of(StatementKind::loop);
        loop.targets = targets();
        if (!skip_word("in")) unexpected(msg::kToken("in"));
        loop.expression = tuple(&Parser::either);
        if (skip_word("if")) loop.condition = expression();
        if (is_word("recursive")) throw unsupported(msg::kRecursiveLoops);
        expect_end_of_statement();
        loop.body = scoped({"else", "endfor"}, loops_ + 1);
        if (next().text == "else") {
            expect_end_of_statement();
            loop.fallback = body_until({"endfor"});
            next();
        }
        expect_end_of_statement();
        return loop;
    }

    Statement set() {
        Statement set = statement_of(StatementKind::set);
        set.targets = targets();
        if (skip_sign(".")) {
            if (set.targets.size() > 1) unexpected(msg::kToken("="));
            set.targets.front() += '.' + expect_name();
        }
        if (skip_sign("=")) {
            set.expression = tuple(&Parser::expression);
            expect_end_of_statement();
            return set;
        }
        if (is_sign("|")) throw unsupported(msg::kFilteredSetBlock);
        expect_end_of_statement();
        set.kind = StatementKind::set_text;
        set.body = scoped({"endset"}, 0);
        next();
        expect_end_of_statement();
        return set;
    }

    Statement macro() {
        Statement macro = statement_of(StatementKind::macro);
        // The visibility of outer scopes in a macro is simple only at the outermost level.
        if (scopes_ > 0) throw unsupported(msg::kInnerMacro);
        macro.text = expect_name();
        expect_sign("(");
        while (!is_sign(")")) {
            Parameter parameter;
            parameter.name = expect_name();
            if (skip_sign("=")) parameter.fallback = expression();
            const bool follows_default =
                !macro.parameters.empty() && macro.parameters.back().fallback != nullptr;
            if (follows_default && parameter.fallback == nullptr) throw wrong_syntax(msg::kDefaultMissing);
            macro.parameters.push_back(std::move(parameter));
            if (!skip_sign(",")) break;
        }
        expect_sign(")");
        expect_end_of_statement();
        macro.body = scoped({"endmacro"}, 0);
        next();
        expect_end_of_statement();
        return macro;
    }

    std::vector<Token> tokens_;
    std::size_t& line_;
    std::size_t at_ = 0;
    std::size_t level_ = 0;
    std::size_t loops_ = 0;
    std::size_t scopes_ = 0;
};

}  // namespace

Body parsed(std::string_view source, std::size_t& line) {
    return Parser(tokens_of(source, line), line).run();
}

}  // namespace splitscope::templates
