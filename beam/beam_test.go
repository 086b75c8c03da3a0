package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/work"
)

// programs is the directory of the programs that the tests run: tfr-beam and prism.
var programs string

func TestMain(m *testing.M) {
	registerTask()
	dir, err := os.MkdirTemp("", "tfr-beam-test")
	if err != nil {
		panic(err) // no test exists yet that could fail
	}
	programs = dir
	build := exec.Command("go", "build", "-o", dir+"/", ".", "github.com/apache/beam/sdks/v2/go/cmd/prism")
	build.Env, build.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	code := 1
	if build.Run() == nil {
		if os.Rename(filepath.Join(dir, "beam"), filepath.Join(dir, "tfr-beam")) == nil {
			code = m.Run()
		}
	}
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// A dataset is a config, without name and output, and its input.
type dataset struct {
	name, config string
	files        func(t *testing.T, dir string)
}

const tinyGIF = "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff," +
	"\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"

var datasets = []dataset{
	{"csv", `
source: {csv: {files: "*.csv"}}
split: {column: part}
features: {id: int64, part: string, x: float}
shards: 24
on_error: skip
`, tables},
	{"jsonl", `
source: {jsonl: {files: "*.jsonl"}}
features: {id: int64, text: string}
shards: 40
`, tables},
	{"images", `
source: {images: {dir: pics}}
features: {image: {from: image}, width: {from: image.width}, label: {from: class, classes: auto}}
shards: 16
`, pictures},
}

func tables(t *testing.T, dir string) {
	var csv, lines strings.Builder
	csv.WriteString("id,part,x\n")
	for i := range 3000 {
		x := fmt.Sprint(i % 13)
		if i%500 == 7 {
			x = "none" // which is not a number
		}
		fmt.Fprintf(&csv, "%d,%s,%s\n", i, []string{"train", "train", "val"}[i%3], x)
		fmt.Fprintf(&lines, "{\"id\": %d, \"text\": \"line %d\"}\n", i, i*7)
	}
	testenv.Put(t, filepath.Join(dir, "a.csv"), csv.String())
	testenv.Put(t, filepath.Join(dir, "b.csv"), csv.String())
	testenv.Put(t, filepath.Join(dir, "l.jsonl"), lines.String())
}

func pictures(t *testing.T, dir string) {
	for i := range 60 {
		testenv.Put(t, filepath.Join(dir, "pics", []string{"cat", "dog", "owl"}[i%3], fmt.Sprintf("%d.gif", i)),
			tinyGIF)
	}
}

// put writes the config and the input of a dataset, and returns the config's path.
func (d *dataset) put(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	d.files(t, dir)
	path := filepath.Join(dir, "c.yaml")
	testenv.Put(t, path, "name: d\nversion: \"1.0.0\"\noutput: local\n"+d.config)
	return path
}

// local builds the dataset of a config in this process, and returns its files.
func local(t *testing.T, path string) map[string]string {
	t.Helper()
	cfg, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	result, err := pipeline.Build(t.Context(), cfg, pipeline.Run{Workers: 1, Memory: 1 << 28})
	if err != nil {
		t.Fatal(err)
	}
	return contents(t, result.Output)
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[strings.TrimPrefix(path, dir)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func same(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("there is %s, too", name)
		}
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s differs", name)
		}
	}
}

// tfrBeam runs the program. Where it does not end by itself, the test fails.
func tfrBeam(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(programs, "tfr-beam"), args...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "PATH="+programs+":"+os.Getenv("PATH"))
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); cmd.ProcessState == nil || ctx.Err() != nil {
		t.Fatalf("%v: %v\n%s", args, err, said.String())
	}
	return cmd.ProcessState.ExitCode(), out.String(), said.String()
}

// What an engine has made has the bytes of a local build, and leaves nothing behind.
func TestSameBytes(t *testing.T) {
	for _, d := range datasets {
		for _, environment := range []string{"LOOPBACK", "PROCESS"} {
			t.Run(d.name+"/"+environment, func(t *testing.T) {
				t.Parallel()
				path := d.put(t)
				want := local(t, path)
				out := filepath.Join(filepath.Dir(path), "out")
				code, stdout, stderr := tfrBeam(t, "-config", path, "-runner", "prism", "-environment", environment,
					"-output", out, "-sync=false")
				if code != 0 || !strings.HasPrefix(stdout, "built "+out+" ") {
					t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
				}
				same(t, contents(t, out), want)
				if code, stdout, _ = tfrBeam(t, "-config", path, "-runner", "prism", "-output", out); code != 0 ||
					!strings.HasPrefix(stdout, "up to date ") {
					t.Errorf("again: exit code %d, %s", code, stdout)
				}
			})
		}
	}
}

// A build that fails ends as tfr-build does, and says why at once.
func TestExitCodes(t *testing.T) {
	bad := dataset{"bad", strings.Replace(datasets[0].config, "on_error: skip", "on_error: fail", 1), tables}
	unknown := dataset{"unknown", "features: {x: nothing}\n", tables}
	gone := dataset{"gone", strings.Replace(datasets[0].config, "*.csv", "gone.csv", 1), tables}
	for _, c := range []struct {
		dataset
		args []string
		code int
		said string
	}{
		{bad, nil, 3, `"none"`},
		{unknown, nil, 2, "nothing"},
		{gone, nil, 5, "gone.csv"},
		{datasets[1], []string{"-environment", "docker"}, 2, "docker"},
		{datasets[1], []string{"-runner", "portable", "-endpoint", "localhost:1", "-wait", "1ms"}, 75, "lost"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"-config", c.put(t), "-runner", "prism", "-environment", "process"}, c.args...)
			code, _, stderr := tfrBeam(t, args...)
			if code != c.code || !strings.Contains(stderr, c.said) {
				t.Errorf("exit code %d, want %d\n%s", code, c.code, stderr)
			}
		})
	}
}

// When the job server dies, what was done is kept, and the same command does the rest.
func TestJobServerDies(t *testing.T) {
	t.Parallel()
	path := datasets[1].put(t)
	want := local(t, path)
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	endpoint := listener.Addr().String()
	_ = listener.Close()
	_, port, _ := strings.Cut(endpoint, ":")
	server := exec.Command(filepath.Join(programs, "prism"), "-serve_http=false", "-log_level=error", "-job_port="+port)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	kill := func() { _, _ = server.Process.Kill(), server.Wait() }
	defer kill()
	isUp := func() bool {
		conn, err := net.Dial("tcp", endpoint)
		return err == nil && conn.Close() == nil
	}
	for began := time.Now(); !isUp(); time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal("prism does not listen")
		}
	}
	out := filepath.Join(filepath.Dir(path), "out")
	cmd := exec.Command(filepath.Join(programs, "tfr-beam"), "-config", path, "-endpoint", endpoint, "-output", out,
		"-wait", "1s")
	said := &untilSaid{text: "scan: 7 of 7", then: kill}
	cmd.Stderr = said
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != 75 || said.then != nil {
		t.Errorf("%v\n%s", err, said.all.String())
	}
	code, _, stderr := tfrBeam(t, "-config", path, "-runner", "prism", "-output", out)
	if code != 0 || strings.Contains(stderr, "scan:") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	same(t, contents(t, out), want)
}

// An untilSaid calls then when a text is written to it.
type untilSaid struct {
	all  bytes.Buffer // not embedded: its ReadFrom would be called
	text string
	then func()
}

func (u *untilSaid) Write(p []byte) (int, error) {
	if u.then != nil && bytes.Contains(p, []byte(u.text)) {
		u.then()
		u.then = nil
	}
	return u.all.Write(p)
}

// mergedTasks plans the tasks of a dataset, and does those before the write phase. The result opens the tasks.
func mergedTasks(t *testing.T) (open func() *pipeline.Tasks) {
	t.Helper()
	cfg, err := config.Load(datasets[1].put(t))
	if err != nil {
		t.Fatal(err)
	}
	run := pipeline.Run{Workers: 1, Memory: 1 << 28}
	p, err := pipeline.PlanTasks(t.Context(), cfg, run, "")
	if err != nil {
		t.Fatal(err)
	}
	open = func() *pipeline.Tasks {
		tasks, err := pipeline.OpenTasks(t.Context(), run, p.Work)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(tasks.Close)
		return tasks
	}
	all := open()
	for _, phase := range []work.Phase{work.Scan, work.Merge} {
		if _, err := all.Do(t.Context(), phase, work.Share{Of: 1}); err != nil {
			t.Fatal(err)
		}
	}
	return open
}

// If the job server is lost and the engine continues, the tasks end the phase.
func TestTasksEndThePhaseWithoutJobServer(t *testing.T) {
	open := mergedTasks(t)
	engine, ended := open(), make(chan error, 1)
	b := &build{flags: &flags{wait: time.Minute}, stderr: &bytes.Buffer{}, tasks: open()}
	left, of, err := tasksOf{b.tasks, work.Write}.unfinished(nil)
	if err != nil {
		t.Fatal(err)
	}
	w := &watch{build: b, phase: work.Write, left: left, of: of, ended: ended}
	ended <- &lostError{errors.New("it was killed")}
	go func() { _, _ = engine.Do(t.Context(), work.Write, work.Share{Of: 1}) }()
	if err := w.watch(t.Context()); err != nil || len(w.left) > 0 {
		t.Errorf("%v, %d tasks left", err, len(w.left))
	}
}

func TestFlags(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"", "which config"},
		{"-config a -runner flink -endpoint x:1", "expected portable or prism"},
		{"-config a", "where the job server is"},
		{"-config a -runner prism -endpoint x:1", "it has no -endpoint"},
		{"-config a -endpoint x:1 -environment process:bin/tfr-beam", "absolute path"},
		{"-config a -endpoint x:1 -memory 1MB", "at least 16MB"},
		{"-config a -endpoint x:1 -workers 0", "-workers 0: expected at least 1"},
		{"-config a -endpoint x:1 b", `unexpected "b"`},
		{"-config a -nothing", "not defined"},
	} {
		if _, err := parseFlags(strings.Fields(c.args)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.args, err)
		}
	}
	f, err := parseFlags(strings.Fields("-config a -endpoint x:1 -parallelism 20 -environment process:/opt/tfr-beam"))
	if err != nil || f.tasks != 80 || f.worker != "/opt/tfr-beam" {
		t.Errorf("%+v, %v", f, err)
	}
}
