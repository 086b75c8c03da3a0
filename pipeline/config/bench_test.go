package config

import (
	"os"
	"testing"
)

func BenchmarkParse(b *testing.B) {
	text, err := os.ReadFile("testdata/good/imagenet.yaml")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Parse("imagenet.yaml", text, testEnv); err != nil {
			b.Fatal(err)
		}
	}
}
