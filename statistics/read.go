package statistics

import (
	"math"

	"tfr-build/message"
)

// read counts a payload, and creates accumulators for new keys.
func (c *Counter) read(payload []byte) {
	if len(c.others) > 2*maxKeys {
		c.trimKeys()
	}
	m := &c.message
	if err := m.Read(c.layout.kind, payload); err != nil || m.Kind == message.None {
		c.count.broken++
		return
	}
	for i := range m.Features {
		e := &m.Features[i]
		t := c.accumulator(e.Key, false, e.Value.List)
		t.addRecord(t.addFeature(&e.Value))
	}
	for i := range m.Lists {
		c.addList(m.Lists[i].Key, &m.Lists[i].Value)
	}
}

// addList counts a feature list. If the steps of a record have several types of lists, the record
// counts for each of them.
func (c *Counter) addList(text []byte, l *message.FeatureList) {
	if l.Uniform != "" {
		t, n := c.accumulator(text, true, l.Uniform), int64(0)
		for values := range l.Values() {
			n += t.addEncoded(l.Uniform, values)
		}
		t.addRecord(n)
		return
	}
	var counts [listCount]int64
	var seen [listCount]bool
	for step := range l.Steps() {
		of := listOf(step.List)
		seen[of] = true
		if of != noList {
			counts[of] += c.accumulator(text, true, step.List).addFeature(&step)
		}
	}
	hasList := false
	for of := bytesList; of < listCount; of++ {
		if seen[of] {
			hasList = true
			c.accumulator(text, true, listNames[of]).addRecord(counts[of])
		}
	}
	if !hasList {
		c.accumulator(text, true, "").addRecord(0)
	}
}

// accumulator returns the accumulator of a key and a type of list, and creates it if necessary. A
// feature without a list belongs to the field of its key, if the layout has one.
func (c *Counter) accumulator(text []byte, steps bool, of message.List) *accumulator {
	keys := c.keys
	if steps {
		keys = c.steps
	}
	l := listOf(of)
	if k := keys[string(text)]; k != nil && k.lists[l] != nil {
		return k.lists[l]
	}
	n := name{string(text), steps, l}
	k := c.key(n)
	t := &accumulator{column: column{shape: c.layout.unknownShape(n.list)}, name: n, field: -1}
	t.setCandidates(c.candidates)
	k.lists[n.list] = t
	c.others = append(c.others, t)
	return t
}

// addFeature counts the values of a feature, and returns how many it has.
func (t *accumulator) addFeature(f *message.Feature) (n int64) {
	for values := range f.Values() {
		n += t.addEncoded(f.List, values)
	}
	return n
}

// addEncoded counts a string, or packed numbers of a list, and returns how many it counted.
func (t *accumulator) addEncoded(list message.List, values []byte) (n int64) {
	switch t.list {
	case noList:
	case bytesList:
		var k stringKey
		k.set(values)
		t.addString(&k)
		n = 1
	case floatList:
		for ; len(values) > 0; n++ {
			var v float32
			v, values = message.CutFloat(values)
			t.addNumber(math.Float64bits(float64(v)))
		}
	case doubleList:
		for ; len(values) > 0; n++ {
			var v float64
			v, values = message.CutDouble(values)
			t.addNumber(math.Float64bits(v))
		}
	default:
		for ; len(values) > 0; n++ {
			var v int64
			if v, values = list.CutInt(values); 0 <= v && v < smallIntCount {
				t.addSmallInt(byte(v), 1)
			} else {
				t.addNumber(uint64(v))
			}
		}
	}
	return n
}

// addRecord counts a record with n values.
func (t *accumulator) addRecord(n int64) {
	if n == 1 {
		t.singleValued++
	} else {
		t.lengths.add(n)
	}
}
