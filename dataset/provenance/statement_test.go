package provenance

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden statement; then run make in-toto cosign")

// example returns a statement with names that JSON cannot have.
func example() *Statement {
	sum := sha256.Sum256([]byte("x"))
	d := NewDefinition("name: pets\nsource: {csv: \"{\\\"name\\\": 1}.csv\"}\n", []string{"DATA", "SEED"}, []Resource{
		InputOf("source", "a\xff%/b\n<&>\u2028.csv", sum[:]), InputOf("source.join[0]", "日本.csv", sum[:]),
	})
	files := []Resource{FileOf("_SUCCESS", hex.EncodeToString(sum[:])),
		FileOf("train-00000-of-00001", hex.EncodeToString(sum[:]))}
	return New(files, d.By(ProgramOf("v1.2.3", 7)))
}

// TestStatement compares the statement with the one that in-toto-attestation parsed, and cosign signed.
func TestStatement(t *testing.T) {
	got, err := example().Encode()
	if err != nil {
		t.Fatal(err)
	}
	const name = "testdata/statement.json"
	if *update {
		if err := os.WriteFile(name, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v: got\n%s\nwant\n%s", err, got, want)
	}
	sum := sha256.Sum256(got)
	for _, target := range []string{"in-toto", "cosign"} {
		answer, err := os.ReadFile("testdata/" + target + ".txt")
		if err != nil || !strings.Contains(string(answer), "statement "+hex.EncodeToString(sum[:])+"\n") {
			t.Errorf("make %s asks about another statement: %v\n%s", target, err, answer)
		}
	}
	if n := bytes.Count(got, []byte("\n")); n != 5 {
		t.Errorf("%d lines, expected one for each of 4 files, and one before", n)
	}
}

// TestCosign compares the commands of the page about cosign with those that signed and verified a statement.
func TestCosign(t *testing.T) {
	page, err := os.ReadFile("../../docs/how-to/sign.md")
	if err != nil {
		t.Fatal(err)
	}
	answer, err := os.ReadFile("testdata/cosign.txt")
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	for line := range strings.Lines(string(page)) {
		if !strings.HasPrefix(line, "cosign ") {
			continue
		}
		commands++
		_, said, found := strings.Cut(string(answer), "$ "+line)
		if said, _, _ = strings.Cut(said, "$"); !found || !strings.Contains(said, "exit code 0") {
			t.Errorf("make cosign did not run %s%s", line, said)
		}
	}
	if commands != 4 {
		t.Errorf("%d commands, expected 4", commands)
	}
}

// TestParse changes each byte of a statement: it is invalid, or another statement.
func TestParse(t *testing.T) {
	text, err := example().Encode()
	if err != nil {
		t.Fatal(err)
	}
	s, digest, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if sum, err := s.Predicate.Digest(); sum != digest || err != nil {
		t.Errorf("the predicate has the digest %s, %v; parsed, %s", sum, err, digest)
	}
	for i := range text {
		for _, c := range []byte(" \"x{0\xff") {
			changed := bytes.Clone(text)
			if changed[i] == c {
				continue
			}
			changed[i] = c
			if s, _, err := Parse(changed); err == nil {
				if again, err := s.Encode(); err != nil || !bytes.Equal(again, changed) {
					t.Fatalf("byte %d as %q: accepted, and encoded as another: %v", i, c, err)
				}
			}
		}
	}
	for _, changed := range []string{"", "{}", strings.Replace(string(text), "urn:tfr-build:dataset:v1", "urn:x", 1),
		string(text) + " ", string(text) + "{}"} {
		if _, _, err := Parse([]byte(changed)); err == nil {
			t.Errorf("accepted %q", changed)
		}
	}
}
