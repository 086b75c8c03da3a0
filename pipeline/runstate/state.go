package runstate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"slices"

	"tfr-build/dataset"
	"tfr-build/internal/pool"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rows"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// BytesVersion is raised whenever equal configs and inputs give other bytes
// than before.
const BytesVersion = 6

// A State is what a finished build was made from. It stands beside the
// dataset, for it is of this machine: it holds times.
type State struct {
	ConfigDigest   string `json:"config_digest"`
	BytesVersion   int    `json:"bytes_version"`
	Inputs         int    `json:"inputs"`
	InputsDigest   string `json:"inputs_digest"`             // of names, sizes and times
	ContentsDigest string `json:"contents_digest,omitempty"` // of names, sizes and contents, where it was asked for
	ManifestDigest string `json:"manifest_digest"`
	Summary        string `json:"summary"` // the line that was printed

	Manifest *dataset.Manifest `json:"-"` // of the dataset; nil before there is one

	of     *Inputs
	inodes string // digest of names, sizes, times and inodes: only compared within a run
}

// Describe notes which dataset was made: its manifest, and the summary that its
// digest stands in.
func (s *State) Describe(manifest []byte, summary func(digest string) string) (err error) {
	s.ManifestDigest = dataset.ManifestDigest(manifest)
	s.Summary = summary(s.ShortDigest())
	s.Manifest, err = dataset.ParseManifest(manifest)
	return err
}

// ShortDigest is as much of the manifest's digest as people are told; empty where
// there is none.
func (s *State) ShortDigest() string { return s.ManifestDigest[:min(16, len(s.ManifestDigest))] }

// Encode is the state as it is stored.
func (s *State) Encode() ([]byte, error) {
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encoding the state: %w", err)
	}
	return append(data, '\n'), nil
}

// noSource is the number, in digests, of what is no source's own.
const noSource = -1

// Inputs are all files that decide what a dataset holds.
type Inputs struct {
	set    *rows.Set
	config string // digest of the config
	shards string // digest of what of the config decides a byte of a shard
	side   []side // those that are no source's own, as they were read first
	listed *lines // of the files of sources, which are listed once; nil until they are asked for

	written []string // what the run writes: no input
	near    bool     // the folders of files that rows name are not looked at
}

// A side is a file that is no source's own.
type side struct {
	path string
	files.File
	dir string // of files that rows name, which it is in; empty for another file
}

// NewInputs are the inputs of a set whose columns are bound, without what the run
// writes. With near those are left out that rows name in a folder: of a run that makes a
// part of a dataset, and whose time is not to depend on how many there are.
func NewInputs(ctx context.Context, set *rows.Set, written []string, near bool) (*Inputs, error) {
	in := &Inputs{set: set, written: written, near: near, config: set.Config.ConfigDigest(set.Classes.InFile)}
	cfg := ofShards(set.Config)
	in.shards = cfg.ConfigDigest(set.Classes.InFile)
	var err error
	in.side, err = in.readSide(ctx)
	return in, err
}

// ofShards is the part of a config that the shards, and what is counted of them,
// depend on: a stopped run is resumed where only the rest differs.
func ofShards(cfg *config.Config) *config.Config {
	c := *cfg
	c.MaxErrors, c.OnCheck, c.Card, c.Metadata = config.MaxErrors{}, "warn", nil, ""
	checks := c.Checks
	if c.Checks = nil; checks != nil && checks.Leakage != nil {
		c.Checks = &config.Checks{Leakage: &config.Leakage{Of: checks.Leakage.Of}}
	}
	return &c
}

// Asides are the files that are no source's own, and the folders of files that rows name. With
// near there are no folders.
func (in *Inputs) Asides() (list []plan.Aside) {
	digests := map[string]hash.Hash{}
	for i := range in.side {
		f := &in.side[i]
		a := plan.Aside{Path: cmp.Or(f.dir, f.path), Folder: f.dir != ""}
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

// AsideChanged is the error of the first file that is no source's own and is not as it was
// planned; nil where all are. With near, folders are not looked at.
func (in *Inputs) AsideChanged(planned []plan.Aside) error {
	now := in.Asides()
	differs := func(list []plan.Aside) func(plan.Aside) bool {
		known := map[plan.Aside]bool{}
		for _, a := range list {
			known[a] = true
		}
		return func(a plan.Aside) bool { return !known[a] && (!a.Folder || !in.near) }
	}
	i, list := slices.IndexFunc(now, differs(planned)), now
	if i < 0 {
		i, list = slices.IndexFunc(planned, differs(now)), planned
	}
	switch {
	case i < 0:
		return nil
	case list[i].Folder:
		return &input.Error{Path: list[i].Path, Err: fmt.Errorf("one of its files: %w", files.ErrChanged)}
	}
	return &input.Error{Path: list[i].Path, Err: files.ErrChanged}
}

// Read is the state of a build of the inputs. The files of sources are those that
// were listed, the others are read again each time. With hash the contents count,
// too.
func (in *Inputs) Read(ctx context.Context, p *pool.Pool, hash bool) (*State, error) {
	side, err := in.readSide(ctx)
	if err != nil {
		return nil, err
	}
	lines := in.listedLines().clone()
	for i := range side {
		lines.add(noSource, &side[i].File)
	}
	s := &State{
		of: in, ConfigDigest: in.config, BytesVersion: BytesVersion,
		Inputs:       in.set.Files() + len(side),
		InputsDigest: hex.EncodeToString(lines.outer.Sum(nil)), inodes: hex.EncodeToString(lines.inner.Sum(nil)),
	}
	if hash {
		s.ContentsDigest, err = in.hash(ctx, p, side)
	}
	return s, err
}

// Program is the part of a Job that only the config and this program decide.
func (in *Inputs) Program() plan.Job {
	return plan.Job{ConfigDigest: in.shards, BytesVersion: BytesVersion}
}

// Job is what a run builds whose inputs have this state.
func (in *Inputs) Job(s *State) plan.Job {
	job := in.Program()
	job.InputsDigest, job.ContentsDigest = s.inodes, s.ContentsDigest
	return job
}

// Changed is the error of a run that found something else than was listed: of the
// first input that changed.
func (in *Inputs) Changed() error {
	if err := in.FirstChanged(context.Background()); err != nil { // there is an error to be told of already
		return err
	}
	return &input.Error{Err: fmt.Errorf("the contents of an input: %w", files.ErrChanged)}
}

// FirstChanged is the error of the first input that is no longer what was listed;
// nil where all are.
func (in *Inputs) FirstChanged(ctx context.Context) error {
	err := in.set.System.AllUnchanged(ctx, in.set.Files(), func(i int) (string, *files.File) {
		src, local := in.set.File(i)
		return src.Path(local), &src.Listing().Files[local]
	})
	if err != nil {
		return input.Of(err)
	}
	now, err := in.readSide(ctx)
	if err != nil {
		return err
	}
	for i := range max(len(now), len(in.side)) {
		switch {
		case i >= len(in.side):
			return &input.Error{Path: now[i].path, Err: files.ErrChanged}
		case i >= len(now) || now[i] != in.side[i]:
			return &input.Error{Path: in.side[i].path, Err: files.ErrChanged}
		}
	}
	return nil
}

// hash is a digest of the names, sizes and contents of all inputs.
func (in *Inputs) hash(ctx context.Context, p *pool.Pool, side []side) (string, error) {
	own := in.set.Files()
	p.Progress.Start(pool.CheckingInputs, in.Bytes())
	lines := make([]string, own+len(side))
	err := p.Each(ctx, len(lines), func(_, i int) error {
		path, source, f := "", noSource, (*files.File)(nil)
		if i < own {
			src, local := in.set.File(i)
			path, source, f = src.Path(local), src.Number, &src.Listing().Files[local]
		} else {
			path, f = side[i-own].path, &side[i-own].File
		}
		sum, err := hashFile(ctx, in.set.System, path, f, func(n int64) { p.Progress.Done(n, n) })
		lines[i] = fmt.Sprintf("%d %q %d %x\n", source, f.Name, f.Size, sum)
		return err
	})
	if err != nil {
		return "", err
	}
	all := sha256.New()
	for _, line := range lines {
		io.WriteString(all, line) // never fails
	}
	return hex.EncodeToString(all.Sum(nil)), nil
}

// Bytes returns how large all inputs are, as they were listed.
func (in *Inputs) Bytes() (bytes int64) {
	for _, l := range in.set.Listings() {
		for i := range l.Files {
			bytes += l.Files[i].Size
		}
	}
	for i := range in.side {
		bytes += in.side[i].Size
	}
	return bytes
}

// hashFile returns a digest of the content of a file. done counts the bytes that were read.
func hashFile(ctx context.Context, sys *files.System, path string, listed *files.File, done func(int64)) ([]byte, error) {
	f, err := sys.Open(path, listed)
	if err != nil {
		return nil, &input.Error{Path: path, Err: err}
	}
	defer f.Close()
	h, err := dataset.NewDigest("xxh128")
	if err != nil {
		return nil, err
	}
	for ctx.Err() == nil {
		n, err := io.CopyN(h, f, 16<<20)
		done(n)
		switch {
		case err == io.EOF:
			return h.Sum(nil), nil
		case err != nil:
			return nil, &input.Error{Path: path, Err: err}
		}
	}
	return nil, context.Cause(ctx)
}
