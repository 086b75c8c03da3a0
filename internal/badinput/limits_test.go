package badinput

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"tfr-build/internal/testenv"
)

const (
	kib = 1 << 10
	mib = 1 << 20
)

// large is how many bytes the long records have: more than any of the bounds.
func large() int { return testenv.Times(90*mib, 160*mib, 1<<30) }

// repeated writes n bytes of text, over and over, between two others.
func repeated(at, before, text, after string) layer {
	return func(t *testing.T, dir string) {
		f, err := os.Create(filepath.Join(dir, at))
		must(t, err)
		must(t, pour(f, before, text, after))
		must(t, f.Close())
	}
}

func repeatedZipped(at, before, text, after string) layer {
	return func(t *testing.T, dir string) {
		f, err := os.Create(filepath.Join(dir, at))
		must(t, err)
		z, _ := gzip.NewWriterLevel(f, gzip.BestSpeed)
		must(t, pour(z, before, text, after))
		must(t, z.Close())
		must(t, f.Close())
	}
}

func pour(w io.Writer, before, text, after string) error {
	b := bufio.NewWriter(w)
	b.WriteString(before)
	piece := strings.Repeat(text, mib/len(text))
	for range large() / mib {
		b.WriteString(piece)
	}
	b.WriteString(after)
	return b.Flush()
}

// manyFiles makes n files, a thousand in a directory, or all in one.
func manyFiles(n int, deep bool) layer {
	return func(t *testing.T, dir string) {
		for i := range n {
			name := fmt.Sprintf("in/%07d.bin", i)
			if deep {
				name = fmt.Sprintf("in/%04d/%07d.bin", i/1000, i)
			}
			if i%1000 == 0 {
				mkdir(t, dir, filepath.Dir(name))
			}
			must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o666))
		}
	}
}

// files is the number of files in a large directory.
func files() int { return testenv.Times(1_000, 5_000, 1_000_000) }

// chain makes directories in each other, whose path is longer than a path may be.
func chain(depth int) layer {
	return func(t *testing.T, dir string) {
		root, err := os.OpenRoot(dir)
		must(t, err)
		for i := range depth {
			name := fmt.Sprintf("folder-%03d", i)
			if i == 0 {
				name = "in"
			}
			must(t, root.Mkdir(name, 0o777))
			below, err := root.OpenRoot(name)
			must(t, err)
			root.Close()
			root = below
		}
		must(t, root.WriteFile("1.bin", []byte("deep"), 0o666))
		root.Close()
	}
}

// A bounded is an input that is too large for memory, and what it may take.
type bounded struct {
	input fault
	want  string // in what is said
	most  int    // MiB
}

// bounds are such inputs. A process that does nothing takes about 20 MiB; beyond
// it there are 32 + 4 a worker, 16 of -memory and twice the record limit a worker.
func bounds(t *testing.T) []bounded {
	const limit = "limits: {record: 1MiB}\n"
	const csv, jsonl = limit + oneTable, limit + "source: {jsonl: {files: t.jsonl}}\nfeatures: {a: int64}\n"
	p := draw(t)
	pictures := func(v verdict, name, keys, data string) fault {
		return input(v, name, "source: {images: {dir: in"+keys+"}}\nfeatures: {image: {from: image}}\n",
			map[string]string{"in/1.jpg": data})
	}
	perFile := files() * 400 / mib         // names, and what is known of each file
	perReject := large() / kib * 128 / mib // of the rows that the lines of a cell are
	return []bounded{
		{input(badRow, "a long line", jsonl, nil).with(repeated("t.jsonl", `{"a": 1, "b": "`, "x",
			"\"}\n{\"a\": 2}\n")), "[LIMIT_RECORD]", 80},
		{input(badRow, "a long line of brackets", jsonl, nil).with(repeated("t.jsonl", `{"a": 1, "b": `, "[", "")),
			"[LIMIT_RECORD]", 80},
		{input(badRow, "a long line in gzip", jsonl, nil).with(repeatedZipped("t.jsonl", `{"a": 1, "b": "`,
			"x", "\"}\n")), "[LIMIT_RECORD]", 80},
		{input(badRow, "a long quoted cell", csv, nil).with(repeated("t.csv", "a,b\n1,\"", "x", "\"\n2,y\n")),
			"[LIMIT_RECORD]", 80},
		{input(badRow, "a long cell of lines", csv,
			nil).with(repeated("t.csv", "a,b\n1,\"", strings.Repeat("x", kib-1)+"\n", "\"\n2,y\n")), "[LIMIT_RECORD]",
			80 + perReject},
		{input(badRow, "a long cell", csv, nil).with(repeated("t.csv", "a,b\n1,", "x", "\n2,y\n")), "[LIMIT_RECORD]",
			80},
		{input(badRow, "a long row of cells", csv, nil).with(repeated("t.csv", "a,b\n1", ",", "\n2,y\n")),
			"[LIMIT_RECORD]", 80},
		{input(refused, "a long header", csv, nil).with(repeated("t.csv", "a", "x", "\n1\n")), "[LIMIT_RECORD]", 80},
		{input(refused, "a long header of many columns", csv, nil).with(repeated("t.csv", "a", ",", "\n1\n")),
			"[LIMIT_RECORD]", 80},
		{input(refused, "a file of a hole", csv, nil).with(sparse("t.csv", int64(large()))), "[LIMIT_RECORD]", 80},
		{input(badRow, "a large file among files", limit+oneDirectory,
			nil).with(all(directory("in"), sparse("in/1.bin", int64(large())))), "[LIMIT_RECORD]", 80},
		{pictures(badRow, "an image of 65,535 x 65,535 pixels", "", sized(p.jpeg, 65535, 65535)), "[LIMIT_PIXELS]", 80},
		{pictures(badRow, "an image of 65,535 x 65,535 pixels, decoded", ", check: decode",
			sized(p.jpeg, 65535, 65535)), "[LIMIT_PIXELS]", 80},
		{input(badRow, "a group of all rows", limit+"source: {csv: {files: t.csv}}\ngroup: {by: g}\nfeatures: {a: "+
			"string}\n",
			nil).with(repeated("t.csv", "g,a\n", "k,"+strings.Repeat("x", kib-3)+"\n", "")), "[LIMIT_GROUP]", 80},
		{input(accepted, "many files in a directory", oneDirectory, nil).with(manyFiles(files(), false)), "",
			80 + perFile},
		{input(accepted, "many files in directories", oneDirectory, nil).with(manyFiles(files(), true)), "",
			80 + perFile},
		{input(badRow, "a row of 100,000 paths", limit+"source: {jsonl: {files: t.jsonl}}\nload: {f: {path: '{p}', "+
			"dir: ., as: "+
			"bytes}}\nfeatures: {f: {shape: [-1]}}\n", map[string]string{"a": "x",
			"t.jsonl": `{"p": ["a"` + strings.Repeat(`, "a"`, 99_999) + "]}\n"}), "[LIMIT_RECORD]", 80},
		{input(accepted, "folders in directories", oneDirectory, nil).with(chain(1000)), "", 80},
	}
}

// TestMemory measures the memory of builds whose inputs claim to need more. A sample
// has every eleventh of them.
func TestMemory(t *testing.T) {
	if runtime.GOOS != "linux" || testing.Short() {
		t.Skip("reads /proc, and runs the program, in which the race detector sees nothing")
	}
	bin := testenv.Program(t)
	for i, b := range bounds(t) {
		if (i+1)%testenv.Times(11, 1, 1) != 0 {
			continue
		}
		t.Run(b.input.name, func(t *testing.T) {
			b.run(t, bin, b.most, "-memory", "16MB")
			if testenv.Torture() && b.want == "[LIMIT_RECORD]" { // what is mapped counts as memory of the process
				b.run(t, bin, b.most+large()/mib)
			}
		})
	}
}

// run builds, with no more than most MiB of memory.
func (b *bounded) run(t *testing.T, bin string, most int, flags ...string) {
	t.Helper()
	dir := b.input.layOut(t)
	defer os.RemoveAll(dir)
	cmd := b.input.command(bin, dir, append(flags, "-workers", "2", "-sync=false")...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	must(t, cmd.Start())
	peak := make(chan int)
	go func() { peak <- peakMemory(cmd.Process.Pid) }()
	_ = cmd.Wait() // its exit code is checked
	if v := of(cmd.ProcessState.ExitCode(), said.String()); v != b.input.verdict ||
		!strings.Contains(said.String(), b.want) {
		t.Errorf("%s, expected %s and %s:\n%s", v, b.input.verdict, b.want, &said)
	}
	n := <-peak
	t.Logf("%v: %d MiB in %v, at most %d", flags, n, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(), most)
	if n > most {
		t.Errorf("%d MiB of memory, expected at most %d", n, most)
	}
}

var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peakMemory watches a process until it ends, and tells the most memory that it
// had, in MiB. What the system says of a process that has ended counts its
// parent's memory too.
func peakMemory(pid int) (most int) {
	for {
		status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
		found := highWater.FindSubmatch(status)
		if err != nil || found == nil {
			return most / 1024
		}
		most, _ = strconv.Atoi(string(found[1]))
		time.Sleep(time.Millisecond / 2)
	}
}
