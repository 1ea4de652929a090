#include "differential/hints.h"

namespace openreg::differential {

const std::vector<Hint>& list_hints() {
  // clang-format off
  static const std::vector<Hint> hints{
      {"_foreach_addcdiv.Scalar", "self={[a,b];[c]} tensor1={[a,b];[c]} tensor2={[a,b];[c]} value=2|0.5"},
      {"_foreach_addcmul.Scalar", "self={[a,b];[c]} tensor1={[a,b];[c]} tensor2={[a,b];[c]} value=2|0.5"},
      {"_foreach_addcdiv.ScalarList", "self={[a,b];[c]} tensor1={[a,b];[c]} tensor2={[a,b];[c]} scalars=(2,3)"},
      {"_foreach_addcmul.ScalarList", "self={[a,b];[c]} tensor1={[a,b];[c]} tensor2={[a,b];[c]} scalars=(2,3)"},
      {"_foreach_addcdiv.Tensor", "self={[a,b];[c]} tensor1={[a,b];[c]} tensor2={[a,b];[c]} scalars=[2]:contiguous"},
      {"_foreach_addcmul.Tensor", "self={[a,b];[c]} tensor1={[a,b];[c]} tensor2={[a,b];[c]} scalars=[2]:contiguous"},
      {"_foreach_add.Tensor", "self={[a,b];[c]} other=[]"},
      {"_foreach_mul.Tensor", "self={[a,b];[c]} other=[]"},
      {"_foreach_div.Tensor", "self={[a,b];[c]} other=[]"},
      {"_foreach_lerp.List", "self={[a,b];[c]} tensors1={[a,b];[c]} weights={[a,b];[c]}"},
      {"_foreach_lerp.Scalar", "self={[a,b];[c]} tensors1={[a,b];[c]} weight=0.5"},
      {"_foreach_lerp.ScalarList", "self={[a,b];[c]} tensors1={[a,b];[c]} weight=(0.5,0.25)"},
      {"_foreach_norm", "self={[a,b];[c]} ord=2|1 dtype=none"},
      {"_foreach_pow.ScalarAndTensor", "self=2|3 exponent={[a,b];[c]}"},
      {"_foreach_pow.Scalar", "self={[a,b];[c]} exponent=2|3"},
      {"_foreach_copy", "self={[a,b];[c]} src={[a,b];[c]}"},
      {"_amp_foreach_non_finite_check_and_unscale", "self={[a,b]:float;[c]:float} found_inf=[1]:float:zero inv_scale=[1]:float:pos"},
      {"_fused_adam", "self={[a,b];[c,b]} grads={[a,b];[c,b]} exp_avgs={[a,b];[c,b]} exp_avg_sqs={[a,b]:pos;[c,b]:pos} max_exp_avg_sqs={} state_steps={[]:float:one;[]:float:one} lr=0.1 beta1=0.9 beta2=0.99 weight_decay=0.1 eps=0.001 amsgrad=false maximize=false grad_scale=none found_inf=none"},
      {"_fused_adam.tensor_lr", "self={[a,b];[c,b]} grads={[a,b];[c,b]} exp_avgs={[a,b];[c,b]} exp_avg_sqs={[a,b]:pos;[c,b]:pos} max_exp_avg_sqs={} state_steps={[]:float:one;[]:float:one} lr=[]:float:unit beta1=0.9 beta2=0.99 weight_decay=0.1 eps=0.001 amsgrad=false maximize=false grad_scale=none found_inf=none"},
      {"_fused_adamw", "self={[a,b];[c,b]} grads={[a,b];[c,b]} exp_avgs={[a,b];[c,b]} exp_avg_sqs={[a,b]:pos;[c,b]:pos} max_exp_avg_sqs={[a,b]:pos;[c,b]:pos} state_steps={[]:float:one;[]:float:one} lr=0.1 beta1=0.9 beta2=0.99 weight_decay=0.1 eps=0.001 amsgrad=true maximize=false grad_scale=none found_inf=none"},
      {"_fused_adamw.tensor_lr", "self={[a,b];[c,b]} grads={[a,b];[c,b]} exp_avgs={[a,b];[c,b]} exp_avg_sqs={[a,b]:pos;[c,b]:pos} max_exp_avg_sqs={} state_steps={[]:float:one;[]:float:one} lr=[]:float:unit beta1=0.9 beta2=0.99 weight_decay=0.1 eps=0.001 amsgrad=false maximize=false grad_scale=none found_inf=none"},
      {"_fused_sgd", "self={[a,b];[c,b]} grads={[a,b];[c,b]} momentum_buffer_list={[a,b];[c,b]} weight_decay=0.1 momentum=0.9 lr=0.1 dampening=0.0 nesterov=false maximize=false is_first_step=false|true grad_scale=none found_inf=none"},
      {"_fused_sgd.tensor_lr", "self={[a,b];[c,b]} grads={[a,b];[c,b]} momentum_buffer_list={[a,b];[c,b]} weight_decay=0.1 momentum=0.9 lr=[]:float:unit dampening=0.0 nesterov=false maximize=false is_first_step=false grad_scale=none found_inf=none"},
      {"_fused_adagrad", "self={[a,b];[c,b]} grads={[a,b];[c,b]} state_sums={[a,b]:pos;[c,b]:pos} state_steps={[]:float:one;[]:float:one} lr=0.1 lr_decay=0.1 weight_decay=0.1 eps=0.001 maximize=false grad_scale=none found_inf=none"},
      {"_fused_adagrad.tensor_lr", "self={[a,b];[c,b]} grads={[a,b];[c,b]} state_sums={[a,b]:pos;[c,b]:pos} state_steps={[]:float:one;[]:float:one} lr=[]:float:unit lr_decay=0.1 weight_decay=0.1 eps=0.001 maximize=false grad_scale=none found_inf=none"},
      {"_flatten_dense_tensors", "tensors={[a,b];[c]}"},
  };
  // clang-format on
  return hints;
}

}  // namespace openreg::differential
