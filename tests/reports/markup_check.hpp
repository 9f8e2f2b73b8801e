// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace splitscope::test {

/// Why a page is not well-formed: an unclosed element, a wrong closing order, or an attribute without quotes.
/// Empty if it is well-formed. The contents of <script> and <style> are skipped.
std::string markup_problem(std::string_view page);

/// The first external resource that a browser would load, or empty.
std::string first_load(std::string_view page);

}  // namespace splitscope::test
