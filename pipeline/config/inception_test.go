package config

import (
	"bytes"
	"testing"

	"tfr-build/internal/order/inception"
)

const inceptionConfig = "name: d\noutput: out\nsource: {images: {dir: p}}\norder: inception-py2\nfeatures:\n  image: " +
	"{from: image}\n"

func TestInceptionDefaults(t *testing.T) {
	c := mustParse(t, inceptionConfig)
	if python, ok := c.Inception(); !ok || python != inception.Python2 || c.Seed != 12345 || c.Threads != 8 {
		t.Errorf("got Python %d, %t, seed %d, %d threads", python, ok, c.Seed, c.Threads)
	}
	if given := mustParse(t, inceptionConfig+"seed: 0\n"); given.Seed != 0 {
		t.Errorf("a seed of 0 became %d", given.Seed)
	}
	if _, ok := mustParse(t, digestBase).Inception(); ok {
		t.Error("the shuffled order is Inception's")
	}
}

// TestThreadsInTheDigest makes sure that threads move the digest, and nothing of a
// config that does not know them.
func TestThreadsInTheDigest(t *testing.T) {
	base := mustParse(t, inceptionConfig)
	if bytes.Contains(base.Canonical(nil), []byte("threads")) ||
		bytes.Contains(mustParse(t, digestBase).Canonical(nil), []byte("threads")) {
		t.Error("threads are in a canonical text without saying anything")
	}
	for more, same := range map[string]bool{"threads: 8\n": true, "seed: 12345\n": true, "threads: 4\n": false,
		"seed: 0\n": false} {
		c := mustParse(t, inceptionConfig+more)
		if (c.ConfigDigest(nil) == base.ConfigDigest(nil)) != same {
			t.Errorf("%q: the same digest is to be %t\n%s", more, same, c.Canonical(nil))
		}
		checkCanonical(t, c)
	}
}

// TestLabels finds the feature that lists the classes: the first one of the column
// class alone whose names are known.
func TestLabels(t *testing.T) {
	for features, want := range map[string]string{
		"":                             "",
		"  class: {classes: [a, b]}\n": "class",
		"  a: {from: class, classes: names.txt}\n  b: {from: class, classes: [x]}\n":             "a",
		"  a: {from: class, classes: auto}\n  b: {from: class, classes: [x]}\n":                  "b",
		"  a: {from: stem, classes: [x]}\n  class: bytes\n":                                      "",
		"  a: {from: class, classes: {names: [x], numbers: true}}\n":                             "",
		"  a: {from: [stem, class], classes: [x]}\n  b: {from: class, classes: {file: n.txt}}\n": "b",
	} {
		got := ""
		if f := mustParse(t, inceptionConfig+features).Labels(); f != nil {
			got = f.Key
		}
		if got != want {
			t.Errorf("%s: %q, want %q", features, got, want)
		}
	}
}
