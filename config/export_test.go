package config

// Keys returns the names of all keys, and what each is by default.
func Keys() (names []string, presets map[string]string) {
	presets = make(map[string]string)
	for _, k := range keys {
		names = append(names, k.name)
		presets[k.name] = k.preset
	}
	return names, presets
}

// Types returns the values of the key type.
func Types() []string { return types() }
