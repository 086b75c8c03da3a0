package conformance

import (
	"bytes"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline"
	"tfr-build/pixels/jpeg"
)

const mib = 1 << 20

// promised is what a run says that it takes at most beyond the mapped input, as
// package pipeline has it: memory is 0 where rows are read in place.
func promised(workers, rows, largest, memory int64) int64 {
	// Statistics of the few features that the tables have: for each worker, a shard and
	// a split.
	const features, ofTexts = 8, 225 << 10
	most := 32*mib + workers*(4*mib+3*largest) + features*ofTexts*(workers+2)
	if memory > 0 {
		return most + memory + 3*largest
	}
	return most + 12*rows
}

// TestMemory compares the binary with what it says of its memory. A sample has two of the cases.
func TestMemory(t *testing.T) {
	rows := testenv.Times(32_000, 160_000, 400_000)
	dir := t.TempDir()
	write(t, dir, "in/a.csv", csvOf(t, trips(rows, 1), false))
	file := formOf("csv").configure(t, dir, "dataset.yaml", "")
	info, err := os.Stat(filepath.Join(dir, "in", "a.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		args   []string
		mapped int64
		limit  int64
	}{
		{"mapped", []string{"-memory", "4GB", "-workers", "2"}, info.Size(), promised(2, int64(rows), 0, 0)},
		{"mapped, 8 workers", []string{"-memory", "4GB", "-workers", "8"}, info.Size(), promised(8, int64(rows), 0, 0)},
		{"spill", []string{"-memory", "16MB", "-workers", "2"}, 0, promised(2, 0, 0, 16_000_000)},
	} {
		if !testenv.Exhaustive() && c.name == "mapped, 8 workers" {
			continue
		}
		t.Run(c.name, func(t *testing.T) { keepsTo(t, c.limit+c.mapped, append([]string{"-config", file}, c.args...)) })
	}
}

// inExhaustiveRuns skips a test of memory in a sample, which has others.
func inExhaustiveRuns(t *testing.T) {
	t.Helper()
	if !testenv.Exhaustive() {
		t.Skip("the sample has TestMemory, and tests of giant, wide, and rejected rows: " + testenv.ExhaustiveVar +
			"=1")
	}
}

// keepsTo runs a build, and fails the test where it takes more than limit.
func keepsTo(t *testing.T, limit int64, args []string) {
	t.Helper()
	args = append(args, "-output", filepath.Join(t.TempDir(), "out"))
	peak := peakMemory(t, exec.Command(testenv.Program(t), args...))
	t.Logf("%.1f MB of memory of %.1f", megabytes(peak), megabytes(limit))
	if peak > limit {
		t.Errorf("%.1f MB of memory, expected at most %.1f", megabytes(peak), megabytes(limit))
	}
}

// TestMemoryOfShortRows builds rows of which no bucket was planned for so many: their entries and index take five times
// their text.
func TestMemoryOfShortRows(t *testing.T) {
	inExhaustiveRuns(t)
	dir := t.TempDir()
	table := []byte("id,x\n")
	for i := range 6_000_000 {
		id := i % 1000
		if i>>16%3 == 0 {
			id += 1e12 // some stretches of rows are longer
		}
		table = fmt.Appendf(table, "%d,%d\n", id, i%7)
	}
	write(t, dir, "a.csv", table)
	write(t, dir, "job.yaml", []byte("name: short\noutput: out\nsource: {csv: {files: a.csv}}\n"+
		"features: {id: int64, x: int64}\n"))
	keepsTo(t, promised(2, 0, 0, 64_000_000),
		[]string{"-config", filepath.Join(dir, "job.yaml"), "-memory", "64MB", "-workers", "2"})
}

// A giant is a table with rows of many megabytes that all can be used.
type giant struct {
	name, file, source, feature string
	begin, piece, end           string // of such a row, after its id
	size                        int    // of such a row, about
	element                     int    // bytes that an element of a list takes besides
}

var giants = []giant{
	{"csv", "a.csv", "csv", "bytes", `,"`, strings.Repeat("long and ", 100) + `""`, "\"\n", 12 * mib, 0},
	{"jsonl", "a.jsonl", "jsonl", "string", `,"x":"`, strings.Repeat("long and ", 100) + `\n`, "\"}\n", 12 * mib, 0},
	{"csv list", "b.csv", "csv", `{type: int64, shape: [-1], separator: ";"}`, `,1`, `;1234567`, "\n", 12 * mib, 0},
	{"jsonl list", "b.jsonl", "jsonl", `{type: float, shape: [-1]}`, `,"x":[0`, `,0.1234567890123456`, "]}\n", 4 * mib,
		ofValue},
}

// lay writes n rows of size bytes among as many short ones, and the config.
func (g *giant) lay(t *testing.T, dir string, n, size int, compressed bool) (config string, bytes int64) {
	head, id := "id,x\n", "%d"
	if g.source == "jsonl" {
		head, id = "", `{"id":%d`
	}
	var b strings.Builder
	b.WriteString(head)
	for i := range 2 * n {
		pieces := 1
		if i%2 == 1 {
			pieces = size / len(g.piece)
		}
		fmt.Fprintf(&b, id, i)
		b.WriteString(g.begin + strings.Repeat(g.piece, pieces) + g.end)
	}
	text := []byte(b.String())
	if compressed {
		text = gzipped(text)
	}
	write(t, dir, g.file, text)
	write(t, dir, "job.yaml", fmt.Appendf(nil,
		"name: giants\noutput: out\nsource:\n  %s: {files: %s}\nfeatures: {id: int64, x: %s}\n", g.source,
		g.file, g.feature))
	return filepath.Join(dir, "job.yaml"), int64(len(text))
}

// TestMemoryOfGiantRows compares the binary with what it says of its memory where
// rows are encoded that are as large as all else together.
func TestMemoryOfGiantRows(t *testing.T) {
	for i, g := range giants {
		for k, workers := range []int{1, 2, 8} {
			for m, how := range []string{"mapped", "spilled", "gzip"} {
				if !testenv.Exhaustive() && (i != 1 || k != 1 || m != 2) { // JSON lines, which take most
					continue
				}
				if turns := testenv.Times(1, 2, 1); (i+k+m)%turns != testenv.First(0, turns) {
					continue
				}
				t.Run(fmt.Sprintf("%s, %s, %d workers", g.name, how, workers), func(t *testing.T) {
					config, mapped := g.lay(t, t.TempDir(), 2+workers, g.size, how == "gzip")
					memory, flag := int64(0), "4GB"
					if how != "mapped" {
						memory, flag, mapped = 16_000_000, "16MB", 0
					}
					elements := int64(workers * g.size / len(g.piece) * g.element)
					keepsTo(t, promised(int64(workers), 0, int64(g.size), memory)+mapped+elements,
						[]string{"-config", config, "-memory", flag, "-workers", fmt.Sprint(workers)})
				})
			}
		}
	}
}

// The size of a large photo, and of the sides of larger images that are made of it.
const photoWidth, photoHeight, largeSide = 2400, 1800, 2600

// largePhoto is a JPEG in color that is to be turned.
func largePhoto(t *testing.T) []byte {
	t.Helper()
	pixels := make([]byte, 3*photoWidth*photoHeight)
	for i := range pixels {
		pixels[i] = byte(i/7 + i/photoWidth%13*i%17)
	}
	photo, err := new(jpeg.Encoder).Append(nil, pixels, photoWidth, photoHeight, 3, &jpeg.Options{Quality: 80})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Insert(photo, 20, []byte(exifOf(6))...)
}

// TestMemoryOfImages compares the binary with what it says of its memory where images
// are larger than all else together: decoded, turned, resized, padded, written.
func TestMemoryOfImages(t *testing.T) {
	inExhaustiveRuns(t)
	photo := largePhoto(t)
	dir := t.TempDir()
	for i := range 6 {
		write(t, dir, fmt.Sprintf("in/%d.jpg", i), photo)
	}
	for name, c := range map[string]struct {
		resize string
		made   int64 // pixels
	}{
		"small": {"{short: 256}", 256 * 342},
		"large": {fmt.Sprintf("{width: %d, height: %d, fit: pad, up: true}", largeSide, largeSide),
			largeSide * largeSide},
	} {
		for _, workers := range []int{1, 4} {
			t.Run(fmt.Sprint(name, workers), func(t *testing.T) {
				config := "name: it\noutput: out\nsource:\n  images:\n    dir: in\n    convert: {orientation: " +
					"apply, color: rgb, format: jpeg, resize: " + c.resize + "}\nfeatures: {image: {from: image}}\n"
				write(t, dir, "dataset.yaml", []byte(config))
				record := max(int64(len(photo)), c.made) // a JPEG of this quality has less than a byte a pixel
				keepsTo(t, promised(int64(workers), 6, record, 0)+int64(workers)*12*(photoWidth*photoHeight+c.made),
					[]string{"-config", filepath.Join(dir, "dataset.yaml"), "-workers", fmt.Sprint(workers)})
			})
		}
	}
}

// TestMemoryOfListedFiles compares the binary with what it says of its memory where lists of files are most of the
// rows: the files of a row, and its record; with gzip also the record as it is compressed. Planning has the same row in
// memory before. Reading the archive again takes the formula of other commands.
func TestMemoryOfListedFiles(t *testing.T) {
	for i, c := range []struct {
		format string
		files  int // of a row
		size   int // of them together, about
		tenths int // of it that the build takes
	}{
		{"webdataset", 96, 48 << 20, 22}, {"webdataset", 1, 150_000_000, 22}, {"tfrecord", 96, 48 << 20, 22},
		{"tfrecord\ncompression: gzip", 96, 48 << 20, 32},
	} {
		if !testenv.Exhaustive() && i > 0 {
			continue
		}
		t.Run(fmt.Sprintf("%d of %s", c.files, c.format), func(t *testing.T) {
			dir := t.TempDir()
			row := `{"id": 1, "files": [`
			for i := range c.files {
				write(t, dir, fmt.Sprintf("in/%d.bin", i), bytes.Repeat([]byte{byte(i)}, c.size/c.files-i<<9))
				row += fmt.Sprintf(`"%d.bin", `, i)
			}
			write(t, dir, "rows.jsonl", []byte(strings.Repeat(strings.TrimSuffix(row, ", ")+"]}\n", min(2, c.files))))
			config := "name: it\noutput: out\nsource:\n  jsonl: {files: rows.jsonl}\n  load: {file: {path: " +
				"'{files.*}', dir: in, as: bytes}}\nfeatures: {id: int64, files: {from: file, type: bytes, shape: " +
				"[-1]}}\nlimits: {record: 200MB}\nformat: " + c.format + "\n"
			write(t, dir, "dataset.yaml", []byte(config))
			keepsTo(t, promised(1, 2, 0, 0)+int64(c.tenths*c.size/10),
				[]string{"-config", filepath.Join(dir, "dataset.yaml"), "-workers", "1"})
			if c.format != "webdataset" {
				return
			}
			out := filepath.Join(dir, "out")
			build(t, filepath.Join(dir, "dataset.yaml"), out, pipeline.Run{})
			peak := peakMemory(t, exec.Command(testenv.Program(t), "verify", "--deep", out))
			if most := int64(68*mib + 4*c.size); peak > most {
				t.Errorf("verify takes %.1f MB of memory, expected at most %.1f", megabytes(peak), megabytes(most))
			}
		})
	}
}

// TestMemoryOfMasks compares the binary with what it says of its memory where masks follow large
// images: as PNG files with 16 bits for each of four samples, and in runs.
func TestMemoryOfMasks(t *testing.T) {
	inExhaustiveRuns(t)
	const pixels, made = photoWidth * photoHeight, largeSide * largeSide
	dir := t.TempDir()
	photo, mask := largePhoto(t), encodePNG(t, image.NewNRGBA64(image.Rect(0, 0, photoWidth, photoHeight)))
	var runs strings.Builder
	for i := range 6 {
		write(t, dir, fmt.Sprintf("in/%d.jpg", i), photo)
		write(t, dir, fmt.Sprintf("masks/%d.png", i), mask)
		fmt.Fprintf(&runs, "{\"stem\": \"%d\", \"r\": {\"size\": [%d, %d], \"counts\": [%d, %d]}}\n", i, photoHeight,
			photoWidth, pixels/3, pixels-pixels/3)
	}
	write(t, dir, "runs.jsonl", []byte(runs.String()))
	for name, c := range map[string]struct{ masks, column string }{"files": {"mask", "mask"},
		"runs": {"{rle: r}", "r"}} {
		for _, workers := range []int{1, 4} {
			t.Run(fmt.Sprint(name, workers), func(t *testing.T) {
				config := fmt.Sprintf("name: it\noutput: out\nsource:\n  images:\n    dir: in\n    convert: "+
					"{orientation: apply, of: stored, color: rgb, resize: {width: %d, height: %d, fit: pad, up: "+
					"true}, masks: [%s]}\nload: {mask: {path: '{stem}.png', dir: masks}}\njoin: [{jsonl: {files: "+
					"runs.jsonl}, on: stem}]\nfeatures: {image: {from: image}, made: {from: %s}}\n", largeSide,
					largeSide, c.masks, c.column)
				write(t, dir, "dataset.yaml", []byte(config))
				keepsTo(t, promised(int64(workers), 6, made, 0)+int64(workers)*(12+ofMask)*(pixels+made),
					[]string{"-config", filepath.Join(dir, "dataset.yaml"), "-workers", fmt.Sprint(workers)})
			})
		}
	}
}

// ofMask is what a mask takes for each pixel of it and of the result.
const ofMask = 9

// TestAddressSpace builds from compressed rows where a shell grants few addresses,
// of which the Go runtime takes most.
func TestAddressSpace(t *testing.T) {
	dir := t.TempDir()
	file := formOf("csv, compressed input").lay(t, dir, 1000)
	cmd := exec.Command("sh", "-c", `ulimit -v 1500000 && exec "$@"`, "sh", testenv.Program(t), "-config",
		file, "-output", filepath.Join(dir, "out"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%.2000s", err, out)
	}
}

func megabytes(n int64) float64 { return float64(n) / 1e6 }

// peakMemory runs a command and returns the most memory that it had. The kernel's count is read
// again and again while the command runs, because it is gone with the process. The count that wait
// returns does not serve: it also has the memory of the process that started the command.
func peakMemory(t *testing.T, cmd *exec.Cmd) int64 {
	t.Helper()
	var output strings.Builder
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	status, err := os.Open(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	defer status.Close()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var peak int64
	for {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("%v: %v\n%s", cmd, err, output.String())
			}
			return peak
		case <-time.After(time.Millisecond):
			peak = max(peak, readHighWater(status))
		}
	}
}

// readHighWater reads the most memory of a process from its status. It is 0 when the process has just ended.
func readHighWater(status io.ReaderAt) int64 {
	var text [4 << 10]byte
	n, _ := status.ReadAt(text[:], 0)
	_, rest, _ := bytes.Cut(text[:n], []byte("VmHWM:"))
	count, _, _ := bytes.Cut(rest, []byte(" kB"))
	kib, _ := strconv.ParseInt(string(bytes.TrimSpace(count)), 10, 64)
	return kib << 10
}
