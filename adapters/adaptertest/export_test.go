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
