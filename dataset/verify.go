package dataset

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"tfr-build/internal/store"
	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// VerifyOptions say how [Verify] and [VerifyRecords] read, and whom they tell.
type VerifyOptions struct {
	Store   store.Reader // nil: that of the system
	Workers int          // shards that are read at once
	Cold    bool         // what the system holds of the files in memory is dropped first, so that the disk is read

	// Deep has every record parsed. In a dataset it is held against the Record
	// that the content of ConfigName and ReaderName tells; without Record it is
	// parsed, and no more.
	Deep   bool
	Record func(config, reader []byte) (schema.Record, error)

	// Salvage takes the intact records of damaged shards and files; nil: they
	// stay where they are. With Deep, records that are not as they should be are
	// left out, too.
	Salvage *Salvage

	// Report gets each damage, Salvaged what was saved of each file, Warn what
	// could not be checked and is no damage; the last two may be nil. Each is
	// called from one goroutine at a time, in the same order every time.
	Report   func(*DamageError)
	Salvaged func(Salvaged)
	Warn     func(text string)
}

// Verify reads the dataset in dir again and holds it against its manifest. It
// reports first what the manifest, SuccessName and the listing of the directory
// show, then shard after shard. The error says that something could not be read
// at all, or not be salvaged; damage is no error.
//
// A file that the manifest does not name is damage, hidden or not, except for
// what Python makes of ReaderName in the folder __pycache__ beside it.
func Verify(ctx context.Context, dir string, opt VerifyOptions) (Checked, error) {
	v := verifier{place: newPlace(dir, &opt), VerifyOptions: opt, sound: map[string][]byte{}}
	info, err := v.fs.Stat(dir)
	if err != nil {
		return Checked{}, err
	}
	if !info.IsDir() {
		return Checked{}, fmt.Errorf("%s is no directory", dir)
	}
	m, err := v.manifest()
	if err != nil {
		return v.checked, err
	}
	if m == nil {
		v.warn("without a sound manifest nothing else is checked; shards can be verified, and salvaged, as files")
		return v.checked, nil
	}
	if err := v.listing(m); err != nil {
		return v.checked, err
	}
	for _, f := range m.Files {
		if err := v.file(ctx, f); err != nil {
			return v.checked, err
		}
	}
	deep, err := v.recordCheck(m)
	if err != nil {
		return v.checked, err
	}
	return v.checked, v.shards(ctx, m, deep)
}

type verifier struct {
	VerifyOptions
	place
	sound   map[string][]byte // the files that Record is made of, as far as they are undamaged
	checked Checked
}

func (v *verifier) damage(d *DamageError) {
	v.checked.Damages++
	v.Report(d)
}

// manifest returns the manifest, or nil where there is none to go by.
func (v *verifier) manifest() (*Manifest, error) {
	data, err := v.read(ManifestName)
	if err != nil || data == nil {
		return nil, err
	}
	success, err := v.read(SuccessName)
	if err != nil {
		return nil, err
	}
	m, parseErr := ParseManifest(data)
	switch {
	case parseErr != nil:
		v.damage(wholeFile(ManifestName, "%v", parseErr))
	case success != nil && !bytes.Equal(success, Success(data)):
		v.damage(wholeFile(SuccessName, "its digest is not that of %s: one of them was changed", ManifestName))
	}
	return m, nil
}

// read returns the content of a file, or nil after it reported that it is not
// there.
func (v *verifier) read(name string) ([]byte, error) {
	data, damage, err := v.readFile(name)
	switch {
	case err != nil:
		return nil, err
	case damage != nil:
		v.damage(damage)
		return nil, nil
	}
	v.checked.Files++
	v.checked.Bytes += int64(len(data))
	return data, nil
}

// file checks one of the files beside the shards.
func (v *verifier) file(ctx context.Context, entry FileEntry) error {
	f, damage, err := v.open(entry.Name)
	switch {
	case err != nil:
		return err
	case damage != nil:
		v.damage(damage)
		return nil
	}
	defer f.Close()
	in, sum, sound := &counting{ctx: ctx, r: f}, sha256.New(), new(bytes.Buffer)
	to, tells := io.Writer(sum), entry.Bytes <= tfrecord.MaxHeld && (entry.Name == ConfigName || entry.Name == ReaderName)
	if tells {
		to = io.MultiWriter(sum, sound)
	}
	_, err = io.CopyN(to, in, entry.Bytes) // of what is longer no more is held
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
		v.damage(wholeFile(entry.Name, "it has %d bytes instead of %d", in.n, entry.Bytes))
	case hex.EncodeToString(sum.Sum(nil)) != entry.SHA256:
		v.damage(wholeFile(entry.Name, "its content was changed: its digest is not the manifest's"))
	case tells:
		v.sound[entry.Name] = sound.Bytes()
	}
	return nil
}

// recordCheck is what the records are held against; nil where that is not asked for.
func (v *verifier) recordCheck(m *Manifest) (*recordCheck, error) {
	of, _ := m.Records()
	if !v.Deep || v.Record == nil {
		return v.parseOnly(of), nil
	}
	for _, name := range []string{ConfigName, ReaderName} {
		switch {
		case v.sound[name] != nil:
		case v.checked.Damages == 0:
			return nil, fmt.Errorf("the manifest lists no %s of at most %d MiB, which tells the features", name, tfrecord.MaxHeld>>20)
		default:
			v.warn(fmt.Sprintf("%s is not as it was written: records are parsed, but not held against the features of the dataset", name))
			return v.parseOnly(of), nil
		}
	}
	record, err := v.Record(v.sound[ConfigName], v.sound[ReaderName])
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

// tell tells what was saved, where something was.
func (opt *VerifyOptions) tell(s *Salvaged) {
	if s != nil && opt.Salvaged != nil {
		opt.Salvaged(*s)
	}
}

// parseOnly is a check that a record is one of the messages; nil without Deep.
func (opt *VerifyOptions) parseOnly(messages ...schema.Message) *recordCheck {
	if !opt.Deep {
		return nil
	}
	return &recordCheck{messages: messages}
}

// shards checks all shards, up to Workers at once, and reports them in order.
func (v *verifier) shards(ctx context.Context, m *Manifest, deep *recordCheck) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	check, err := newShardCheck(v.place, m)
	if err != nil {
		return err
	}
	check.deep, check.salvage = deep, v.Salvage
	results := make([]shardResult, len(check.shards))
	next := make(chan int)
	var wg sync.WaitGroup
	for range max(1, min(v.Workers, len(check.shards))) {
		wg.Go(func() {
			for i := range next {
				results[i] = check.run(ctx, i)
				if results[i].err != nil {
					cancel()
				}
			}
		})
	}
	for i := range check.shards {
		select {
		case next <- i:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	wg.Wait()
	return v.conclude(ctx, results)
}

func (v *verifier) conclude(ctx context.Context, results []shardResult) error {
	for _, r := range results {
		v.checked.add(r.checked)
		for _, d := range r.damages {
			v.damage(d)
		}
		v.tell(r.salvaged)
	}
	// The first error cancelled the others, whose own errors tell nothing.
	first := slices.IndexFunc(results, func(r shardResult) bool { return r.err != nil && !errors.Is(r.err, context.Canceled) })
	if first >= 0 {
		return results[first].err
	}
	return context.Cause(ctx)
}
