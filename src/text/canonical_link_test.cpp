#include "text/canonical_link.h"

#include <gtest/gtest.h>

#include <string>

#include "text/host.h"

namespace leitong::text {
namespace {

TEST(CanonicalLink, IsTheFirstOfItsKind) {
  EXPECT_EQ(canonical_link("<head><link rel=stylesheet href=x.css><LINK REL='Canonical' HREF=\"https://a.com/?x=1&amp;y=2\" /></head>"),
            "https://a.com/?x=1&y=2");
  EXPECT_EQ(canonical_link("<link href=https://a.com/x rel=canonical>"), "https://a.com/x");
  EXPECT_EQ(canonical_link("<link data-a='>' rel = \"canonical\" href = ' https://a.com '>"), "https://a.com");
  for (const char* none :
       {"", "<", "<link", "<link rel=canonical", "<link rel=canonical href>", "<link rel='canonical' href=\"", "<a rel=canonical href=x>"})
    EXPECT_EQ(canonical_link(none), "") << none;
  EXPECT_EQ(canonical_link("<link rel=canonical href='https://a.com"), "https://a.com");
  EXPECT_EQ(canonical_link(std::string(300'000, 'x') + "<link rel=canonical href=x>"), "");
}

TEST(HostOf, IsWithoutUserAndPort) {
  EXPECT_EQ(host_of("https://user:word@WWW.Example.com:8080/a@b"), "www.example.com");
  EXPECT_EQ(host_of("http://[::1]:80/"), "[::1]");
  EXPECT_EQ(host_of("dns:example.com"), "");
  EXPECT_EQ(host_of("http://"), "");
}

}  // namespace
}  // namespace leitong::text
