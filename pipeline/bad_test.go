package pipeline

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
)

// linesOf returns the lines of an error, without the directory.
func linesOf(dir string, err error) []string {
	if err == nil {
		return nil
	}
	return strings.Split(strings.ReplaceAll(err.Error(), dir+"/", ""), "\n")
}

// checkErrors builds cfg in all ways and compares the lines of the errors with want.
func checkErrors(t *testing.T, dir, config string, want ...string) {
	t.Helper()
	cfg := load(t, dir, "name: d\noutput: out\n"+config)
	for _, w := range everyWay(t) {
		_, err := buildTo(t, cfg, w)
		var rows *RowsError
		if !errors.As(err, &rows) {
			t.Fatalf("%+v: %v", w, err)
		}
		if got := linesOf(dir, err); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%+v: got\n%s\nwant\n%s", w, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestEveryKindOfInvalidRowIsReported builds from rows with several kinds of errors, some with
// two. The first row of each kind is reported, with the number of such rows.
func TestEveryKindOfInvalidRowIsReported(t *testing.T) {
	var a, b strings.Builder
	a.WriteString("id,kind,x,part\n")
	b.WriteString("id,kind,x,part\n")
	for i := range 4000 {
		switch {
		case i == 1500 || i == 3000:
			fmt.Fprintf(&a, "%d,cow,none,train\n", i) // two faults
		case i%1000 == 7:
			fmt.Fprintf(&a, "%d,%s,1,train\n", i, []string{"goat", "sheep", "cow", "goat"}[i/1000])
		case i == 20 || i == 10:
			fmt.Fprintf(&a, "%d,cat,1,train,more\n", i)
		case i == 2222:
			fmt.Fprintf(&a, "%d,cat,1,\"tr\"ain\n", i)
		case i == 3333:
			fmt.Fprintf(&a, "%d,cat,1,no split\n", i)
		case i == 3334:
			fmt.Fprintf(&a, "%d,cat,,train\n", i)
		default:
			fmt.Fprintf(&a, "%d,cat,1.5,train\n", i)
		}
	}
	for i := range 50 {
		fmt.Fprintf(&b, "%d,dog,%s,train\n", i, map[bool]string{true: "?", false: "2"}[i == 40])
	}
	dir := testenv.Directory(t, map[string]string{"a.csv": a.String(), "b.csv.gz": filetest.Gzip(b.String())})
	const features = "\nfeatures: {id: int64, kind: {classes: [cat, dog]}, x: float}\n"
	faults := []string{
		`a.csv:9:3: column "kind" (feature "kind"): "goat" is not one of the 2 classes; the first of 6 such rows, ` +
			`with "cow" (3), "goat" (2), "sheep" [LABEL_UNKNOWN]`,
		`a.csv:12:16: 5 cells, but the header has 4; the first of 2 such rows [CSV_RAGGED]`,
		`a.csv:1502:10: column "x" (feature "x"): "none" is not a float; the first of 2 such rows [FLOAT_SYNTAX]`,
		`a.csv:2224:16: text after a closing quote; within quotes a quote is written twice [CSV_QUOTE]`,
		`a.csv:3336:10: column "x" (feature "x"): the value is missing [MISSING]`,
	}
	split := `a.csv:3335:12: column "part": "no split" is not the name of a split; expected a letter, then letters, ` +
		`digits and _, at most 100, and not "all" [SPLIT_NAME]`
	both := strings.Replace(faults[2], "2 such rows", `3 such rows, with "?", "none" (2)`, 1)
	checkErrors(t, dir, "source: {csv: {files: a.csv}}"+features, append(faults, "10 of 4000 rows cannot be used")...)
	checkErrors(t, dir, "source: {csv: {files: [a.csv, b.csv.gz]}}"+features, faults[0], faults[1], both, faults[3],
		faults[4], "11 of 4050 rows cannot be used")
	checkErrors(t, dir, "source: {csv: {files: a.csv}, split: {column: part}}"+features, faults[0],
		faults[1], faults[2], faults[3], split, faults[4], "11 of 4000 rows cannot be used")
}

// TestManyKindsOfInvalidRows has more kinds of errors, and more unknown classes, than the message
// shows.
func TestManyKindsOfInvalidRows(t *testing.T) {
	var head, features, text strings.Builder
	head.WriteString("kind")
	features.WriteString("features:\n  kind: {classes: [none]}\n")
	for c := range 25 {
		fmt.Fprintf(&head, ",c%02d", c)
		fmt.Fprintf(&features, "  c%02d: int64\n", c)
	}
	for i := range 1000 {
		cells := make([]string, 25)
		for c := range cells {
			cells[c] = "1"
			if i == 100+c {
				cells[c] = "x"
			}
		}
		kind := "none"
		if i < 60 {
			kind = fmt.Sprintf("k%02d", 99-i%30)
		}
		text.WriteString(kind + "," + strings.Join(cells, ",") + "\n")
	}
	dir := testenv.Directory(t, map[string]string{"a.csv": head.String() + "\n" + text.String()})
	want := []string{`a.csv:2:1: column "kind" (feature "kind"): "k99" is not the only class, "none"; the first of ` +
		`60 such rows, with `}
	for k := 70; k < 90; k++ {
		want[0] += fmt.Sprintf(`"k%d" (2), `, k)
	}
	want[0] += "and others [LABEL_UNKNOWN]"
	for c := range 19 {
		want = append(want, fmt.Sprintf(
			`a.csv:%d:%d: column "c%02[3]d" (feature "c%02[3]d"): "x" is not an int64 [INT_SYNTAX]`, 102+c, 6+2*c, c))
	}
	checkErrors(t, dir, "source: {csv: {files: a.csv}}\n"+features.String(),
		append(want, "and 6 other errors of rows")...)
}

// TestTooManyRejectsAreCounted exceeds max_errors. All invalid rows are counted, and the first is
// reported, also when a build resumes.
func TestTooManyRejectsAreCounted(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": invalidRows(3000)})
	text := "name: d\noutput: out\nsource: {csv: {files: a.csv}, split: {column: part}}\nshards: 3\non_error: " +
		"quarantine\nmax_errors: %s\nfeatures: {id: int64, text: bytes, user: bytes}\n"
	whole := load(t, dir, fmt.Sprintf(text, "100%"))
	output := mustBuild(t, whole, ways[0])
	all := rejectsOf(t, output)
	counts := map[string]int64{}
	for _, r := range all {
		counts[r.Code]++
	}
	for _, w := range everyWay(t) {
		for most, allowed := range map[string]int{"0": 0, "7": 7, "1%": 30} {
			cfg := load(t, dir, fmt.Sprintf(text, most))
			run := w.run(filepath.Join(t.TempDir(), "out"))
			for range 2 { // the second run resumes with what the first has finished
				_, err := Build(t.Context(), cfg, run)
				var many *TooManyError
				var first *RowsError
				if !errors.As(err, &many) || !errors.As(err, &first) {
					t.Fatalf("%+v, %s: %v", w, most, err)
				}
				if fmt.Sprint(many.Counts) != fmt.Sprint(counts) || first.Line != all[0].Line {
					t.Errorf("%+v, %s: %v, the first on line %d; want %v, %d", w, most, many, first.Line, counts,
						all[0].Line)
				}
				got := rejectsOf(t, run.Output)
				if fmt.Sprint(got) != fmt.Sprint(all[:allowed+1]) {
					t.Errorf("%+v, %s: %d rejects are listed, want the first %d", w, most, len(got), allowed+1)
				}
			}
			_, err := MakePlan(t.Context(), cfg, run)
			if want := "at least "; err == nil || !strings.HasPrefix(err.Error(), want) ||
				!strings.Contains(err.Error(), "SPLIT_NAME ") {
				t.Errorf("plan: %v", err)
			}
		}
	}
}

// TestStoppedWhileInvalidRowsAreRead stops a build that reads on after an invalid row. It must
// warn of the rows found until then.
func TestStoppedWhileInvalidRowsAreRead(t *testing.T) {
	var text strings.Builder
	text.WriteString("id\n")
	for i := range 300_000 {
		if i%3 == 0 {
			text.WriteString("x\n")
		} else {
			fmt.Fprintf(&text, "%d\n", i)
		}
	}
	dir := testenv.Directory(t, map[string]string{"a.csv": text.String()})
	for _, policy := range []string{"", "on_error: skip\nmax_errors: 5\n"} {
		cfg := load(t, dir, "name: d\noutput: out\nshards: 8\nsource: {csv: {files: a.csv}}\nfeatures: {id: "+
			"int64}\n"+policy)
		ctx, stop := context.WithCancel(t.Context())
		progress := &Progress{}
		ended := make(chan error)
		var said []string
		go func() {
			run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(dir, "out"), Progress: progress,
				Warn: func(text string) { said = append(said, text) }}
			_, err := Build(ctx, cfg, run)
			ended <- err
		}()
		for {
			if s := progress.State(); s.Phase == "writing" && s.Done > 0 {
				break
			}
			time.Sleep(100 * time.Microsecond)
		}
		stop()
		err := <-ended
		if errors.Is(err, context.Canceled) && (len(said) != 1 ||
			!strings.Contains(said[0], "as far as they were read: INT_SYNTAX ")) {
			t.Errorf("%q: said %q", policy, said)
		} else if err == nil {
			t.Errorf("%q: no error", policy)
		}
	}
}

// TestSlowSearchForInvalidRowsIsReported checks that a build says that it reads on after an invalid row, if
// that takes long.
func TestSlowSearchForInvalidRowsIsReported(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "id\n" +
		strings.Repeat("x\n", testenv.Times(30_000, 100_000, 100_000))})
	cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: {files: a.csv}}\nfeatures: {id: int64}\n")
	for patience, want := range map[time.Duration]bool{1: true, time.Hour: false} {
		said := make(chan string, 1)
		_, err := Build(t.Context(), cfg, Run{Workers: 1, Memory: plenty, Sync: true,
			Inform: func(text string) { said <- text }, informAfter: patience})
		if err == nil || (len(said) == 1) != want {
			t.Errorf("after %v: %d sentences, %v", patience, len(said), err)
		}
	}
}

// TestNoClassesForAReason collects classes from rows that are all invalid. Build and Try must
// report the first invalid row as the reason.
func TestNoClassesForAReason(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"notes/en_1.txt": "x", "notes/fr_2.txt": "y",
		"a.csv": "a,kind\nx,\ny,\n"})
	const misfit = `notes/en_1.txt: "en_1.txt" does not fit from_path "{language}-{n}.txt"`
	const auto = "auto found no class; no valid row has a value in "
	for _, test := range []struct{ config, want, hint string }{
		{"source: {folder: {dir: notes}, from_path: '{language}-{n}.txt'}\nfeatures: {language: {classes: auto}}\n",
			misfit, ""},
		{"source: {folder: {dir: notes}, from_path: '{language}-{n}.txt'}\nfeatures: {language: {classes: " +
			"auto}}\non_error: skip\nmax_errors: 100%\n", auto, misfit},
		{"source: {csv: {files: a.csv}}\nfeatures: {kind: {classes: auto, missing: omit}}\n", auto, ""},
		{"source: {csv: {files: a.csv}}\nfeatures: {kind: {classes: auto}}\n",
			`a.csv:2:3: column "kind" (feature "kind"): the value is missing`, ""},
	} {
		cfg := load(t, dir, "name: d\noutput: out\n"+test.config)
		_, built := buildTo(t, cfg, ways[0])
		_, spilled := buildTo(t, cfg, ways[4])
		tried := Try(t.Context(), cfg, Run{Workers: 1, Memory: plenty}, 1, func(Example) error { return nil })
		for name, err := range map[string]error{"build": built, "spilled": spilled, "try": tried} {
			if found := strings.Join(linesOf(dir, err), "\n"); !strings.Contains(found, test.want) ||
				!strings.Contains(found, test.hint) {
				t.Errorf("%s %s: got %q, want %q, %q", name, test.config, found, test.want, test.hint)
			}
		}
	}
}

// TestRenamedArrays renames arrays of two files: the error of a row names the file and the new name of its array, also
// if the other array has the old name now.
func TestRenamedArrays(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"bools.npy": filetest.NPY("|b1", "(2,)", "\x01\x02"),
		"ints.npy": filetest.NPY("|u1", "(2,)", "\x01\x02")})
	for rename, column := range map[string]string{"{x: z}": "z", "{x: y, y: x}": "y"} {
		cfg := load(t, dir, "name: d\noutput: out\nsource:\n  arrays: {columns: {x: bools.npy, y: ints.npy}}\n  "+
			"rename: "+rename+"\nfeatures: {"+column+": bool}\n")
		_, err := buildTo(t, cfg, ways[0])
		want := fmt.Sprintf(`bools.npy: row 1: column "%s": the byte 2 is not a bool`, column)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("rename: %s: %v, want %s", rename, err, want)
		}
	}
}
