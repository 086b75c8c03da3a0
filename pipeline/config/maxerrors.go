package config

import (
	"strconv"
	"strings"
)

// MaxErrors is the budget: how many rejects a run accepts.
type MaxErrors struct {
	Count   uint64
	Share   uint64 // in millionths of a percent, of all rows found
	IsShare bool
}

// Of is how many rejects are accepted among rows.
func (m MaxErrors) Of(rows uint64) uint64 {
	if !m.IsShare {
		return m.Count
	}
	return mulDiv(rows, m.Share, Whole)
}

func decodeMaxErrors(d *decoder, at spot, m *MaxErrors) {
	switch {
	case at.isScalar() && strings.HasSuffix(at.text, "%"):
		*m = MaxErrors{Share: d.share(at), IsShare: true}
	case at.isScalar() && !at.quoted && floatNumber.MatchString(at.text) && !wholeForm.MatchString(at.text):
		d.hinted(at.path, shareHint(at.text), "found %s; expected a count, or a share such as 1%%", quoteValue(at.text))
	default:
		m.Count = d.unsigned(at)
	}
}

func encodeMaxErrors(_ encoder, m MaxErrors) *node {
	switch {
	case m == MaxErrors{}:
		return nil
	case m.IsShare:
		return plainNode(formatShare(m.Share))
	}
	return plainNode(strconv.FormatUint(m.Count, 10))
}

func maxErrorsSchema(*generator) object {
	return anyOf(object{"type": "integer", "minimum": 0}, matching(shareForm)())
}
