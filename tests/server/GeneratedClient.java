// What a client that was generated for Java does with a server: GeneratedClient URL KEY.
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.DefaultApi;
import org.openapitools.client.model.Document;
import org.openapitools.client.model.NewCollection;
import org.openapitools.client.model.Outcome;
import org.openapitools.client.model.Question;
import org.openapitools.client.model.TwoTexts;
import org.openapitools.client.model.Verdict;

public final class GeneratedClient {
  private static void require(boolean condition, Object what) {
    if (!condition) throw new AssertionError(what);
  }

  public static void main(String[] arguments) throws ApiException {
    ApiClient client = new ApiClient();
    client.updateBaseUri(arguments[0]);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + arguments[1]));
    DefaultApi api = new DefaultApi(client);
    String text = "The ferry leaves the island at nine, 渡船九点离开小岛, and comes back before the lamps are lit.";
    api.createCollection(new NewCollection().name("java").texts(true));
    Outcome added = api.addDocuments("java", new Document().id("a/1").text(text), true, null, null, null);
    require(added.getResult() == Outcome.ResultEnum.NEW, added);
    Verdict verdict = api.checkDocument("java", new Question().text(text + " More."), null, null, null);
    require(verdict.getResult() == Verdict.ResultEnum.DUPLICATE, verdict);
    require(Boolean.TRUE.equals(verdict.getVerified()), verdict);
    require(text.equals(String.valueOf(api.getDocument("java", "a/1").getText())), api.getDocument("java", "a/1"));
    require(!api.compareTexts(new TwoTexts().a(text).b(text + " More.")).getDiff().isEmpty(), "no difference");
    require(api.listCollections().getCollections().size() == 1, api.listCollections());
    try {
      api.getCollection("none");
      throw new AssertionError("a collection that is not there was found");
    } catch (ApiException refused) {
      require(refused.getCode() == 404 && refused.getResponseBody().contains("/problems/no-collection"), refused);
    }
    System.out.println("java: good");
  }
}
