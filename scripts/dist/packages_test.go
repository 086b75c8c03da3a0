package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// files returns the files of a directory that are not in before, by name.
func files(t *testing.T, dir string, before map[string][]byte) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]byte{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if before[e.Name()] == nil {
			found[e.Name()] = data
		}
	}
	return found
}

// TestPackages makes all packages of a release twice, at two times and in two
// directories, with made-up values in release.env.
func TestPackages(t *testing.T) {
	first, second, root := small(t), t.TempDir(), published(t)
	if err := os.CopyFS(second, os.DirFS(first)); err != nil {
		t.Fatal(err)
	}
	programs := files(t, first, nil)
	for _, dir := range []string{first, second} {
		if err := run(root, dir, false); err != nil {
			t.Fatal(err)
		}
	}
	packages, again := files(t, first, programs), files(t, second, programs)
	var names []string
	for name, data := range packages {
		names = append(names, name)
		if !bytes.Equal(data, again[name]) {
			t.Errorf("%s has other bytes the second time", name)
		}
	}
	slices.Sort(names)
	want := []string{
		"INSTALL.md",
		"tfr-build-1.2.3-1.aarch64.rpm",
		"tfr-build-1.2.3-1.x86_64.rpm",
		"tfr-build-v1.2.3-darwin-amd64.cdx.json",
		"tfr-build-v1.2.3-darwin-arm64.cdx.json",
		"tfr-build-v1.2.3-linux-amd64.cdx.json",
		"tfr-build-v1.2.3-linux-arm64.cdx.json",
		"tfr-build.rb",
		"tfr-build_1.2.3_amd64.deb",
		"tfr-build_1.2.3_arm64.deb",
		"tfr_build-1.2.3-py3-none-macosx_12_0_arm64.whl",
		"tfr_build-1.2.3-py3-none-macosx_12_0_x86_64.whl",
		"tfr_build-1.2.3-py3-none-manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64.whl",
		"tfr_build-1.2.3-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64.whl",
	}
	if !slices.Equal(names, want) {
		t.Errorf("found\n%s\nexpected\n%s", strings.Join(names, "\n"), strings.Join(want, "\n"))
	}
	checkBlock(t, string(packages["INSTALL.md"]))
	checkFormula(t, filepath.Join(first, "tfr-build.rb"), string(packages["tfr-build.rb"]), programs)
	for _, text := range []string{`pkg:golang/tfr-build@v1.2.3?goarch=arm64\u0026goos=linux`, `"pkg:golang/std@`} {
		if !bytes.Contains(packages["tfr-build-v1.2.3-linux-arm64.cdx.json"], []byte(text)) {
			t.Errorf("the SBOM of arm64 has no %q:\n%s", text, packages["tfr-build-v1.2.3-linux-arm64.cdx.json"])
		}
	}
}

// checkBlock looks at the block on how to install a release.
func checkBlock(t *testing.T, block string) {
	for _, line := range []string{
		"uv tool install tfr-build  # or: pip install tfr-build",
		"brew install somebody/tap/tfr-build",
		`docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/data" images.example/somebody/tfr-build:v1.2.3 pets.yaml`,
		"go install code.example/somebody/tfr-build/cmd/tfr-build@v1.2.3",
		"curl -fsSLO " +
			"https://code.example/somebody/tfr-build/releases/download/v1.2.3/{tfr-build-v1.2.3-linux-amd64,SHA256SUMS}",
	} {
		if !strings.Contains(block, "\n"+line+"\n") {
			t.Errorf("INSTALL.md has no line %q:\n%s", line, block)
		}
	}
	if !strings.Contains(block, "The documentation is at <https://docs.example/tfr-build>.") {
		t.Errorf("INSTALL.md does not name the documentation:\n%s", block)
	}
}

// checkFormula looks at the Homebrew formula, and has Ruby parse it where it exists.
func checkFormula(t *testing.T, path, formula string, programs map[string][]byte) {
	at := 0
	for _, target := range [][3]string{{"on_macos", "on_intel", "darwin-amd64"}, {"on_macos", "on_arm", "darwin-arm64"},
		{"on_linux", "on_intel", "linux-amd64"}, {"on_linux", "on_arm", "linux-arm64"}} {
		name := "tfr-build-v1.2.3-" + target[2]
		block := fmt.Sprintf("    %s do\n      url "+
			"\"https://code.example/somebody/tfr-build/releases/download/v1.2.3/%s\"\n      sha256 \"%x\"\n    end\n",
			target[1], name, sha256.Sum256(programs[name]))
		found := strings.Index(formula, block)
		if found < 0 || strings.LastIndex(formula[:found], target[0]+" do") < 0 {
			t.Errorf("the formula has no\n%s%s\nbut\n%s", target[0], block, formula)
		}
		if system := formula[:max(0, found)]; found < at ||
			strings.LastIndex(system, "on_"+target[0][3:]+" do") < strings.LastIndex(system,
				map[string]string{"on_macos": "on_linux", "on_linux": "on_macos"}[target[0]]+" do") {
			t.Errorf("%s is in the block of another system:\n%s", name, formula)
		}
		at = found
	}
	if ruby, err := exec.LookPath("ruby"); err == nil {
		command(t, ".", nil, ruby, "-c", path)
	}
}

// TestPackagesWithoutPublisher has no file made that names an address, while release.env is
// empty.
func TestPackagesWithoutPublisher(t *testing.T) {
	dir := t.TempDir()
	programs := []program{{Path: write(t, t.TempDir(), "tfr-build-v1.2.3-linux-amd64", "a program"), Version: "v1.2.3",
		System: "linux", Machine: "amd64"}}
	if err := writePublished("../..", dir, programs, publisher{}); err != nil {
		t.Fatal(err)
	}
	for name := range files(t, dir, nil) {
		t.Errorf("there is %s", name)
	}
}
