package dataset

import (
	"fmt"

	"tfr-build/message"
	"tfr-build/schema"
)

// sequenceFault says what is wrong with a SequenceExample, and with which feature
// of it.
func (c *recordCheck) sequenceFault(payload []byte) (key, fault string) {
	context, lists := newFound[message.Feature](c.features), newFound[message.FeatureList](c.sequence)
	if !message.EachSequence(payload, context.tell, lists.tell) {
		return "", c.noMessage()
	}
	if key, fault = context.each((*featureCheck).fault); fault != "" {
		return key, fault
	}
	if key, fault = lists.each((*featureCheck).listFault); fault != "" || c.free {
		return key, fault
	}
	return lengthsFault(lists)
}

// listFault says what is wrong with a feature list.
func (w *featureCheck) listFault(lists []message.FeatureList) string {
	n := 0
	var values [1]message.Feature
	for step := range lists[0].Steps() {
		values[0] = step
		if text := w.fault(values[:]); text != "" {
			return fmt.Sprintf("step %d: %s", n, text)
		}
		n++
	}
	return ""
}

// lengthsFault says which list is not as long as the others. A missing column that
// is an empty list, or none, is as long as any.
func lengthsFault(lists *found[message.FeatureList]) (key, fault string) {
	first := -1
	for i := range lists.set.features {
		w := &lists.set.features[i]
		steps := lists.values[w.slot].Count
		switch {
		case !lists.there.has(w.slot) || steps == 0 && w.OnMissing == schema.MissingEmptyList:
		case first < 0:
			first = i
		default:
			before := &lists.set.features[first]
			if n := lists.values[before.slot].Count; n != steps {
				return w.Key, fmt.Sprintf("it has %d steps; %q has %d", steps, before.Key, n)
			}
		}
	}
	return "", ""
}
