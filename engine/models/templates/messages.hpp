// SPDX-License-Identifier: MIT
// Parts of the sentences about chat templates: each row completes the one named above its group.
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

// kTemplateSyntax.
inline constexpr Sentence<> kCommentNotClosed{"template.comment-not-closed", "a comment is not closed"};
inline constexpr Sentence<> kRawNotClosed{"template.raw-not-closed", "a raw block is not closed"};
inline constexpr Sentence<> kTagNotClosed{"template.tag-not-closed",
                                          "a statement or an expression is not closed"};
inline constexpr Sentence<> kStringNotClosed{"template.string-not-closed", "a string is not closed"};
inline constexpr Sentence<> kEscapeLacksDigits{"template.escape-lacks-digits",
                                               "an escape sequence lacks digits"};
inline constexpr Sentence<Name> kNothingToClose{"template.nothing-to-close",
                                                "'{sign}' without an opening bracket"};
inline constexpr Sentence<Name> kUnexpectedCharacter{"template.unexpected-character",
                                                     "unexpected character '{character}'"};
inline constexpr Sentence<Name> kUnexpectedToken{"template.unexpected-token", "unexpected '{token}'"};
inline constexpr Sentence<Message, Name> kOtherExpected{"template.other-expected",
                                                        "{wanted} expected, found '{found}'"};
inline constexpr Sentence<Name> kOutsideLoop{"template.outside-loop", "'{statement}' outside a loop"};
inline constexpr Sentence<> kDefaultMissing{"template.default-missing",
                                            "a parameter without a default follows one with a default"};
// kOtherExpected.
inline constexpr Sentence<Name> kToken{"template.token", "'{token}'"};
inline constexpr Sentence<> kAName{"template.a-name", "a name"};
inline constexpr Sentence<> kAnExpression{"template.an-expression", "an expression"};
inline constexpr Sentence<> kANamedArgument{"template.a-named-argument", "a named argument"};
inline constexpr Sentence<> kAndOrElse{"template.and-or-else", "'and', 'or' or 'else'"};

// kTemplateUnsupported.
inline constexpr Sentence<> kNumberWithLetters{"template.number-with-letters",
                                               "a number followed by letters"};
inline constexpr Sentence<Name> kEscape{"template.escape", "the escape sequence \\{letter}"};
inline constexpr Sentence<> kEscapeOfNoCharacter{"template.escape-of-no-character",
                                                 "an escape sequence for an invalid character"};
inline constexpr Sentence<Name> kOnNonAscii{"template.on-non-ascii",
                                            "'{function}' on a string that is not ASCII"};
inline constexpr Sentence<> kNonAsciiClasses{"template.non-ascii-classes",
                                             "character classes of a string that is not ASCII"};
inline constexpr Sentence<> kWideIntegers{"template.wide-integers", "integers of more than 64 bits"};
inline constexpr Sentence<> kUnpackedArguments{"template.unpacked-arguments", "unpacked arguments (* or **)"};
inline constexpr Sentence<> kDottedFilter{"template.dotted-filter", "a filter name with a dot"};
inline constexpr Sentence<Name> kStatement{"template.statement", "the statement '{name}'"};
inline constexpr Sentence<> kRecursiveLoops{"template.recursive-loops", "recursive loops"};
inline constexpr Sentence<> kFilteredSetBlock{"template.filtered-set-block", "a filter on a set block"};
inline constexpr Sentence<> kInnerMacro{"template.inner-macro", "a macro inside a loop or another block"};
inline constexpr Sentence<Name> kTest{"template.test", "the test '{name}'"};
inline constexpr Sentence<Name> kFilter{"template.filter", "the filter '{name}'"};
inline constexpr Sentence<> kRsplitAtWhitespace{"template.rsplit-at-whitespace",
                                                "a limited 'rsplit' at whitespace"};
inline constexpr Sentence<Name, Name> kMethod{"template.method", "the method {type}.{name}()"};
inline constexpr Sentence<Name> kAttribute{"template.attribute", "the attribute '{name}'"};
inline constexpr Sentence<Name> kTheName{"template.the-name", "the name '{name}'"};
inline constexpr Sentence<Name> kMoreArguments{"template.more-arguments", "other arguments of '{function}'"};
inline constexpr Sentence<Name> kPositionalArguments{"template.positional-arguments",
                                                     "positional arguments of '{function}'"};
inline constexpr Sentence<Name, Name> kArgumentOf{"template.argument-of",
                                                  "the argument '{name}' of '{function}'"};
inline constexpr Sentence<Name, Name> kOnType{"template.on-type", "'{function}' on a value of type {type}"};
inline constexpr Sentence<> kIntOfText{"template.int-of-text",
                                       "'int' on a string that is not a plain number"};
inline constexpr Sentence<> kNumericAttributes{"template.numeric-attributes", "numeric attributes"};
inline constexpr Sentence<> kGeneratorTwice{"template.generator-twice", "a generator that is iterated twice"};
inline constexpr Sentence<> kOrderOfLists{"template.order-of-lists", "the order of lists"};
inline constexpr Sentence<> kQuotingUnprintable{"template.quoting-unprintable",
                                                "the quoting of unprintable characters"};
inline constexpr Sentence<> kNotFiniteJson{"template.not-finite-json", "a number in JSON that is not finite"};
inline constexpr Sentence<> kComparingViews{"template.comparing-views",
                                            "the comparison of views or generators"};
inline constexpr Sentence<> kPrintingView{"template.printing-view",
                                          "the printing of a range or of a dictionary's view"};
inline constexpr Sentence<Name> kPrinting{"template.printing", "the printing of a value of type {type}"};
inline constexpr Sentence<> kOddIndent{"template.odd-indent",
                                       "an indent that is neither a number nor a string"};
inline constexpr Sentence<> kNestedNamespace{"template.nested-namespace", "a namespace inside a namespace"};
inline constexpr Sentence<> kKeysNotStrings{"template.keys-not-strings",
                                            "dictionary keys that are not strings"};
inline constexpr Sentence<> kIndexingView{"template.indexing-view",
                                          "an index into a range or into a dictionary's view"};
inline constexpr Sentence<> kPercentFormat{"template.percent-format", "string formatting with %"};
inline constexpr Sentence<> kRepeatedList{"template.repeated-list", "the repetition of a list with *"};

// kTemplateFailed.
inline constexpr Sentence<> kEmptySeparator{"template.empty-separator", "the separator is empty"};
inline constexpr Sentence<> kDivisionByZero{"template.division-by-zero", "division by zero"};
inline constexpr Sentence<Name> kWrongArguments{"template.wrong-arguments",
                                                "'{function}' does not take these arguments"};
inline constexpr Sentence<Name> kArgumentMissing{"template.argument-missing",
                                                 "'{function}' lacks an argument"};
inline constexpr Sentence<> kNotInList{"template.not-in-list", "the item is not in the list"};
inline constexpr Sentence<Name> kIsUndefined{"template.is-undefined", "'{name}' is undefined"};
inline constexpr Sentence<Name, Name> kDoesNotApply{"template.does-not-apply",
                                                    "'{function}' does not apply to a value of type {type}"};
inline constexpr Sentence<Name> kCannotIterate{"template.cannot-iterate",
                                               "a value of type {type} has no items"};
inline constexpr Sentence<Name, Name, Name> kNoOrder{"template.no-order",
                                                     "{left} {operator} {right}: these types have no order"};
inline constexpr Sentence<Name> kNoJsonForm{"template.not-json",
                                            "a value of type {type} cannot be written as JSON"};
inline constexpr Sentence<Name, Name, Name> kUndefinedOperation{
    "template.undefined-operation", "{left} {operator} {right}: not defined for these types"};
inline constexpr Sentence<Name, Name> kUndefinedSign{"template.undefined-sign",
                                                     "{operator}{type}: not defined for this type"};
inline constexpr Sentence<Name> kCannotCall{"template.cannot-call",
                                            "a value of type {type} cannot be called"};
inline constexpr Sentence<Integer, Integer> kValuesForNames{
    "template.values-for-names", "{values} values cannot be assigned to {names} names"};
inline constexpr Sentence<Name> kCannotAssignMember{"template.cannot-assign-member",
                                                    "members of a value of type {type} cannot be assigned"};
inline constexpr Sentence<Name, Count> kTooManyArguments{
    "template.too-many-arguments", "the macro '{name}' takes at most {count} argument",
    "the macro '{name}' takes at most {count} arguments"};
inline constexpr Sentence<Name> kArgumentTwice{"template.argument-twice",
                                               "the argument '{name}' is given twice"};
inline constexpr Sentence<Name, Name> kNoParameter{"template.no-parameter",
                                                   "the macro '{name}' has no parameter '{parameter}'"};
inline constexpr Sentence<> kSliceBounds{"template.slice-bounds", "the bounds of a slice must be integers"};
inline constexpr Sentence<> kZeroStep{"template.zero-step", "the step is zero"};
inline constexpr Sentence<Name, Name> kStringExpected{"template.string-expected",
                                                      "'{function}' expects a string, not {type}"};
inline constexpr Sentence<Name, Name> kIntegerExpected{"template.integer-expected",
                                                       "'{function}' expects an integer, not {type}"};

// kTemplateTooMuch.
inline constexpr Sentence<> kBlockDepth{"template.block-depth", "the nesting of blocks"};
inline constexpr Sentence<> kExpressionDepth{"template.expression-depth", "the nesting of an expression"};
inline constexpr Sentence<> kCallDepth{"template.call-depth", "the nesting of calls"};
inline constexpr Sentence<> kValueDepth{"template.value-depth", "the nesting of values"};
inline constexpr Sentence<> kTextSize{"template.text-size", "the size of the text"};
inline constexpr Sentence<> kStepCount{"template.step-count", "the number of steps"};
inline constexpr Sentence<> kIndentWidth{"template.indent-width", "the width of an indent"};
inline constexpr Sentence<> kDateFormatLength{"template.date-format-length", "the length of a date's format"};

}  // namespace splitscope::msg
