#include "differential/hints.h"

namespace openreg::differential {

const std::vector<Hint>& convolution_hints() {
  // clang-format off
  static const std::vector<Hint> hints{
      {"conv1d", "input=[a,4,W] weight=[b*2,2,3] bias=[b*2]|none stride=(1|2) padding=(1) dilation=(1) groups=2"},
      {"conv1d", "input=[a,c,W] weight=[b,c,3] bias=[b]|none stride=(2) padding=(1) dilation=(1) groups=1"},
      {"conv1d.padding", "input=[a,c,W] weight=[b,c,3] bias=[b]|none stride=(1) padding='same'|'valid' groups=1"},
      {"conv2d", "input=[a,4,H,W] weight=[b*2,2,3,2] bias=[b*2]|none stride=(1,2) padding=(1,1) dilation=(1,1) groups=2"},
      {"conv2d", "input=[a,c,H,W] weight=[b,c,3,3] bias=[b]|none stride=(2,1) padding=(0,1) dilation=(1,1) groups=1"},
      {"conv2d.padding", "input=[a,c,H,W] weight=[b,c,3,3] bias=[b]|none stride=(1,1) padding='same'|'valid' groups=1"},
      {"conv3d", "input=[a,c,4,H,W] weight=[b,c,2,3,3] bias=[b]|none stride=(1,2,1) padding=(0,1,1) dilation=(1,1,1) groups=1"},
      {"conv3d.padding", "input=[a,c,4,H,W] weight=[b,c,2,3,3] bias=[b]|none stride=(1,1,1) padding='same'|'valid' groups=1"},
      {"conv_transpose1d", "input=[a,4,W] weight=[4,b,3] bias=[b*2]|none stride=(2) padding=(1) output_padding=(1) groups=2 dilation=(1)"},
      {"conv_transpose2d", "input=[a,4,H,W] weight=[4,b,3,3] bias=[b*2]|none stride=(2,1) padding=(1,1) output_padding=(1,0) groups=2 dilation=(1,1)"},
      {"conv_transpose3d", "input=[a,c,3,H,W] weight=[c,b,2,3,3] bias=[b]|none stride=(2,1,1) padding=(0,1,1) output_padding=(1,0,0) groups=1 dilation=(1,1,1)"},
      {"convolution", "input=[a,4,H,W] weight=[b*2,2,3,3] bias=[b*2]|none stride=(1,2) padding=(1,1) dilation=(1,1) transposed=false output_padding=(0,0) groups=2"},
      {"convolution", "input=[a,4,W] weight=[4,b,3] bias=[b*2]|none stride=(2) padding=(1) dilation=(1) transposed=true output_padding=(1) groups=2"},
      {"convolution", "input=[a,c,4,H,W] weight=[b,c,2,3,3] bias=[b]|none stride=(1,1,2) padding=(0,1,1) dilation=(1,1,1) transposed=false output_padding=(0,0,0) groups=1"},
      {"convolution_overrideable", "input=[a,c,H,W] weight=[b,c,3,3] bias=[b]|none stride=(1,1) padding=(1,1) dilation=(1,1) transposed=false output_padding=(0,0) groups=1"},
      {"convolution_backward", "grad_output=[a,b,H-2,W-2] input=[a,c,H,W] weight=[b,c,3,3] bias_sizes=(b)|none stride=(1,1) padding=(0,0) dilation=(1,1) transposed=false output_padding=(0,0) groups=1 output_mask=(true,true,true)|(true,false,true)|(false,true,false)"},
      {"convolution_backward", "grad_output=[a,b,W-2] input=[a,c,W] weight=[b,c,3] bias_sizes=(b) stride=(1) padding=(0) dilation=(1) transposed=false output_padding=(0) groups=1 output_mask=(true,true,true)"},
      {"convolution_backward_overrideable", "grad_output=[a,b,H-2,W-2] input=[a,c,H,W] weight=[b,c,3,3] stride=(1,1) padding=(0,0) dilation=(1,1) transposed=false output_padding=(0,0) groups=1 output_mask=(true,true,true)"},
      {"_convolution", "input=[a,4,H,W] weight=[b*2,2,3,3] bias=[b*2]|none stride=(1,2) padding=(1,1) dilation=(1,1) transposed=false output_padding=(0,0) groups=2"},
      {"_convolution_mode", "input=[a,c,H,W] weight=[b,c,3,3] bias=[b]|none stride=(1,1) padding='same'|'valid' dilation=(1,1) groups=1"},
      {"_convolution_double_backward", "ggI=[a,c,H,W]|none ggW=[b,c,3,3] ggb=none gO=[a,b,H-2,W-2] weight=[b,c,3,3] self=[a,c,H,W] stride=(1,1) padding=(0,0) dilation=(1,1) transposed=false output_padding=(0,0) groups=1 output_mask=(true,true,true)"},
      {"_slow_conv2d_forward", "self=[a,c,H,W] weight=[b,c,3,3] kernel_size=(3,3) bias=[b]|none stride=(1,1) padding=(1,1)"},
      {"_slow_conv2d_backward", "grad_output=[a,b,H-2,W-2] self=[a,c,H,W] weight=[b,c,3,3] kernel_size=(3,3) stride=(1,1) padding=(0,0) output_mask=(true,true,true)"},
      {"thnn_conv2d", "self=[a,c,H,W] weight=[b,c,3,3] kernel_size=(3,3) bias=[b]|none stride=(1,1) padding=(1,1)"},
      {"slow_conv3d", "self=[a,c,4,H,W] weight=[b,c,2,3,3] kernel_size=(2,3,3) bias=[b]|none stride=(1,1,1) padding=(0,1,1)"},
      {"slow_conv3d_forward", "self=[a,c,4,H,W] weight=[b,c,2,3,3] kernel_size=(2,3,3) bias=[b]|none stride=(1,1,1) padding=(0,1,1)"},
      {"slow_conv_dilated2d", "self=[a,c,H,W] weight=[b,c,2,2] kernel_size=(2,2) bias=[b]|none stride=(1,1) padding=(0,1) dilation=(2,1)"},
      {"slow_conv_dilated3d", "self=[a,c,4,H,W] weight=[b,c,2,2,2] kernel_size=(2,2,2) bias=[b]|none stride=(1,1,1) padding=(0,1,1) dilation=(2,1,1)"},
      {"slow_conv_transpose2d", "self=[a,c,H,W] weight=[c,b,3,3] kernel_size=(3,3) bias=[b]|none stride=(2,1) padding=(1,1) output_padding=(1,0) dilation=(1,1)"},
      {"slow_conv_transpose3d", "self=[a,c,3,H,W] weight=[c,b,2,3,3] kernel_size=(2,3,3) bias=[b]|none stride=(1,2,1) padding=(0,1,1) output_padding=(0,1,0) dilation=(1,1,1)"},
      {"conv_depthwise3d", "self=[a,c,4,H,W] weight=[c,1,2,3,3] kernel_size=(2,3,3) bias=[c]|none stride=(1,1,1) padding=(0,1,1) dilation=(1,1,1)"},
      {"conv_tbc", "self=[W,a,b] weight=[3,b,c] bias=[c] pad=1"},
      {"conv_tbc_backward", "self=[W-2,a,c] input=[W,a,b] weight=[3,b,c] bias=[c] pad=0"},
      {"im2col", "self=[a,c,H,W] kernel_size=(2,3) dilation=(1,1) padding=(0,1) stride=(1,2)"},
      {"col2im", "self=[a,b*4,6] output_size=(3,4) kernel_size=(2,2) dilation=(1,1) padding=(0,0) stride=(1,1)"},
      {"unfold", "self=[a,b,W] dimension=2|-1|1 size=2 step=1|2"},
      {"unfold_backward", "grad_in=[a,3,2] input_sizes=(a,4) dim=1 size=2 step=1"},
      {"unfold_copy", "self=[a,b,W] dimension=2|-1 size=2 step=1|2"},
      {"channel_shuffle", "self=[a,b*2,H,W] groups=2"},
      {"native_channel_shuffle", "self=[a,b*2,H,W] groups=2"},
      {"pixel_shuffle", "self=[*,b*4,a,c] upscale_factor=2"},
      {"pixel_unshuffle", "self=[*,b,a*2,c*2] downscale_factor=2"},
  };
  // clang-format on
  return hints;
}

}  // namespace openreg::differential
