import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import org.codelibs.opensearch.runner.OpenSearchRunner;
import org.opensearch.node.Node;

/**
 * OpenSearch nodes in one JVM on loopback: OpenSearchNodes NODES FOLDER PORT.
 *
 * <p>Prints "ready PORT PORT ..." when all nodes are one cluster. Then each line of standard input is a command, answered by "done" or
 * "failed": "stop N" closes node N (0 is the first) as a shutdown would, "start N" starts it again on its folder. Ends with standard input,
 * hence with the process that holds its other end.
 */
public final class OpenSearchNodes {
  private OpenSearchNodes() {}

  public static void main(String[] args) throws Exception {
    final PrintStream answers = System.out;
    System.setOut(System.err); // the runner's own words are for the log
    final int nodes = Integer.parseInt(args[0]);
    final OpenSearchRunner runner = new OpenSearchRunner();
    final int port = Integer.parseInt(args[2]);
    runner.setMaxHttpPort(port + nodes - 1);
    runner.onBuild((number, settings) -> {
      settings.put("network.host", "127.0.0.1");
      settings.put("http.port", port + number - 1);
      settings.put("node.max_local_storage_nodes", 1);
      settings.put("thread_pool.write.queue_size", 100);
      settings.put("cluster.routing.allocation.disk.threshold_enabled", false);
      settings.put("cluster.routing.allocation.node_concurrent_recoveries", 8);
      settings.put("discovery.initial_state_timeout", "1s"); // a first node does not wait for the next one's start
      settings.put("cluster.fault_detection.leader_check.interval", "200ms");
      settings.put("cluster.fault_detection.follower_check.interval", "200ms");
    });
    runner.build(OpenSearchRunner.newConfigs().basePath(args[1]).numOfNode(nodes).baseHttpPort(port - 1).clusterName("leitong-" + port));
    runner.ensureGreen();
    final StringBuilder ports = new StringBuilder("ready");
    for (int i = 0; i < nodes; i++) ports.append(' ').append(runner.getNode(i).settings().get("http.port"));
    answers.println(ports);
    answers.flush();

    final BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      answers.println(obey(runner, line.split(" ")) ? "done" : "failed");
      answers.flush();
    }
    Runtime.getRuntime().halt(0); // as a kill: whoever needs an orderly end says stop
  }

  private static boolean obey(OpenSearchRunner runner, String[] words) {
    try {
      final int number = Integer.parseInt(words[1]);
      if (words[0].equals("start")) return runner.startNode(number);
      final Node node = runner.getNode(number);
      node.close();
      return node.awaitClose(30, java.util.concurrent.TimeUnit.SECONDS);
    } catch (Exception error) {
      error.printStackTrace();
      return false;
    }
  }
}
