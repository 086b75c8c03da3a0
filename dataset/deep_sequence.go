package dataset

import (
	"fmt"
	"slices"

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

// listFault says what is wrong with a feature list; that of a ragged feature has a
// list for each of its keys.
func (w *featureCheck) listFault(lists []message.FeatureList) string {
	if len(lists) == 1 {
		return stepFaults(lists[0], func(step message.Feature) string { return w.fault([]message.Feature{step}) })
	}
	steps := make([][]message.Feature, len(lists))
	for i, l := range lists {
		if l.Count != lists[0].Count {
			return fmt.Sprintf("%q has %d steps; expected %d", w.keys[i], l.Count, lists[0].Count)
		}
		steps[i] = slices.AppendSeq(make([]message.Feature, 0, l.Count), l.Steps())
	}
	n := 0
	return stepFaults(lists[0], func(message.Feature) string {
		var step []message.Feature
		for i := range steps {
			step = append(step, steps[i][n])
		}
		n++
		return w.fault(step)
	})
}

func stepFaults(l message.FeatureList, fault func(step message.Feature) string) string {
	n := 0
	for step := range l.Steps() {
		if text := fault(step); text != "" {
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
		case !lists.there[w.slot] || steps == 0 && w.OnMissing == schema.MissingEmptyList:
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
