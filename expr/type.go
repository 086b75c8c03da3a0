package expr

// A Type is what an expression gives.
type Type uint8

// The types; Dynamic is known row by row.
const (
	Dynamic Type = iota
	Int          // an int64
	Float        // a float64, always finite
	Text
	Bool
)

// String names the type as messages do.
func (t Type) String() string {
	return [...]string{"a value", "an int", "a float", "a text", "a bool"}[t]
}

// kinds are what a value may be in some row, as a set.
type kinds uint8

const (
	isInt     kinds = 1 << iota
	isFloat         // a float64
	isText          // a text that is one: a literal, a JSON string, what a function makes
	isBool          // true or false
	isCell          // a text without a type, which becomes what is wanted
	isMissing       // nothing
	isList          // a list, of a row or in brackets

	numeric    = isInt | isFloat
	likeNumber = numeric | isCell
	likeText   = isText | isCell
	likeBool   = isBool | isCell
	anything   = numeric | isText | isBool | isCell | isMissing | isList
)

// column is what a column of a type may hold.
func (t Type) column() kinds {
	switch t {
	case Int:
		return isInt | isMissing
	case Float:
		return isFloat | isMissing
	case Text:
		return isText | isMissing
	case Bool:
		return isBool | isMissing
	}
	return anything
}

// known is the type of values that are k, missing ones apart.
func (k kinds) known() Type {
	switch k &^ isMissing {
	case isInt:
		return Int
	case isFloat:
		return Float
	case isText:
		return Text
	case isBool:
		return Bool
	}
	return Dynamic
}

// String names k as messages do.
func (k kinds) String() string {
	switch k &^ isMissing {
	case 0:
		return "null"
	case numeric:
		return "a number"
	case isList:
		return "a list"
	}
	return k.known().String()
}
