package message

var exampleFormat = format{
	isCanonical: func(payload []byte) bool {
		features, rest, ok := cutCanonical(payload, fieldFeatures)
		return len(payload) == 0 || ok && len(rest) == 0 && canonicalFeatures(Example, features)
	},
	fields: []string{"features"},
	parseField: func(p *Parser, name []byte, at int) bool {
		if string(name) != "features" {
			return false
		}
		p.parseMessageField(name, at, Example, seenFeatures, fieldFeatures, p.parseFeatures)
		return true
	},
}

func walkExample(payload []byte, feature func(key []byte, f Feature)) bool {
	return eachField(payload, fieldFeatures, func(features []byte) bool {
		return eachFeature(Example, features, feature)
	})
}

func (p *printer) writeExample(m *Message) {
	if len(m.payload) > 0 {
		p.writeFeatures(`"features":{`, m.Features)
		p.write("},")
	}
}
