package message

import (
	"iter"
	"slices"
)

var sequenceFormat = format{
	hasSteps: true,
	isCanonical: func(payload []byte) bool {
		context, rest, ok := cutCanonical(payload, fieldFeatures)
		if ok && !canonicalFeatures(SequenceExample, context) {
			return false
		}
		lists, rest, ok := cutCanonical(rest, fieldLists)
		return len(rest) == 0 && (!ok || canonicalEntries(lists, canonicalSteps))
	},
	fields: []string{"context", "featureLists"},
	parseField: func(p *Parser, name []byte, at int) bool {
		switch string(name) {
		case "context":
			p.parseMessageField(name, at, SequenceExample, seenFeatures, fieldFeatures, p.parseFeatures)
			p.moveContextFirst()
		case "featureLists", "feature_lists":
			p.lists.begin = len(p.out)
			p.parseMessageField(name, at, SequenceExample, seenLists, fieldLists, p.parseFeatureLists)
			p.lists.end = len(p.out)
		default:
			return false
		}
		return true
	},
}

func (p *printer) writeSequence(m *Message) {
	if m.has(fieldFeatures) {
		p.writeFeatures(`"context":{`, m.Features)
		p.write("},")
	}
	if m.has(fieldLists) {
		p.writeLists(m.Lists)
	}
}

// walkSequence is Walk for a SequenceExample.
func walkSequence(payload []byte, context func(key []byte, f Feature), list func(key []byte, l FeatureList)) bool {
	for len(payload) > 0 {
		field, rest, ok := cutField(payload)
		switch {
		case !ok:
		case field.is(fieldFeatures):
			ok = eachFeature(SequenceExample, field.content, context)
		case field.is(fieldLists):
			ok = eachEntry(field.content, readList, list)
		default:
			ok = false
		}
		if !ok {
			return false
		}
		payload = rest
	}
	return true
}

// A FeatureList is a validated FeatureList message, with one Feature per step. It shares the memory
// of its payload.
type FeatureList struct {
	Count int // number of steps
	data  []byte
}

// readList validates a FeatureList message.
func readList(data []byte) (l FeatureList, ok bool) {
	l.data = data
	for rest := data; len(rest) > 0; {
		var step wireField
		if step, rest, ok = cutField(rest); !ok {
			return l, false
		}
		if !step.is(fieldStep) {
			continue
		}
		if _, ok := readFeature(SequenceExample, step.content); !ok {
			return l, false
		}
		l.Count++
	}
	return l, true
}

// Steps iterates over the features of a list, one per step.
func (l FeatureList) Steps() iter.Seq[Feature] {
	return func(yield func(Feature) bool) {
		for rest := l.data; len(rest) > 0; {
			var step wireField
			if step, rest, _ = cutField(rest); !step.is(fieldStep) {
				continue
			}
			if f, _ := readFeature(SequenceExample, step.content); !yield(f) {
				return
			}
		}
	}
}

func canonicalSteps(steps []byte) bool {
	for len(steps) > 0 {
		step, rest, ok := cutCanonical(steps, fieldStep)
		if !ok || !canonicalFeature(SequenceExample, step) {
			return false
		}
		steps = rest
	}
	return true
}

// has reports whether the payload has a field, even an empty one.
func (m *Message) has(number int32) bool {
	for rest := m.payload; len(rest) > 0; {
		var field wireField
		if field, rest, _ = cutField(rest); int32(field.number) == number {
			return true
		}
	}
	return false
}

// moveContextFirst moves the context before the feature lists if the line has them in the other
// order.
func (p *Parser) moveContextFirst() {
	if lists := p.out[p.lists.begin:p.lists.end]; len(lists) > 0 {
		context := slices.Clone(p.out[p.lists.end:])
		copy(p.out[p.lists.begin+len(context):], lists)
		copy(p.out[p.lists.begin:], context)
	}
}
