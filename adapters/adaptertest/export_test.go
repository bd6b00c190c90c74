package adaptertest

import "testing"

// Judge returns what is wrong with an adapter in one case.
func Judge(t *testing.T, h Harness, api API, name string) []string {
	t.Helper()
	for _, c := range cases {
		if c.name == name {
			return judge(t, h, api, c)
		}
	}
	t.Fatalf("no case %q", name)
	return nil
}

// Cases returns the names of the cases for a shape with some features.
func Cases(features Feature) (names []string) {
	for _, c := range cases {
		if features.Has(c.needs) {
			names = append(names, c.name)
		}
	}
	return names
}
