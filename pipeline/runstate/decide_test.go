package runstate

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tfr-build/dataset"
	"tfr-build/internal/pool"
	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rows"
	"tfr-build/sink"
)

const smallConfig = "name: d\noutput: out\nsource:\n  csv: {files: a.csv}\n  join: [{csv: {files: b.csv}, on: " +
	"id}]\nfeatures: {id: int64, x: int64}\n"

// small is a directory with the input of smallConfig.
func small(t *testing.T) (dir string) {
	return testenv.Directory(t, map[string]string{"a.csv": "id\n1\n2\n", "b.csv": "id,x\n1,5\n2,6\n"})
}

// setOf opens the sources of a config in dir.
func setOf(t *testing.T, dir, text string) *rows.Set {
	t.Helper()
	cfg, err := config.Parse(filepath.Join(dir, "c.yaml"), []byte(text), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	set, err := rows.Open(t.Context(), cfg, rows.Options{Workers: 1})
	if err == nil {
		err = set.Bind(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// inputsOf returns the inputs of a config in dir, and their state.
func inputsOf(t *testing.T, dir, text string, hash bool) (*Inputs, *State) {
	t.Helper()
	set := setOf(t, dir, text)
	in, err := NewInputs(t.Context(), set, set.Listings(), plan.Base{}, nil, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	s, err := in.Read(t.Context(), &pool.Pool{Workers: 1, Changed: in.Changed}, hash)
	if err != nil {
		t.Fatal(err)
	}
	return in, s
}

// published is the time at which the datasets of publish were written.
var published = time.Now().Add(-time.Hour)

// digestOf returns the xxh128 of a text in hex.
func digestOf(t *testing.T, text string) string {
	t.Helper()
	sum, err := dataset.NewDigest("xxh128")
	if err != nil {
		t.Fatal(err)
	}
	sum.Write([]byte(text))
	return hex.EncodeToString(sum.Sum(nil))
}

// publish writes a dataset of one shard to dir/out, as a build with the state would, and returns
// state.json.
func publish(t *testing.T, dir string, s *State) (state []byte) {
	t.Helper()
	m := dataset.Manifest{
		Format: dataset.ManifestFormat, Name: "d", Version: "1.0.0", Order: "shuffle", Compression: "none",
		DigestAlgorithm: "xxh128",
		Splits: []dataset.Split{{
			Name:   "train",
			Shards: []dataset.Shard{{Name: "d-train.tfrecord-00000-of-00001", Bytes: 4, Digest: digestOf(t, "1234")}},
		}},
		Files: []dataset.FileEntry{},
	}
	text, err := m.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{
		dataset.ManifestName: string(text), dataset.SuccessName: dataset.ManifestDigest(text) + "\n",
		"d-train.tfrecord-00000-of-00001": "1234",
	} {
		path := filepath.Join(dir, "out", name)
		testenv.Put(t, path, data)
		if err := os.Chtimes(path, published, published); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Describe(text); err != nil {
		t.Fatal(err)
	}
	if state, err = s.Encode(); err != nil {
		t.Fatal(err)
	}
	return state
}

// TestUpToDate changes something after a dataset was published, and checks whether and why it is
// built again.
func TestUpToDate(t *testing.T) {
	const shard = "d-train.tfrecord-00000-of-00001"
	write := func(name, text string) func(string) error {
		return func(dir string) error { return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600) }
	}
	touch := func(name string) func(string) error {
		later := time.Now().Add(time.Hour)
		return func(dir string) error { return os.Chtimes(filepath.Join(dir, name), later, later) }
	}
	for name, test := range map[string]struct {
		change func(dir string) error
		hash   bool // both builds hash the contents
		why    string
	}{
		"nothing":             {func(string) error { return nil }, false, ""},
		"a table":             {write("a.csv", "id\n2\n"), false, "its input changed, or was touched"},
		"the time of a table": {touch("a.csv"), false, "its input changed, or was touched"},
		"a lookup table":      {touch("b.csv"), false, "its input changed, or was touched"},
		"only a time":         {touch("b.csv"), true, ""},
		"contents":            {write("b.csv", "id,x\n1,5\n2,7\n"), true, "the contents of its input changed"},
		"a flipped byte": {write("out/"+shard, "1235"), false,
			shard + " was changed after the dataset was published"},
		"only a shard's time": {touch("out/" + shard), false, ""},
		"a shard that is cut": {write("out/"+shard, "123"), false, shard + " is missing or of another size"},
		"a shard that is a link": {func(dir string) error { return relink(filepath.Join(dir, "out", shard)) }, false,
			shard + " is missing or of another size"},
		"a file that is gone": {func(dir string) error {
			return os.Remove(filepath.Join(dir, "out",
				dataset.SuccessName))
		}, false, dataset.SuccessName + " is missing or of another size"},
		"an empty file": {write("out/"+dataset.SuccessName, ""), false,
			dataset.SuccessName + " is missing or of another size"},
		"the manifest": {write("out/"+dataset.ManifestName, "{}"), false,
			"its manifest is not the one that was written"},
		"a manifest that is gone": {func(dir string) error {
			return os.Remove(filepath.Join(dir, "out",
				dataset.ManifestName))
		}, false, "its manifest is not the one that was written"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := small(t)
			_, was := inputsOf(t, dir, smallConfig, test.hash)
			stored := publish(t, dir, was)
			if err := test.change(dir); err != nil {
				t.Fatal(err)
			}
			_, now := inputsOf(t, dir, smallConfig, test.hash)
			got, why, err := now.UpToDate(t.Context(), store.OS(), filepath.Join(dir, "out"), sink.Dataset, stored)
			if err != nil || why != test.why || (got != nil) != (test.why == "") {
				t.Errorf("%v, %q, %v; expected %q", got, why, err, test.why)
			}
			if got != nil && (got.Summary != was.Summary || now.TimesDiffer(got) != (name == "only a time")) {
				t.Errorf("the state %+v, expected %+v", got, was)
			}
		})
	}
}

// relink replaces a file by a link to it.
func relink(path string) error {
	if err := os.Rename(path, path+".real"); err != nil {
		return err
	}
	return os.Symlink(path+".real", path)
}

// TestUpToDateOfAnotherRun compares states that only differ in what the other run knew.
func TestUpToDateOfAnotherRun(t *testing.T) {
	s := State{ConfigDigest: "c", BytesVersion: 2, InputsDigest: "i", ContentsDigest: "x"}
	with := func(change func(*State)) *State { was := s; change(&was); return &was }
	for _, test := range []struct {
		was *State
		why string
	}{
		{with(func(*State) {}), ""},
		{with(func(was *State) { was.InputsDigest = "j" }), ""}, // equal contents: times do not matter
		{with(func(was *State) { was.BytesVersion = 1 }), "it is of another version of tfr-build"},
		{with(func(was *State) { was.ConfigDigest = "d" }), "it is of another config"},
		{with(func(was *State) { was.ContentsDigest = "" }), "the contents of its input were not hashed"},
		{with(func(was *State) {
			was.ContentsDigest, was.InputsDigest = "", "j"
		}), "its input changed, or was touched"},
	} {
		if why := s.differs(test.was); why != test.why {
			t.Errorf("after %+v: %q, expected %q", test.was, why, test.why)
		}
	}
	s.ContentsDigest = ""
	if why := s.differs(with(func(was *State) { was.ContentsDigest = "x" })); why != "" {
		t.Errorf("a run that hashes nothing after one that did: %q", why)
	}
}

// TestUpToDateWithoutState checks that only a dataset is compared, and that one without a readable
// state is built again.
func TestUpToDateWithoutState(t *testing.T) {
	dir := small(t)
	_, s := inputsOf(t, dir, smallConfig, false)
	publish(t, dir, s)
	for _, test := range []struct {
		found sink.Found
		why   string
	}{{sink.Absent, ""}, {sink.Empty, ""}, {sink.Foreign, ""},
		{sink.Dataset, "nothing is known of what it was made from"}} {
		if was, why, err := s.UpToDate(t.Context(), store.OS(), filepath.Join(dir, "out"), test.found,
			[]byte("{")); was != nil || why != test.why || err != nil {
			t.Errorf("%v: %v, %q, %v; expected %q", test.found, was, why, err, test.why)
		}
	}
}

// TestOtherConfigIsNamed changes the config of a dataset: the reason lists the keys that differ.
func TestOtherConfigIsNamed(t *testing.T) {
	dir := small(t)
	in, was := inputsOf(t, dir, smallConfig, false)
	stored := publish(t, dir, was)
	testenv.Put(t, filepath.Join(dir, "out", dataset.ConfigName),
		string(in.set.Config.Canonical(in.set.Classes.InFile)))
	_, now := inputsOf(t, dir, smallConfig+"seed: 7\n", false)
	_, why, err := now.UpToDate(t.Context(), store.OS(), filepath.Join(dir, "out"), sink.Dataset, stored)
	if err != nil || !strings.HasPrefix(why, "it is of another config (") || !strings.Contains(why, "seed") {
		t.Errorf("%q, %v", why, err)
	}
}

// TestWhyABuildCannotResume checks when a build cannot resume, and why.
func TestWhyABuildCannotResume(t *testing.T) {
	job := plan.Job{ConfigDigest: "c", InputsDigest: "i", ContentsDigest: "x", BytesVersion: 3}
	with := func(change func(*plan.Job)) plan.Job { j := job; change(&j); return j }
	for _, test := range []struct {
		now, was plan.Job
		why      string
	}{
		{job, job, ""},
		{with(func(j *plan.Job) { j.ContentsDigest = "" }), job, ""}, // only a build that hashes compares them
		{job, with(func(j *plan.Job) { j.BytesVersion = 2 }), "it was by another version of tfr-build"},
		{job, with(func(j *plan.Job) { j.ConfigDigest = "d" }), "the config changed"},
		{job, with(func(j *plan.Job) { j.InputsDigest = "j" }), "the input changed, or was touched: a.csv"},
		{job, with(func(j *plan.Job) { j.ContentsDigest = "" }), "it did not hash the contents of its input"},
		{job, with(func(j *plan.Job) { j.ContentsDigest = "y" }), "the contents of the input changed"},
	} {
		text, err := EncodeJob(test.was)
		if err != nil {
			t.Fatal(err)
		}
		if why := Differs(test.now, text, ": a.csv"); why != test.why {
			t.Errorf("%+v after %+v: %q, expected %q", test.now, test.was, why, test.why)
		}
		if why := Differs(test.now, text[:len(text)/2], ""); why != "what it built is not known" {
			t.Errorf("half of the stored job: %q", why)
		}
	}
}

// TestJobIgnoresWhatDoesNotChangeShards checks which changes of a config keep finished shards.
func TestJobIgnoresWhatDoesNotChangeShards(t *testing.T) {
	dir := small(t)
	in, s := inputsOf(t, dir, smallConfig, false)
	for _, test := range []struct {
		text string
		same bool
	}{
		{"on_error: skip\nmax_errors: 50%\n", false}, {"seed: 3\n", false}, {"shards: 2\n", false},
		{"card: {license: l, url: 'https://example.org', creator: c, date_published: '2024-01-01'}\n", true},
		{"metadata: hidden\n", true},
	} {
		other, state := inputsOf(t, dir, smallConfig+test.text, false)
		if same := other.Job(state) == in.Job(s); same != test.same {
			t.Errorf("%s: the same job %v, expected %v", test.text, same, test.same)
		}
	}
	a, _ := inputsOf(t, dir, smallConfig+"on_error: skip\nmax_errors: 50%\n", false)
	b, _ := inputsOf(t, dir, smallConfig+"on_error: skip\nmax_errors: 10%\n", false)
	if a.Program() != b.Program() {
		t.Error("another max_errors is another job")
	}
}

// TestChangedSince checks that the message names the first file that differs from stored listings.
func TestChangedSince(t *testing.T) {
	dir := small(t)
	text := strings.ReplaceAll(smallConfig, "a.csv", "'a*.csv'")
	testenv.Put(t, filepath.Join(dir, "a2.csv"), "id\n3\n")
	stored := setOf(t, dir, text).Listings()
	if name := ChangedSince(stored, setOf(t, dir, text)); name != "" {
		t.Errorf("nothing changed, but %q", name)
	}
	testenv.Put(t, filepath.Join(dir, "a2.csv"), "id\n3\n4\n")
	if name := ChangedSince(stored, setOf(t, dir, text)); name != ": "+filepath.Join(dir, "a2.csv") {
		t.Errorf("a2.csv changed, but %q", name)
	}
	if name := ChangedSince(nil, setOf(t, dir, text)); name != "" {
		t.Errorf("without listings: %q", name)
	}
}

// TestFirstChanged checks that a build whose input changes names the file, also one that no
// listing has.
func TestFirstChanged(t *testing.T) {
	for _, name := range []string{"a.csv", "b.csv"} {
		dir := small(t)
		in, _ := inputsOf(t, dir, smallConfig, false)
		if err := in.FirstChanged(t.Context()); err != nil {
			t.Fatal(err)
		}
		planned := in.ExtraInputs()
		testenv.Put(t, filepath.Join(dir, name), map[string]string{"a.csv": "id\n1\n2\n3\n",
			"b.csv": "id,x\n1,5\n2,6\n3,7\n"}[name])
		if err := in.FirstChanged(t.Context()); err == nil || !strings.Contains(err.Error(), filepath.Join(dir, name)) {
			t.Errorf("%s changed: %v", name, err)
		}
		now, _ := inputsOf(t, dir, smallConfig, false)
		if err := now.ExtraInputChanged(planned); (err != nil) != (name == "b.csv") || err != nil &&
			!strings.Contains(err.Error(), name) {
			t.Errorf("%s changed after the plan: %v", name, err)
		}
	}
}

// TestDependencies checks that a depfile has all files that a build reads, once each.
func TestDependencies(t *testing.T) {
	dir := small(t)
	in, _ := inputsOf(t, dir, smallConfig, false)
	list, err := in.Dependencies(nil, filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.csv", "b.csv", "c.yaml"} {
		n := 0
		for _, path := range list {
			if filepath.Base(path) == name {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s is listed %d times: %q", name, n, list)
		}
	}
}
