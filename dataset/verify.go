package dataset

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"golang.org/x/sync/errgroup"

	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// VerifyOptions control what [Verify] and [VerifyRecords] read and report.
type VerifyOptions struct {
	Store   Store // nil: the operating system's file system
	Workers int   // number of shards that are read in parallel
	Cold    bool  // drop cached pages first, to read from the device

	// Deep parses every record. In a dataset it also compares records with the schema that Record
	// returns for the content of ConfigName and the manifest. If Record is nil, records are only
	// parsed.
	Deep   bool
	Record func(config []byte, m *Manifest) (schema.Record, error)

	// Reads reports whether a shard is read, by its name; nil: all are.
	Reads func(shard string) bool

	// Salvage copies the intact records of damaged shards and files; nil: no copies. With Deep,
	// invalid records are skipped, too.
	Salvage *Salvage

	// Report gets each damage, Salvaged each salvaged file, and Warn what could not be checked
	// and is not damage. Salvaged and Warn may be nil. Only one goroutine calls them at a time,
	// always in the same order.
	Report   func(*DamageError)
	Salvaged func(Salvaged)
	Warn     func(text string)
}

// Verify compares the dataset in dir with its manifest. It reports damages of the manifest,
// SuccessName, and the list of files first, and then shard by shard. Damage is not an error. The
// error says that something could not be read at all, or not be salvaged.
//
// A file that the manifest does not list is damage, even if it is hidden. The only exceptions are
// compiled readers in _tfr/__pycache__.
func Verify(ctx context.Context, dir string, opt VerifyOptions) (Checked, error) {
	v := verifier{directory: newDirectory(dir, &opt), VerifyOptions: opt}
	info, err := v.fs.Stat(dir)
	if err != nil {
		return Checked{}, err
	}
	if !info.IsDir() {
		return Checked{}, fmt.Errorf("%s is not a directory", dir)
	}
	m, err := v.readManifest()
	if err != nil {
		return v.checked, err
	}
	if m == nil {
		v.warn("without a sound manifest nothing else is checked; shards can be verified, and salvaged, as files")
		return v.checked, nil
	}
	if err := v.checkListing(m); err != nil {
		return v.checked, err
	}
	if err := v.checkStatement(m); err != nil {
		return v.checked, err
	}
	for _, f := range m.Files {
		if err := v.checkFile(ctx, f); err != nil {
			return v.checked, err
		}
	}
	deep, err := v.chooseRecordCheck(m)
	if err != nil {
		return v.checked, err
	}
	return v.checked, v.checkShards(ctx, m, deep)
}

type verifier struct {
	VerifyOptions
	directory
	config  []byte // content of ConfigName, if it is not damaged
	checked Checked
}

func (v *verifier) reportDamage(d *DamageError) {
	v.checked.Damages++
	v.Report(d)
}

// readManifest returns the manifest, or nil if it is damaged.
func (v *verifier) readManifest() (*Manifest, error) {
	data, err := v.readSmall(ManifestName)
	if err != nil || data == nil {
		return nil, err
	}
	success, err := v.readSmall(SuccessName)
	if err != nil {
		return nil, err
	}
	m, parseErr := ParseManifest(data)
	switch {
	case parseErr != nil:
		v.reportDamage(fileDamage(ManifestName, "%v", parseErr))
	case success != nil && !bytes.Equal(success, successText(data)):
		v.reportDamage(fileDamage(SuccessName, "its digest differs from the digest of %s: one of them was changed",
			ManifestName))
	}
	return m, nil
}

// readSmall returns the content of a file. If the file is damaged, it reports that and returns
// nil.
func (v *verifier) readSmall(name string) ([]byte, error) {
	data, damage, err := v.readFile(name)
	switch {
	case err != nil:
		return nil, err
	case damage != nil:
		v.reportDamage(damage)
		return nil, nil
	}
	v.checked.Files++
	v.checked.Bytes += int64(len(data))
	return data, nil
}

// checkFile checks a file that is not a shard.
func (v *verifier) checkFile(ctx context.Context, entry FileEntry) error {
	f, damage, err := v.open(entry.Name)
	switch {
	case err != nil:
		return err
	case damage != nil:
		v.reportDamage(damage)
		return nil
	}
	defer f.Close()
	in, sum, sound := &countingReader{ctx: ctx, r: f}, sha256.New(), new(bytes.Buffer)
	to, isConfig := io.Writer(sum), entry.Bytes <= tfrecord.MaxInMemory && entry.Name == ConfigName
	if isConfig {
		to = io.MultiWriter(sum, sound)
	}
	_, err = io.CopyN(to, in, entry.Bytes) // keeps no more bytes of a longer file
	if err == nil {
		_, err = io.Copy(sum, in)
	}
	if err != nil && err != io.EOF {
		return fmt.Errorf("reading %s: %w", entry.Name, err)
	}
	v.checked.Files++
	v.checked.Bytes += in.n
	switch {
	case in.n != entry.Bytes:
		v.reportDamage(fileDamage(entry.Name, "it has %s instead of %d", plural.Of(in.n, "byte"), entry.Bytes))
	case hex.EncodeToString(sum.Sum(nil)) != entry.SHA256:
		v.reportDamage(fileDamage(entry.Name, "its content was changed: its digest is not the manifest's"))
	case isConfig:
		v.config = sound.Bytes()
	}
	return nil
}

// chooseRecordCheck returns the check of records, or nil without Deep.
func (v *verifier) chooseRecordCheck(m *Manifest) (*recordCheck, error) {
	of, _ := m.Records()
	if !v.Deep || v.Record == nil {
		return v.parseOnly(of), nil
	}
	switch {
	case v.config != nil:
	case v.checked.Damages == 0:
		return nil, fmt.Errorf("the manifest lists no %s of at most %d MiB, which tells the features", ConfigName,
			tfrecord.MaxInMemory>>20)
	default:
		v.warn(ConfigName + " is not as it was written: records are parsed, but not compared with the features of " +
			"the dataset")
		return v.parseOnly(of), nil
	}
	record, err := v.Record(v.config, m)
	if err != nil {
		return nil, fmt.Errorf("the features of the dataset: %w", err)
	}
	return newRecordCheck(record), nil
}

func (opt *VerifyOptions) warn(text string) {
	if opt.Warn != nil {
		opt.Warn(text)
	}
}

// reportSalvaged reports a salvaged file; nil is ignored.
func (opt *VerifyOptions) reportSalvaged(s *Salvaged) {
	if s != nil && opt.Salvaged != nil {
		opt.Salvaged(*s)
	}
}

// parseOnly returns a check that a record is one of the messages; nil without Deep.
func (opt *VerifyOptions) parseOnly(messages ...schema.Message) *recordCheck {
	if !opt.Deep {
		return nil
	}
	return &recordCheck{messages: messages}
}

// checkShards checks all shards, up to Workers in parallel, and reports them in order.
func (v *verifier) checkShards(ctx context.Context, m *Manifest, deep *recordCheck) error {
	check := newShardCheck(v.directory, m)
	check.deep, check.salvage = deep, v.Salvage
	if v.Reads != nil {
		check.shards = slices.DeleteFunc(check.shards, func(s Shard) bool { return !v.Reads(s.Name) })
	}
	results := make([]shardResult, len(check.shards))
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(max(1, v.Workers))
	for i := range check.shards {
		group.Go(func() (err error) {
			results[i], err = check.checkShard(working, i)
			return err
		})
	}
	err := group.Wait()
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	for _, r := range results {
		v.checked.add(r.checked)
		for _, d := range r.damages {
			v.reportDamage(d)
		}
		v.reportSalvaged(r.salvaged)
	}
	return err
}
