// The program `factory` of trace_programs.cpp alone, for kinds of programs that are compiled in a way of their own.
#include "factories.h"

int main() { call_factories(); }
