package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// The files that a wheel carries besides the program, in the project.
const (
	pythonPackage = "packaging/python/tfr_build"
	pythonReadme  = "packaging/python/README.md"
	license       = "LICENSE"
)

// A member is a file of a wheel.
type member struct {
	name string
	data []byte
	mode fs.FileMode
}

// writeWheel makes the wheel of a program in dir. A wheel is a zip file with a known
// layout; build tools for Python know no program that another compiler made.
func writeWheel(root, dir string, p program, by publisher) error {
	version, err := pythonVersion(p.Version)
	if err != nil {
		return err
	}
	tags, err := p.platformTags()
	if err != nil {
		return err
	}
	members, err := wheelMembers(root, p, version, tags, by)
	if err != nil {
		return err
	}
	data, err := zipped(members, p)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("tfr_build-%s-py3-none-%s.whl", version, strings.Join(tags, "."))
	return os.WriteFile(filepath.Join(dir, name), data, 0o644)
}

// wheelMembers returns the files of a wheel in their order; RECORD is the last.
func wheelMembers(root string, p program, version string, tags []string, by publisher) ([]member, error) {
	sources, err := filepath.Glob(filepath.Join(root, pythonPackage, "*.py"))
	if err != nil {
		return nil, err
	}
	var members []member
	var failed error
	add := func(name, path string, mode fs.FileMode) {
		data, err := os.ReadFile(path)
		if err != nil {
			failed = err
		}
		members = append(members, member{name, data, mode})
	}
	for _, path := range sources {
		add("tfr_build/"+filepath.Base(path), path, 0o644)
	}
	stem := "tfr_build-" + version
	add(stem+".data/scripts/tfr-build", p.Path, 0o755)
	add(stem+".dist-info/licenses/LICENSE", filepath.Join(root, license), 0o644)
	text, err := metadata(root, version, by)
	if err != nil {
		return nil, err
	}
	members = append(members, member{stem + ".dist-info/METADATA", text, 0o644},
		member{stem + ".dist-info/WHEEL", wheelFile(tags), 0o644})
	return append(members, record(members, stem+".dist-info/RECORD")), failed
}

// metadata describes the package, with its README as the description.
func metadata(root, version string, by publisher) ([]byte, error) {
	readme, err := os.ReadFile(filepath.Join(root, pythonReadme))
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "Metadata-Version: 2.4\nName: tfr-build\nVersion: %s\nSummary: %s\n", version, summary)
	fmt.Fprint(&text, "License-Expression: Apache-2.0\nLicense-File: LICENSE\nRequires-Python: "+
		">=3.9\nDescription-Content-Type: text/markdown\n")
	fmt.Fprint(&text, "Classifier: Operating System :: MacOS\nClassifier: Operating System :: POSIX :: Linux\n")
	if by.Exists() {
		fmt.Fprintf(&text, "Project-URL: Documentation, %s\nProject-URL: Source, https://%s\n", by.Site, by.Module)
	}
	fmt.Fprintf(&text, "\n%s", readme)
	return text.Bytes(), nil
}

// summary is the one line that package managers show.
const summary = "Turns CSV, JSON Lines, images, and more into sharded, shuffled TFRecord datasets"

func wheelFile(tags []string) []byte {
	text := "Wheel-Version: 1.0\nGenerator: tfr-build dist\nRoot-Is-Purelib: false\n"
	for _, tag := range tags {
		text += "Tag: py3-none-" + tag + "\n"
	}
	return []byte(text)
}

// record lists the members of a wheel with their checksums.
func record(members []member, name string) member {
	var text strings.Builder
	for _, m := range members {
		sum := sha256.Sum256(m.data)
		fmt.Fprintf(&text, "%s,sha256=%s,%d\n", m.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(m.data))
	}
	text.WriteString(name + ",,\n")
	return member{name, []byte(text.String()), 0o644}
}

// zipped returns a zip file of the members, all of the time of the program's commit.
func zipped(members []member, p program) ([]byte, error) {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, m := range members {
		header := &zip.FileHeader{Name: m.name, Method: zip.Deflate, Modified: p.Commit.UTC()}
		header.SetMode(m.mode)
		w, err := archive.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(m.data); err != nil {
			return nil, err
		}
	}
	err := archive.Close()
	return out.Bytes(), err
}
