//go:build linux

package main

import (
	_ "embed" // the pom
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// The versions, which belong together: the job server knows one minor version of Flink.
const (
	flinkVersion = "1.19.3"
	setuptools   = "setuptools==70.3.0"
	wheel        = "wheel==0.45.1"
)

//go:embed pom.xml
var pom []byte

// An installation is where Flink and the job server are.
type installation struct {
	lib       string // Flink's jars
	utils     string // the jar that tells the memory of its processes
	jobServer string // the job server's jar
}

// install has Flink come from PyPI and the job server from Maven, into the user's cache,
// once.
func install() (*installation, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(cache, "tfr-build", "flink-"+flinkVersion)
	in := &installation{lib: filepath.Join(dir, "deps", "lib"),
		utils:     filepath.Join(dir, "deps", "bin", "bash-java-utils.jar"),
		jobServer: filepath.Join(dir, "job-server-1.jar")}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	if _, err := os.Stat(in.utils); err != nil {
		if err := installFlink(dir); err != nil {
			return nil, err
		}
	}
	if _, err := os.Stat(in.jobServer); err != nil {
		if err := installJobServer(in.jobServer); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// installFlink takes Flink's jars out of the source package of its libraries for Python,
// which has no wheel.
func installFlink(dir string) error {
	scratch, err := os.MkdirTemp("", "flink-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	env := filepath.Join(scratch, "venv")
	for _, args := range [][]string{
		{"python3", "-m", "venv", env},
		{env + "/bin/pip", "install", "-q", setuptools, wheel},
		{env + "/bin/pip", "download", "-q", "--no-deps", "--no-build-isolation", "--no-binary", ":all:", "-d", scratch,
			"apache-flink-libraries==" + flinkVersion},
		{"tar", "-xzf", filepath.Join(scratch, "apache-flink-libraries-"+flinkVersion+".tar.gz"), "-C", dir,
			"--strip-components=1", "--wildcards",
			"*/deps/lib/flink-dist-*", "*/deps/lib/log4j-*", "*/deps/bin/*"},
	} {
		if err := command(scratch, args...); err != nil {
			return err
		}
	}
	return nil
}

// installJobServer makes the job server's jar.
func installJobServer(jar string) error {
	scratch, err := os.MkdirTemp("", "job-server-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	if err := os.WriteFile(filepath.Join(scratch, "pom.xml"), pom, 0o666); err != nil {
		return err
	}
	if err := command(scratch, "mvn", "-q", "-B", "package"); err != nil {
		return err
	}
	return command(scratch, "cp", filepath.Join(scratch, "target", filepath.Base(jar)), jar)
}

// command runs a command in a directory.
func command(dir string, args ...string) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%v: %w", args, err)
	}
	return nil
}
