package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// filled is a release.env of somebody who publishes.
const filled = "# made up\nOWNER=somebody\nMODULE=code.example/somebody/tfr-build\n" +
	"SITE=https://docs.example/tfr-build\nIMAGE=images.example/somebody/tfr-build\n"

// command runs a program in dir.
func command(t *testing.T, dir string, env []string, args ...string) {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, output)
	}
}

// write writes a file below dir and returns its path.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// small returns a directory with a small program in place of the release v1.2.3 of
// tfr-build, for all systems and machines.
func small(t *testing.T) string {
	t.Helper()
	source, dir := t.TempDir(), t.TempDir()
	write(t, source, "go.mod", "module tfr-build\n\ngo 1.26.0\n")
	write(t, source, "cmd/tfr-build/main.go",
		"package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc main() { fmt.Println(os.Args[1:]) }\n")
	command(t, source, nil, "git", "init", "--quiet")
	command(t, source, nil, "git", "add", ".")
	date := []string{"GIT_AUTHOR_DATE=2026-11-02T12:00:00Z", "GIT_COMMITTER_DATE=2026-11-02T12:00:00Z"}
	command(t, source, date, "git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "a")
	command(t, source, nil, "git", "tag", "v1.2.3")
	for _, target := range []string{"linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64"} {
		system, machine, _ := strings.Cut(target, "-")
		env := []string{"CGO_ENABLED=0", "GOFLAGS=-trimpath -buildvcs=true", "GOOS=" + system, "GOARCH=" + machine}
		command(t, source, env, "go", "build", "-ldflags=-s -w", "-o", filepath.Join(dir, "tfr-build-v1.2.3-"+target),
			"./cmd/tfr-build")
	}
	return dir
}

// published returns a copy of the project's files that packages have, with a
// release.env that is filled in.
func published(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	if err := os.CopyFS(filepath.Join(root, "packaging"), os.DirFS("../../packaging")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	write(t, root, "LICENSE", string(text))
	write(t, root, "release.env", filled)
	return root
}

// contents returns the members of a wheel by name, and fails where one is not of the
// commit's time.
func contents(t *testing.T, path string) (names []string, data map[string]string, modes map[string]os.FileMode) {
	t.Helper()
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	data, modes = map[string]string{}, map[string]os.FileMode{}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		names, data[f.Name], modes[f.Name] = append(names, f.Name), string(text), f.Mode()
		if at := f.Modified.UTC().Format("2006-01-02 15:04"); at != "2026-11-02 12:00" {
			t.Errorf("%s has the time %s", f.Name, at)
		}
	}
	return names, data, modes
}

// TestWheels looks into the wheel of each system and machine.
func TestWheels(t *testing.T) {
	dir := small(t)
	if err := run(published(t), dir, true); err != nil {
		t.Fatal(err)
	}
	for target, tags := range map[string]string{
		"linux-amd64":  "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
		"linux-arm64":  "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
		"darwin-amd64": "macosx_12_0_x86_64",
		"darwin-arm64": "macosx_12_0_arm64",
	} {
		names, data, modes := contents(t, filepath.Join(dir, "tfr_build-1.2.3-py3-none-"+tags+".whl"))
		want := []string{
			"tfr_build/__init__.py", "tfr_build/_dataset.py", "tfr_build/reader.py", "tfr_build/torch.py",
			"tfr_build-1.2.3.data/scripts/tfr-build",
			"tfr_build-1.2.3.dist-info/licenses/LICENSE", "tfr_build-1.2.3.dist-info/METADATA",
			"tfr_build-1.2.3.dist-info/WHEEL", "tfr_build-1.2.3.dist-info/RECORD",
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s: found the files %q, expected %q", target, names, want)
		}
		if mode := modes[want[4]]; mode != 0o755 {
			t.Errorf("%s: the program has the mode %v", target, mode)
		}
		if program, err := os.ReadFile(filepath.Join(dir, "tfr-build-v1.2.3-"+target)); err != nil ||
			string(program) != data[want[4]] {
			t.Errorf("%s: the wheel has another program: %v", target, err)
		}
		var listed string
		for _, name := range names[:len(names)-1] {
			sum := sha256.Sum256([]byte(data[name]))
			listed += fmt.Sprintf("%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]),
				len(data[name]))
		}
		if listed += want[8] + ",,\n"; listed != data[want[8]] {
			t.Errorf("%s: found RECORD\n%s\nexpected\n%s", target, data[want[8]], listed)
		}
		for tag := range strings.SplitSeq(tags, ".") {
			if !strings.Contains(data[want[7]], "\nTag: py3-none-"+tag+"\n") {
				t.Errorf("%s: WHEEL has no tag %s:\n%s", target, tag, data[want[7]])
			}
		}
		for _, line := range []string{"Name: tfr-build\n", "Version: 1.2.3\n",
			"Project-URL: Source, https://code.example/somebody/tfr-build\n"} {
			if !strings.Contains(data[want[6]], line) {
				t.Errorf("%s: METADATA has no line %q:\n%s", target, line, data[want[6]])
			}
		}
	}
}

// TestDirectoryWithoutReader has the package of the wheel say why it finds no reader.
func TestDirectoryWithoutReader(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs python3")
	}
	dir := t.TempDir()
	write(t, dir, "dataset/_tfr/manifest.json", "{}")
	for _, c := range [][3]string{
		{"torch", "nowhere", "no such directory"},
		{"torch", ".", "not a dataset of tfr-build: it has no _tfr/manifest.json"},
		{"torch", "dataset", "no _tfr/torch_reader.py: it exists for TFRecord files of tf.train.Example, strings, " +
			"and bytes; use tfr_build.reader, or build the dataset with format: tfrecord and record: example"},
		{"reader", "dataset", "no _tfr/reader.py; tfr-build verify dataset compares the files with the manifest"},
	} {
		cmd := exec.Command(python, "-c", "import sys, tfr_build."+c[0]+" as package\npackage.load(sys.argv[1])", c[1])
		root, err := filepath.Abs("../../packaging/python")
		if err != nil {
			t.Fatal(err)
		}
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PYTHONPATH="+root, "PYTHONDONTWRITEBYTECODE=1")
		output, err := cmd.CombinedOutput()
		if want := "FileNotFoundError: " + c[1] + ": " + c[2] + "\n"; err == nil ||
			!strings.HasSuffix(string(output), want) {
			t.Errorf("%s of %s: found %v\n%s\nexpected %s", c[0], c[1], err, output, want)
		}
	}
}

func TestPythonVersion(t *testing.T) {
	for version, want := range map[string]string{
		"v1.2.3":                                    "1.2.3",
		"v1.2.3-rc.1":                               "1.2.3rc1",
		"v1.2.3-beta2":                              "1.2.3b2",
		"v1.2.3-alpha.":                             "",
		"v0.0.0-20261126014150-76e5a36ec42a":        "0.0.0.dev20261126014150+g76e5a36ec42a",
		"v1.2.4-0.20261126014150-76e5a36ec42a":      "1.2.4.dev20261126014150+g76e5a36ec42a",
		"v1.2.3-rc.1.0.20261126014150-76e5a36ec42a": "1.2.3rc1.post20261126014150+g76e5a36ec42a",
		"v1.2.3+dirty":                              "",
		"(devel)":                                   "",
	} {
		if found, err := pythonVersion(version); found != want || (err == nil) != (want != "") {
			t.Errorf("%s: found %q, %v; expected %q", version, found, err, want)
		}
	}
}

func TestPublisher(t *testing.T) {
	if p, err := readPublisher("../../release.env"); err != nil || p.Exists() {
		t.Errorf("release.env: found %+v, %v; expected empty values", p, err)
	}
	dir := t.TempDir()
	for text, want := range map[string]string{
		"OWNER=somebody\nMODULE=\n": "found 1 of 4 values, expected all or none",
		"HOST=x\n":                  `unknown name "HOST"`,
	} {
		_, err := readPublisher(write(t, dir, "release.env", text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: found %v, expected %q", text, err, want)
		}
	}
	p, err := readPublisher(write(t, dir, "release.env", filled))
	want := publisher{"somebody", "code.example/somebody/tfr-build", "https://docs.example/tfr-build",
		"images.example/somebody/tfr-build"}
	if p != want || err != nil {
		t.Errorf("found %+v, %v; expected %+v", p, err, want)
	}
}

// TestPrograms has what is not a release refused.
func TestPrograms(t *testing.T) {
	dir := t.TempDir()
	if _, err := findPrograms(dir); err == nil || !strings.Contains(err.Error(), "no program") {
		t.Errorf("no program: found %v", err)
	}
	write(t, dir, "tfr-build-v1.2.3-linux-amd64", "no program")
	if _, err := findPrograms(dir); err == nil {
		t.Error("a text was treated as a program")
	}
}
