package vfstest

import (
	"errors"
	"reflect"
	"syscall"
	"testing"
)

func TestLogRecordsFailures(t *testing.T) {
	l := NewLog(NewMem())
	missing := l.Remove("/none")
	f, err := l.Create("/f")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("text")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Sync(), f.Close(), l.SyncDir("/")); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(missing, syscall.ENOENT) {
		t.Error(missing)
	}
	want := []Op{
		{Kind: "remove", Name: "/none"}, {Kind: "create", Name: "/f"}, {Kind: "write", Name: "/f", Size: 4},
		{Kind: "sync", Name: "/f"}, {Kind: "close", Name: "/f"}, {Kind: "syncdir", Name: "/"},
	}
	ops := l.Ops()
	if !reflect.DeepEqual(ops, want) {
		t.Errorf("%v", ops)
	}
	ops[0].Kind = "changed"
	if l.Ops()[0].Kind != "remove" {
		t.Error("the log was changed from outside")
	}
}
