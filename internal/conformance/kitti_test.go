package conformance

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/tftest"
	"tfr-build/pipeline"
)

// labelFiles are tables of docs/tools/kitti.md: the keys that the page shows, what a file
// begins with, and a line of random values.
var labelFiles = []struct {
	name, keys, before string
	line               func(r *rand.Rand) string
}{
	{"dota", "delimiter: whitespace, skip_lines: 2, columns: [x1, y1, x2, y2, x3, y3, x4, y4, class, difficult]",
		"imagesource:GoogleEarth\ngsd:0.146\n",
		func(r *rand.Rand) string {
			return numbers(r, 8) + blanks(r, 1) + "ship" + blanks(r, 1) + "0" + blanks(r, 0)
		}},
	{"yolo", "delimiter: whitespace, columns: [class, x, y, w, h]", "",
		func(r *rand.Rand) string { return blanks(r, 0) + numbers(r, 5) }},
	{"mot", "columns: [frame, track, left, top, width, height, active, class, visible]", "",
		func(r *rand.Rand) string { return strings.Join(strings.Fields(numbers(r, 9)), ",") }},
	{"icdar", "columns: [x1, y1, x2, y2, x3, y3, x4, y4, text], rest: text", "\ufeff",
		func(r *rand.Rand) string {
			text := []string{"###", `"Joy", said he`, " a, b,,", "Genaxis Theatre", `"`}[r.IntN(5)]
			return strings.Join(strings.Fields(numbers(r, 8)), ",") + "," + text
		}},
	{"movielens", `delimiter: "::", quotes: none, encoding: latin-1, columns: [movie, title, genres]`, "",
		func(r *rand.Rand) string { return fmt.Sprintf("%d::\"Caf\xe9\": %d::Drama|War", r.IntN(9), r.IntN(99)) }},
	{"list", "delimiter: whitespace, columns: [path, label]", "",
		func(r *rand.Rand) string { return fmt.Sprintf("a/%d.jpg%s%d", r.IntN(99), blanks(r, 1), r.IntN(9)) }},
}

// blanks are at least that many spaces and tabs.
func blanks(r *rand.Rand, least int) string {
	b := make([]byte, least+r.IntN(3))
	for i := range b {
		b[i] = " \t"[r.IntN(2)]
	}
	return string(b)
}

// numbers are n numbers with blanks between them.
func numbers(r *rand.Rand, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("%.2f", r.Float64()*2000-200) + blanks(r, 1)
	}
	return strings.TrimSpace(strings.Join(list, ""))
}

// TestKITTI builds the config of docs/tools/kitti.md on random label files, and the page's other tables. A plain
// parser in Python reads the same values from the files. It also has the keys and the kinds of TAO's converter.
func TestKITTI(t *testing.T) {
	tftest.Python(t)
	const page = "docs/tools/kitti.md"
	dir, r, config, table := t.TempDir(), rand.New(rand.NewPCG(47, 1)), "", ""
	for _, b := range blocksOf(t, page) {
		if b.title == "kitti.yaml" {
			config = b.text
		}
	}
	write(t, dir, "kitti.yaml", []byte(config))
	for i := range 60 {
		data, extension := picture(t, r, i)
		write(t, dir, fmt.Sprintf("training/image_2/%06d.%s", i, extension), data)
		var lines strings.Builder
		for range r.IntN(5) {
			class := []string{"Car", "DontCare", "Person_sitting"}[r.IntN(3)]
			fmt.Fprintf(&lines, "%s%s%s%.2f %d%s%s%s\n", blanks(r, 0), class, blanks(r, 1), r.Float64(), r.IntN(4)-1,
				blanks(r, 1), numbers(r, 12), blanks(r, 0))
		}
		if i%10 > 0 { // an image may have no file
			write(t, dir, fmt.Sprintf("training/label_2/%06d.txt", i), []byte(lines.String()))
		}
	}
	build(t, filepath.Join(dir, "kitti.yaml"), filepath.Join(dir, "out/kitti"), pipeline.Run{})
	text, err := os.ReadFile(filepath.Join(project, filepath.FromSlash(page)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range labelFiles {
		if !strings.Contains(string(text), "`"+f.keys+"`") {
			t.Errorf("%s does not have %s", page, f.keys)
		}
		table = f.before
		for range 100 {
			table += f.line(r) + []string{"\n", "\r\n"}[r.IntN(2)]
		}
		write(t, dir, f.name+".txt", []byte(table))
		_, columns, _ := strings.Cut(f.keys, "columns: [")
		columns, _, _ = strings.Cut(columns, "]")
		features := strings.ReplaceAll(columns, ",", ": string,") + ": string"
		write(t, dir, f.name+".yaml", fmt.Appendf(nil, "name: %s\noutput: out\norder: source\n"+
			"source: {csv: {files: %[1]s.txt, header: false, %s}}\nfeatures: {%s}\n", f.name, f.keys, features))
		build(t, filepath.Join(dir, f.name+".yaml"), filepath.Join(dir, "out", f.name), pipeline.Run{})
	}
	tftest.Run(t, filepath.Join("testdata", "kitti.py"), dir)
}
