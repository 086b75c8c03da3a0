package framing_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tfr-build/internal/testenv"
)

// buildWithPaired builds tfr-build with one more format: the file of the format and the table with
// its row are laid over this package. Nothing else differs.
func buildWithPaired(t *testing.T) (program string) {
	t.Helper()
	dir := t.TempDir()
	table, err := os.ReadFile("table.go")
	if err != nil {
		t.Fatal(err)
	}
	const before = "\t\t&bare,\n"
	if bytes.Count(table, []byte(before)) != 1 {
		t.Fatalf("table.go has no line %q", before)
	}
	table = bytes.Replace(table, []byte(before), []byte("\t\t&paired,\n"+before), 1)
	testenv.Put(t, filepath.Join(dir, "table.go"), string(table))
	source, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {
		filepath.Join(source, "table.go"):  filepath.Join(dir, "table.go"),
		filepath.Join(source, "paired.go"): filepath.Join(source, "testdata", "paired", "paired.go"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	testenv.Put(t, filepath.Join(dir, "overlay.json"), string(overlay))
	program = filepath.Join(dir, "tfr-build")
	cmd := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program,
		"tfr-build/cmd/tfr-build")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building tfr-build: %v\n%s", err, out)
	}
	return program
}

// A driver runs tfr-build in a directory.
type driver struct {
	*testing.T
	program, dir string
}

// run runs a command, which must end with the exit code, and returns its standard output.
func (d driver) run(code int, args ...string) string {
	d.Helper()
	cmd := exec.Command(d.program, args...)
	var out, messages bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = d.dir, &out, &messages
	err := cmd.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		d.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); got != code {
		d.Fatalf("tfr-build %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), got, code, &out, &messages)
	}
	return out.String() + messages.String()
}

// want runs a command, whose output must have all the texts.
func (d driver) want(code int, args []string, texts ...string) {
	d.Helper()
	out := d.run(code, args...)
	for _, text := range texts {
		if !strings.Contains(out, text) {
			d.Errorf("tfr-build %s does not print %q:\n%s", strings.Join(args, " "), text, out)
		}
	}
}

func (d driver) read(name string) []byte {
	d.Helper()
	data, err := os.ReadFile(filepath.Join(d.dir, name))
	if err != nil {
		d.Fatal(err)
	}
	return data
}

// same fails unless two datasets have equal files.
func (d driver) same(a, b string) {
	d.Helper()
	names := func(dir string) (names []string) {
		err := fs.WalkDir(os.DirFS(filepath.Join(d.dir, dir)), ".", func(name string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				names = append(names, name)
			}
			return err
		})
		if err != nil {
			d.Fatal(err)
		}
		return names
	}
	if !slices.Equal(names(a), names(b)) {
		d.Fatalf("%s has %q, and %s has %q", a, names(a), b, names(b))
	}
	for _, name := range names(a) {
		if !bytes.Equal(d.read(a+"/"+name), d.read(b+"/"+name)) {
			d.Errorf("%s differs between %s and %s", name, a, b)
		}
	}
}

// rowIDs returns the content of the first entry of each record, without duplicates.
func (d driver) rowIDs(dataset string) map[uint64]bool {
	d.Helper()
	names, err := filepath.Glob(filepath.Join(d.dir, dataset, "*.paired"))
	if err != nil {
		d.Fatal(err)
	}
	ids := map[uint64]bool{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			d.Fatal(err)
		}
		for data = data[8:]; data[0] == 'h'; { // the magic number, then two entries per record
			ids[binary.LittleEndian.Uint64(data[5:])] = true
			data = data[17:]
			data = data[9+binary.LittleEndian.Uint32(data[1:]):]
		}
	}
	return ids
}

const (
	pairedRows   = 20_000
	pairedConfig = `name: people
output: out
source: {csv: people.csv, split: {train: 0.9, test: 0.1}}
features: {id: int64, name: string, weight: float}
shards: {count: {train: 12, test: 2}}
format: paired
`
)

// TestFormatOfTwoEntries drives every command with a format that only its own file and a row of the
// table know.
func TestFormatOfTwoEntries(t *testing.T) {
	if !testenv.Exhaustive() {
		t.Skip("builds tfr-build with another table")
	}
	d := driver{t, buildWithPaired(t), t.TempDir()}
	var table strings.Builder
	table.WriteString("id,name,weight\n")
	for i := range pairedRows {
		fmt.Fprintf(&table, "%d,name %d,%d.5\n", i, i*i, i%90)
	}
	testenv.Put(t, filepath.Join(d.dir, "people.csv"), table.String())
	testenv.Put(t, filepath.Join(d.dir, "c.yaml"), pairedConfig)

	d.want(0, []string{"build", "c.yaml"}, "built out", "shards=14")
	if shard := d.read("out/train-0.paired"); !bytes.HasPrefix(shard, []byte("PAIRED01h\x08\x00\x00\x00")) {
		t.Fatalf("a shard begins with %q", shard[:20])
	}
	d.want(0, []string{"build", "c.yaml", "-o", "one", "-j", "1"}, "built one")
	d.same("out", "one")
	d.want(0, []string{"verify", "-deep", "out"}, fmt.Sprint(pairedRows))
	if ids := d.rowIDs("out"); len(ids) != pairedRows {
		t.Errorf("%d records have %d row IDs", pairedRows, len(ids))
	}

	t.Run("resume", d.resume)
	t.Run("tasks", d.tasks)
	t.Run("read", d.readCommands)
	t.Run("salvage", d.salvage)
	t.Run("source", d.source)
}

// resume kills builds when some shards are finished. The next run reuses these.
func (d driver) resume(t *testing.T) {
	d.T = t
	resumed := 0
	for try := 0; resumed < 3; try++ {
		if try == 100 {
			t.Fatalf("only %d of %d killed builds had finished a shard", resumed, try)
		}
		out := fmt.Sprint("killed", try)
		cmd := exec.Command(d.program, "build", "c.yaml", "-o", out, "-j", "1")
		cmd.Dir = d.dir
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for finished := false; !finished; {
			left, _ := filepath.Glob(filepath.Join(d.dir, "."+out+".tfr", "data", "*.paired"))
			select {
			case <-ended:
				finished = true
			case <-time.After(time.Millisecond):
				if finished = len(left) > 2; finished {
					_ = cmd.Process.Kill() // it may have ended during that time
					<-ended
				}
			}
		}
		if strings.Contains(d.run(0, "build", "c.yaml", "-o", out), "resum") {
			resumed++
		}
		d.same("out", out)
	}
}

// tasks builds by three processes.
func (d driver) tasks(t *testing.T) {
	d.T = t
	d.run(0, "task", "plan", "c.yaml", "-o", "tasks", "-work", "w")
	for _, phase := range []string{"scan", "merge", "write", "commit"} {
		for i := range 3 {
			d.run(0, "task", phase, "-work", "w", "-index", fmt.Sprint(i), "-of", "3")
		}
	}
	d.same("out", "tasks")
}

// readCommands runs the commands that read a dataset, and files of the format.
func (d driver) readCommands(t *testing.T) {
	d.T = t
	const shard = "out/train-0.paired"
	d.want(0, []string{"verify", shard}, "records=")
	d.want(0, []string{"stats", "out"}, "weight", "train", "test")
	d.want(0, []string{"stats", shard}, "weight", "train-0")
	d.want(0, []string{"inspect", "-n", "2", "out"}, "record 0 at byte 8,", "record 1 at byte ", "weight")
	d.want(0, []string{"inspect", "-n", "1", "--json", shard}, `"weight"`)
	d.want(0, []string{"locate", "out", "id=777"}, ".paired record ")
	d.want(0, []string{"diff", "out", "one"}, "")
	d.want(0, []string{"report", "out", "-o", "page.html"}, "")
	if !bytes.Contains(d.read("page.html"), []byte("Paired")) {
		t.Error("the report does not name the format")
	}
	testenv.Put(t, filepath.Join(d.dir, "other.yaml"), pairedConfig+"where: id != 777\n")
	d.run(0, "build", "other.yaml", "-o", "other")
	d.want(10, []string{"diff", "out", "other"}, "1 removed", "differ out other")
}

// salvage damages a shard, and the beginning of a file.
func (d driver) salvage(t *testing.T) {
	d.T = t
	d.run(0, "build", "c.yaml", "-o", "damaged")
	shard := d.read("damaged/train-0.paired")
	shard[len(shard)/2] ^= 1
	testenv.Put(t, filepath.Join(d.dir, "damaged/train-0.paired"), string(shard))
	d.want(7, []string{"verify", "damaged", "-salvage", "saved"}, "damaged/train-0.paired", "lost=1")
	d.want(0, []string{"verify", "saved/train-0.paired"}, "records=")

	shard[0] ^= 1
	testenv.Put(t, filepath.Join(d.dir, "lone.paired"), string(shard))
	d.want(7, []string{"verify", "lone.paired", "-salvage", "lone"}, "the file does not begin with PAIRED01")
	d.want(0, []string{"verify", "lone/lone.paired"}, "records=")
	if a, b := d.read("saved/train-0.paired"), d.read("lone/lone.paired"); !bytes.Equal(a, b) {
		t.Errorf("salvaged %d bytes from the dataset, and %d from the file", len(a), len(b))
	}
}

// source writes a config for files of the format, and builds from it.
func (d driver) source(t *testing.T) {
	d.T = t
	d.run(0, "init", "out/train-0.paired", "-o", "again.yaml")
	if config := d.read("again.yaml"); !bytes.Contains(config, []byte("format: paired")) {
		t.Fatalf("the config does not name the format:\n%s", config)
	}
	d.want(0, []string{"build", "again.yaml", "-o", "again"}, "built again")
	d.want(0, []string{"verify", "again"}, "")
}
