package version

import (
	"runtime/debug"
	"testing"
)

func TestVersionOf(t *testing.T) {
	revision := []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: "0123456789abcdef0123"}}
	for want, info := range map[string]*debug.BuildInfo{
		"v1.2.3":             {Main: debug.Module{Version: "v1.2.3"}, Settings: revision},
		"devel-0123456789ab": {Main: debug.Module{Version: "(devel)"}, Settings: revision},
		"devel":              {},
	} {
		if got := versionOf(info); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
