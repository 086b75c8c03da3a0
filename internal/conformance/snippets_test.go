package conformance

import (
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tfr-build/internal/tftest"
	"tfr-build/pipeline"
)

var (
	snippetCode = regexp.MustCompile(`(?s)<details name="load".*?<code>(.*?)</code>`)
	ownModule   = regexp.MustCompile(`(?m)^import (reader|torch_reader)$`)
	openedFiles = regexp.MustCompile(`builder_from_directory\("([^"]*)"\)`)
)

// TestSnippetsOfTheReport builds a dataset of each file format, message, and compression. The code in its report
// imports and opens files that the dataset has, and runs.
func TestSnippetsOfTheReport(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "rows.jsonl",
		[]byte(`{"n": 1, "text": "a", "list": [1]}`+"\n"+`{"n": 2, "text": "b", "list": [2, 3]}`+"\n"))
	features := "features: {n: int64, text: bytes}\n"
	var runs strings.Builder
	var torch []string
	for i, test := range []struct{ config, want string }{
		{features, "reader torch_reader tfds"},
		{features + "compression: gzip\n", "reader torch_reader"},
		{features + "metadata: hidden\n", "reader torch_reader tfds"},
		{features + "format: array_record\n", "reader tfds"},
		{features + "format: array_record\ncompression: zstd\n", "reader"},
		{"context: {n: int64}\nsequence: {list: int64}\nrecord: sequence\n", "reader"},
		{"context: {n: int64}\nsequence: {list: int64}\nrecord: sequence\nformat: array_record\n", "reader"},
		{features + "record: json_example\n", ""},
		{features + "record: json\n", ""},
		{"record: {text: text}\n", "torch_reader"},
		{"record: {bytes: text}\n", "torch_reader"},
		{features + "format: ofrecord\n", ""},
		{features + "format: webdataset\n", "reader"},
		{features + "format: webdataset\ncompression: gzip\n", "reader"},
	} {
		name, output := fmt.Sprintf("%d.yaml", i), filepath.Join(dir, fmt.Sprint(i))
		write(t, dir, name, []byte("name: d\noutput: out\nsource: {jsonl: {files: rows.jsonl}}\n"+test.config))
		build(t, filepath.Join(dir, name), output, pipeline.Run{})
		page, err := os.ReadFile(filepath.Join(output, "_tfr", "report.html"))
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, m := range snippetCode.FindAllSubmatch(page, -1) {
			code := html.UnescapeString(string(m[1]))
			if own := ownModule.FindStringSubmatch(code); own != nil {
				found = append(found, own[1])
				if !exists(filepath.Join(output, "_tfr", own[1]+".py")) {
					t.Errorf("%q: the dataset has no %s.py", test.config, own[1])
				}
			}
			code = strings.ReplaceAll(code, "DIR", output)
			if opened := openedFiles.FindStringSubmatch(code); opened != nil {
				found = append(found, "tfds")
				if !exists(filepath.Join(opened[1], "dataset_info.json")) {
					t.Errorf("%q: %s has no dataset_info.json", test.config, opened[1])
				}
			}
			if strings.Contains(code, "torch") {
				torch = append(torch, code)
				continue
			}
			fmt.Fprintf(&runs, "for name in ('reader', 'torch_reader'):\n    sys.modules.pop(name, None)\nbefore = "+
				"list(sys.path)\n%s\nsys.path[:] = before\n", code)
			if strings.Contains(code, "ds = ") {
				runs.WriteString("assert next(iter(ds)) is not None\n")
			}
		}
		if got := strings.Join(found, " "); got != test.want {
			t.Errorf("%q: code with %q, want %q", test.config, got, test.want)
		}
	}
	t.Run("TensorFlow", func(t *testing.T) {
		write(t, dir, "runs.py", []byte("import sys\n"+runs.String()))
		tftest.Run(t, filepath.Join(dir, "runs.py"))
	})
	t.Run("PyTorch", func(t *testing.T) {
		python := tftest.Torch(t)
		for _, code := range torch {
			cmd := exec.Command(python, "-c", code+"\nassert next(iter(ds)) is not None\n")
			cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s\n%s", err, code, out)
			}
		}
	})
}
