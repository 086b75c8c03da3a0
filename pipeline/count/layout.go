package count

import (
	"tfr-build/pipeline/rows"
	"tfr-build/schema"
	"tfr-build/statistics"
	"tfr-build/statistics/images"
)

// layoutOf returns the layout of the records for statistics: their keys, and the types of the
// values. It is nil if nothing is counted. Class names are taken from the compiled features.
func layoutOf(set *rows.Set) *statistics.Layout {
	settings := set.Config.Statistics
	if !settings.On {
		return nil
	}
	compiled := set.Sources[0].Schema // all have the same keys
	record := compiled.Record()
	var fields []statistics.Feature
	for _, x := range compiled.Entries() {
		f := countedAs(&x)
		if record.Column != "" {
			f.Key = record.Column
		}
		fields = append(fields, f)
	}
	if record.Message.IsObject() {
		fields = nil // its values are not in lists
	}
	opt := statistics.Options{Top: settings.Top, Values: settings.Values, Images: images.Reader()}
	if opt.Top == 0 {
		opt.Top = -1
	}
	return statistics.NewLayout(record.Message.Kind(), fields, opt)
}

// Candidates returns the values of a sample of records, from which the most frequent values are
// chosen, in the form that a plan stores.
func Candidates(set *rows.Set, payloads [][]byte) []byte {
	layout := layoutOf(set)
	if m := set.Config.Message(); layout == nil || len(payloads) == 0 || m.Payload() == schema.JSONPayload {
		return nil
	}
	return layout.Candidates(payloads).AppendBinary(nil)
}

// countedAs returns how the values of an entry are counted.
func countedAs(x *schema.Entry) statistics.Feature {
	f := statistics.Feature{Key: x.Key, List: x.List, Steps: x.Steps, Kind: statistics.Number}
	switch {
	case x.IsLengths:
	case x.IsPacked():
		f.Kind = statistics.Bytes
	case x.Classes != nil:
		f.Kind, f.First, f.Classes = statistics.Class, x.Classes.First, x.Classes.Names
	case x.Type == schema.BoolType:
		f.Kind, f.Classes = statistics.Class, []string{"false", "true"}
	case x.Image:
		f.Kind = statistics.Image
	case x.Type == schema.StringType:
		f.Kind = statistics.Text
	case x.Type == schema.BytesType:
		f.Kind = "" // text or not, depending on the values
	}
	return f
}
