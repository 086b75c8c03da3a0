package count

import (
	"encoding/json"
	"maps"
	"slices"

	"tfr-build/message"
	"tfr-build/pipeline/rows"
	"tfr-build/schema"
)

// A content is the part of a record that is compared with the records of other splits.
type content struct {
	payload bool            // the complete payload
	keys    map[string]bool // otherwise only these keys of the message
	entries []bool          // whether each entry is compared
	images  []int           // entries that are also compared on their own
}

// contentOf returns the content that the config compares. It is the features that the config names,
// or all features except those made of the origin of a row. If no feature remains, it is the
// complete payload.
func contentOf(set *rows.Set) content {
	compared := comparedOf(set)
	compiled := set.Sources[0].Schema // all have the same keys
	message := set.Config.Message()
	c := content{keys: map[string]bool{}, payload: true}
	for i, x := range compiled.Entries() {
		takes := len(compared) == 0 || compared[x.Stored.Key]
		c.entries = append(c.entries, takes)
		if !takes {
			c.payload = false
			continue
		}
		c.keys[x.Key] = true
		if message.HasBounds() && x.Image {
			c.images = append(c.images, i)
		}
	}
	return c
}

// comparedOf returns the keys of the features that are compared; empty to compare the complete
// payload.
func comparedOf(set *rows.Set) map[string]bool {
	compared := map[string]bool{}
	of := set.Config.Checks.Leakage.Of
	for _, key := range of {
		compared[key] = true
	}
	for _, f := range set.Config.AllFeatures() {
		if len(of) == 0 && !areOrigin(set, f.From.Columns) {
			compared[f.Key] = true
		}
	}
	return compared
}

// areOrigin reports whether all columns of a feature describe the origin of a row, in at least one
// source.
func areOrigin(set *rows.Set, columns []string) bool {
	return len(columns) > 0 && slices.ContainsFunc(set.Sources, func(src *rows.Source) bool {
		known := src.Columns()
		return !slices.ContainsFunc(columns, func(name string) bool {
			c, ok := known.Find(name)
			return !ok || !c.Origin
		})
	})
}

// A contentReader returns the content of one record after another. It must be used by one
// goroutine.
type contentReader struct {
	of      *content
	record  schema.Message
	text    []byte
	message message.Message
	parser  message.Parser
	payload []byte
}

// read returns the content of the record in buf[start:]. The result is valid until the next call.
// bounds has the bounds of the entries, if the message has some.
func (r *contentReader) read(buf []byte, start int, bounds []uint32) []byte {
	record := buf[start:]
	if r.of.payload {
		return record
	}
	r.text = r.text[:0]
	switch {
	case r.record.HasBounds():
		for i, takes := range r.of.entries {
			if takes {
				r.text = append(r.text, buf[bounds[i]:bounds[i+1]]...)
			}
		}
		return r.text
	case r.record.IsObject():
		r.addMembers(record)
		return r.text
	case r.record.Payload() == schema.JSONPayload:
		payload, _, err := r.parser.Parse(r.payload[:0], record)
		if r.payload = payload; err != nil {
			return record
		}
		return r.readFeatures(payload)
	}
	return r.readFeatures(record)
}

// addMembers appends the members of a JSON object that are compared.
func (r *contentReader) addMembers(record []byte) {
	var members map[string]json.RawMessage
	if json.Unmarshal(record, &members) != nil {
		r.text = append(r.text, record...)
		return
	}
	for _, key := range slices.Sorted(maps.Keys(members)) {
		if r.of.keys[key] {
			r.text = append(append(append(r.text, key...), 0), members[key]...)
		}
	}
}

// readFeatures returns the JSON of the features that are compared.
func (r *contentReader) readFeatures(payload []byte) []byte {
	if r.message.Read(r.record.Kind(), payload) != nil || r.message.Kind == message.None {
		return payload
	}
	r.message.Features = slices.DeleteFunc(r.message.Features,
		func(e message.Entry[message.Feature]) bool { return !r.of.keys[string(e.Key)] })
	r.message.Lists = slices.DeleteFunc(r.message.Lists,
		func(e message.Entry[message.FeatureList]) bool { return !r.of.keys[string(e.Key)] })
	r.text = r.message.AppendJSON(r.text)
	return r.text
}
