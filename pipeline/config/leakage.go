package config

import (
	"strconv"
)

// Leakage is the largest number of rows whose content is also in another split, and the features
// that make up the content.
type Leakage struct {
	Rows int64    `yaml:"rows" default:"0" range:"0 9223372036854775807" doc:"Largest number of rows whose content is also in another split. Default: 0."`
	Of   []string `yaml:"of" unique:"feature" doc:"Features that are compared, such as [image, text]. Default: all features, except those made of the place of the row: path, filename, stem, key of tar, @file, @source and @split" example:"[image, text]"`

	KeepDigests bool `yaml:"keep_digests" default:"false" canonical:"set" doc:"Stores the digests of the records, for a later version with append. Default: false."`
}

// checkLeakage checks the features that are compared.
func (k *statisticsCheck) checkLeakage(l *Leakage) {
	for i, name := range l.Of {
		if at := "checks.leakage.of[" + strconv.Itoa(i) + "]"; k.isValid(at) {
			k.findFeature(at, name)
		}
	}
}
