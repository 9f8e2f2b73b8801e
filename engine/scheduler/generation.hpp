// SPDX-License-Identifier: MIT
#pragma once

// The enumeration itself is in engine/support, because the allocator has generations too.
#include "engine/support/generation.hpp"
