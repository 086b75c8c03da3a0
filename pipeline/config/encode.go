package config

import (
	"reflect"
	"strconv"
)

func (c Config) encode(k canonical) *node {
	if c.OnError == "fail" {
		c.MaxErrors = MaxErrors{} // it has no effect
	}
	return k.fields(reflect.ValueOf(c))
}

func (t CSV) encode(k canonical) *node {
	t.Files, t.Root = t.Files.relative(t.Root), relative(t.Root)
	return k.fields(reflect.ValueOf(t))
}

func (t JSONL) encode(k canonical) *node {
	t.Files, t.Root = t.Files.relative(t.Root), relative(t.Root)
	return k.fields(reflect.ValueOf(t))
}

// relative are the files by their relative names.
func (f Files) relative(root string) Files {
	names := make([]string, len(f.Patterns))
	for i, p := range f.Patterns {
		names[i] = relativeFile(p, root)
	}
	return Files{names, f.IsList}
}

func (f Files) encode(canonical) *node {
	if f.IsList {
		return listOf(f.Patterns)
	}
	return textNode(f.Patterns[0])
}

func (l Patterns) encode(canonical) *node {
	if l == nil {
		return nil
	}
	return listOf(l)
}

func (x Extensions) encode(canonical) *node {
	if x.Any {
		return textNode("any")
	}
	return listOf(x.List)
}

func (l Pairs) encode(canonical) *node {
	if len(l) == 0 {
		return nil
	}
	n := &node{kind: mappingNode}
	for _, q := range l {
		n.add(q.Key, textNode(q.Value))
	}
	return n
}

func (l Loads) encode(k canonical) *node {
	if len(l) == 0 {
		return nil
	}
	n := &node{kind: mappingNode}
	for _, q := range l {
		n.add(q.Name, k.fields(reflect.ValueOf(q)))
	}
	return n
}

func (o On) encode(canonical) *node {
	if o.Ours == o.Theirs {
		return textNode(o.Ours)
	}
	n := &node{kind: mappingNode}
	n.add(o.Ours, textNode(o.Theirs))
	return n
}

func (s Split) encode(k canonical) *node {
	if s.Name != "" {
		return textNode(s.Name)
	}
	return k.fields(reflect.ValueOf(s))
}

func (f Fractions) encode(canonical) *node {
	if f == nil {
		return nil
	}
	n := &node{kind: mappingNode}
	for _, q := range f {
		n.add(q.Split, plainNode(formatShare(q.Share)))
	}
	return n
}

func (s Shards) encode(k canonical) *node {
	n := &node{kind: mappingNode}
	switch {
	case s.Hosts > 0:
		n.add("hosts", plainNode(strconv.Itoa(s.Hosts)))
	case s.Size > 0:
		n.add("size", plainNode(strconv.FormatInt(s.Size, 10)+"B"))
	default:
		n.add("count", s.Count.encode(k))
	}
	n.add("filename", textNode(s.Filename))
	return n
}

func (c Count) encode(canonical) *node {
	if c.Splits == nil {
		return plainNode(strconv.Itoa(c.Every))
	}
	n := &node{kind: mappingNode}
	for _, q := range c.Splits {
		n.add(q.Split, plainNode(strconv.Itoa(q.Count)))
	}
	return n
}

func (m MaxErrors) encode(canonical) *node {
	switch {
	case m == MaxErrors{}:
		return nil
	case m.IsShare:
		return plainNode(formatShare(m.Share))
	}
	return plainNode(strconv.FormatUint(m.Count, 10))
}

func (l Features) encode(k canonical) *node {
	n := &node{kind: mappingNode}
	for i := range l {
		n.add(l[i].Key, k.fields(reflect.ValueOf(l[i])))
	}
	return n
}

func (f From) encode(canonical) *node {
	switch {
	case f.Columns == nil:
		return nil
	case f.IsList:
		return listOf(f.Columns)
	}
	return textNode(f.Columns[0])
}

func (s Shape) encode(canonical) *node {
	if !s.Known {
		return nil
	}
	n := &node{kind: listNode}
	for _, d := range s.Dims {
		n.list = append(n.list, plainNode(strconv.Itoa(d)))
	}
	return n
}

func (c Constant) encode(canonical) *node {
	if c.quoted {
		return textNode(c.Text)
	}
	return plainNode(c.Text)
}

func (c Classes) encode(k canonical) *node {
	if c.Auto {
		return textNode("auto")
	}
	if c.File != "" {
		if names := k.classes(c.File); len(names) > 0 {
			c.Names, c.File = names, ""
		}
	}
	return k.fields(reflect.ValueOf(c))
}

func (u Unknown) encode(canonical) *node {
	if u.Number == nil {
		return textNode("error")
	}
	return plainNode(strconv.FormatInt(*u.Number, 10))
}

func (m Missing) encode(k canonical) *node {
	if m.Default == nil {
		return textNode(m.Form)
	}
	return k.fields(reflect.ValueOf(m))
}
