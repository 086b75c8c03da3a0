package webdataset

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tfr-build/internal/nearest"
	"tfr-build/schema"
)

// A Named is a member with the name and the features that a config gives it.
type Named struct {
	Name     string
	Features []string
	IsList   bool // the config has a list
}

// A Problem is a member that records cannot have.
type Problem struct {
	Member string // its name in the config; empty for all members
	Key    string // of a feature without a member of its own; may be empty
	Text   string
	Hint   string
}

// A planner makes a Sample from the features of a record. Types that are not known yet have no problems.
type planner struct {
	features map[string]*schema.Stored
	entries  map[string][]Feature // of each feature
	keys     []string             // of the features, in their order, without KeyFeature
	member   string               // whose features are planned
	sample   Sample
	problems []Problem
}

// New returns how the records of a schema are stored. Without members, each feature of bytes is a member, and all
// others together are a member of JSON. The Sample is valid if there is not a problem.
func New(record *schema.Record, members []Named) (Sample, []Problem) {
	p := &planner{features: map[string]*schema.Stored{}, entries: map[string][]Feature{}}
	for _, f := range record.Stored() {
		if p.features[f.Key] = f; f.Key != KeyFeature {
			p.keys = append(p.keys, f.Key)
		}
	}
	for _, e := range record.Entries() {
		p.entries[e.Stored.Key] = append(p.entries[e.Stored.Key], newFeature(e))
	}
	if of := p.entries[KeyFeature]; of != nil {
		p.sample = append(p.sample, Member{As: Key, Features: of})
	}
	if len(members) == 0 {
		p.addDefaults()
	} else {
		p.addNamed(members)
	}
	p.checkNotEmpty()
	return p.sample, p.problems
}

func (p *planner) report(key, hint, format string, args ...any) {
	p.problems = append(p.problems, Problem{p.member, key, fmt.Sprintf(format, args...), hint})
}

// isBytes reports whether the values of a feature are contents of files.
func isBytes(f *schema.Stored) bool {
	return f.Type == schema.BytesType && !f.IsPacked() && len(f.Shape) <= 1
}

// addDefaults adds the members of a config that names none.
func (p *planner) addDefaults() {
	first := map[string]string{} // the feature with each name
	var rest []Feature
	for _, key := range p.keys {
		f := p.features[key]
		if !isBytes(f) {
			rest = append(rest, p.object(f)...)
			continue
		}
		name, folded := "", "an image" // two images may have one format
		if !f.Image {
			name = strings.ToLower(strings.ReplaceAll(key, "/", "."))
			folded = name
		}
		other, taken := first[folded]
		switch {
		case taken:
			p.report(key, "webdataset: {members: {…}}",
				"the features %s and %s would be members of one name; expected a name for each",
				schema.Quote([]byte(other)), schema.Quote([]byte(key)))
			continue
		case !f.Image && (nameProblem(name) != "" || name == string(Object) ||
			slices.Contains(imageNames(), lastPart(name))):
			p.report(key, "webdataset: {members: {…}}", "the feature %s would be the member %s, which %s; expected "+
				"another name", schema.Quote([]byte(key)), schema.Quote([]byte(name)), orTaken(nameProblem(name)))
			continue
		}
		first[folded] = key
		p.addBytes(name, f)
	}
	if len(rest) > 0 {
		p.sample = append(p.sample, Member{Name: string(Object), As: Object, Features: rest})
	}
}

func orTaken(problem string) string {
	if problem == "" {
		return "another feature may have"
	}
	return problem
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

var memberName = regexp.MustCompile(`^[a-z0-9_-]+(\.[a-z0-9_-]+)*$`)

// nameProblem says why a string cannot be the name of a member; it is empty if it can.
func nameProblem(name string) string {
	switch first, _, _ := strings.Cut(name, "."); {
	case !memberName.MatchString(name):
		return "has other characters than a-z, 0-9, _, -, and dots between them"
	case strings.HasSuffix(name, "__"):
		return "ends with __, as names do that readers skip"
	case isDigits(first):
		return "begins with a number, as one of several values does"
	}
	return ""
}

// addNamed adds the members of a config, and reports features without a member.
func (p *planner) addNamed(members []Named) {
	used := map[string]string{} // the member with each feature
	for _, m := range members {
		p.member = m.Name
		if problem := nameProblem(m.Name); problem != "" {
			p.report("", "", "the name %s", problem)
			for _, key := range m.Features { // no second problem of them
				used[key] = m.Name
			}
			continue
		}
		var features []*schema.Stored
		for _, key := range m.Features {
			f, other := p.features[key], used[key]
			switch {
			case key == KeyFeature && f != nil:
				p.report("", "", "found %s, which is the key of each member", KeyFeature)
			case f == nil:
				p.report("", nearest.Hint(key, p.keys), "no feature %s", schema.Quote([]byte(key)))
				used[nearest.Of(key, p.keys)] = m.Name // it is what the config means
			case other != "":
				p.report("", "", "the feature %s is in the member %s, too", schema.Quote([]byte(key)),
					schema.Quote([]byte(other)))
			default:
				features, used[key] = append(features, f), m.Name
			}
		}
		if len(features) == len(m.Features) {
			p.addMember(&m, features)
		}
	}
	p.member = ""
	for _, key := range p.keys {
		if used[key] == "" {
			p.report("", "json: ["+key+"]", "the feature %s is in no member", schema.Quote([]byte(key)))
		}
	}
}

// addMember adds a member with its features.
func (p *planner) addMember(m *Named, features []*schema.Stored) {
	f, form := features[0], Form(lastPart(m.Name))
	isObject := form == Object && (m.IsList || !isBytes(f) || f.Type == 0)
	switch {
	case !isObject && len(features) > 1:
		p.report("", "", "found %d features; expected one, or a member json", len(features))
	case isObject && !m.IsList && f.Type != 0:
		p.report("", "json: ["+f.Key+"]",
			"found one feature of %s; expected a list of features, or a feature of bytes that has JSON", f.Type)
	case isObject:
		var all []Feature
		for _, f := range features {
			all = append(all, p.object(f)...)
		}
		p.sample = append(p.sample, Member{Name: m.Name, As: Object, Features: all})
	case f.Type == 0:
	case isBytes(f):
		p.addBytes(m.Name, f)
	case form == Number:
		p.addNumber(m, f)
	case form == Array:
		p.addArray(m, f)
	case f.Type == schema.StringType && !f.IsPacked() && len(f.Shape) == 0:
		p.addBytes(m.Name, f)
	case f.Type.IsText():
		p.report("", "json: ["+f.Key+"]", "found lists of %s; expected one value, or a member json", f.Type)
	default:
		p.report("", "json: ["+f.Key+"]", "found a feature of %s; numbers are in members cls, npy, and json", f.Type)
	}
}

// addBytes adds a member with the bytes of a feature, or one for each of its values.
func (p *planner) addBytes(name string, f *schema.Stored) {
	if len(f.Shape) > 0 && f.IsOptional() {
		p.report(f.Key, "missing: empty_list",
			"a list without values and a missing list have no members, and missing: omit distinguishes them")
		return
	}
	p.sample = append(p.sample, Member{Name: name, As: Bytes, Features: p.entries[f.Key]})
}

// addNumber adds a member with an integer in decimal digits.
func (p *planner) addNumber(m *Named, f *schema.Stored) {
	if len(f.Shape) > 0 || f.IsPacked() || !f.Type.IsInteger() && f.Type != schema.BoolType {
		p.report("", "", "found a feature of %s%s; expected one integer", f.Type, shapeText(f))
		return
	}
	p.sample = append(p.sample, Member{Name: m.Name, As: Number, Features: p.entries[f.Key]})
}

func shapeText(f *schema.Stored) string {
	if len(f.Shape) == 0 {
		return ""
	}
	return " with the shape " + schema.ShapeText(f.Shape)
}

// addArray adds a member with an array of NumPy.
func (p *planner) addArray(m *Named, f *schema.Stored) {
	of := p.entries[f.Key]
	if len(of) != 1 || of[0].descr() == "" {
		p.report("", "", "found a feature of %s%s; expected numbers that NumPy has, of one length in each dimension",
			f.Type, shapeText(f))
		return
	}
	p.sample = append(p.sample, Member{Name: m.Name, As: Array, Features: of})
}

// object returns the entries of a feature in JSON.
func (p *planner) object(f *schema.Stored) []Feature {
	if !f.Finite && f.Type.IsFloat() && !f.IsPacked() {
		p.report(f.Key, "webdataset: {members: {npy: "+f.Key+"}}",
			"JSON has no number for nan and inf, which nonfinite: allow accepts")
	}
	return p.entries[f.Key]
}

// checkNotEmpty reports records that may have no member, as their key would be lost.
func (p *planner) checkNotEmpty() {
	hint := ""
	always := slices.ContainsFunc(p.sample, func(m Member) bool {
		if m.As == Object {
			return true
		}
		f := &m.Features[0]
		if f.Omitted {
			hint = "missing: error"
		}
		return m.As != Key && !f.Omitted && (m.As != Bytes || !f.isList() || f.Shape[0] > 0)
	})
	if !always && len(p.problems) == 0 && len(p.keys) > 0 {
		p.report("", hint, "a record may have no member: each of its features may be missing or an empty list; "+
			"expected one that each record has")
	}
}
