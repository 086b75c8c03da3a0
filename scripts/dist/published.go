package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// An asset is a file that a release offers.
type asset struct {
	Name, Sum string
}

// writePublished makes what names addresses: the Homebrew formula, and the block on how
// to install a release. Without a publisher, it writes nothing.
func writePublished(root, dir string, programs []program, by publisher) error {
	if !by.Exists() {
		return nil
	}
	version := programs[0].Version
	assets := map[string]asset{}
	for _, p := range programs {
		data, err := os.ReadFile(p.Path)
		if err != nil {
			return err
		}
		assets[p.System+"-"+p.Machine] = asset{filepath.Base(p.Path), fmt.Sprintf("%x", sha256.Sum256(data))}
	}
	releases := "https://" + by.Module + "/releases"
	data := map[string]any{
		"Summary": summary, "By": by, "Version": version, "Number": strings.TrimPrefix(version, "v"),
		"Releases": releases, "Downloads": releases + "/download/" + version, "Programs": assets,
		"Systems":  map[string]string{"darwin": "macos", "linux": "linux"},
		"Machines": map[string]string{"amd64": "intel", "arm64": "arm"},
	}
	for from, to := range map[string]string{"tfr-build.rb.tmpl": "tfr-build.rb", "install.md.tmpl": "INSTALL.md"} {
		text, err := render(root, from, data)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, to), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
