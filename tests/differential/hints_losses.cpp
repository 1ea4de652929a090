#include "differential/hints.h"

namespace openreg::differential {

const std::vector<Hint>& loss_hints() {
  // clang-format off
  static const std::vector<Hint> hints{
      {"nll_loss", "self=[a,c] target=[a]:long:below<c weight=[c]:pos|none reduction=0..2 ignore_index=-100|1"},
      {"nll_loss_nd", "self=[a,c,b] target=[a,b]:long:below<c weight=[c]:pos|none reduction=0..2 ignore_index=-100|1"},
      {"nll_loss_forward", "self=[a,c] target=[a]:long:below<c weight=[c]:pos|none reduction=0..2 ignore_index=-100|1"},
      {"nll_loss_backward", "grad_output=[a] self=[a,c] target=[a]:long:below<c weight=[c]:pos|none reduction=0 ignore_index=-100 total_weight=[]:pos"},
      {"nll_loss2d", "self=[a,c,H,W] target=[a,H,W]:long:below<c weight=[c]:pos|none reduction=0..2 ignore_index=-100|1"},
      {"nll_loss2d_forward", "self=[a,c,H,W] target=[a,H,W]:long:below<c weight=[c]:pos|none reduction=0..2 ignore_index=-100|1"},
      {"nll_loss2d_backward", "grad_output=[a,H,W] self=[a,c,H,W] target=[a,H,W]:long:below<c weight=[c]:pos|none reduction=0 ignore_index=-100 total_weight=[]:pos"},
      {"cross_entropy_loss", "self=[a,c] target=[a]:long:below<c weight=[c]:pos|none reduction=0..2 ignore_index=-100 label_smoothing=0.0|0.1"},
      {"cross_entropy_loss", "self=[a,c] target=[a,c]:unit weight=[c]:pos|none reduction=0..2 ignore_index=-100 label_smoothing=0.0|0.1"},
      {"multi_margin_loss", "self=[a,c] target=[a]:long:below<c p=1|2 weight=[c]:pos|none reduction=0..2"},
      {"multi_margin_loss_backward", "grad_output=[a] self=[a,c] target=[a]:long:below<c p=1|2 margin=1 weight=none reduction=0"},
      {"multilabel_margin_loss", "self=[a,c] target=[a,c]:long:below<c reduction=0..2"},
      {"multilabel_margin_loss_forward", "self=[a,c] target=[a,c]:long:below<c reduction=0..2"},
      {"multilabel_margin_loss_backward", "grad_output=[a] self=[a,c] target=[a,c]:long:below<c reduction=0 is_target=[a,c]"},
      {"binary_cross_entropy", "self=[@]:unit target=[@]:unit weight=[@]|none reduction=0..2"},
      {"binary_cross_entropy_backward", "grad_output=[@] self=[@]:unit target=[@]:unit weight=[@]|none reduction=0"},
      {"binary_cross_entropy_with_logits", "self=[@] target=[@]:unit weight=[@]|none pos_weight=[@]|none reduction=0..2"},
      {"mse_loss", "self=[@] target=[@] reduction=0..2"},
      {"mse_loss_backward", "grad_output=[@] self=[@] target=[@] reduction=0..2"},
      {"l1_loss", "self=[@] target=[@] reduction=0..2"},
      {"smooth_l1_loss", "self=[@] target=[@] reduction=0..2 beta=1.0|0.5"},
      {"smooth_l1_loss_backward", "grad_output=[@] self=[@] target=[@] reduction=0..2 beta=1.0"},
      {"huber_loss", "self=[@] target=[@] reduction=0..2 delta=1.0"},
      {"huber_loss_backward", "grad_output=[@] self=[@] target=[@] reduction=0..2 delta=1.0"},
      {"soft_margin_loss", "self=[@] target=[@] reduction=0..2"},
      {"soft_margin_loss_backward", "grad_output=[@] self=[@] target=[@] reduction=0..2"},
      {"kl_div", "self=[@] target=[@]:unit reduction=0..2"},
      {"poisson_nll_loss", "input=[@] target=[@]:pos reduction=0..2 eps=0.001"},
      {"hinge_embedding_loss", "self=[@] target=[@] reduction=0..2"},
      {"margin_ranking_loss", "input1=[@] input2=[@] target=[@] reduction=0..2"},
      {"cosine_embedding_loss", "input1=[a,b] input2=[a,b] target=[a]:one reduction=0..2"},
      {"triplet_margin_loss", "anchor=[a,b] positive=[a,b] negative=[a,b] reduction=0..2"},
      {"ctc_loss.IntList", "log_probs=[6,2,4] targets=[2,2]:long:count<3 input_lengths=(6,5) target_lengths=(2,1) blank=0 reduction=0..2"},
      {"ctc_loss.Tensor", "log_probs=[6,2,4] targets=[2,2]:long:count<3 input_lengths=[2]:long:full<6 target_lengths=[2]:long:full<2 blank=0 reduction=0..2"},
      {"_ctc_loss", "log_probs=[W+2,2,c] targets=[2,2]:long:count<c-1 input_lengths=(W+2,5) target_lengths=(2,1) blank=0"},
      {"_ctc_loss.Tensor", "log_probs=[W+2,2,c] targets=[2,2]:long:count<c-1 input_lengths=[2]:long:full<6 target_lengths=[2]:long:full<2 blank=0"},
      {"_ctc_loss_backward", "grad=[2] log_probs=[6,2,c] targets=[2,2]:long:count<c-1 input_lengths=(6,5) target_lengths=(2,1) neg_log_likelihood=[2] log_alpha=[2,6,5] blank=0"},
      {"_ctc_loss_backward.Tensor", "grad=[2] log_probs=[6,2,c] targets=[2,2]:long:count<c-1 input_lengths=[2]:long:full<6 target_lengths=[2]:long:full<2 neg_log_likelihood=[2] log_alpha=[2,6,5] blank=0"},
  };
  // clang-format on
  return hints;
}

}  // namespace openreg::differential
