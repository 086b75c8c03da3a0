package pipeline

import (
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/spill"
	"tfr-build/pipeline/work"
)

// A memoryFile is a spill file in memory.
type memoryFile struct {
	mu   sync.Mutex
	data []byte
}

var errDiffers = errors.New("the run is not as it was")

func (f *memoryFile) Differs() error { return errDiffers }

func (f *memoryFile) WriteAt(b []byte, off int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if more := int(off) + len(b) - len(f.data); more > 0 {
		f.data = append(f.data, make([]byte, more)...)
	}
	return copy(f.data[off:], b), nil
}

func (f *memoryFile) ReadAt(b []byte, off int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if off > int64(len(f.data)) {
		return 0, io.EOF
	}
	n := copy(b, f.data[off:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// A scanning is a build whose scans, merge, and writing exchange only stored values.
type scanning struct {
	t      *testing.T
	cfg    *config.Config
	run    Run
	size   int64 // bytes of input per scan
	n      int   // buckets
	inline int   // sampled rows in a Run itself
}

// prepared returns what each process has.
func (s *scanning) prepared() *job {
	s.t.Helper()
	run := s.run
	j, err := prepare(s.t.Context(), s.cfg, &run)
	if err == nil {
		err = j.set.LoadJoins(s.t.Context())
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return j
}

// through is a value as another process reads it.
func through[T any](t *testing.T, v *T) *T {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	v = new(T)
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatal(err)
	}
	return v
}

// scan scans all parts of the input, the last first.
func (s *scanning) scan() (merged *spill.Merged, files []*memoryFile) {
	s.t.Helper()
	var runs []*spill.Run
	parts := spill.InputRanges(s.prepared().set, s.size)
	for i := range slices.Backward(parts) {
		j := s.prepared()
		if err := newUnwritten(j).pass.compareRead(s.t.Context()); err != nil {
			s.t.Fatal(err)
		}
		scan := &spill.Scan{Set: j.set, Pool: j.pool, Log: newPass(j).log, Pieces: parts[i], Buckets: s.n,
			Memory: 40_000, Step: 700, InlineSample: s.inline}
		file := &memoryFile{}
		run, err := scan.Run(s.t.Context(), file)
		if err != nil {
			s.t.Fatal(err)
		}
		runs, files = append([]*spill.Run{through(s.t, run)}, runs...), append([]*memoryFile{file}, files...)
	}
	if len(parts) < 3 {
		s.t.Fatalf("%d parts of the input", len(parts))
	}
	g := spill.NewMerger(s.prepared().set)
	for i, r := range runs {
		if err := g.Add(r, files[i]); err != nil {
			s.t.Fatal(err)
		}
	}
	merged, err := g.Merged()
	if err != nil {
		s.t.Fatal(err)
	}
	return through(s.t, merged), files
}

// write builds from the result of scan.
func (s *scanning) write(merged *spill.Merged, files []*memoryFile) error {
	s.t.Helper()
	ctx := s.t.Context()
	b := newBuild(s.prepared())
	if err := b.doStep(ctx, stepOf(planning), 0); err != nil {
		return err
	}
	defer b.close()
	if err := b.out.begin(); err != nil {
		return err
	}
	if err := b.openDirectory(ctx); err != nil {
		return err
	}
	l := b.pass.newSpill(b.job.run.spillLimit())
	l.Create = func() (spill.NewFile, error) { return b.results.files.CreateSpillFile(work.Write, 0) }
	var list []spill.File
	for _, f := range files {
		list = append(list, f)
	}
	if err := l.Open(merged, list); err != nil {
		return err
	}
	b.rows = l
	if err := b.pass.counted(merged.Sources); err != nil {
		return err
	}
	for _, phase := range []work.Phase{work.Merge, work.Write, work.Commit} {
		if err := b.doStep(ctx, stepOf(phase), 0); err != nil {
			return err
		}
	}
	return nil
}

// scanned has configs that are built from the spill files of several scans.
var scanned = map[string]string{
	"lines":     "source: {jsonl: {files: d.jsonl}}\nsplit: {fractions: {train: 80%, test: 20%}}\nshards: 2\n",
	"no quotes": "source: {csv: {files: plain.csv, quotes: none}}\nsplit: {column: part}\n",
	"quotes":    "source: {csv: {files: 'q*.csv'}}\nsplit: {column: part}\non_error: quarantine\nmax_errors: 50%\n",
	"in order": "sources:\n- csv: {files: 'q*.csv'}\n- jsonl: {files: d.jsonl}\norder: source\nshards: 3\non_error: " +
		"skip\nmax_errors: 50%\n",
	"order_key":  "source: {jsonl: {files: d.jsonl}}\norder_key: user\nshards: 3\n",
	"one key":    "source: {jsonl: {files: d.jsonl}}\nset: {k: same}\norder_key: k\nshards: 2\n",
	"compressed": "source: {csv: {files: 'z*.csv.gz'}}\nshards: 2\n",
	"one and all": "sources:\n- csv: {files: 'q*.csv'}\n- csv: {files: 'z*.csv.gz'}\n- jsonl: {files: " +
		"d.jsonl}\nshards: 2\non_error: skip\nmax_errors: 50%\n",
}

func scannedInput(t *testing.T) string {
	return testenv.Directory(t, map[string]string{
		"d.jsonl": rowsJSONL(2000), "plain.csv": strings.ReplaceAll(strings.ReplaceAll(rowsCSV(1500), `"`, "'"),
			"\nline", " line"),
		"q1.csv": rowsCSV(400), "q2.csv": rowsCSV(900) + "1,train,u,1,a\"b\n2,train,u,x,c\n3,no split,u,1,d\n",
		"q3.csv":    rowsCSV(300),
		"z1.csv.gz": filetest.Gzip(rowsCSV(500)), "z2.csv.gz": filetest.Gzip(rowsCSV(200)),
		"z3.csv.gz": filetest.Gzip(rowsCSV(250)),
	})
}

// TestScansOfManyProcesses builds from the spill files of many scans, as processes do that share
// only stored values: the dataset is that of one build.
func TestScansOfManyProcesses(t *testing.T) {
	dir := scannedInput(t)
	for name, text := range testenv.Some(0, 5, scanned) {
		t.Run(name, func(t *testing.T) {
			cfg := load(t, dir, "name: d\noutput: out\n"+text+tableFeatures)
			s := &scanning{t: t, cfg: cfg, size: 20_000, n: 5, inline: 7,
				run: Run{Workers: 2, Output: filepath.Join(t.TempDir(), "out"), runLimit: 30_000}}
			if name == "compressed" {
				s.size = 1000
			}
			merged, files := s.scan()
			if err := s.write(merged, files); err != nil {
				t.Fatal(err)
			}
			want := mustBuild(t, cfg, ways[0])
			if got, want := tree(t, s.run.Output), tree(t, want); got != want {
				t.Errorf("other bytes:\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestDamagedSpillFile changes a byte of a spill file, or truncates it: building fails. An
// exception is the digest of an empty bucket, which is not read.
func TestDamagedSpillFile(t *testing.T) {
	cfg := load(t, scannedInput(t), "name: d\noutput: out\n"+scanned["lines"]+tableFeatures)
	s := &scanning{t: t, cfg: cfg, size: 70_000, n: 5,
		run: Run{Workers: 2, Output: filepath.Join(t.TempDir(), "out"), runLimit: 30_000}}
	merged, files := s.scan()
	if err := s.write(merged, files); err != nil {
		t.Fatal(err)
	}
	want := tree(t, s.run.Output)
	whole := files[1].data
	damages, unread := testenv.Times(3, 200, 2000), 0
	for i := range damages {
		at := i * (len(whole) - 1) / (damages - 1)
		damaged := slices.Clone(whole)
		damaged[at] ^= 0x10
		files[1].data = damaged
		if i%3 == 1 {
			files[1].data = whole[:at]
		}
		s.run.Output = filepath.Join(t.TempDir(), "out")
		switch err := s.write(through(t, merged), files); {
		case errors.Is(err, errDiffers):
		case err == nil && tree(t, s.run.Output) == want:
			unread++
		default:
			t.Errorf("changed at %d of %d: %v", at, len(whole), err)
		}
	}
	if unread > damages/20 {
		t.Errorf("%d of %d changes went unseen", unread, damages)
	}
}
