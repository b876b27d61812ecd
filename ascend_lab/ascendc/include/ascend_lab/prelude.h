// What every source of a student gets first, in precompiled form. Only headers that do not depend on macros a
// source may define before it includes anything.
#pragma once
#pragma GCC system_header
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "kernel_operator.h"
