package dataset

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"tfr-build/dataset/provenance"
)

func isSHA256(s string) bool {
	sum, err := hex.DecodeString(s)
	return err == nil && len(sum) == sha256.Size && hex.EncodeToString(sum) == s
}

// Statement returns the statement of provenance of a dataset. m is complete, and Provenance is the digest of
// the predicate.
func (m *Manifest) Statement(p *provenance.Predicate) (File, error) {
	sealed, err := m.Seal()
	if err != nil {
		return File{}, err
	}
	var files []provenance.Resource
	for _, f := range append(Entries(sealed), m.Files...) {
		files = append(files, provenance.FileOf(f.Name, f.SHA256))
	}
	for _, s := range m.Splits {
		for _, shard := range s.Shards {
			files = append(files, provenance.FileOf(shard.Name, shard.Digest))
		}
	}
	slices.SortFunc(files, func(a, b provenance.Resource) int { return cmp.Compare(a.Name, b.Name) })
	data, err := provenance.New(files, p).Encode()
	return File{provenance.Name, data}, err
}

// checkStatement compares the statement of provenance with the manifest.
func (v *verifier) checkStatement(m *Manifest) error {
	if m.Provenance == "" {
		return nil
	}
	data, err := v.readSmall(provenance.Name)
	if err != nil || data == nil {
		return err
	}
	s, err := provenance.Parse(data)
	if err != nil {
		v.reportDamage(fileDamage(provenance.Name, "%v", err))
		return nil
	}
	sum, err := s.Predicate.Digest()
	if err != nil {
		return err
	}
	if sum != m.Provenance {
		v.reportDamage(fileDamage(provenance.Name, "its predicate was changed: its digest is not the manifest's"))
		return nil
	}
	again, err := m.Statement(&s.Predicate)
	if err == nil && !bytes.Equal(again.Data, data) {
		v.reportDamage(fileDamage(provenance.Name, "it was changed: its subject is not the files of the manifest"))
		return nil
	}
	v.checked.Statement = s
	return err
}
