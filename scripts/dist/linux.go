package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"text/template"
)

// render fills in a file of packaging.
func render(root, name string, data any) ([]byte, error) {
	t, err := template.New(name).Option("missingkey=error").ParseFiles(filepath.Join(root, "packaging", name))
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = t.Execute(&text, data)
	return text.Bytes(), err
}

// writeLinuxPackages makes a deb and an rpm of each program for Linux.
func writeLinuxPackages(root, dir string, programs []program, by publisher) error {
	tool, err := installed(nfpmTool)
	if err != nil {
		return err
	}
	extras, err := os.MkdirTemp("", "dist")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(extras) }()
	if err := writeExtras(extras, programs); err != nil {
		return err
	}
	for _, p := range programs {
		if p.System != "linux" {
			continue
		}
		text, err := render(root, "nfpm.yaml.tmpl",
			map[string]any{"Program": p, "By": by, "Summary": summary, "Extras": extras})
		if err != nil {
			return err
		}
		config := filepath.Join(extras, "nfpm.yaml")
		if err := os.WriteFile(config, text, 0o644); err != nil {
			return err
		}
		for _, kind := range []string{"deb", "rpm"} {
			env := []string{fmt.Sprintf("SOURCE_DATE_EPOCH=%d", p.Commit.Unix())}
			if _, err := output(root, env, tool, "package", "--config", config, "--packager", kind, "--target",
				dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeExtras has the program of this machine print its completions and its manual.
func writeExtras(dir string, programs []program) error {
	host, err := hostProgram(programs)
	if err != nil {
		return err
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		text, err := output(".", nil, host, "completion", shell)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, shell), text, 0o644); err != nil {
			return err
		}
	}
	manual, err := output(".", nil, host, "man")
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // a level that exists
	if _, err := w.Write(manual); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "tfr-build.1.gz"), packed.Bytes(), 0o644)
}

// hostProgram returns the path of the program that runs here.
func hostProgram(programs []program) (string, error) {
	for _, p := range programs {
		if p.System == runtime.GOOS && p.Machine == runtime.GOARCH {
			return p.Path, nil
		}
	}
	return "", fmt.Errorf("no program for %s/%s, which prints completions and the manual", runtime.GOOS, runtime.GOARCH)
}
