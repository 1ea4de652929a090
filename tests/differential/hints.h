#pragma once

#include <string>
#include <string_view>
#include <vector>

// Which arguments an operator takes, where the defaults in argument_maker.cpp would be refused.
//
// A hint is "argument=value argument=value ..."; arguments that it does not name get defaults. Values:
//   [a,b+1,3]      a tensor of these sizes. A small letter is 2 to 4, a capital one 4 to 7, the same in all of the
//                  sample; * is zero to two batch dimensions, @ the sample's own shape. After it may follow
//                  :long :int :bool :byte :float :double :cplx :real (the dtype, else the sample's) and what it
//                  holds: :pos :unit :spd :tril :triu :solvable :sorted :perm :range :zero :one :offsets<n
//                  :below<n :count<n :full<n
//   {[a];[b,c]}    a list of tensors
//   (1,a)          a list of numbers; also for bool[]
//   'mean' 2 0.5 a/2 0..3 true none ?      ? is the default
//   x|y            one of both
namespace openreg::differential {

struct Hint {
  std::string_view op;  // "mm": mm, mm.out and mm_; "sum.dim_IntList": this overload alone
  std::string_view text;
};

// The hints of an operator: those of its overload if there are any, else those of its name. A sample takes one.
std::vector<std::string_view> hints_for(const std::string& name, const std::string& overload);

// One table a family, each in a file of its own.
const std::vector<Hint>& linalg_hints();
const std::vector<Hint>& convolution_hints();
const std::vector<Hint>& pooling_hints();
const std::vector<Hint>& network_hints();
const std::vector<Hint>& loss_hints();
const std::vector<Hint>& index_hints();
const std::vector<Hint>& shape_hints();
const std::vector<Hint>& reduction_hints();
const std::vector<Hint>& factory_hints();
const std::vector<Hint>& spectral_hints();
const std::vector<Hint>& list_hints();

}  // namespace openreg::differential
