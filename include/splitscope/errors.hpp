// SPDX-License-Identifier: MIT
// Errors caused by a file or an option are thrown as splitscope::Error: kind(), problem(), where() and
// remedy(); what() is all of it in one line. english() renders a Message.
#pragma once

#include "engine/messages/render.hpp"
#include "engine/support/error.hpp"
