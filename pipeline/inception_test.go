package pipeline

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/tfrecord"
)

// tinyPNG is an image of one pixel.
func tinyPNG(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// pets is a tree of n images of each class.
func pets(t *testing.T, n int, classes ...string) map[string]string {
	files := map[string]string{}
	for _, class := range classes {
		for i := range n {
			files[fmt.Sprintf("in/%s/%s%d.png", class, class, i)] = tinyPNG(t)
		}
	}
	return files
}

// inceptionOf is a config of such a tree, whose records are the names of the files.
// Its image is looked at, so that bad ones are found.
const inceptionOf = "name: d\noutput: out\nsource: {images: {dir: in}}\norder: inception-py2\nthreads: " +
	"2\nfeatures:\n  filename: bytes\n  width: {from: image.width}\n"

// namesIn returns the files in each shard of a dataset, by the text before the first dot in their
// records.
func namesIn(t *testing.T, out string) (shards [][]string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(out, "*-of-*"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%d shards, %v", len(names), err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files := []string{}
		for r := tfrecord.NewReader(bytes.NewReader(data), tfrecord.Options{}); ; {
			payload, err := r.Next()
			if err != nil {
				break // the end, or a damaged shard, in which files are missing
			}
			before, _, _ := bytes.Cut(payload, []byte(".png"))
			from := bytes.LastIndexFunc(before, func(r rune) bool {
				return (r < 'a' || r > 'z') && (r < '0' || r > '9')
			})
			files = append(files, string(before[from+1:]))
		}
		shards = append(shards, files)
	}
	return shards
}

// without is shards without some files.
func without(shards [][]string, files ...string) [][]string {
	left := [][]string{}
	for _, names := range shards {
		left = append(left, slices.DeleteFunc(slices.Clone(names),
			func(name string) bool { return slices.Contains(files, name) }))
	}
	return left
}

// TestInceptionEveryWay builds an order of Inception's script in all ways. Any memory is enough,
// because files are never spilled.
func TestInceptionEveryWay(t *testing.T) {
	files := pets(t, 15, "cat", "dog")
	files["in/cat/cat7.png"] = files["in/cat/cat7.png"][:30]
	files["in/stray.png"] = tinyPNG(t)
	dir := testenv.Directory(t, files)
	for _, more := range []string{
		"shards: {size: 300B}\n", "split: {fractions: {train: 60%, test: 40%}}\nshards: {count: {train: 4, test: " +
			"2}}\ncompression: gzip\n",
		"  label: {from: class, classes: auto}\nshards: 2\n",
	} {
		out := sameEveryWay(t, load(t, dir, inceptionOf+more+"on_error: quarantine\nmax_errors: 2\n"))
		if n := len(slices.Concat(namesIn(t, out)...)); n != 29 && !strings.Contains(more, "gzip") {
			t.Errorf("%s: %d files", more, n)
		}
	}
}

// TestInceptionKeepsPositions rejects a file that cannot be read: it is missing in its shard, and
// all other files keep their positions.
func TestInceptionKeepsPositions(t *testing.T) {
	const more = "shards: 6\non_error: skip\nmax_errors: 3\n"
	files := pets(t, 9, "cat", "dog")
	whole := namesIn(t, mustBuild(t, load(t, testenv.Directory(t, files), inceptionOf+more), ways[0]))
	files["in/cat/cat7.png"], files["in/dog/dog0.png"] = "no image", ""
	got := namesIn(t, mustBuild(t, load(t, testenv.Directory(t, files), inceptionOf+more), ways[0]))
	if want := without(whole, "cat7", "dog0"); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// TestInceptionOfUnlistedClasses has files that Inception's script ignores: one in no directory,
// and those of a class that its labels file does not list. If invalid rows are skipped, the other
// files are ordered as without them.
func TestInceptionOfUnlistedClasses(t *testing.T) {
	const labels = "  label: {from: class, classes: {names: [dog, cat]UNKNOWN}}\nshards: 4\n"
	config := inceptionOf + strings.Replace(labels, "UNKNOWN", "", 1)
	files := pets(t, 9, "cat", "dog")
	want := namesIn(t, mustBuild(t, load(t, testenv.Directory(t, files), config), ways[0]))
	files["in/alone.png"], files["in/bird/bird0.png"], files["in/bird/bird1.png"] = tinyPNG(t), tinyPNG(t), tinyPNG(t)
	dir := testenv.Directory(t, files)
	if got := namesIn(t, mustBuild(t, load(t, dir, config+"on_error: skip\nmax_errors: 3\n"),
		ways[0])); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}

	_, err := buildTo(t, load(t, dir, config), ways[0])
	var bad *RowsError
	if !errors.As(err, &bad) {
		t.Fatalf("unlisted classes: %v", err)
	}
	for _, text := range []string{
		`alone.png: column "class": no value, but it decides the row's position [MISSING]`,
		`bird0.png: column "class": "bird" is not one of the 2 classes of the feature "label", but they decide the ` +
			`row's position; the first of 2 such rows [LABEL_UNKNOWN]`,
	} {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("the error is\n%v\nwithout %s", err, text)
		}
	}

	os.Remove(filepath.Join(dir, "in/alone.png"))
	out := mustBuild(t, load(t, dir, inceptionOf+strings.Replace(labels, "UNKNOWN", ", unknown: -1", 1)), ways[0])
	if n := len(slices.Concat(namesIn(t, out)...)); n != 20 {
		t.Errorf("%d files where other classes have a number", n)
	}
}

// TestInceptionUsesTheListedClasses builds one tree with classes listed in either order, and
// sorted by name. That is not the order of the paths: a-b/ is before a/.
func TestInceptionUsesTheListedClasses(t *testing.T) {
	dir := testenv.Directory(t, pets(t, 9, "a", "a-b"))
	orders := map[string]string{}
	for _, feature := range []string{"", "  class: {classes: [a, a-b]}\n", "  class: {classes: [a-b, a]}\n",
		"  class: {classes: auto}\n"} {
		orders[feature] = fmt.Sprint(namesIn(t, mustBuild(t, load(t, dir, inceptionOf+feature+"shards: 2\n"), ways[0])))
	}
	byName := orders[""]
	if orders["  class: {classes: [a, a-b]}\n"] != byName || orders["  class: {classes: auto}\n"] != byName ||
		orders["  class: {classes: [a-b, a]}\n"] == byName {
		t.Errorf("%v", orders)
	}
}

// TestInceptionOfSeveralSources has two sources in one split: files of a class are sorted by
// source. The order equals that of one directory with the files of both.
func TestInceptionOfSeveralSources(t *testing.T) {
	one, two := map[string]string{}, map[string]string{}
	for name, data := range pets(t, 9, "cat", "dog") {
		one[name] = data
		if strings.Contains(name, "5.") || strings.Contains(name, "6.") || strings.Contains(name, "7.") ||
			strings.Contains(name, "8.") {
			name = "more" + strings.TrimPrefix(name, "in")
		}
		two[name] = data
	}
	want := namesIn(t, mustBuild(t, load(t, testenv.Directory(t, one), inceptionOf+"shards: 4\n"), ways[0]))
	config := strings.Replace(inceptionOf, "source: {images: {dir: in}}",
		"sources: [{name: z, images: {dir: in}}, {name: a, images: {dir: more}}]", 1)
	if got := namesIn(t, mustBuild(t, load(t, testenv.Directory(t, two), config+"shards: 4\n"),
		ways[0])); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// TestInceptionResumes stops a build when some shards are finished.
func TestInceptionResumes(t *testing.T) {
	dir := testenv.Directory(t, pets(t, 9, "cat", "dog"))
	cfg := load(t, dir, inceptionOf+"shards: 8\n")
	var said []string
	run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(dir, "out"), Sync: true,
		Inform: func(text string) { said = append(said, text) }}
	stopLate(t, cfg, run, 2)
	if _, err := Build(t.Context(), cfg, run); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(said, func(text string) bool { return strings.Contains(text, "resumes a stopped run: ") }) {
		t.Errorf("said %q", said)
	}
	if tree(t, run.Output) != tree(t, mustBuild(t, cfg, ways[0])) {
		t.Error("the dataset is not that of a run that was not stopped")
	}
	for was, change := range map[string]string{"order: inception-py2": "order: inception-py3",
		"threads: 2": "threads: 1", "threads": "seed: 7\nthreads"} {
		other := load(t, dir, strings.Replace(inceptionOf, was, change, 1)+"shards: 8\n")
		if r, err := Build(t.Context(), other, Run{Workers: 1, Memory: plenty, Output: run.Output,
			Overwrite: true}); err != nil || r.UpToDate {
			t.Errorf("%s: %+v, %v", change, r, err)
		}
	}
}

// TestInceptionIsPlanned checks that a plan explains the order.
func TestInceptionIsPlanned(t *testing.T) {
	dir := testenv.Directory(t, pets(t, 9, "cat", "dog"))
	for more, note := range map[string]string{
		"": "the order goes through the classes by their names: no feature of the column class lists them",
		"  image/class/label: {from: class, classes: [dog, " +
			"cat]}\n": `the order goes through the classes as the feature "image/class/label" lists them`,
	} {
		p, err := MakePlan(t.Context(), load(t, dir, inceptionOf+more+"shards: {hosts: 3}\n"),
			Run{Workers: 2, Memory: 1})
		if err != nil {
			t.Fatal(err)
		}
		s := p.Splits[0]
		if p.Order != "inception-py2" || p.Spills || s.Shards != 2 ||
			!strings.HasSuffix(s.Why, "; there are more hosts than shards; but 2, as many for each thread; 2 "+
				"threads, 1 each") ||
			!slices.Contains(p.Notes, note) {
			t.Errorf("%+v", p)
		}
	}
	cfg := load(t, dir, strings.Replace(inceptionOf, "dir: in}", "dir: in}, rename: {class: synset}", 1))
	if err := Check(t.Context(), cfg, Run{Workers: 1, Memory: plenty,
		Output: filepath.Join(t.TempDir(), "out")}); err == nil || !strings.Contains(err.Error(), `no column "class"`) {
		t.Errorf("without the column: %v", err)
	}
	shown := 0
	if err := Try(t.Context(), load(t, dir, inceptionOf), Run{Workers: 1, Memory: plenty}, 3,
		func(Example) error { shown++; return nil }); err != nil || shown != 3 {
		t.Errorf("tried %d rows, %v", shown, err)
	}
}
