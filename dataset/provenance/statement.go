// Package provenance writes and reads the statement of what a dataset was made from: an in-toto
// Statement v1 with the SLSA provenance predicate v1.
//
//	subject                              each file of the dataset but the statement, with its SHA-256
//	predicate.buildDefinition            the config, and each input file with its SHA-256
//	predicate.runDetails.builder         the program's version
//
// It has no time, host, path, or user: equal builds have equal statements.
package provenance

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Name is the name of the statement in a dataset.
const Name = "_tfr/provenance.json"

// The constant strings of a statement.
const (
	statementType = "https://in-toto.io/Statement/v1"
	predicateType = "https://slsa.dev/provenance/v1"
	buildType     = "urn:tfr-build:dataset:v1"
	builderID     = "urn:tfr-build"
)

// A Statement is the content of the file.
type Statement struct {
	Type          string     `json:"_type"`
	Subject       []Resource `json:"subject"` // sorted by name
	PredicateType string     `json:"predicateType"`
	Predicate     Predicate  `json:"predicate"`
}

// A Predicate is what a dataset was made from, and by which program. The manifest has its digest.
type Predicate struct {
	Definition Definition `json:"buildDefinition"`
	Run        run        `json:"runDetails"`
}

// A Definition is what a dataset was made from.
type Definition struct {
	BuildType  string     `json:"buildType"`
	Parameters Parameters `json:"externalParameters"`
	Inputs     []Resource `json:"resolvedDependencies"` // in the order of the config
}

// Parameters are what the user of the program says.
type Parameters struct {
	Config    string   `json:"config"`    // canonical text
	Variables []string `json:"variables"` // names of the variables in the config
}

type run struct {
	Builder builder `json:"builder"`
}

type builder struct {
	ID      string  `json:"id"`
	Version Program `json:"version"`
}

// A Program is the version of the program that made a dataset.
type Program struct {
	Version string `json:"tfr-build"`
	Bytes   string `json:"bytes_version"` // number
}

// ProgramOf returns the Program with a bytes version.
func ProgramOf(version string, bytes int) Program { return Program{version, strconv.Itoa(bytes)} }

// By returns the predicate of a build by a program.
func (d *Definition) By(program Program) *Predicate {
	return &Predicate{*d, run{builder{builderID, program}}}
}

// A Resource is a file with its digest.
type Resource struct {
	Name   string `json:"name"` // see EncodeName
	Digest Digest `json:"digest"`
	Key    key    `json:"annotations,omitzero"` // of an input
}

// A Digest is the digest of a file.
type Digest struct {
	SHA256 string `json:"sha256"` // lower-case hexadecimal
}

type key struct {
	Key string `json:"key"` // of the config, such as source.join[0]
}

// FileOf returns a file of the dataset.
func FileOf(name, sha256 string) Resource { return Resource{name, Digest{sha256}, key{}} }

// InputOf returns an input file that a key of the config names.
func InputOf(at, name string, sum []byte) Resource {
	return Resource{EncodeName(name), Digest{hex.EncodeToString(sum)}, key{at}}
}

// Label returns the name of an input for messages, with the key that names it.
func (r *Resource) Label() string { return r.Name + " of " + r.Key.Key }

// CompareInputs compares two inputs by their keys and names.
func CompareInputs(a, b Resource) int {
	return cmp.Or(cmp.Compare(a.Key.Key, b.Key.Key), cmp.Compare(a.Name, b.Name))
}

// EncodeName returns the name of a file with each byte that is not UTF-8, of a control character, or a % as %XX: JSON
// is UTF-8, and names are bytes.
func EncodeName(name string) string {
	var b strings.Builder
	b.Grow(len(name))
	for len(name) > 0 {
		r, n := utf8.DecodeRuneInString(name)
		if r == utf8.RuneError && n == 1 || unicode.IsControl(r) || r == '%' {
			for _, c := range []byte(name[:n]) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
		} else {
			b.WriteString(name[:n])
		}
		name = name[n:]
	}
	return b.String()
}

// NewDefinition returns the definition of a build.
func NewDefinition(config string, variables []string, inputs []Resource) *Definition {
	return &Definition{buildType, Parameters{config, append([]string{}, variables...)}, append([]Resource{}, inputs...)}
}

// Digest returns the SHA-256 of the predicate's JSON in hex.
func (p *Predicate) Digest() (string, error) {
	text, err := encode(p)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}

// New returns the statement about the files of a dataset, which are sorted by name.
func New(files []Resource, p *Predicate) *Statement {
	return &Statement{statementType, files, predicateType, *p}
}

// Encode returns the content of the file. Equal statements have equal bytes.
func (s *Statement) Encode() ([]byte, error) { return encode(s) }

// encode returns v as JSON in which each resource has a line. A string of JSON has no quote without a backslash
// before it, so nothing else has a line break.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encoding the statement of provenance: %w", err)
	}
	return bytes.ReplaceAll(b.Bytes(), []byte(`{"name":`), []byte("\n{\"name\":")), nil
}

// Parse parses a statement. It accepts exactly the output of Encode. digest is the one of its predicate.
func Parse(data []byte) (s *Statement, digest string, err error) {
	s = new(Statement)
	if err := json.Unmarshal(data, s); err != nil {
		return nil, "", fmt.Errorf("decoding the statement: %w", err)
	}
	for _, c := range []struct{ what, found, expected string }{
		{"_type", s.Type, statementType},
		{"predicateType", s.PredicateType, predicateType},
		{"buildType", s.Predicate.Definition.BuildType, buildType},
		{"builder.id", s.Predicate.Run.Builder.ID, builderID},
	} {
		if c.found != c.expected {
			return nil, "", fmt.Errorf("%s: found %q, expected %q", c.what, c.found, c.expected)
		}
	}
	again, err := s.Encode()
	if err == nil && !bytes.Equal(again, data) {
		err = errors.New("it is not as it was written")
	}
	if err != nil {
		return nil, "", err
	}
	_, predicate, _ := bytes.Cut(data, []byte(`"predicate":`)) // in a string, the quotes have a backslash
	sum := sha256.New()
	sum.Write(bytes.TrimSuffix(predicate, []byte("}\n")))
	sum.Write([]byte("\n")) // as Digest
	return s, hex.EncodeToString(sum.Sum(nil)), nil
}

// Program returns the program that made the dataset.
func (p *Predicate) Program() Program { return p.Run.Builder.Version }
