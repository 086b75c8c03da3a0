package config

import "testing"

func BenchmarkParse(b *testing.B) {
	text := validConfig(b, "imagenet")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Parse("imagenet.yaml", text, testEnv); err != nil {
			b.Fatal(err)
		}
	}
}
