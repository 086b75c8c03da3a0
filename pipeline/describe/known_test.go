package describe

import (
	"errors"
	"math"
	"testing"

	"tfr-build/dataset"
	"tfr-build/dataset/croissant"
	"tfr-build/framing"
	"tfr-build/message"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/rows"
	"tfr-build/schema"
	"tfr-build/statistics"
)

// TestFaultsOfFiles has a fault in each file about the values: the error names the file and the setting without it.
func TestFaultsOfFiles(t *testing.T) {
	info := &dataset.Info{Name: "d", Version: "1.0.0", Framing: framing.Default()}
	info.Record.Features = []schema.Feature{{Key: "a", Type: schema.Int64}}
	of := func(kind statistics.Kind, v statistics.Values) *statistics.Document {
		return &statistics.Document{
			Splits: []statistics.Split{{Name: "train", Records: 1}},
			Features: []statistics.Feature{{Key: "a", List: message.Int64List, Kind: kind, Classes: []string{"x"},
				Splits: []statistics.Values{v}}},
		}
	}
	for _, test := range []struct {
		name          string
		cfg           config.Config
		statistics    *statistics.Document
		file, without string
	}{
		{"a number that JSON has not", config.Config{},
			of(statistics.Number, statistics.Values{Numbers: &statistics.Numbers{Mean: math.NaN(), Min: "0",
				Max: "0"}}),
			dataset.StatisticsName, "statistics: false"},
		{"no fault", config.Config{TFX: true}, of(statistics.Number, statistics.Values{Count: 1}), "", ""},
		{"a card without its keys", config.Config{Card: &config.Card{}}, nil, croissant.Name, "no card"},
	} {
		b := &Accounting{set: &rows.Set{Config: &test.cfg}, valueInfo: valueInfo{statistics: test.statistics}}
		_, err := b.valueFiles(info)
		var fault *dataset.FileError
		switch {
		case test.file == "" && err == nil:
		case !errors.As(err, &fault):
			t.Errorf("%s: %v", test.name, err)
		case fault.File != test.file || fault.Without != test.without:
			t.Errorf("%s: %q, without %q: %v", test.name, fault.File, fault.Without, err)
		}
	}
}
