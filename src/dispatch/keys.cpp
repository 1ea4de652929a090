#include <openreg/dispatch.h>

#include <algorithm>
#include <cctype>
#include <unordered_map>

#include <c10/core/DeviceType.h>
#include <c10/core/TensorOptions.h>
#include <c10/util/Exception.h>

#include "nearest_names.h"

namespace openreg::dispatch {
namespace {

constexpr std::string_view kBackend = "privateuse1";

std::string normalised(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c != '_' && c != '-' && std::isspace(static_cast<unsigned char>(c)) == 0) {
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  for (const std::string_view prefix : {"c10::", "dispatchkey::", "dispatchkey."}) {
    if (text.starts_with(prefix)) {
      text.erase(0, prefix.size());
    }
  }
  return text;
}

// Some enumerators are marks (StartOf..., EndOf...) that print like the key with the same number or as unknown.
bool is_mark(c10::DispatchKey key) {
  const std::string text = c10::toString(key);
  const bool undefined_of_functionality = text.size() > 9 && text.compare(text.size() - 9, 9, "Undefined") == 0;
  return undefined_of_functionality || text == "UnknownUnknown" || key == c10::DispatchKey::StartOfDenseBackends;
}

const std::unordered_map<std::string, c10::DispatchKey>& key_map() {
  static const auto* const map = [] {
    auto* const result = new std::unordered_map<std::string, c10::DispatchKey>;
    for (const c10::DispatchKey key : all_keys()) {
      result->emplace(normalised(c10::toString(key)), key);
    }
    return result;
  }();
  return *map;
}

std::vector<std::string> spellings_of_backend() {
  // Until a backend gives it a name c10 calls it "privateuseone".
  return {"privateuseone", normalised(c10::get_privateuse1_backend())};
}

std::vector<std::string> known_names() {
  std::vector<std::string> names;
  for (const c10::DispatchKey key : all_keys()) {
    names.emplace_back(c10::toString(key));
  }
  for (const char* const prefix : {"", "Autograd", "Autocast", "Quantized", "Sparse", "SparseCsr", "NestedTensor"}) {
    names.push_back(prefix + c10::get_privateuse1_backend());
  }
  return names;
}

}  // namespace

std::optional<c10::DispatchKey> try_key_parse(std::string_view name) {
  const std::string text = normalised(name);
  const auto& map = key_map();
  if (const auto found = map.find(text); found != map.end()) {
    return found->second;
  }
  for (const std::string& backend : spellings_of_backend()) {
    if (text.size() >= backend.size() && text.compare(text.size() - backend.size(), backend.size(), backend) == 0) {
      const auto found = map.find(text.substr(0, text.size() - backend.size()).append(kBackend));
      if (found != map.end()) {
        return found->second;
      }
    }
  }
  return std::nullopt;
}

c10::DispatchKey key_parse(std::string_view name) {
  const auto key = try_key_parse(name);
  if (!key) {
    TORCH_CHECK(false, "Unknown dispatch key '", name, "'.", nearest_sentence(nearest_names(name, known_names())));
  }
  return *key;
}

std::string key_name(c10::DispatchKey key) { return c10::toString(key); }

std::vector<c10::DispatchKey> all_keys() {
  std::vector<c10::DispatchKey> keys;
  for (int number = 0; number <= static_cast<int>(c10::DispatchKey::EndOfAliasKeys); ++number) {
    if (const auto key = static_cast<c10::DispatchKey>(number); !is_mark(key)) {
      keys.push_back(key);
    }
  }
  return keys;
}

c10::DispatchKey key_from_number(std::int64_t number) {
  const auto keys = all_keys();
  const auto found = std::find_if(keys.begin(), keys.end(),
                                  [number](c10::DispatchKey key) { return static_cast<std::int64_t>(key) == number; });
  TORCH_CHECK(found != keys.end(), "No dispatch key has the number ", number, "; the last one is ",
              static_cast<int>(keys.back()), " (", c10::toString(keys.back()), ").");
  return *found;
}

std::vector<c10::DispatchKey> runtime_keys() {
  std::vector<c10::DispatchKey> keys{c10::DispatchKey::Undefined};
  for (const c10::DispatchKey key : c10::DispatchKeySet(c10::DispatchKeySet::FULL)) {
    keys.push_back(key);
  }
  return keys;
}

bool is_alias_key(c10::DispatchKey key) { return c10::isAliasDispatchKey(key); }

bool is_included_in_alias(c10::DispatchKey key, c10::DispatchKey alias) { return c10::isIncludedInAlias(key, alias); }

std::string key_for_device(const std::string& device_type) {
  const c10::Device device(device_type);
  TORCH_CHECK(!device.has_index(), "Expected device_type string to not have a device index; got ", device_type);
  return c10::toString(c10::computeDispatchKey(std::nullopt, std::nullopt, device));
}

c10::DispatchKey to_functionality_key(c10::DispatchKey key) { return c10::toFunctionalityKey(key); }

std::vector<c10::DispatchKey> functionality_to_backend_keys(c10::DispatchKey key) {
  if (!c10::isPerBackendFunctionalityKey(key)) {
    return {key};
  }
  const auto set = c10::DispatchKeySet(key) | c10::DispatchKeySet(c10::DispatchKeySet::RAW, c10::full_backend_mask);
  return {set.begin(), set.end()};
}

std::int64_t num_backends() { return c10::num_backends; }

}  // namespace openreg::dispatch
