package config

import "testing"

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{
		"0B": 0, "7B": 7, "2KB": 2000, "200MB": 200e6, "128MiB": 128 << 20, "1GiB": 1 << 30, "9TB": 9e12,
		"": -1, "1": -1, "MB": -1, "1.5GB": -1, "-1MB": -1, "010MB": -1, "1iB": -1, "1 MB": -1,
		"9223372036854775807B": 1<<63 - 1, "9223372036854775808B": -1, "99999999999999999999MB": -1,
	} {
		got, err := ParseSize(text)
		if err != nil {
			got = -1
		}
		if got != want {
			t.Errorf("%q: %d, %v; want %d", text, got, err, want)
		}
	}
}
