package expr

import "slices"

// A Type is the type of an expression's values.
type Type uint8

// The types. A Dynamic expression may have another type in each row.
const (
	Dynamic Type = iota
	Int          // an int64
	Float        // a float64, always finite
	Text
	Bool
	List
)

// String returns the type with its article, for messages.
func (t Type) String() string {
	return [...]string{"a value", "an int", "a float", "a string", "a bool", "a list"}[t]
}

// kinds is the set of kinds that a value may have.
type kinds uint8

const (
	isInt     kinds = 1 << iota
	isFloat         // a float64
	isText          // a string: a literal, a JSON string, the result of a function
	isBool          // true or false
	isCell          // an untyped string, which is converted to the expected kind
	isMissing       // missing
	isList          // a list in a row or in brackets

	numeric    = isInt | isFloat
	likeNumber = numeric | isCell
	likeText   = isText | isCell
	likeBool   = isBool | isCell
	anything   = numeric | isText | isBool | isCell | isMissing | isList
)

// typeKinds are the kinds of the values of each type that are not missing.
var typeKinds = [...]kinds{Dynamic: anything, Int: isInt, Float: isFloat, Text: isText, Bool: isBool, List: isList}

// asType returns the type of values with the kinds k, ignoring missing values.
func (k kinds) asType() Type { return Type(max(0, slices.Index(typeKinds[:], k&^isMissing))) }

// String returns a noun phrase for k, for messages.
func (k kinds) String() string {
	switch k &^ isMissing {
	case 0:
		return "null"
	case numeric:
		return "a number"
	}
	return k.asType().String()
}

// elements is what is known about the elements of a list.
type elements struct {
	kinds kinds
	elems *elements   // about the elements of those that are lists; nil if nothing is known
	pair  []*elements // of a pair that zip made: about each of its elements; else nil
}

// elements returns what is known about the elements of the list that n computes.
func (n *node) elements() *elements {
	if n.elems == nil {
		return &elements{kinds: anything}
	}
	return n.elems
}

// merge returns what is known about the elements of one list or another one.
func (a *elements) merge(b *elements) *elements {
	if a == nil || b == nil {
		return nil
	}
	return &elements{kinds: a.kinds | b.kinds, elems: a.elems.merge(b.elems)}
}
