package dataset

import (
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
	subject, err := m.subject()
	if err != nil {
		return File{}, err
	}
	data, err := provenance.New(subject, p).Encode()
	return File{provenance.Name, data}, err
}

// subject returns the files of a dataset for its statement.
func (m *Manifest) subject() ([]provenance.Resource, error) {
	sealed, err := m.Seal()
	if err != nil {
		return nil, err
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
	return files, nil
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
	s, sum, err := provenance.Parse(data)
	if err != nil {
		v.reportDamage(fileDamage(provenance.Name, "%v", err))
		return nil
	}
	if sum != m.Provenance {
		v.reportDamage(fileDamage(provenance.Name, "its predicate was changed: its digest is not the manifest's"))
		return nil
	}
	subject, err := m.subject()
	if err == nil && !slices.Equal(s.Subject, subject) {
		v.reportDamage(fileDamage(provenance.Name, "it was changed: its subject is not the files of the manifest"))
		return nil
	}
	v.checked.Statement = s
	return err
}
