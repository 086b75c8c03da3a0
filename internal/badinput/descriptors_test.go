package badinput

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
)

// manyInputs are inputs of many files, one of each kind of source.
func manyInputs(t *testing.T) []fault {
	const n = 200
	csv, zip, jsonl := map[string]string{}, map[string]string{}, map[string]string{}
	side, images := map[string]string{}, map[string]string{}
	picture := draw(t).jpeg
	for i := range n {
		csv[fmt.Sprintf("%d.csv", i)] = fmt.Sprintf("a,b\n%d,x\n", i)
		zip[fmt.Sprintf("%d.csv.gz", i)] = filetest.Gzip(fmt.Sprintf("a,b\n%d,x\n", i))
		jsonl[fmt.Sprintf("%d.jsonl", i)] = fmt.Sprintf("{\"a\": %d}\n", i)
		images[fmt.Sprintf("in/%d/%d/1.jpg", i%7, i)] = picture
	}
	ids := "a\n"
	for i := range n {
		ids += fmt.Sprintf("%d\n", i)
		side[fmt.Sprintf("in/%d", i)] = "file"
		side[fmt.Sprintf("s%d.csv", i)] = fmt.Sprintf("a,c\n%d,y\n", i)
	}
	side["t.csv"] = ids
	few := map[string]string{}
	for i := range n {
		few[fmt.Sprintf("in/%d/", i%20)+strings.Repeat("d/", 100)+fmt.Sprint(i)] = "deep"
	}
	return []fault{
		input(accepted, "csv", tables, csv),
		input(accepted, "csv in gzip", "source: {csv: {files: \"*.gz\"}}\nfeatures: {a: int64}\n", zip),
		input(accepted, "csv by a column",
			"source: {csv: {files: \"*.csv\"}}\nsplit: {fractions: {train: 50%, test: 50%}, by: a}\norder_key: "+
				"a\nfeatures: {a: int64}\n", csv),
		input(accepted, "jsonl", "source: {jsonl: {files: \"*.jsonl\"}}\nshards: 30\nfeatures: {a: int64}\n", jsonl),
		input(accepted, "images", "source: {images: {dir: in}}\nshards: 30\nfeatures: {image: {from: image}, class: "+
			"{classes: auto}}\n", images),
		input(accepted, "folders in directories", oneDirectory, few),
		input(accepted, "join and load",
			"source: {csv: {files: t.csv}}\njoin: [{csv: {files: \"s*.csv\"}, on: a}]\nload: {f: {path: \"{a}\", "+
				"dir: in, as: bytes}}\nfeatures: {a: int64, c: bytes, f: {type: bytes}}\n", side),
	}
}

// TestFewOpenFiles builds from many files with 64 open ones at most, and says
// how many there were. Eight workers may have 32 and 4 each.
func TestFewOpenFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("counts what /proc lists")
	}
	bin := testenv.Program(t)
	const workers = 8
	for i, f := range manyInputs(t) {
		for m, memory := range []string{"1GB", "16MB"} {
			if (i+m)%testenv.Times(9, 1, 1) != 0 {
				continue
			}
			t.Run(f.name+", "+memory, func(t *testing.T) {
				cmd := exec.Command("sh", "-c", `ulimit -n 64 && exec "$0" "$@"`, bin, "-config", "c.yaml", "-workers",
					fmt.Sprint(workers), "-memory", memory)
				cmd.Dir = f.layOut(t)
				var said bytes.Buffer
				cmd.Stdout, cmd.Stderr = &said, &said
				must(t, cmd.Start())
				most := make(chan int)
				go func() { most <- openFiles(cmd.Process.Pid) }()
				err := cmd.Wait()
				n := <-most
				t.Logf("at most %d open files", n)
				if err != nil || n > 32+4*workers {
					t.Errorf("%v, at most %d open files:\n%s", err, n, &said)
				}
			})
		}
	}
}

// openFiles watches a process until it ends, and tells the most files that it
// had open.
func openFiles(pid int) (most int) {
	for {
		list, err := os.ReadDir(filepath.Join("/proc", fmt.Sprint(pid), "fd"))
		if err != nil || len(list) == 0 {
			return most
		}
		most = max(most, len(list))
		time.Sleep(time.Millisecond / 2)
	}
}
