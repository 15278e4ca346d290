import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.apache.http.HttpHost;
import org.apache.http.util.EntityUtils;
import org.elasticsearch.client.Request;
import org.elasticsearch.client.RestClient;
import redis.clients.jedis.Jedis;

/**
 * A store of fingerprints as the articles describe it: four blocks of sixteen bits are the keys, what has a block in common is compared.
 * One call a value, one after the other, as such programs are written.
 *
 * <p>Usage: ArticleStore redis HOST PORT PREFIX plain|positioned, or ArticleStore search HOST PORT INDEX plain|positioned. Reads commands:
 * "put ID BITS", "find BITS". Prints a line for each: "ok", or the ids found, each as "ID/DISTANCE", by id. "end" prints the milliseconds
 * since the last "end".
 */
public final class ArticleStore {
  private static final int BLOCKS = 4;
  private static final int MOST_BITS = 3;

  interface Store extends AutoCloseable {
    void put(String id, String bits) throws IOException;

    TreeSet<String> find(String bits) throws IOException;
  }

  static String[] blocks(String bits, boolean positioned) {
    String[] out = new String[BLOCKS];
    int width = bits.length() / BLOCKS;
    for (int i = 0; i < BLOCKS; i++) {
      out[i] = (positioned ? i + ":" : "") + bits.substring(i * width, (i + 1) * width);
    }
    return out;
  }

  static int hammingDistance(String a, String b) {
    int distance = 0;
    for (int i = 0; i < a.length(); i++) {
      if (a.charAt(i) != b.charAt(i)) {
        distance++;
      }
    }
    return distance;
  }

  static final class RedisStore implements Store {
    private final Jedis jedis;
    private final String prefix;
    private final boolean positioned;

    RedisStore(String host, int port, String prefix, boolean positioned) {
      this.jedis = new Jedis(host, port);
      this.prefix = prefix;
      this.positioned = positioned;
    }

    @Override
    public void put(String id, String bits) {
      jedis.set(prefix + "fp:" + id, bits);
      for (String block : blocks(bits, positioned)) {
        jedis.sadd(prefix + block, id);
      }
    }

    @Override
    public TreeSet<String> find(String bits) {
      Set<String> seen = new HashSet<>();
      TreeSet<String> found = new TreeSet<>();
      for (String block : blocks(bits, positioned)) {
        for (String id : jedis.smembers(prefix + block)) {
          if (!seen.add(id)) {
            continue;
          }
          int distance = hammingDistance(bits, jedis.get(prefix + "fp:" + id));
          if (distance <= MOST_BITS) {
            found.add(id + "/" + distance);
          }
        }
      }
      return found;
    }

    @Override
    public void close() {
      jedis.close();
    }
  }

  static final class SearchStore implements Store {
    private static final int MOST_HITS = 10_000;
    private final RestClient client;
    private final Gson gson = new Gson();
    private final String index;
    private final boolean positioned;

    SearchStore(String host, int port, String index, boolean positioned) throws IOException {
      this.client = RestClient.builder(new HttpHost(host, port, "http")).build();
      this.index = index;
      this.positioned = positioned;
      if (client.performRequest(new Request("HEAD", "/" + index)).getStatusLine().getStatusCode() == 404) {
        Request create = new Request("PUT", "/" + index);
        create.setJsonEntity(
            "{\"mappings\":{\"properties\":{\"blocks\":{\"type\":\"keyword\"},\"simhash\":{\"type\":\"keyword\",\"index\":false}}}}");
        client.performRequest(create);
      }
    }

    @Override
    public void put(String id, String bits) throws IOException {
      JsonObject document = new JsonObject();
      document.add("blocks", gson.toJsonTree(blocks(bits, positioned)));
      document.addProperty("simhash", bits);
      Request request = new Request("PUT", "/" + index + "/_doc/" + java.net.URLEncoder.encode(id, StandardCharsets.UTF_8));
      request.setJsonEntity(gson.toJson(document));
      client.performRequest(request);
    }

    @Override
    public TreeSet<String> find(String bits) throws IOException {
      Request request = new Request("POST", "/" + index + "/_search?size=" + MOST_HITS);
      JsonObject terms = new JsonObject();
      terms.add("blocks", gson.toJsonTree(blocks(bits, positioned)));
      JsonObject query = new JsonObject();
      query.add("terms", terms);
      JsonObject body = new JsonObject();
      body.add("query", query);
      request.setJsonEntity(gson.toJson(body));
      String answer = EntityUtils.toString(client.performRequest(request).getEntity(), StandardCharsets.UTF_8);
      JsonArray hits = gson.fromJson(answer, JsonObject.class).getAsJsonObject("hits").getAsJsonArray("hits");
      TreeSet<String> found = new TreeSet<>();
      for (JsonElement hit : hits) {
        JsonObject row = hit.getAsJsonObject();
        int distance = hammingDistance(bits, row.getAsJsonObject("_source").get("simhash").getAsString());
        if (distance <= MOST_BITS) {
          found.add(row.get("_id").getAsString() + "/" + distance);
        }
      }
      return found;
    }

    @Override
    public void close() throws IOException {
      client.performRequest(new Request("POST", "/" + index + "/_refresh"));
      client.close();
    }
  }

  private ArticleStore() {}

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[2]);
    boolean positioned = args[4].equals("positioned");
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    try (Store store =
        args[0].equals("redis") ? new RedisStore(args[1], port, args[3], positioned) : new SearchStore(args[1], port, args[3], positioned)) {
      long begin = System.nanoTime();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] words = line.split(" ");
        if (words[0].equals("put")) {
          store.put(words[1], words[2]);
          out.println("ok");
        } else if (words[0].equals("find")) {
          out.println(String.join(" ", store.find(words[1])));
        } else {
          out.println((System.nanoTime() - begin) / 1_000_000);
          begin = System.nanoTime();
        }
      }
    }
    out.flush();
  }
}
