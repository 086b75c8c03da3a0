package expr

import (
	"bytes"
	"slices"

	"tfr-build/schema"
)

// setLiterals prepares the comparison of n's first argument with literals: strings, or numbers.
func (n *node) setLiterals(list []*node) {
	var texts [][]byte
	var nums []Number
	for _, a := range list {
		switch a.op {
		case opText:
			texts = append(texts, a.bytes)
		case opInt, opFloat:
			nums = append(nums, a.literalNum())
		}
	}
	switch len(list) {
	case len(texts):
		slices.SortFunc(texts, bytes.Compare)
		n.texts = texts
	case len(nums):
		slices.SortFunc(nums, Number.Compare)
		n.nums = nums
	}
}

func (n *node) hasText(x []byte) bool {
	_, is := slices.BinarySearchFunc(n.texts, x, bytes.Compare)
	return is
}

func (n *node) hasNumber(x Number) bool {
	_, is := slices.BinarySearchFunc(n.nums, x, Number.Compare)
	return is
}

// in computes x in list.
func (e *eval) in(n *node) bool {
	x, list := n.args[0], n.args[1]
	switch {
	case n.texts != nil:
		return n.hasText(e.text(x))
	case n.nums != nil:
		return n.hasNumber(e.num(x))
	}
	v := e.compute(x)
	if v.is&(isMissing|isList) != 0 {
		e.failKind(x, v, "a number, a string, or a bool")
		return false
	}
	if list.op != opList {
		return e.inList(n, v, e.list(list))
	}
	for _, a := range list.args {
		w := e.compute(a)
		if e.equals(n, x, a, v, w) || e.err != nil {
			return true
		}
	}
	return false
}

// inList searches a list that is not in brackets. Values of different kinds are not equal.
func (e *eval) inList(n *node, x datum, of *schema.Value) bool {
	if n.inLoop && !e.step(n, of.Len()) {
		return false
	}
	if of.Kind == schema.List {
		return slices.ContainsFunc(of.List, func(elem schema.Value) bool {
			y := datumOf(&elem)
			is, _ := areEqual(x, y)
			return is && elem.Kind != schema.Array
		})
	}
	v := e.toNum(n.args[0], x)
	for i := range of.Len() {
		if w, ok := numberAt(of, i); ok && v.Compare(w) == 0 {
			return true
		}
	}
	return false
}
