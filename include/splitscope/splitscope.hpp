// SPDX-License-Identifier: MIT
// The engine as a library. Functions return the same objects that the window uses (Session, Analysis,
// ModelPlan, RunResult); docs/library.md is the guide.
#pragma once

#include "splitscope/errors.hpp"
#include "splitscope/open.hpp"
#include "splitscope/plan.hpp"
#include "splitscope/report.hpp"
#include "splitscope/run.hpp"
#include "splitscope/schedule.hpp"
