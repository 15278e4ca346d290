-- wrk -s questions.lua URL -- FILE PATH PAUSE: posts the lines of FILE, one a request, each thread from the first; PAUSE: milliseconds that a
-- connection waits before each. At the end a line of JSON.
local requests, next_one, pause = {}, 0, 0

function init(arguments)
  local headers = {["Content-Type"] = "application/json"}
  for line in io.lines(arguments[1]) do
    requests[#requests + 1] = wrk.format("POST", arguments[2], headers, line)
  end
  pause = tonumber(arguments[3] or "0")
  if pause == 0 then delay = nil end
end

function request()
  next_one = next_one % #requests + 1
  return requests[next_one]
end

-- Around the pause, so that connections do not come at once.
function delay() return math.random(0, 2 * pause) end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format('{"requests":%d,"seconds":%.3f,"p50_ms":%.3f,"p99_ms":%.3f,"p999_ms":%.3f,"max_ms":%.3f,"bad":%d}\n', summary.requests,
    summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency:percentile(99.9) / 1e3, latency.max / 1e3,
    e.connect + e.read + e.write + e.status + e.timeout))
end
