%module office
%include <std_string.i>
%{
#include "office.hpp"
%}
%include "office.hpp"
