// The page's sections, in the order in which they stand. Each appends nothing if the report holds nothing for it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "report/report.h"

namespace leitong::report {

// The page stays below two megabytes whatever the texts hold: a list that grows with the collection is not continued beyond these sizes of
// the page, and says how much is left out. What one entry may take is bounded too.
inline constexpr std::size_t warnings_limit = 200'000;
inline constexpr std::size_t sources_limit = 400'000;
inline constexpr std::size_t groups_limit = 600'000;
inline constexpr std::size_t samples_limit = 900'000;
inline constexpr std::size_t page_limit = 1'700'000;

void append_summary(std::string& out, const Report& report);  // title, result in a sentence, share bar, key numbers, warnings
void append_sources(std::string& out, const Report& report);
void append_domains(std::string& out, const Report& report);
void append_old_sources(std::string& out, const Report& report);
void append_plots(std::string& out, const Report& report);
void append_clusters(std::string& out, const Report& report);
void append_samples(std::string& out, const Report& report);
void append_method(std::string& out, const Report& report);  // keep policy, candidate recall, configuration

void open_section(std::string& out, std::string_view id, std::string_view title, std::string_view explanation);
void close_section(std::string& out);
// The row with which page_script() filters, opens and closes the entries of the page. Once a page.
void append_filter(std::string& out);
// A horizontal bar for a table cell: part of whole.
void append_bar(std::string& out, std::uint64_t part, std::uint64_t whole);

}  // namespace leitong::report
