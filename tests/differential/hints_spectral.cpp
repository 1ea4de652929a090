#include "differential/hints.h"

namespace openreg::differential {

const std::vector<Hint>& spectral_hints() {
  // clang-format off
  static const std::vector<Hint> hints{
      {"fft_fft", "self=[@] n=none|3|5 dim=-1|0 norm=none|'ortho'|'forward'|'backward'"},
      {"fft_ifft", "self=[@] n=none|3|5 dim=-1|0 norm=none|'ortho'|'forward'"},
      {"fft_rfft", "self=[@] n=none|3|5 dim=-1|0 norm=none|'ortho'"},
      {"fft_irfft", "self=[@] n=none|4|5 dim=-1|0 norm=none|'ortho'"},
      {"fft_hfft", "self=[@] n=none|4|5 dim=-1|0 norm=none|'ortho'"},
      {"fft_ihfft", "self=[@] n=none|3|5 dim=-1|0 norm=none|'ortho'"},
      {"fft_fft2", "self=[a,b,c] s=none|(2,3) dim=(-2,-1) norm=none|'ortho'"},
      {"fft_ifft2", "self=[a,b,c] s=none|(2,3) dim=(-2,-1) norm=none|'ortho'"},
      {"fft_rfft2", "self=[a,b,c] s=none|(2,3) dim=(-2,-1) norm=none|'ortho'"},
      {"fft_irfft2", "self=[a,b,c] s=none|(2,3) dim=(-2,-1) norm=none|'ortho'"},
      {"fft_hfft2", "self=[a,b,c] s=none|(2,3) dim=(-2,-1) norm=none|'ortho'"},
      {"fft_ihfft2", "self=[a,b,c] s=none|(2,3) dim=(-2,-1) norm=none|'ortho'"},
      {"fft_fftn", "self=[a,b,c] s=none dim=none|(0,1) norm=none|'ortho'"},
      {"fft_ifftn", "self=[a,b,c] s=none dim=none|(0,1) norm=none|'ortho'"},
      {"fft_rfftn", "self=[a,b,c] s=none dim=none|(0,1) norm=none|'ortho'"},
      {"fft_irfftn", "self=[a,b,c] s=none dim=none|(0,1) norm=none|'ortho'"},
      {"fft_hfftn", "self=[a,b,c] s=none dim=none|(0,1) norm=none|'ortho'"},
      {"fft_ihfftn", "self=[a,b,c] s=none dim=none|(0,1) norm=none|'ortho'"},
      {"fft_fftfreq", "n=W d=0.5"},
      {"fft_rfftfreq", "n=W d=0.5"},
      {"fft_fftshift", "self=[a,b] dim=none|(0)|(1)"},
      {"fft_ifftshift", "self=[a,b] dim=none|(0)|(1)"},
      {"_fft_c2c", "self=[a,b]:cplx dim=(1)|(0,1) normalization=0..2"},
      {"_fft_r2c", "self=[a,b]:real dim=(1)|(0,1) normalization=0..2"},
      {"_fft_c2r", "self=[a,3]:cplx dim=(1)|(0,1) normalization=0..2 last_dim_size=4|5"},
      {"stft", "self=[a,20] n_fft=4 hop_length=2 win_length=4 window=none|[4]:real return_complex=true onesided=none|true"},
      {"stft.center", "self=[a,20] n_fft=4 hop_length=2 win_length=4 window=none|[4]:real center=true pad_mode='reflect' return_complex=true onesided=none|true"},
      {"istft", "self=[a,3,6]:cplx n_fft=4 hop_length=2 win_length=4 window=none center=true normalized=false onesided=true length=none return_complex=false"},
      {"real", "self=[@]|[@]:cplx"},
      {"imag", "self=[@]:cplx"},
      {"conj", "self=[@]|[@]:cplx"},
      {"_conj", "self=[@]:cplx"},
      {"_conj_physical", "self=[@]:cplx"},
      {"resolve_conj", "self=[@]:cplx"},
      {"angle", "self=[@]|[@]:cplx"},
  };
  // clang-format on
  return hints;
}

}  // namespace openreg::differential
