// SPDX-License-Identifier: MIT
// What goes wrong because of a file or a choice is thrown as splitscope::Error: kind(), problem(), where()
// and remedy(); what() says all of it in one line. english() puts a Message into words.
#pragma once

#include "engine/messages/render.hpp"
#include "engine/support/error.hpp"
