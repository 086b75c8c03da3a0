//go:build linux

package main

import (
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

//go:embed conf
var conf embed.FS

// opens are the packages of Java that Flink and Beam reach into.
var opens = []string{"java.lang", "java.util", "java.util.concurrent", "java.lang.reflect", "java.net", "java.io",
	"java.nio", "java.text", "java.time", "sun.nio.ch"}

// endpoint is where the job server listens: in the network namespace of this program
// alone.
const endpoint = "localhost:8099"

// patience is how long a process may take to start, on a machine with other work.
const patience = 3 * time.Minute

// A cluster is Flink, on its own: a JobManager, two TaskManagers, and Beam's job server.
type cluster struct {
	*installation
	dir          string // configuration, logs
	memory       *sampler
	jobManager   *process
	taskManagers [2]*process
	started      int // TaskManagers so far
	jobServer    *process
}

func newCluster(in *installation, dir string, memory *sampler) (*cluster, error) {
	c := &cluster{installation: in, dir: dir, memory: memory}
	if err := os.CopyFS(dir, conf); err != nil {
		return nil, err
	}
	var err error
	if c.jobManager, err = c.flink("JobManager", "JobManager", "GET_JM_RESOURCE_PARAMS",
		"org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint"); err != nil {
		return nil, err
	}
	for i := range c.taskManagers {
		if err := c.startTaskManager(i); err != nil {
			return nil, err
		}
	}
	return c, c.startJobServer()
}

// java is the beginning of a command line. Processes that work for minutes, on few
// processors, are done before the better of Java's compilers has paid. What Flink leaves behind goes
// with the directory.
func (c *cluster) java(more ...string) []string {
	args := []string{"java", "-Djava.io.tmpdir=" + c.dir, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"}
	for _, name := range opens {
		args = append(args, "--add-opens=java.base/"+name+"=ALL-UNNAMED")
	}
	return append(args, more...)
}

// flink starts a process of Flink, with the memory that Flink's own scripts would give
// it.
func (c *cluster) flink(name, role, resources, class string, more ...string) (*process, error) {
	conf := filepath.Join(c.dir, "conf")
	path := filepath.Join(c.lib, "*")
	out, err := exec.Command("java", "-cp", c.utils+":"+path, "org.apache.flink.runtime.util.bash.BashJavaUtils",
		resources, "--configDir", conf).Output()
	if err != nil {
		return nil, fmt.Errorf("asking for the memory of a %s: %w", role, err)
	}
	var told [][]string
	for line := range strings.Lines(string(out)) {
		if _, result, ok := strings.Cut(line, "BASH_JAVA_UTILS_EXEC_RESULT:"); ok {
			told = append(told, strings.Fields(result))
		}
	}
	if len(told) < 2 {
		return nil, fmt.Errorf("the memory of a %s is not told: %s", role, out)
	}
	args := append(c.java(), told[0]...)
	args = append(args, "-Dlog4j.configurationFile=file:"+filepath.Join(conf, "log4j.properties"), "-cp", path, class,
		"--configDir", conf)
	args = append(append(args, told[1]...), more...)
	p, err := start(c.dir, name, args...)
	if err == nil {
		c.memory.watch(p, role)
	}
	return p, err
}

// startTaskManager starts one in place i.
func (c *cluster) startTaskManager(i int) (err error) {
	c.started++
	name := fmt.Sprintf("TaskManager-%d", c.started)
	c.taskManagers[i], err = c.flink(name, "TaskManager", "GET_TM_RESOURCE_PARAMS",
		"org.apache.flink.runtime.taskexecutor.TaskManagerRunner", "-D", "taskmanager.resource-id="+name)
	if err == nil {
		err = c.taskManagers[i].said("Successful registration at resource manager", patience)
	}
	return err
}

// startJobServer starts Beam's job server, which listens on all interfaces and ignores the setting.
func (c *cluster) startJobServer() (err error) {
	c.jobServer, err = start(c.dir, "JobServer", c.java("-Xmx512m", "-jar", c.installation.jobServer,
		"--flink-master", "localhost:8081", "--flink-conf-dir", filepath.Join(c.dir, "conf"),
		"--job-host", "localhost", "--job-port", "8099", "--artifact-port", "0", "--expansion-port", "0",
		"--artifacts-dir", filepath.Join(c.dir, "staged"))...)
	if err == nil {
		c.memory.watch(c.jobServer, "job server")
		err = c.jobServer.said("JobService started", patience)
	}
	return err
}

// end ends all that was started. The error says that workers are left.
func (c *cluster) end() error {
	for _, p := range append(c.taskManagers[:], c.jobServer, c.jobManager) {
		if p != nil {
			p.end()
		}
	}
	deadline := time.Now().Add(5 * time.Second)
	for len(workers()) > 0 {
		if time.Now().After(deadline) {
			return fmt.Errorf("workers are left: processes %v", workers())
		}
		time.Sleep(100 * time.Millisecond)
	}
	return nil
}

// logs are what the TaskManagers have said.
func (c *cluster) logs() string {
	var all strings.Builder
	for i := range c.started {
		text, _ := os.ReadFile(filepath.Join(c.dir, fmt.Sprintf("TaskManager-%d.log", i+1)))
		all.Write(text)
	}
	return all.String()
}
