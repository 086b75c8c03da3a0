package fault

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tfr-build/internal/filetest"
	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
	"tfr-build/tfrecord"
)

// Where a job's output is, on a disk of its own.
const (
	work   = "/disk"
	output = work + "/out-1.0.0"
	hidden = work + "/.out-1.0.0.tfr"
)

// What a run may take: plenty is memory that no job fills, little is memory that
// each table does, so that its rows are spilled.
const (
	plenty = 32 << 20
	little = 1
)

// A job is an input, a config, and what the disk of its output is like. It has
// four shards and at most 64 rows.
type job struct {
	name   string
	config string
	input  func(t testing.TB, dir string)
	memory int64
	old    bool     // an older dataset is at the output, with rejects of its own
	older  []string // versions that are there
	// writes input for the version after number n of these; may be nil
	more func(t testing.TB, dir string, n int)
	// returns the error of an operation that the disk does not support
	unsupported func(vfstest.Op) error
}

const (
	someColumns = "features: {id: int64, vendor: bytes, distance: float, note: {type: string, missing: omit}}\n"
	autoClasses = "features: {id: int64, vendor: {classes: auto}, distance: float, note: {type: string, missing: " +
		"omit}}\n"
	quarantine = "on_error: quarantine\nmax_errors: 50%\n"
	skip       = "on_error: skip\nmax_errors: 50%\n"
	uncounted  = "statistics: false\n" // fewer files, and so fewer operations to fail
	csvSource  = "source: {csv: {files: 'in/*.csv'}}\n"
	duplicates = output + ".duplicates.jsonl"
	thirds     = "split: {fractions: {train: 60%, test: 40%}}\nshards: {count: {train: 3, test: 1}}\n"
)

// joinedColumns joins a table of two keys and a file for each vendor, and computes lists.
const joinedColumns = `
join:
  - {csv: {files: side.csv}, on: {vendor: v, kind: m}, many: {sort: time, type: int64}}
  - {text: {files: 'labels/*.txt'}, from_path: '{v}.txt', on: {vendor: v}, many: true,
     derive: {n: 'int(split(text, " ")[1])'}}
set: {kind: a}
derive: {twice: 'n.map(x, int(x) * 2)'}
features: {id: int64, twice: {type: int64}, times: {from: time, type: int64}, note: {type: string, missing: omit}}
`

// ofGroups makes windows of groups, some of which have invalid rows.
const ofGroups = "record: sequence\ngroup: {by: vendor, sort: note, windows: {length: 5, stride: 3, last: " +
	"keep}}\ncontext: {vendor: string}\nsequence: {id: int64, distance: float}\n"

// sharesOfGroups divides these groups, and limits their windows.
const sharesOfGroups = "split: {fractions: {train: 60%, test: 40%}, stratify: vendor}\nlimit: {train: {rows: 9, per: " +
	"vendor}, test: {rows: 9, per: vendor}}\n"

// following converts images; the boxes, points, and masks of joined and loaded columns follow.
const following = "convert: {resize: {width: 20, height: 20, fit: cover, up: true}, crop: {width: 12, height: 12}, " +
	"boxes: [{xywh: box, unit: relative, min_visible: 10%, with: [label, x, y]}], points: [{x: x, y: y, unit: " +
	"pixel}], masks: [mask]}"

const followingColumns = "features: {image: {from: image}, box: {type: float, shape: [-1, 4]}, label: {type: string, " +
	"shape: [-1]}, x: {type: float, shape: [-1]}, mask: {from: mask}, filename: string}\n"

var jobs = []job{
	{name: "csv, with a link to its versions", config: csvSource + thirds + someColumns + "link: current\nkeep: 2\n",
		input: goodTables, memory: plenty, older: []string{"0.8.0", "0.9.0"}},
	{name: "csv, with a link, and nothing to remove", config: csvSource + thirds + someColumns + "link: current\n",
		input: goodTables, memory: plenty, older: []string{"0.9.0"}},
	{name: "folds", config: uncounted + csvSource + "split: {folds: 4}\nshards: 1\n" + skip + someColumns,
		input: badTables, memory: plenty},
	{name: "stratified", config: uncounted + csvSource +
		"split: {fractions: {train: 60%, test: 40%}, stratify: vendor}\nshards: {count: {train: 3, test: 1}}\n" + skip +
		someColumns, input: badTables, memory: plenty},
	{name: "stratified, spilled", config: uncounted + csvSource +
		"split: {fractions: {train: 60%, test: 40%}, by: distance, stratify: vendor}\nshards: {count: {train: 3, " +
		"test: 1}}\n" + quarantine + autoClasses, input: badTables, memory: little},
	{name: "jsonl", config: "source: {jsonl: {files: 'in/*.jsonl'}}\norder: source\nshards: 4\n" + quarantine +
		autoClasses, input: lines, memory: plenty},
	{name: "images", config: "source: {images: {dir: in}, from_path: '{class}/*.png'}\nshards: 4\nfeatures: {image: " +
		"{from: image}, label: {from: class, classes: auto}}\n", input: pictures, memory: plenty},
	{name: "images, converted",
		config: "source: {images: {dir: in, convert: {color: rgb, resize: {width: 20, height: 20, fit: pad, up: " +
			"true}, format: jpeg}}}\nshards: 4\n" + quarantine +
			"features: {image: {from: image}, pixels: {from: image.pixels, raw: true}, label: {from: class, classes: " +
			"auto}}\n",
		input: damagedPictures, memory: plenty},
	{name: "images as Inception's script", config: uncounted +
		"source: {images: {dir: in}, from_path: '{class}/*.png'}\norder: inception-py2\nthreads: 2\nshards: 4\n" +
		skip +
		"features: {image: {from: image}, label: {from: class, classes: auto}}\n", input: damagedPictures,
		memory: plenty},
	{name: "folder", config: uncounted +
		"source: {folder: {dir: in, extensions: [txt]}}\nshards: 4\ndigest: sha256\nfeatures: {content: bytes, path: " +
		"string}\n", input: texts, memory: plenty},
	{name: "xml", config: uncounted + "source: {xml: {dir: in}}\nshards: 4\n" + quarantine +
		"features: {name: {from: a.o.*.n, type: string}, id: {from: a.@id, type: int64}, path: string}\n",
		input:  markups,
		memory: little},
	{name: "spill", config: "source: {csv: {files: 'in/*.gz'}}\nshards: 4\n" + quarantine + autoClasses,
		input: zippedTables, memory: pipeline.MinMemory},
	{name: "spill in source order", config: uncounted + csvSource + "order: source\nshards: 4\n" + skip + someColumns,
		input: badTables, memory: little},
	{name: "quarantine, in directories", config: csvSource +
		"shards: {count: 4, filename: 'split={SPLIT}/part-{SHARD_INDEX}'}\nmetadata: hidden\n" + quarantine +
		someColumns,
		input: badTables, memory: plenty},
	{name: "gzip", config: uncounted + csvSource + "compression: gzip\nshards: 4\n" + skip + autoClasses,
		input: badTables, memory: plenty},
	{name: "rows per shard", config: uncounted + csvSource + "shards: {rows: 150}\n" + skip + someColumns,
		input: badTables, memory: little},
	{name: "ofrecord", config: csvSource + "format: ofrecord\n" + thirds + quarantine + someColumns, input: badTables,
		memory: plenty},
	{name: "array_record", config: uncounted + csvSource + "format: array_record\ncompression: zstd\n" + thirds +
		quarantine + someColumns, input: badTables, memory: plenty},
	{name: "webdataset", config: uncounted + csvSource + "format: webdataset\nindex: true\n" + thirds + quarantine +
		someColumns, input: badTables, memory: plenty},
	{name: "lists and joins", config: uncounted + csvSource + "shards: 4\n" + skip + joinedColumns,
		input: joinedTables(badTables), memory: plenty},
	{name: "lists and joins, spilled", config: uncounted + "source: {csv: {files: 'in/*.gz'}}\nshards: 4\n" +
		quarantine + joinedColumns, input: joinedTables(zippedTables), memory: pipeline.MinMemory},
	{name: "dedupe", config: uncounted + csvSource + "dedupe: {by: [vendor, note], duplicates: " + duplicates +
		"}\nshards: 4\n" + quarantine + someColumns, input: badTables, memory: plenty},
	{name: "dedupe, spilled", config: "source: {csv: {files: 'in/*.gz'}}\ndedupe: {by: [distance, vendor], " +
		"duplicates: " +
		duplicates + "}\nshards: 4\n" + quarantine + autoClasses, input: zippedTables, memory: pipeline.MinMemory},
	{name: "limited by value", config: uncounted + csvSource + "limit: {train: {rows: 5, per: vendor}}\nshards: 4\n" +
		skip + someColumns, input: badTables, memory: plenty},
	{name: "limited by value, spilled",
		config: "source: {csv: {files: 'in/*.gz'}}\nlimit: {train: {rows: 4, per: vendor}}\nshards: 4\n" + quarantine +
			autoClasses, input: zippedTables, memory: pipeline.MinMemory},
	{name: "groups", config: csvSource + "shards: 4\n" + quarantine + ofGroups, input: badTables, memory: plenty},
	{name: "groups, divided and limited", config: uncounted + csvSource + "shards: 2\n" + quarantine + ofGroups +
		sharesOfGroups, input: badTables, memory: plenty},
	{name: "images, followed", config: uncounted + "source: {images: {dir: in, " + following +
		"}}\nload: {mask: {path: '{filename}', dir: masks}}\njoin: [{jsonl: {files: objects.jsonl}, on: filename, " +
		"many: {sort: id, type: int64}}]\nshards: 4\n" + quarantine + followingColumns, input: objectPictures,
		memory: plenty},
	{name: "damaged records", config: "source: {tfrecord: {files: 'in/*.gz'}}\nrecord: {bytes: record}\nshards: 4\n" +
		quarantine, input: damagedRecords, memory: pipeline.MinMemory},
	{name: "counts in names", config: uncounted + csvSource +
		"shards: {count: 3, filename: '{SPLIT}{INDEX}-{COUNT}.tfrec'}\n" + someColumns, input: goodTables,
		memory: little},
	{name: "append", config: csvSource + thirds + "append: current\nlink: current\nkeep: 2\n" + quarantine +
		autoClasses, input: badTables, memory: plenty, older: []string{"0.8.0", "0.9.0"}, more: oneMoreTable},
	{name: "append by copies, spilled", config: uncounted + csvSource + thirds + "append: 0.9.0\n" + skip + someColumns,
		input: badTables, memory: little, older: []string{"0.9.0"}, more: oneMoreTable, unsupported: noLinks},
	{name: "overwrite", config: csvSource + "shards: 4\n" + quarantine + someColumns, input: badTables, memory: plenty,
		old: true},
	{name: "overwrite in two steps", config: uncounted + csvSource + "shards: 4\n" + skip + someColumns,
		input: badTables, memory: plenty, old: true, unsupported: noExchange},
}

// someJobs are the indexes of all jobs. A sample has every fifth, from first on: tests
// begin at different ones.
func someJobs(first int) (list []int) {
	step := testenv.Times(5, 1, 1)
	for i := first % step; i < len(jobs); i += step {
		list = append(list, i)
	}
	return list
}

func noLinks(op vfstest.Op) error {
	if op.Kind == "link" {
		return syscall.EXDEV
	}
	return nil
}

func noExchange(op vfstest.Op) error {
	if op.Kind == "exchange" {
		return errors.ErrUnsupported
	}
	return nil
}

// A laid job has its input on the real disk, and knows what it is to come to.
type laid struct {
	*job
	dir    string // of the input and the config
	cfg    *config.Config
	run    pipeline.Run
	before *vfstest.Mem // the disk of the output, durable, before the job
	old    contents     // of the output, before
	want   contents     // of the disk, after
	total  int          // operations of a run that nothing disturbs
}

// allLaid are the jobs that were laid, by name, for all tests: none of them touches a
// job's input or its disk.
var allLaid struct {
	sync.Mutex
	by map[string]*laid
}

// lay returns a copy of the laid job, of which the test may change how it runs.
func (j *job) lay(t testing.TB) *laid {
	t.Helper()
	allLaid.Lock()
	defer allLaid.Unlock()
	if allLaid.by[j.name] == nil {
		if allLaid.by == nil {
			allLaid.by = map[string]*laid{}
		}
		allLaid.by[j.name] = j.layFirst(t)
	}
	l := *allLaid.by[j.name]
	return &l
}

// layFirst makes the input and runs the job once, undisturbed.
func (j *job) layFirst(t testing.TB) *laid {
	t.Helper()
	dir, err := os.MkdirTemp(inputs, "")
	if err != nil {
		t.Fatal(err)
	}
	j.input(t, dir)
	l := &laid{job: j, dir: dir, before: vfstest.NewMem(work)}
	l.run = pipeline.Run{Workers: 2, Memory: j.memory, Output: output, Overwrite: j.old, Sync: true}
	if j.old {
		l.cfg = load(t, dir, "old.yaml", "seed: 9\n"+strings.ReplaceAll(j.config, skip, quarantine))
		l.mustBuild(t, l.before)
	}
	for n, version := range j.older {
		l.cfg = load(t, dir, "older.yaml", "version: "+version+"\n"+j.config)
		l.run.Output = work + "/out-" + version
		l.mustBuild(t, l.before)
		if j.more != nil {
			j.more(t, dir, n)
		}
	}
	l.cfg, l.run.Output = load(t, dir, "dataset.yaml", j.config), output
	l.before = copyOf(l.before)
	l.old = contentsOf(t, l.before, output)
	disk := copyOf(l.before)
	l.total = len(l.mustBuild(t, disk))
	l.want = contentsOf(t, disk, work)
	return l
}

// load writes a config next to its input and loads it.
func load(t testing.TB, dir, name, text string) *config.Config {
	t.Helper()
	write(t, dir, name, []byte("name: it\noutput: \"out-{version}\"\n"+text))
	cfg, err := config.Load(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// patience is how long a build of a job may take before it counts as hanging.
const patience = time.Minute

// build runs the job on a disk that hook may disturb, and returns the operations
// too.
func (l *laid) build(t testing.TB, disk vfs.FS, hook func(int, vfstest.Op) error) ([]vfstest.Op, error) {
	t.Helper()
	in := vfstest.NewInject(disk, func(i int, op vfstest.Op) error {
		if hook != nil {
			if err := hook(i, op); err != nil {
				return err
			}
		}
		if l.unsupported != nil {
			return l.unsupported(op)
		}
		return nil
	})
	run := l.run
	run.Storage = store.Over(in)
	hangs := time.AfterFunc(patience, func() { panic("a build hangs: " + t.Name()) })
	defer hangs.Stop()
	_, err := pipeline.Build(t.Context(), l.cfg, run)
	return in.Ops(), err
}

// mustBuild runs the job undisturbed and returns its operations.
func (l *laid) mustBuild(t testing.TB, disk vfs.FS) []vfstest.Op {
	t.Helper()
	ops, err := l.build(t, disk, nil)
	if err != nil {
		t.Fatalf("an undisturbed run: %v", err)
	}
	return ops
}

// write writes a file below dir and makes the directories that it needs.
func write(t testing.TB, dir, name string, content []byte) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// joinedTables is a table of rows with numbers from first on. damage returns what is wrong
// with a row; 0 is nothing.
// joinedTables adds the lookup tables of joinedColumns to an input.
func joinedTables(input func(t testing.TB, dir string)) func(t testing.TB, dir string) {
	return func(t testing.TB, dir string) {
		input(t, dir)
		side := "v,m,time\n"
		for i, v := range vendors {
			side += fmt.Sprintf("%s,a,%d\n%s,a,7\n%s,b,8\n", v, 10-i, v, v)
			write(t, dir, "labels/"+v+".txt", []byte(strings.Repeat(fmt.Sprintf("n %d\n", i), i)))
		}
		write(t, dir, "side.csv", []byte(side))
	}
}

func table(first, rows int, damage func(int) int) []byte {
	var b bytes.Buffer
	b.WriteString("id,vendor,distance,note\n")
	for i := first; i < first+rows; i++ {
		id, distance, note := fmt.Sprint(i), fmt.Sprintf("%d.5", i), fmt.Sprintf("\"note,\n%d\"", i)
		switch damage(i) {
		case 1:
			id = "x" + id
		case 2:
			distance += ",more"
		case 3:
			note = "so \"it\" is"
		}
		fmt.Fprintf(&b, "%s,%s,%s,%s\n", id, vendors[i%len(vendors)], distance, note)
	}
	return b.Bytes()
}

var vendors = []string{"CMT", "VTS", "DDS"}

func nothing(int) int { return 0 }

func everyThird(i int) int {
	if i%3 == 0 {
		return 1 + i/3%3
	}
	return 0
}

func goodTables(t testing.TB, dir string) {
	write(t, dir, "in/a.csv", table(0, 40, nothing))
	write(t, dir, "in/b.csv", table(100, 12, nothing))
}

func badTables(t testing.TB, dir string) {
	write(t, dir, "in/a.csv", table(0, 40, everyThird))
	write(t, dir, "in/b.csv", table(100, 12, everyThird))
}

func oneMoreTable(t testing.TB, dir string, n int) {
	write(t, dir, fmt.Sprintf("in/a%d.csv", n), table(200+100*n, 30, everyThird))
}

func zippedTables(t testing.TB, dir string) {
	for name, text := range map[string][]byte{"in/a.csv.gz": table(0, 40, everyThird),
		"in/b.csv.gz": table(100, 12, everyThird)} {
		write(t, dir, name, []byte(filetest.Gzip(string(text))))
	}
}

// damagedRecords are two files of records, compressed, of which one is cut off and
// some records are damaged.
func damagedRecords(t testing.TB, dir string) {
	var file []byte
	for i := range 30 {
		from := len(file)
		file = tfrecord.TFRecord.Append(file, fmt.Appendf(nil, "record %d", i))
		if i%5 == 2 {
			file[from+14] ^= 1
		}
	}
	whole := []byte(filetest.Gzip(string(file)))
	write(t, dir, "in/a.gz", whole)
	write(t, dir, "in/b.gz", whole[:len(whole)*2/3])
}

func lines(t testing.TB, dir string) {
	var b bytes.Buffer
	for i := range 48 {
		id := fmt.Sprint(i)
		if everyThird(i) == 1 {
			id = `"` + id
		}
		fmt.Fprintf(&b, "{\"id\": %s, \"vendor\": %q, \"distance\": %d.25, \"note\": \"note %d\"}\n", id,
			vendors[i%len(vendors)], i, i)
	}
	write(t, dir, "in/a.jsonl", b.Bytes())
}

func pictures(t testing.TB, dir string) {
	for i := range 14 {
		img := image.NewGray(image.Rect(0, 0, 1+i, 2))
		img.SetGray(0, 0, color.Gray{uint8(i)})
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		write(t, dir, fmt.Sprintf("in/%s/%d.png", []string{"cat", "dog"}[i%2], i), b.Bytes())
	}
}

// damagedPictures are images, one that is cut short, and one that has no class.
func damagedPictures(t testing.TB, dir string) {
	pictures(t, dir)
	data, err := os.ReadFile(filepath.Join(dir, "in/cat/4.png"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "in/cat/4.png", data[:len(data)/2])
	write(t, dir, "in/stray.png", data)
}

// objectPictures are images, each with a mask and three objects. One has boxes of a negative width,
// and one has a mask of another size.
func objectPictures(t testing.TB, dir string) {
	gray := func(width int) []byte {
		var b bytes.Buffer
		if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, 9))); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	var objects strings.Builder
	for i := range 14 {
		name, boxWidth, maskWidth := fmt.Sprintf("%d.png", i), 0.25, 5+i
		switch i {
		case 4:
			boxWidth = -1
		case 7:
			maskWidth++
		}
		write(t, dir, "in/"+name, gray(5+i))
		write(t, dir, "masks/"+name, gray(maskWidth))
		for id := range 3 {
			fmt.Fprintf(&objects, "{\"filename\": %q, \"id\": %d, \"box\": [0.%d, 0.5, %g, 0.2], \"label\": \"%d of "+
				"%d\", \"x\": %d, \"y\": 3}\n",
				name, 3-id, 3*id, boxWidth, id, i, i)
		}
	}
	write(t, dir, "objects.jsonl", []byte(objects.String()))
}

// markups are XML documents, one that is cut short, and one in another encoding.
func markups(t testing.TB, dir string) {
	for i := range 14 {
		text := fmt.Sprintf("<a id='%d'>%s</a>", i, strings.Repeat("<o><n>name</n></o>", 50*i))
		switch i {
		case 5:
			text = text[:len(text)-1]
		case 7:
			text = "<?xml version='1.0' encoding='latin1'?>" + strings.Replace(text, "name", "\xe9", 1)
		}
		write(t, dir, fmt.Sprintf("in/%d.xml", i), []byte(text))
	}
}

func texts(t testing.TB, dir string) {
	for i := range 14 {
		// a shard is several blocks of a disk
		write(t, dir, fmt.Sprintf("in/%d.txt", i), []byte(strings.Repeat("text ", 200*i)))
	}
}
