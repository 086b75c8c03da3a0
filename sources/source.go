package sources

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"tfr-build/internal/nearest"
	"tfr-build/internal/store"
	"tfr-build/pixels/convert"
	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/images"
	"tfr-build/sources/input"
)

// A Spec describes a source.
type Spec struct {
	Name     string // part of the IDs of its rows; may be empty
	Kind     Chosen
	FromPath string // pattern; may be empty
	Rename   Pairs
	Set      Pairs
	Join     []Join
	Load     Loads
	Derive   Derives

	table bool // it is a lookup table
}

// addsNone reports whether no step adds a column.
func (s *Spec) addsNone() bool {
	return s.FromPath == "" && len(s.Rename)+len(s.Set)+len(s.Join)+len(s.Load)+len(s.Derive) == 0
}

// KeyOf returns the path in the config of the key with a problem; empty for steps that the spec has no path of.
func (s *Spec) KeyOf(f *column.Problem) string {
	absent := f.Kind == column.NotFound || f.Kind == column.Unusable
	switch {
	case f.Rename:
		return s.Rename[f.Index].At
	case f.Step == column.Constant:
		return s.Set[f.Index].At
	case f.Step == column.Join && absent:
		return s.Join[f.Index].At + ".on"
	case f.Step == column.Join:
		return s.Join[f.Index].At
	case f.Step == column.Load && absent:
		return s.Load[f.Index].At + ".path"
	case f.Step == column.Load:
		return s.Load[f.Index].At
	case f.Step == column.Computed:
		return s.Derive[f.Index].At
	}
	return ""
}

// Pairs are a mapping of strings, in the order of the config.
type Pairs []column.Pair

// A Join adds columns of a lookup table, by the values of columns.
type Join struct {
	At string // its path in the config: `join[0]`, `sources[1].join[0]`

	Kind     Chosen     `kinds:"side"`
	FromPath string     `yaml:"from_path" is:"pathpattern" doc:"Pattern of the relative path of each file of the table; the names in braces become columns." example:"'{stem}.txt'"`
	Derive   Derives    `yaml:"derive" doc:"New columns of the table and the expressions that compute them." example:"{area: width * height}"`
	Where    Expression `yaml:"where" doc:"Condition for the rows of the table; the other rows match nothing." example:"score > 0.5"`
	On       On         `yaml:"on" required:"yes" doc:"Column that both tables have, or a mapping of one or more columns: {ours: theirs}." example:"{user: id}"`
	Many     Many       `yaml:"many" default:"false" doc:"Allows several matches per row; the columns are lists, in the order of the table or of a column. Default: false." example:"{sort: time, type: int64}"`
	Prefix   string     `yaml:"prefix" is:"line" doc:"String before the names of the table's columns." example:"user_"`

	AllowEmpty bool `yaml:"allow_empty" default:"false" canonical:"set" doc:"Accepts a join in which no row has a match, and a table without rows. Default: false."`
}

// Table returns the lookup table as a source.
func (j *Join) Table() *Spec {
	return &Spec{Kind: j.Kind, FromPath: j.FromPath, Derive: j.Derive, table: true}
}

// On are the join columns of the source and of the lookup table. Rows match if all are equal.
type On []JoinColumn

// A JoinColumn is a join column of the source and one of the lookup table.
type JoinColumn struct{ Ours, Theirs string }

// Names returns the join columns of the source, and the join columns of the lookup table.
func (on On) Names() (ours, theirs []string) {
	for _, c := range on {
		ours, theirs = append(ours, c.Ours), append(theirs, c.Theirs)
	}
	return ours, theirs
}

// Many tells whether a row may match several rows of a lookup table, and their order.
type Many struct {
	Allowed bool

	Sort string `yaml:"sort" required:"yes" is:"column" doc:"Column of the table that decides the order of the matches." example:"time"`
	Type string `yaml:"type" enum:"int64 float string" doc:"Type by which strings are sorted: int64, float, or string. Default: numbers by their value, strings by their bytes."`
}

// A Load adds columns of a file that the row names.
type Load struct {
	Name string // the column; for an image also the prefix of its metadata columns
	At   string // its path in the config: `load.image`

	Path string `yaml:"path" is:"template" required:"yes" doc:"Path of the file below dir, with columns in braces." example:"'{id}.jpg'"`
	Dir  string `yaml:"dir" is:"path" required:"yes" doc:"Directory of the files. Paths cannot leave it." example:"photos"`
	As   string `yaml:"as" default:"image" enum:"image bytes" doc:"Column type: image with its metadata, or bytes. Default: image."`

	Separator string `yaml:"separator" is:"text" doc:"String between paths in the last column of path; the column is then a list of files. Default: one path." example:"';'"`

	Convert *convert.Spec `yaml:"convert" doc:"Conversion of the image. Default: bytes are kept." example:"{resize: {short: 256}, format: jpeg}"`
}

// Check reports keys that contradict each other.
func (l *Load) Check(fine func(keys ...string) bool, fault func(key, hint, text string)) {
	if l.As == "bytes" && l.Convert != nil && fine("as") {
		fault("convert", "as: image", "convert is for images; as: bytes takes the content as it is")
		return
	}
	images.CheckConvert("convert", l.Convert, fine, fault)
}

// columns returns the columns of the file, by their names without the name of the load.
func (l *Load) columns() []column.Column {
	if l.As == "image" {
		return images.Columns(l.Convert)
	}
	return []column.Column{column.Content()}
}

// Loads are the files that a row names, in the order of the config.
type Loads []Load

// Steps returns the steps after the columns of the source type. joined returns the columns of a
// lookup table, if they are known.
func (s *Spec) Steps(joined func(i int) column.Joined) (*column.Steps, error) {
	steps := &column.Steps{Rename: s.Rename, Set: s.Set, Table: s.table}
	if s.FromPath != "" {
		p, err := ParsePathPattern(s.FromPath)
		if err != nil {
			return nil, err
		}
		steps.FromPath = p.Columns()
	}
	for i := range s.Join {
		j := joined(i)
		j.Ours, j.Theirs = s.Join[i].On.Names()
		j.Prefix, j.Many = s.Join[i].Prefix, s.Join[i].Many.Allowed
		steps.Join = append(steps.Join, j)
	}
	for i := range s.Load {
		t, err := ParseTemplate(s.Load[i].Path)
		if err != nil {
			return nil, err
		}
		steps.Load = append(steps.Load, column.LoadedFile{Name: s.Load[i].Name, Needs: t.Columns(),
			Splits: s.Load[i].Separator != "", Columns: s.Load[i].columns()})
	}
	for _, c := range s.Conversions() {
		if s.table {
			break // no column follows its images
		}
		masks, runs := c.Spec.MaskColumns()
		steps.Follow = append(steps.Follow, column.Following{Image: c.Column, Columns: c.Spec.FollowingColumns(),
			Masks: masks, Runs: runs})
	}
	for _, d := range s.Derive {
		steps.Derive = append(steps.Derive, column.Derived{Name: d.Name, Expr: string(d.Expr), Type: d.Type})
	}
	return steps, nil
}

// A Source is an opened source. Its files are listed, in byte order of their names, and not read
// yet.
type Source struct {
	input.Input
	spec     *Spec
	env      *input.Env
	fromPath *PathPattern // nil without from_path
	joins    []*lookupTable
	loads    []load
	columns  *column.Set // after all steps; nil before ReadHeads
	real     []string    // names such as @id that are real columns of rows, if only rows have the columns
	rowID    func(file int, offset int64) uint64
	excludes func() string // excludeHint, computed once
}

// Open lists the files of spec.
func Open(ctx context.Context, spec *Spec, env *input.Env) (*Source, error) {
	s := &Source{spec: spec, env: env}
	s.excludes = sync.OnceValue(s.excludeHint)
	var err error
	if spec.FromPath != "" {
		if s.fromPath, err = ParsePathPattern(spec.FromPath); err != nil {
			return nil, err
		}
	}
	for i := range spec.Load {
		l := &spec.Load[i]
		path, err := ParseTemplate(l.Path)
		if err != nil {
			return nil, err
		}
		s.loads = append(s.loads, load{Load: l, path: path, dir: env.Resolve(l.Dir)})
	}
	s.Input, err = spec.Kind.Options.Open(ctx, env)
	return s, err
}

// SetRowIDs sets the function that returns the ID of a row, for the column @id. Call it before the
// first row is read.
func (s *Source) SetRowIDs(id func(file int, offset int64) uint64) { s.rowID = id }

// ReadAhead returns the read-ahead for files that are rows, or nil if the source has none.
func (s *Source) ReadAhead() input.ReadAhead {
	if in, ok := s.Input.(interface{ ReadAhead() input.ReadAhead }); ok {
		return in.ReadAhead()
	}
	return nil
}

// FirstReader returns a reader of the first bytes of files that are rows, or nil if that takes as long
// as to read the rows.
func (s *Source) FirstReader() input.FirstReader {
	if in, ok := s.Input.(interface{ FirstReader() input.FirstReader }); ok {
		return in.FirstReader()
	}
	return nil
}

// PathOf returns the path of the file with a column of a row.
func (s *Source) PathOf(file int, name string) string {
	found, _ := s.columns.Find(name)
	return cmp.Or(found.Path, s.Path(file))
}

// afterRename returns an error of the type's own row with the new name of its column.
func (s *Source) afterRename(err error) error {
	for _, p := range s.spec.Rename {
		if bad, ok := errors.AsType[*schema.RowError](err); ok && bad.Column == p.Key {
			bad.Column = p.Value
			break
		}
	}
	return err
}

// Spec returns the Spec that the source was opened with.
func (s *Source) Spec() *Spec { return s.spec }

// Columns returns the columns that a row can have, as far as they are known before rows are read.
func (s *Source) Columns() *column.Set { return s.columns }

// ReadHeads reads the headers of the source and of its lookup tables, and finds columns with two
// origins. If only rows have the columns of a lookup table, it reads the first rows. It reads all
// rows only if a requested column is not in those.
func (s *Source) ReadHeads(ctx context.Context, required []string) error {
	if err := s.Input.ReadHeads(ctx); err != nil {
		return err
	}
	for i := range s.spec.Join {
		t, err := openJoin(ctx, &s.spec.Join[i], s.env)
		if err != nil {
			return err
		}
		s.joins = append(s.joins, t)
	}
	required = s.addStepColumns(required) // after the joins are open, whose columns it adds
	if err := s.findRealColumns(ctx, required); err != nil {
		return err
	}
	if err := s.deriveColumns(); err != nil {
		return err
	}
	found, err := s.searchColumns(ctx, required)
	if err != nil || !found {
		return err
	}
	return s.deriveColumns() // again, with the columns that were found
}

// deriveColumns sets s.columns.
func (s *Source) deriveColumns() (err error) {
	s.columns, err = s.derive(s.real)
	return err
}

// derive returns the known columns of the source type, and those that its first rows have, after all steps.
func (s *Source) derive(real []string) (columns *column.Set, err error) {
	steps, err := s.spec.Steps(func(i int) column.Joined {
		table := s.joins[i].source
		return column.Joined{Names: s.joins[i].names, Table: table.columns, Nested: table.Input.Columns().Nested}
	})
	if err != nil {
		return nil, err
	}
	var fits input.Mismatches
	own := s.Input.Columns()
	if len(real) > 0 {
		own = own.With(real)
	}
	columns = column.Derive(own, steps, func(f column.Problem) {
		fit := &input.MismatchError{Path: s.Listing().Label, Text: f.Text, Hint: f.Hint, Key: s.spec.KeyOf(&f)}
		if f.Step == column.Computed && !f.Rename && f.Kind == column.Unusable {
			fit.Text = "derive." + s.spec.Derive[f.Index].Name + ": " + f.Text
		}
		switch {
		case f.Kind == column.NotFound && !f.Rename: // reported only if a column of the step is requested
			return
		case f.Kind == column.NotFound:
			fit.Text, fit.Code = f.Text+"; found: "+input.NameList(f.Names), input.MissingColumn
		}
		_ = fits.Add(fit) // only an error of another type is returned
	})
	return columns, fits.Err()
}

// SampleNames returns the columns of the source's rows. If only rows have them, it reads the
// first rows, as many as rows says.
func (s *Source) SampleNames(ctx context.Context, rows int) ([]string, error) {
	if !s.Input.Columns().Open {
		return s.columns.Names(), nil
	}
	names, _, err := columnNames(ctx, s.Input, rows)
	return names, err
}

// columnNames returns the columns of the source type. If only rows have them, it reads the first
// limit rows, or all rows if limit is negative. The result all reports whether it has the names
// of all rows.
func columnNames(ctx context.Context, in input.Input, limit int) (names []string, all bool, err error) {
	rows, ok := in.(interface {
		Names(context.Context, int) ([]string, bool, error)
	})
	if ok {
		return rows.Names(ctx, limit)
	}
	return in.Columns().Names(), true, nil
}

// unknownError returns the error of a column that is not among those found, as no row has it. With listed, it lists
// these. The error is about the complete input if the source type knows why the columns differ.
func (s *Source) unknownError(name string, found []string, listed bool) *input.MismatchError {
	var advice, hint string
	if s.columns.Advise != nil {
		advice, hint = s.columns.Advise(name)
	}
	e := s.noColumn(name, "", found, listed)
	if e.Column, e.Hint = name, hint; advice != "" {
		e.Text, e.All = "no column "+schema.Quote(name)+"; "+advice, true
	}
	return e
}

// noColumn returns the error of a column that is not among those found. purpose follows its name. With listed, it lists
// those found.
func (s *Source) noColumn(name, purpose string, found []string, listed bool) *input.MismatchError {
	text := "no column " + schema.Quote(name) + purpose
	if n := nearest.Of(name, found); n != "" {
		text += "; did you mean " + schema.Quote(n) + "?"
	}
	if listed {
		text += "; found: " + input.NameList(found)
	}
	return &input.MismatchError{Path: s.Listing().Label, Text: text, Code: input.MissingColumn}
}

// MissingColumnError returns the error of a column that a feature uses and no row has.
func (s *Source) MissingColumnError(name, feature string) *input.MismatchError {
	fit := s.unknownError(name, s.columns.Names(), true)
	fit.Feature = feature
	return fit
}

// LoadJoins reads the lookup tables into memory. Call it after the last Bind.
func (s *Source) LoadJoins(ctx context.Context) error {
	for _, t := range s.joins {
		if err := t.load(ctx); err != nil {
			return err
		}
	}
	return nil
}

// A SideFile is a file of a lookup table.
type SideFile struct {
	Path string
	Name string // below the directory of its pattern; without a pattern its last name, as in the canonical config
	At   string // key of the table in the config: `source.join[0]`
}

// SideFiles returns the files of the lookup tables, which are inputs too. ReadHeads must have
// been called.
func (s *Source) SideFiles() (list []SideFile) {
	for i, t := range s.joins {
		l := t.source.Listing()
		for k, f := range l.Files {
			path, name := t.source.Path(k), f.Name
			if len(l.Watched) == 0 && l.Paths != nil {
				name = store.Base(path)
			}
			list = append(list, SideFile{path, name, s.spec.Join[i].At})
		}
	}
	return list
}

// A Pattern is a pattern of input files, as an absolute path, and the key in the config that has it.
type Pattern struct{ At, Text string }

// Patterns returns the patterns of the files of the source, whose key is at, and of its lookup tables.
func (s *Source) Patterns(at string) []Pattern {
	list := s.appendPatterns(nil, at, s.spec.Kind)
	for i := range s.spec.Join {
		list = s.appendPatterns(list, s.spec.Join[i].At, s.spec.Join[i].Kind)
	}
	return list
}

func (s *Source) appendPatterns(list []Pattern, at string, kind Chosen) []Pattern {
	if o, ok := kind.Options.(interface{ FilePatterns() []string }); ok {
		for _, p := range o.FilePatterns() {
			list = append(list, Pattern{at + "." + kind.Name, s.env.Resolve(p)})
		}
	}
	return list
}

// SideDirectories returns the directories of lookup tables.
func (s *Source) SideDirectories() []input.Directory {
	var list []input.Directory
	for _, t := range s.joins {
		list = append(list, t.source.Listing().Watched...)
	}
	return list
}

// LoadDirs returns the directories of the files that rows name.
func (s *Source) LoadDirs() []string {
	var dirs []string
	for _, l := range s.loads {
		dirs = append(dirs, l.dir)
	}
	return dirs
}

// Makes reports whether rows with these columns have converted images or pixels. These take time to
// compute, and their sizes do not follow from the sizes of the files.
func (s *Source) Makes(columns []schema.Column) bool {
	if len(s.spec.Conversions()) > 0 {
		return true
	}
	return slices.ContainsFunc(columns, func(c schema.Column) bool {
		known, _ := s.columns.Find(c.Name)
		// pixels, not rows of an array
		return known.Type == "uint8" && known.Array && (s.Listing().Sized || known.Step == column.Load)
	})
}

// IsList reports whether a column is a list: the matches of a join with many: true.
func (s *Source) IsList(name string) bool {
	c, _ := s.columns.Find(name)
	return c.List
}

// Nulls returns the strings of a column that mean missing, unless the feature has others.
func (s *Source) Nulls(name string) []string {
	c, _ := s.columns.Find(name)
	return c.Nulls
}

// IsMissing reports whether a value is missing in a column whose strings nulls mean missing.
func IsMissing(nulls []string, v *schema.Value) bool {
	if v.Kind == schema.Text {
		return schema.HasWord(nulls, v.Text)
	}
	return v.Kind == schema.Missing
}
