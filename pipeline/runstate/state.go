package runstate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"slices"

	"tfr-build/dataset"
	"tfr-build/internal/pool"
	"tfr-build/pipeline/base"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rows"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// BytesVersion is increased whenever the same config and input give other bytes than before.
const BytesVersion = 10

// A State says from which inputs a dataset was built. It is stored in the staging directory, not
// in the dataset, because the times in it are specific to this machine.
type State struct {
	ConfigDigest   string `json:"config_digest"`
	BytesVersion   int    `json:"bytes_version"`
	Inputs         int    `json:"inputs"`
	InputsDigest   string `json:"inputs_digest"`             // of names, sizes, and times
	ContentsDigest string `json:"contents_digest,omitempty"` // with contents, if hashed
	ManifestDigest string `json:"manifest_digest"`
	Summary        string `json:"summary"` // printed by the build

	Manifest *dataset.Manifest `json:"-"` // of the dataset; nil until it exists

	inputs *Inputs
	inodes string // digest of names, sizes, times, and inodes: only compared within a run
}

// Describe sets the manifest of the finished dataset, and its summary, which contains the short
// digest.
func (s *State) Describe(manifest []byte) (err error) {
	s.ManifestDigest = dataset.ManifestDigest(manifest)
	if s.Manifest, err = dataset.ParseManifest(manifest); err == nil {
		s.Summary = Summary(s.Manifest, s.ShortDigest())
	}
	return err
}

// Summary returns the last line of a build: `train=8 shards=2 digest=…`.
func Summary(m *dataset.Manifest, digest string) (text string) {
	for _, s := range m.Splits {
		text += fmt.Sprintf("%s=%d ", s.Name, s.Records)
	}
	return text + fmt.Sprintf("shards=%d digest=%s", Shards(m), digest)
}

// Shards returns the number of shards of a dataset.
func Shards(m *dataset.Manifest) (n int) {
	for _, s := range m.Splits {
		n += len(s.Shards)
	}
	return n
}

// ShortDigest returns the part of the manifest's digest that is shown to users; it is empty before
// there is a manifest.
func (s *State) ShortDigest() string { return s.ManifestDigest[:min(16, len(s.ManifestDigest))] }

// Encode returns the state as the content of state.json.
func (s *State) Encode() ([]byte, error) {
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encoding the state: %w", err)
	}
	return append(data, '\n'), nil
}

// noSource is the source number of extra inputs in digests.
const noSource = -1

// Inputs has all files that determine the content of a dataset.
type Inputs struct {
	set        *rows.Set
	all        []*input.Listing // by source; with a base also of the files that it has
	base       plan.Base
	config     string     // digest of the config
	shards     string     // digest of the part of the config that determines the shards
	statistics string     // settings of the statistics; empty if values are not counted
	extras     []extra    // as they were first read
	listed     *fileLines // over the sources' files, which are listed once; nil until needed

	written []string                  // paths that the build writes: not input
	near    bool                      // skip the directories of files that rows name
	made    map[[2]string]*base.Input // the only files there that are input, by key and name; nil for all
}

// An extra is an input file that does not belong to the listing of a source.
type extra struct {
	path string
	files.File
	dir string // for a file that rows name: its directory; else empty

	at   string // key of the config that names it
	name string // below the directory of that key
}

// NewInputs returns the inputs of a set whose columns are bound. Paths in written are not input.
// With near, files that rows name in a directory are skipped. A task that makes part of a dataset
// uses near, so that its time does not depend on the number of such files.
//
// all has the listings of the sources, with the files of the base. made is a dataset that is made again, if
// it was built with `append`: newer files are not input.
func NewInputs(
	ctx context.Context, set *rows.Set, all []*input.Listing, of plan.Base, made *base.Base, written []string,
	near bool,
) (*Inputs, error) {
	in := &Inputs{set: set, all: all, base: of, written: written, near: near,
		config: set.Config.ConfigDigest(set.Classes.InFile)}
	if made != nil {
		in.made = made.Loaded()
	}
	cfg := shardConfig(set.Config)
	in.shards, in.statistics = cfg.ConfigDigest(set.Classes.InFile), set.Config.Statistics.Text()
	var err error
	in.extras, err = in.readExtras(ctx)
	return in, err
}

// shardConfig returns the part of a config that determines the shards, without their statistics. A
// stopped build resumes if only the rest differs.
func shardConfig(cfg *config.Config) *config.Config {
	c := *cfg
	c.MaxErrors, c.OnCheck, c.Card, c.Metadata = nil, "warn", nil, ""
	c.Statistics, c.Report, c.TFX = config.Statistics{}, true, true
	c.Sources = slices.Clone(c.Sources)
	for i := range c.Sources {
		c.Sources[i].Join = slices.Clone(c.Sources[i].Join)
		for k := range c.Sources[i].Join {
			c.Sources[i].Join[k].AllowEmpty = false
		}
	}
	checks := c.Checks
	if c.Checks = nil; checks != nil && checks.Leakage != nil {
		c.Checks = &config.Checks{Leakage: &config.Leakage{Of: checks.Leakage.Of}}
	}
	return &c
}

// files returns the number of files of the sources.
func (in *Inputs) files() (n int) {
	for _, l := range in.all {
		n += len(l.Files)
	}
	return n
}

// Sides returns the extra inputs for a later version that appends. It reads class files and lookup tables.
func (in *Inputs) Sides(ctx context.Context, p *pool.Pool) ([]base.Input, error) {
	first := slices.IndexFunc(in.extras, func(e extra) bool { return e.dir != "" })
	if first < 0 {
		first = len(in.extras)
	}
	list, sums := make([]base.Input, len(in.extras)), make([][]byte, first)
	err := in.hashEach(ctx, p, sums, "sha256", nil,
		func(i int) (string, *files.File) { return in.extras[i].path, &in.extras[i].File })
	for i := range list {
		e := &in.extras[i]
		list[i] = base.Input{At: e.at, Name: e.name, Bytes: e.Size, Loaded: i >= first}
		if i >= first {
			sums = append(sums, in.set.System.Sums().Of(files.Key{Listed: &e.File}))
		}
		list[i].SHA256 = hex.EncodeToString(sums[i])
	}
	return list, err
}

// ExtraInputs returns a digest of each extra input, and of each directory with files that rows name.
// With near it skips directories.
func (in *Inputs) ExtraInputs() (list []plan.ExtraInput) {
	digests := map[string]hash.Hash{}
	for i := range in.extras {
		f := &in.extras[i]
		a := plan.ExtraInput{Path: cmp.Or(f.dir, f.path), Directory: f.dir != ""}
		h := digests[a.Path]
		if h == nil {
			h = sha256.New()
			digests[a.Path] = h
			list = append(list, a)
		}
		fmt.Fprintf(h, "%q %d %d %d %q\n", f.Name, f.Size, f.ModTime, f.Inode, f.ETag)
	}
	for i := range list {
		list[i].Digest = hex.EncodeToString(digests[list[i].Path].Sum(nil)[:16])
	}
	return list
}

// ExtraInputChanged returns the error of the first extra input that differs from the plan; nil if none
// differs. With near it does not compare directories.
func (in *Inputs) ExtraInputChanged(planned []plan.ExtraInput) error {
	now := in.ExtraInputs()
	differs := func(list []plan.ExtraInput) func(plan.ExtraInput) bool {
		known := map[plan.ExtraInput]bool{}
		for _, a := range list {
			known[a] = true
		}
		return func(a plan.ExtraInput) bool { return !known[a] && (!a.Directory || !in.near) }
	}
	i, list := slices.IndexFunc(now, differs(planned)), now
	if i < 0 {
		i, list = slices.IndexFunc(planned, differs(now)), planned
	}
	switch {
	case i < 0:
		return nil
	case list[i].Directory:
		return &input.Error{Path: list[i].Path, Err: fmt.Errorf("one of its files: %w", files.ErrChanged)}
	}
	return &input.Error{Path: list[i].Path, Err: files.ErrChanged}
}

// Read returns the state of a build of the inputs. The files of sources are those that were
// listed; the extra inputs are read again each time. With hash, the state has a digest of the
// contents, too.
func (in *Inputs) Read(ctx context.Context, p *pool.Pool, hash bool) (*State, error) {
	extras, err := in.readExtras(ctx)
	if err != nil {
		return nil, err
	}
	lines := in.listedLines().clone()
	for i := range extras {
		lines.add(noSource, &extras[i].File)
	}
	s := &State{
		inputs: in, ConfigDigest: in.config, BytesVersion: BytesVersion,
		Inputs:       in.files() + len(extras),
		InputsDigest: hex.EncodeToString(lines.outer.Sum(nil)), inodes: hex.EncodeToString(lines.inner.Sum(nil)),
	}
	if hash {
		s.ContentsDigest, err = in.hash(ctx, p, extras)
	}
	return s, err
}

// Program returns the part of a Job that only the config and the version of tfr-build determine.
func (in *Inputs) Program() plan.Job {
	return plan.Job{ConfigDigest: in.shards, BytesVersion: BytesVersion, Statistics: in.statistics, Base: in.base}
}

// Job returns the job of a build whose inputs have the state s.
func (in *Inputs) Job(s *State) plan.Job {
	job := in.Program()
	job.InputsDigest, job.ContentsDigest = s.inodes, s.ContentsDigest
	return job
}

// Changed returns the error for a build whose input turned out to differ from the listing: the error of
// the first changed input.
func (in *Inputs) Changed() error {
	if err := in.FirstChanged(context.Background()); err != nil { // also if it was canceled
		return err
	}
	return &input.Error{Err: fmt.Errorf("the contents of an input: %w", files.ErrChanged)}
}

// FirstChanged returns the error of the first input that differs from the listing; nil if none
// does.
func (in *Inputs) FirstChanged(ctx context.Context) error {
	err := in.set.System.AllUnchanged(ctx, in.set.Files(), func(i int) (string, *files.File) {
		src, local := in.set.File(i)
		return src.Path(local), &src.Listing().Files[local]
	})
	if err != nil {
		return input.Of(err)
	}
	now, err := in.readExtras(ctx)
	if err != nil {
		return err
	}
	for i := range max(len(now), len(in.extras)) {
		switch {
		case i >= len(in.extras):
			return &input.Error{Path: now[i].path, Err: files.ErrChanged}
		case i >= len(now) || now[i] != in.extras[i]:
			return &input.Error{Path: in.extras[i].path, Err: files.ErrChanged}
		}
	}
	return nil
}

// Bytes returns the total size of all inputs, as listed.
func (in *Inputs) Bytes() (bytes int64) {
	for _, l := range in.set.Listings() {
		for i := range l.Files {
			bytes += l.Files[i].Size
		}
	}
	for i := range in.extras {
		bytes += in.extras[i].Size
	}
	return bytes
}
