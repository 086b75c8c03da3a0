package message

import (
	"iter"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
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
	Count   int  // number of steps
	Uniform List // the list of all steps if each is short: see cutShortStep; empty for other lists
	data    []byte
}

// readList validates a FeatureList message.
func readList(data []byte) (l FeatureList, ok bool) {
	l.data = data
	if l.Uniform, l.Count = uniform(data); l.Uniform != "" {
		return l, true
	}
	l.Count = 0
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

// uniform returns the list that all steps have, and their number, if all steps are valid and short.
func uniform(data []byte) (of List, n int) {
	if len(data) < shortStep {
		return "", 0
	}
	first := data[2]
	if int(first>>3) >= len(exampleLists) || exampleLists[first>>3] == "" {
		return "", 0
	}
	of = exampleLists[first>>3]
	for ; len(data) > 0; n++ {
		tag, values, rest, ok := cutShortStep(data)
		if !ok || tag != first {
			return "", 0
		}
		switch {
		case of == FloatList:
			ok = len(values)%4 == 0
		case of == Int64List && (len(values) != 1 || values[0] >= 0x80):
			_, ok = countVarints(values)
		}
		if !ok {
			return "", 0
		}
		data = rest
	}
	return of, n
}

// shortStep is the size of a short step without values.
const shortStep = 6

// cutShortStep cuts off a step that has one list with one string, or with packed numbers, in fewer than
// 128 bytes:
//
//	0a FEATURE  tag LIST  0a n  values
func cutShortStep(data []byte) (tag byte, values, rest []byte, ok bool) {
	if len(data) < shortStep {
		return 0, nil, nil, false
	}
	size := int(data[1])
	end := 2 + size
	if size >= 0x80 || end > len(data) || int(data[3]) != size-2 || int(data[5]) != size-4 || data[0] != shortTag ||
		data[4] != shortTag || data[2]&7 != byte(protowire.BytesType) {
		return 0, nil, nil, false
	}
	return data[2], data[shortStep:end], data[end:], true
}

// shortTag is the tag of a step, and of the values in a list.
const shortTag = fieldStep<<3 | byte(protowire.BytesType)

// Values iterates over the steps of a uniform list. Each is one string, or packed numbers.
func (l FeatureList) Values() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for data := l.data; len(data) > 0; {
			end := 2 + int(data[1])
			if !yield(data[shortStep:end]) {
				return
			}
			data = data[end:]
		}
	}
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
