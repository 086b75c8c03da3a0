package conformance

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
	"tfr-build/pipeline"
)

// inceptionFile has what testdata/inception.py says of the trees: the digest of the
// lines of each split, and all lines of the smallest.
const inceptionFile = "testdata/inception.txt"

// An inceptionSplit is a tree of images, in directories of classes.
type inceptionSplit struct {
	name   string
	files  int
	shards int
}

var inceptionSplits = []inceptionSplit{{"seven", 7, 16}, {"hundred", 100, 24}, {"thousands", 5_000, 128}}

// inceptionLabels are the classes in the order of their labels: not that of their
// names, of which one goes on where another ends.
var inceptionLabels = []string{"n03", "n01", "n01-b", "n10", "n2", "n01 b", "n00"}

// layInception writes the trees.
func layInception(t testing.TB, dir string) {
	t.Helper()
	data := jpegOf(t, 2, 2, false, 7)
	for _, split := range inceptionSplits {
		for _, class := range inceptionLabels {
			if err := os.MkdirAll(filepath.Join(dir, split.name, class), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		for i := range split.files {
			class := inceptionLabels[i*i%11%len(inceptionLabels)] // some have more files than others, and one has none
			name := filepath.Join(dir, split.name, class, fmt.Sprintf("%s_%d.JPEG", class, i*9%split.files))
			if err := os.WriteFile(name, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(t, dir, "labels.txt", []byte(strings.Join(inceptionLabels, "\n")+"\n"))
}

// inceptionConfig is the path of a config of some trees, in one of the orders.
func inceptionConfig(t testing.TB, dir, order string, splits []inceptionSplit) string {
	t.Helper()
	sources, counts := "", ""
	for _, split := range splits {
		sources += fmt.Sprintf("  - {name: %[1]s, split: %[1]s, images: {dir: %[1]s}}\n", split.name)
		counts += fmt.Sprintf("  %s: %d\n", split.name, split.shards)
	}
	f := form{config: "order: " + order + "\nsources:\n" + sources + "shards: {count: {" +
		strings.ReplaceAll(strings.TrimSpace(counts), "\n", ",") + `}}
features:
  image/filename: {from: filename, type: bytes}
  image/class/label: {from: class, classes: {file: labels.txt, first: 1}}
`}
	return f.configure(t, dir, order+".yaml", "")
}

// filesOf are the files of some splits, as the script prints them: the name of a
// shard and of a file, in their order.
func filesOf(t testing.TB, dir string, splits ...string) string {
	t.Helper()
	var b strings.Builder
	for _, s := range manifest(t, dir).Splits {
		for _, shard := range s.Shards {
			if !slices.Contains(splits, s.Name) {
				continue
			}
			for _, record := range records(t, filepath.Join(dir, shard.Name)) {
				name := example(t, record)["image/filename"].GetBytesList().GetValue()[0]
				fmt.Fprintf(&b, "%s %s\n", shard.Name, name)
			}
		}
	}
	return b.String()
}

// shortened are the files of a split as inceptionFile has them.
func shortened(order string, split inceptionSplit, files string) string {
	text := fmt.Sprintf("%s %s %x\n", order, split.name, sha256.Sum256([]byte(files)))
	if split.files < 10 {
		text += files
	}
	return text
}

// TestInception builds trees of 7, 100 and 5,000 files in the orders of Inception's
// script: file for file, shard for shard they are where the script puts them. Where
// there is Python, the script is run on the trees; -update writes what it says.
func TestInception(t *testing.T) {
	dir := t.TempDir()
	layInception(t, dir)
	want, err := os.ReadFile(inceptionFile)
	if err != nil {
		t.Fatal(err)
	}
	hasPython := os.Getenv(tftest.PythonVar) != ""
	said := ""
	for _, order := range []string{"inception-py2", "inception-py3"} {
		splits := inceptionSplits
		if order == "inception-py3" && !hasPython {
			splits = splits[:testenv.Times(2, 3, 3)] // 5,000 files are many for a sample
		}
		out := filepath.Join(t.TempDir(), "out")
		build(t, inceptionConfig(t, dir, order, splits), out, pipeline.Run{})
		for _, split := range splits {
			got := filesOf(t, out, split.name)
			if n := strings.Count(got, "\n"); n != split.files {
				t.Errorf("%s, %s: %d files", order, split.name, n)
			}
			if hasPython {
				python := inceptionScript(t, dir, order, split)
				if said += shortened(order, split, python); got != python {
					t.Errorf("%s, %s: files are not where the script puts them; got\n%.1000s\nwant\n%.1000s", order,
						split.name, got, python)
				}
			}
			if short := shortened(order, split, got); !*update && !strings.Contains(string(want), short) {
				t.Errorf("got\n%swhere the script says\n%s", short, want)
			}
		}
	}
	if *update && hasPython {
		if err := os.WriteFile(inceptionFile, []byte(said), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// inceptionScript returns the output of the script for a tree in dir.
func inceptionScript(t *testing.T, dir, order string, split inceptionSplit) string {
	t.Helper()
	python := strings.TrimPrefix(order, "inception-py")
	cmd := exec.Command(tftest.Python(t), filepath.Join("testdata", "inception.py"), dir, python, "12345", "8",
		fmt.Sprintf("%s=%d", split.name, split.shards))
	cmd.Stderr = os.Stderr
	said, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(said)
}
