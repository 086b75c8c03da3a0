package infer

import (
	"regexp"
	"strings"
	"unicode"
)

// findNullWords finds the words that mean missing, and returns those that do so in all columns. A word that may be a
// value is one: a value is not lost by a guess.
func (s *summary) findNullWords() []string {
	besideNumbers, isNull, areReadable := map[string]bool{}, map[string]bool{}, map[*texts]bool{}
	for _, col := range s.columns {
		if col.profile == nil {
			continue
		}
		x := &col.profile.texts
		if areReadable[x] = x.areReadable(); areReadable[x] {
			for text := range x.missed {
				besideNumbers[text] = true
			}
		}
	}
	for x := range areReadable {
		x.restore(func(text string, w *word) bool {
			means := s.typ.NullWords && (text == "" || areReadable[x] || x.meansMissing(text, w, besideNumbers[text]))
			inOthers, isKnown := isNull[text]
			isNull[text] = means && (inOthers || !isKnown)
			return means
		})
	}
	return filter(sortedKeys(isNull), func(text string) bool { return isNull[text] })
}

// meansMissing reports whether a word among strings means that a row has no value. It is a value if it is in quotes, if
// the other strings are written like it, as NA among the codes of countries, or if many rows have it and no column of
// numbers does.
func (x *texts) meansMissing(text string, w *word, isBesideNumbers bool) bool {
	const rare = 20
	if text == `\N` { // no other word is written so
		return w.quoted == 0
	}
	if w.quoted > 0 || !isBesideNumbers && w.count*rare > x.count+w.count {
		return false
	}
	alike, others := 0, 0
	for _, other := range x.order {
		if others++; isLike(text, other) {
			alike++
		}
	}
	return 2*alike < others
}

// isLike reports whether a string is written as a word that may mean missing: a code of as many capitals, one word, or
// one sign.
func isLike(word, text string) bool {
	switch word {
	case "NA":
		return len(text) == len(word) && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
	case "None", "none":
		return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) &&
			unicode.IsUpper(rune(text[0])) == (word == "None")
	case "-", "?":
		return len(text) == 1 && strings.Trim(text, "+-*/=?.!~") == ""
	}
	return false
}

// splitNames returns the strings of a column with a property, in order, if it has one of a few strings in each row. The
// result others reports whether it has others.
func (s *summary) splitNames(col *columnSummary, is func(name string) bool) (names []string, others bool) {
	if col.profile == nil || col.skipReason != "" || col.profile.texts.count != s.valid() {
		return nil, false
	}
	n := len(col.profile.texts.order)
	if n > len(splitWords) {
		return nil, false
	}
	names = filter(col.profile.texts.sorted(), is)
	return names, len(names) < n
}

// owners are words for who or what a row belongs to.
const owners = `(user|patient|subject|speaker|author|customer|client|session|individual|group|household|person|` +
	`participant|family|device|video|document|article|visitor|player)`

// groupWords matches column names that say who or what a row belongs to.
var groupWords = regexp.MustCompile(`(?i:(^|[^a-z])(` + owners + `|` + owners + `?ids?)$)|[a-z]I[dD]$`)

// ownerEnd matches names of an owner, besides groupWords: of its number, or of its ID.
var ownerEnd = regexp.MustCompile(
	`\b(sensor|station|machine|vehicle|trip|episode|clip|track|ticker|symbol|engine|meter|trial|account|unit|store|item)` +
		`( ?(id|name|no|nr|number|code|key))?$`)

// nameWords matches the words of a name, such as sensorId.
var nameWords = regexp.MustCompile(`t10k|\p{Lu}?\p{Ll}+|\p{Lu}+`)

// wordsOf returns the words of a column's name in lower case, with spaces between them.
func wordsOf(name string) string {
	return strings.ToLower(strings.Join(nameWords.FindAllString(name, -1), " "))
}

// rowWords matches names of columns that name rows, besides owners.
var rowWords = regexp.MustCompile(
	`\b(name|names|file|files|filename|path|key|code|uuid|guid|hash|url|uri|link|index|idx|number|no|nr|` +
		`ref|image|images|img|photo|accession|title|slug|email|isbn|doi)\b`)

// fileWords matches names of columns that name files.
var fileWords = regexp.MustCompile(`\b(image|img|photo|picture|pic|file|filename|path|frame|audio|clip)s?\b`)

// namesRow reports whether the name of a column says that its strings name rows.
func namesRow(name string) bool { return namesOwner(name) || rowWords.MatchString(wordsOf(name)) }

// namesGroup reports whether a column's name says who or what a row belongs to.
func namesGroup(name string) bool {
	return groupWords.MatchString(strings.TrimSpace(name)) && !classID.MatchString(wordsOf(name))
}

// classID matches names of the numbers of classes.
var classID = regexp.MustCompile(`\b(class|label|target|category|species|genre|topic|intent|type) ?ids?$`)

// namesOwner reports whether the name of a column is the name, the number, or the ID of an owner.
func namesOwner(name string) bool { return namesGroup(name) || ownerEnd.MatchString(wordsOf(name)) }

// groupColumn returns the column whose equal values should stay in one split: it names a person or thing with several
// rows. It is the column with most values, at least a few, whose name isOwner knows; nil without one.
func (s *summary) groupColumn(few int, isOwner func(name string) bool) (best *columnSummary) {
	most := 0
	for _, col := range s.columns {
		p := col.profile
		if p == nil || col.skipReason != "" || !isOwner(col.name) || p.present() < s.valid() || p.lists+p.objects > 0 {
			continue
		}
		x := &p.texts
		n := len(x.order)
		if n >= few && n > most && leastRepeats*x.repeatsOfOthers() >= p.count && x.spaced*2 < p.count &&
			x.longest <= longestName {
			best, most = col, n
		}
	}
	return best
}

// isCounted reports whether the name of a column says that its numbers may be owners, or order the rows of one.
func isCounted(name string) bool {
	return namesOwner(name) || orderWords.MatchString(wordsOf(name))
}
