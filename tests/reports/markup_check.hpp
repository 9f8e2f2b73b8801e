// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace splitscope::test {

/// Why a page is not well-formed: an element that is not closed, closed in the wrong order, or an attribute
/// without quotes. Empty when it is. The contents of <script> and <style> are skipped.
std::string markup_problem(std::string_view page);

/// The first thing in a page that a browser would load from somewhere, or empty.
std::string first_load(std::string_view page);

}  // namespace splitscope::test
